"""Many questions at once: each is asked unless the same question was answered before under the same conditions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pagerag_pipeline.models.chat.client import model_fingerprint
from pagerag_pipeline.models.tagger import tagger_fingerprint
from pagerag_pipeline.schema.asking import Question, says_nothing
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import ROLES
from pagerag_pipeline.settings import Settings, slice_digest
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline.stores.answers import Answers
from pagerag_pipeline.stores.generations import Manifest, current

OTHER_SIDES = frozenset("arguments.py cli.py definitions.py defs evaluating.py evaluation health.py refresh terminal.py __pycache__".split())
"""What no answer runs through. Any edit elsewhere, of a data file too, asks anew: an answer costs less than one that is no longer true."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Under what conditions a batch is asked."""

    generation: str
    """The published one; empty when there is none."""
    digest: str
    """Of all that an answer depends on besides its question."""


def answer_batch(
    questions: Sequence[Question], ask: Callable[[Question], dict[str, Any]], *, answers: Answers, asking: Asking, batch: int = 20
) -> Iterator[tuple[dict[str, Any], bool]]:
    """(outcome, whether it was kept before) of every question in order; what is asked now is kept every `batch` questions.

    A fault (`failed`) is not kept, nor a refusal for an unusable reply or a limit that was reached, nor what came of it when a model that was to plan or
    to answer a hop gave nothing, nor an answer of a generation that was published
    meanwhile: it would stand under the wrong key.
    """
    for start in range(0, len(questions), batch):
        some = questions[start : start + batch]
        keys = [question_key(question, asking) for question in some]
        kept = answers.kept(keys)
        asked: list[tuple[str, dict[str, Any]]] = []
        outcomes: list[tuple[dict[str, Any], bool]] = []
        for question, key in zip(some, keys, strict=True):
            if key in kept:
                outcomes.append(({**kept[key], "qid": question.qid}, True))
                continue
            outcome = ask(question)
            outcomes.append((outcome, False))
            if _lasts(outcome) and outcome["generation"] == asking.generation:
                asked.append((key, outcome))
        answers.keep(asked)
        yield from outcomes


def _lasts(outcome: dict[str, Any]) -> bool:
    """Whether an outcome would come the same if it were asked again."""
    whole = outcome["status"] != "failed" and not says_nothing(outcome.get("reason"), evidence=bool(outcome.get("evidence")))
    return whole and not any(step.get("fallback") for step in outcome.get("trace", ()))


def asking_now(home: Path, settings: Settings, *, system: str, budget: int | None = None) -> Asking:
    """The conditions under which a home is asked at present."""
    manifest = current(home)
    return Asking(manifest.generation if manifest else "", asking_digest(manifest, settings, system=system, budget=budget))


def asking_digest(manifest: Manifest | None, settings: Settings, *, system: str, budget: int | None) -> str:
    """Digest of generation, system, budget, settings of asking, the code that asks, and the models it asks with."""
    index = (manifest.generation, repr(sorted(manifest.fingerprints.items()))) if manifest else ("", "")
    knobs = slice_digest(settings.retrieve, settings.answer, settings.e2, settings.pank, settings.ensi, settings.ask)
    code = source_digest(files("pagerag_pipeline"))
    return digest("asking", *index, system, budget, knobs, tagger_fingerprint(settings.extract), code, _chat_digest(settings.chat))


def _chat_digest(chat: ChatSettings) -> str:
    """Of the chat models that are asked and what fits their windows; empty when none is."""
    return digest(*(model_fingerprint(chat, role) for role in ROLES), chat.context_tokens, chat.reply_tokens) if chat.on else ""


def question_key(question: Question, asking: Asking) -> str:
    """Key of an answer: its question, without its id, and all else it depends on."""
    return digest("answer", asking.digest, repr((question.text, question.doc_ids, question.options, question.history)))


def source_digest(package: Traversable) -> str:
    """Digest of all files of the package that answers may run through: every name with every byte, compiled files apart."""
    return digest("sources", *_parts(package, ""))


def _parts(node: Traversable, name: str) -> list[str | bytes]:
    if node.is_file():
        return [name, node.read_bytes()]
    children = sorted((child for child in node.iterdir() if child.name not in OTHER_SIDES), key=lambda child: child.name)
    return [part for child in children for part in _parts(child, f"{name}/{child.name}")]
