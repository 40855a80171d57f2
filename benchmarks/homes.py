"""Homes that benchmarks build, reuse and measure, by the same function that the asset job calls."""

import argparse
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import corpora

from pagerag_pipeline.refresh import products, workers
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import load_settings, write_corpus_folder

WARM_TASKS = {
    "embed_batch": {"key": "warm", "context": "", "text": "A sentence to warm up with."},
    "extract_batch": {"key": "warm", "text": "A sentence to warm up with.", "language": "en", "mode": "mixed"},
}


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A refresh that was measured: seconds run from the start of the first product, with models loaded, to the publish."""

    home: Path
    reports: list[ProductReport]
    seconds: float


def arguments(purpose: str) -> argparse.ArgumentParser:
    """The parser every benchmark starts from."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--work", type=Path, default=Path(".bench"), help="folder for copied corpora and built homes (default: .bench)")
    return parser


def fresh_home(name: str, work: Path) -> Path:
    """An empty home over the corpus of a set."""
    home = work.absolute() / "homes" / name
    shutil.rmtree(home, ignore_errors=True)
    write_corpus_folder(home, corpora.corpus(name, work).absolute())
    return home


def standing_home(name: str, corpus: Path, work: Path) -> Path:
    """The home of a name, made over this corpus when there is none."""
    home = work.absolute() / "homes" / name
    if not load_settings(home).corpus.folder:
        write_corpus_folder(home, corpus.absolute())
    return home


def ready_home(name: str, work: Path) -> Path:
    """A home over the corpus of a set, refreshed: built when there is none, else brought up to date."""
    home = standing_home(name, corpora.corpus(name, work), work)
    refresh(home)
    return home


def of_this_repository(purpose: str) -> tuple[str, str, Path]:
    """By the command line, `bundled` or `tables`, the folder of `data/` that it stands for, and a refreshed home over it."""
    parser = arguments(purpose)
    parser.add_argument("data", choices=["bundled", "tables"])
    given = parser.parse_args()
    corpus = "corpus" if given.data == "bundled" else "tables"
    home = standing_home(f"aggregation-{given.data}", corpora.ROOT / "data" / corpus, given.work)
    refresh(home)
    return given.data, corpus, home


def refresh(home: Path) -> Refreshed:
    """Refresh a home and measure it."""
    with Session.open(home, settings=load_settings(home), purpose="benchmark") as session:
        load_models(session)
        begun = time.perf_counter()
        reports = products.refresh(session)
        return Refreshed(home, reports, time.perf_counter() - begun)


def load_models(session: Session) -> None:
    """Load and warm every model wherever batches will run."""
    spread = session.settings.refresh.workers * session.settings.refresh.in_flight
    for function, task in WARM_TASKS.items():
        for _ in session.mapper.map(f"{workers.__name__}:{function}", iter([[task]] * spread)):
            pass
