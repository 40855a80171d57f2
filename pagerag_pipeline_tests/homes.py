"""Small homes: a corpus folder, a home beside it whose settings name it and need no weights, and real refreshes of it."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from pagerag_pipeline.models.hashing import HashEmbedder
from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.protocols import Encoded
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings

STUB_MODELS = '[embed]\nmodel = "hash"\n\n[extract]\ntagger = "rules"\n'

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
F2 = "Odo Fenn bought Tinworks from Mara Quill in 1912."
F3 = "Sister Bell kept bees at Low Farm."


def make_home(folder: Path, files: dict[str, str], *, settings: str = STUB_MODELS) -> Path:
    """A home over a corpus folder that holds exactly these files; both may be there already. Returns the home, not refreshed yet."""
    corpus, home = folder / "corpus", folder / "home"
    for path in sorted(corpus.rglob("*")) if corpus.exists() else []:
        if path.is_file() and path.relative_to(corpus).as_posix() not in files:
            path.unlink()
    corpus.mkdir(parents=True, exist_ok=True)
    write_files(corpus, files)
    home.mkdir(exist_ok=True)
    (home / "pagerag.toml").write_text(f"[corpus]\nfolder = '{corpus}'\n\n{settings}", encoding="utf-8")
    return home


def build(folder: Path, files: dict[str, str], *, settings: str = STUB_MODELS) -> Path:
    """A home that holds exactly these files, refreshed; call it again with other files to change them."""
    home = make_home(folder, files, settings=settings)
    refreshed(home, force=True)
    return home


def write_files(corpus: Path, files: dict[str, str]) -> None:
    """Write files below a corpus folder; those that hold the text already are left as they are."""
    for name, text in files.items():
        path = corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != text.encode():
            path.write_bytes(text.encode())


def copy_home(home: Path, folder: Path) -> Path:
    """A copy of a home made here with its corpus; its files are new to the file system, so the next refresh reads them, and builds nothing."""
    shutil.copytree(home.parent, folder, dirs_exist_ok=True)
    copied = folder / home.name
    settings = (copied / "pagerag.toml").read_text(encoding="utf-8")
    (copied / "pagerag.toml").write_text(settings.replace(str(home.parent), str(folder)), encoding="utf-8")
    return copied


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


def with_token_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the embedder without weights tell signs of tokens, each hashed by itself, in the manner of a model that knows their context."""

    def told(self: HashEmbedder, texts: Sequence[str]) -> list[Encoded]:
        return [Encoded(one.pooled, np.packbits(one.vectors > 0, axis=1)) for one in self.token_vectors(texts)]

    monkeypatch.setattr(HashEmbedder, "encode_passages", told)
