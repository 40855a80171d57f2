"""Small homes built by a real refresh, with the embedder and tagger that need no weights."""

from pathlib import Path

from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.session import Session

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
F2 = "Odo Fenn bought Tinworks from Mara Quill in 1912."
F3 = "Sister Bell kept bees at Low Farm."

SETTINGS = '[corpus]\nfolder = "corpus"\n[embed]\nmodel = "hash"\n[extract]\ntagger = "rules"\n'


def write_corpus(root: Path, files: dict[str, str]) -> Path:
    """Make the corpus folder hold exactly these files, and a home beside it whose settings name it; returns the home."""
    corpus, home = root / "corpus", root / "home"
    for old in sorted(corpus.rglob("*")) if corpus.exists() else []:
        if old.is_file():
            old.unlink()
    for name, text in files.items():
        path = corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    corpus.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    settings = SETTINGS.replace('"corpus"', repr(str(corpus)).replace("'", '"'))
    (home / "pagerag.toml").write_text(settings, encoding="utf-8")
    return home


def build(root: Path, files: dict[str, str]) -> Path:
    """A home that holds exactly these files, refreshed; call it again with other files to change them."""
    home = write_corpus(root, files)
    with Session.open(home, force=True) as session:
        refresh(session)
    return home
