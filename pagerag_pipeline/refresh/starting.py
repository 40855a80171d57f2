"""What is looked at before a refresh starts: mistakes that can be known at once, told before a run, a model or a file is made."""

import os
import shlex
from dataclasses import replace
from pathlib import Path

from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.indexing.overrides import parse_overrides
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import corpus_folder, load_settings, write_corpus_folder
from pagerag_pipeline.stores.governance import governance_text, ontology_text


class CorpusGuard(RuntimeError):
    """A refresh that would lose too much at once; nothing was changed. `force` goes on."""


class CannotStart(ValueError):
    """A home or a corpus folder that cannot be meant; the message says what to name instead."""


def checked(home: Path, corpus: str | None, *, write: bool) -> Settings:
    """The settings of a home that a refresh can start with; with `write`, a new home is made over the corpus folder that is given.

    Raises CannotStart, CorpusGuard, SettingsError, OverridesError, OntologyError.
    """
    check_home(home)
    settings = _over_corpus(home, corpus)
    present_folder(home, settings)
    parse_overrides(governance_text(home))
    load_ontology(ontology_text(home))
    if write:
        make_home(home)
        if not load_settings(home).corpus.folder:
            write_corpus_folder(home, Path(settings.corpus.folder))
    return settings


def present_folder(home: Path, settings: Settings) -> Path:
    """The corpus folder of a home; raises CorpusGuard when none is set or it is not there."""
    folder = corpus_folder(home, settings)
    if folder is None:
        raise CorpusGuard(f"No corpus folder is set for {home}: run `{refresh_command(home)} --corpus DIR` once.")
    if not folder.is_dir():
        raise CorpusGuard(f"The corpus folder {folder} is not there (an unmounted disk?). Nothing was changed; what is published still answers.")
    return folder


def refresh_command(home: Path) -> str:
    """The command that refreshes a home, as one may type it anywhere."""
    return f"pagerag refresh --home {shlex.quote(str(home))}"


def check_home(home: Path) -> None:
    """Raise CannotStart when a home cannot be written to, or made where it would stand; nothing is made."""
    try:
        standing = next(folder for folder in (home, *home.parents) if folder.exists())
        usable = standing.is_dir() and os.access(standing, os.W_OK | os.X_OK)
    except OSError as error:
        raise CannotStart(f"The home {home} cannot be used: {error.strerror}. Name another one with --home.") from error
    if not usable:
        why = "is not a folder" if not standing.is_dir() else "cannot be written to"
        raise CannotStart(f"The home {home} cannot be used: {standing} {why}. Name another one with --home.")


def make_home(home: Path) -> None:
    """Make the folder of a home unless it is there. Raises CannotStart."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(f"The home {home} cannot be made: {error.strerror}. Name another one with --home.") from error


def _over_corpus(home: Path, given: str | None) -> Settings:
    """The settings of a home with its corpus folder, as they are set or as they are to be."""
    settings = load_settings(home)
    known = corpus_folder(home, settings)
    folder = Path(given).expanduser().resolve() if given else known
    if folder is None:
        raise CannotStart(f"No corpus folder is set for {home}: name it once with `{refresh_command(home)} --corpus DIR`.")
    if known is not None and known.resolve() != folder.resolve():
        raise CannotStart(f"{home} is over {known}, not over {folder}: take another --home, or change [corpus] folder in its pagerag.toml.")
    if known is not None:
        return settings
    if not folder.is_dir():
        raise CannotStart(f"The corpus folder {folder} does not exist or is not a folder.")
    return replace(settings, corpus=replace(settings.corpus, folder=str(folder)))
