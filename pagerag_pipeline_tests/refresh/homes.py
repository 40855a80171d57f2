"""Small homes for tests: a corpus folder, settings with deterministic models, one refresh."""

from pathlib import Path

from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings import Settings, load_settings

STUB_MODELS = '[embed]\nmodel = "hash"\n\n[extract]\ntagger = "rules"\n'

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
F2 = "Odo Fenn bought Tinworks from Mara Quill in 1912."
F3 = "Sister Bell kept bees at Low Farm."


def make_home(folder: Path, files: dict[str, str], *, settings: str = STUB_MODELS) -> Path:
    """A home over a corpus folder with these files; returns the home."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True)
    write_files(corpus, files)
    home = folder / "home"
    home.mkdir()
    (home / "pagerag.toml").write_text(f'[corpus]\nfolder = "{corpus}"\n\n{settings}', encoding="utf-8")
    return home


def write_files(corpus: Path, files: dict[str, str]) -> None:
    """Write files below a corpus folder."""
    for name, text in files.items():
        path = corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def corpus_of(home: Path) -> Path:
    """The corpus folder of a home made here."""
    return home.parent / "corpus"


def refreshed(home: Path, *, force: bool = False, settings: Settings | None = None) -> dict[str, ProductReport]:
    """The reports of one refresh, by product."""
    with Session.open(home, settings=settings or load_settings(home), force=force) as session:
        return {report.product: report for report in refresh(session)}


def digests(reports: dict[str, ProductReport]) -> dict[str, str]:
    """Digest by product."""
    return {name: report.digest for name, report in reports.items()}
