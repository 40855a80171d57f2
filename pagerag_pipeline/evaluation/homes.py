"""The home that a set is evaluated in: the one that is named, or one of a cache, keyed by the documents and the settings that shape an index."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.datasets import QuestionSet, Task
from pagerag_pipeline.evaluation.metrics import holds, normalized
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.models.chat.opening import Chat
from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.protocols import Progress
from pagerag_pipeline.settings import CorpusSettings, Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.documents import UnknownDocument, matching_documents
from pagerag_pipeline.stores.generations import standing_name
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.repository import Repository

CACHE = "evaluation"
"""Folder of the cache, in the home that evaluation starts from; what stands in it can be deleted at any time."""
CORPUS = "corpus"

_NO_SHAPE = ("corpus", "store", "refresh", "retrieve", "answer", "e2", "pank", "schedule", "chat")
"""Slices of the settings that do not shape what is published."""


class GenerationMoved(RuntimeError):
    """A refresh published while a comparison ran: the variants would be asked of different generations."""


@dataclass(frozen=True, slots=True)
class EvaluatedHome:
    """A home over the documents of a set."""

    folder: Path
    settings: Settings
    cache: Path
    """Where homes that are made from it stand."""
    reused: bool
    """Whether its generation was there already."""
    generation: str | None = None
    """The one that every variant is asked of."""


def ready_home(asked: QuestionSet, given: Path | None, start: Path, *, told: Progress | None = None, chat: Chat | None = None) -> EvaluatedHome:
    """The home for a set: a named one as it is published, a new one built over the set's documents, else one of the cache, brought up to date.

    `chat` are the models of the whole evaluation, which a build asks too. Raises EvaluationError for a named home of other documents that has published
    nothing, and as a refresh does.
    """
    if given is not None and standing_name(given) is not None:
        return EvaluatedHome(given, load_settings(given), start / CACHE, True, standing_name(given))
    found = load_settings(given or start)
    folder = given or start / CACHE / f"{asked.name.removesuffix('-cross')}-{cache_key(asked.files, found)}"
    if given is not None and found.corpus.folder and not _is_own(found.corpus.folder, given):
        raise EvaluationError(f"{given} has published nothing yet, and is over other documents: refresh it first, or name a home that is new.")
    if not asked.files:
        raise EvaluationError(
            f"{asked.name}: its documents stand nowhere: name their folder with --corpus, or a refreshed home with --home."
        )
    reused = standing_name(folder) is not None
    place_corpus(asked.files, folder / CORPUS)
    settings = replace(found, corpus=CorpusSettings(folder=str(folder / CORPUS)))
    (folder / "pagerag.toml").write_text(settings_text(settings), encoding="utf-8")
    with Session.open(folder, settings=settings, purpose="evaluate") as session:
        session.on_progress = told
        session.share(chat)
        refresh(session)
    return EvaluatedHome(folder, settings, start / CACHE, reused, standing_name(folder))


def _is_own(corpus: str, home: Path) -> bool:
    """Whether a corpus folder is the one that an evaluation placed in a home, whose build did not come to its end."""
    return Path(corpus).expanduser().resolve() == (home / CORPUS).resolve()


def check_generation(home: EvaluatedHome) -> None:
    """Nothing when the home still stands as the comparison found it. Raises GenerationMoved."""
    now = standing_name(home.folder)
    if now != home.generation:
        raise GenerationMoved(
            f"A refresh published {now or 'nothing that can be read'} in {home.folder} while questions were asked of {home.generation}: "
            "the comparison stopped, since its systems must be asked of the same documents. Run it again when no refresh runs."
        )


def names_held(home: Path) -> Callable[[str], bool]:
    """Whether a name means exactly one document of a home; none does while nothing is published there."""
    if standing_name(home) is None:
        return lambda name: False
    repository = open_repository(home, load_settings(home))
    try:
        documents = repository.documents()
    finally:
        repository.close()
    return lambda name: len(matching_documents(name, documents)) == 1


def cache_key(files: Mapping[str, Path], settings: Settings) -> str:
    """Digest of the documents, with their places, and of the settings that shape an index; 12 characters."""
    shaping = [repr(getattr(settings, one.name)) for one in fields(settings) if one.name not in _NO_SHAPE]
    return digest(
        "evaluation", *(part for place, file in sorted(files.items()) for part in (place, digest(file.read_bytes()))), *shaping
    )[:12]


def place_corpus(files: Mapping[str, Path], corpus: Path) -> None:
    """Copy the files to their places below a corpus folder, in one step; a folder that is there is taken as it is."""
    if corpus.exists():
        return
    staging = corpus.with_name(f".{corpus.name}")
    shutil.rmtree(staging, ignore_errors=True)
    for place, file in files.items():
        (staging / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, staging / place)
    staging.rename(corpus)


def settings_text(settings: Settings) -> str:
    """The settings that differ from their defaults, as `pagerag.toml`."""
    lines: list[str] = []
    for one in fields(settings):
        given, default = getattr(settings, one.name), getattr(Settings(), one.name)
        changed = [f.name for f in fields(given) if getattr(given, f.name) != getattr(default, f.name)]
        lines += (
            [f"[{one.name}]", *(f"{name} = {_toml(getattr(given, name))}" for name in changed), ""]
            if changed
            else []
        )
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        rows = [", ".join(f"{name} = {_toml(own)}" for name, own in asdict(row).items()) for row in value]
        return f"[{', '.join(f'{{ {row} }}' for row in rows)}]"
    return json.dumps(value, ensure_ascii=False)


def with_full_ids(tasks: Sequence[Task], repository: Repository) -> list[Task]:
    """The tasks with the full ids of their documents. Raises EvaluationError when the home does not hold one of them."""
    ids: dict[str, str] = {}

    def full(name: str) -> str:
        if name not in ids:
            ids[name] = repository.resolve_document(name)
        return ids[name]

    resolved = []
    for task in tasks:
        question, gold = task.question, task.gold
        try:
            documents = None if question.doc_ids is None else tuple(map(full, question.doc_ids))
            relevant = {full(name): grade for name, grade in gold.relevant.items()}
        except UnknownDocument as error:
            raise EvaluationError(f"Question {question.qid}: the home holds other documents than the set. {error}") from error
        resolved.append(Task(replace(question, doc_ids=documents), replace(gold, relevant=relevant)))
    return resolved


class HomeTexts:
    """The documents of a home, normalized for comparison when they are first asked for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[str, str] = {}

    def hold(self, documents: Sequence[str] | None, answers: Sequence[str]) -> bool:
        """Whether one of the answers stands in one of the documents, of all when none are named."""
        return holds((self._text(one) for one in (self._repository.documents() if documents is None else documents)), answers)

    def _text(self, document: str) -> str:
        if document not in self._known:
            self._known[document] = normalized(self._repository.slice(document, 0, 2**31 - 2))
        return self._known[document]
