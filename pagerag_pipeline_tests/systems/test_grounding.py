"""What a verdict stands on."""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import cast

import pytest

from pagerag_pipeline.answering.asked import split_question
from pagerag_pipeline.schema.asking import Evidence, Question, Turn
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading
from pagerag_pipeline.systems.grounding import grounds_of, grounds_of_hop, share_of_one_story
from pagerag_pipeline_tests.answering.evidence import TURNED, shown, signs_of, statistics


@dataclass(frozen=True)
class Forms:
    """A repository that knows nothing but what its documents are."""

    known: dict[str, str]

    def forms(self, documents: list[str]) -> dict[str, str]:
        return {document: self.known[document] for document in documents if document in self.known}


def passages(*documents: str) -> list[Evidence]:
    return [replace(item, spans=(replace(item.spans[0], document=document),)) for item, document in zip(shown(*documents), documents, strict=True)]


@pytest.mark.parametrize(
    ("documents", "chance"),
    [
        (("novel", "novel"), 1.0),
        (("novel", "tale", "novel", "report"), 0.3125),
        (("report", "report", "tale"), 0.1111),
        (("report", "unknown"), 0.0),
    ],
)
def test_only_passages_of_one_story_count_together(documents: tuple[str, ...], chance: float) -> None:
    repository = cast(Repository, Forms({"novel": "fiction", "tale": "fiction", "report": "report"}))
    assert share_of_one_story(passages(*documents), repository) == chance


def test_the_kept_tokens_of_evidence_go_with_the_grounds() -> None:
    evidence = tuple(shown("Mara Quill founded Tinworks.", "Odo Fenn was late."))
    known = signs_of(evidence[1:])
    repository = SimpleNamespace(signs=lambda keys: {key: known[key] for key in keys if key in known}, embedding_model="hash")
    means = cast(Means, SimpleNamespace(repository=repository, tokenizer=TURNED.tokenizer))
    grounds = grounds_of_hop(evidence, evidence, cast(Reading, SimpleNamespace(statistics=statistics("Tinworks"))), means)
    assert [(one.item, len(one.signs)) for one in grounds.tokens] == [(1, len(TURNED.tokenizer.offsets("Odo Fenn was late.")))]
    assert grounds.told_before


@pytest.mark.parametrize(
    ("question", "turns", "told"),
    [
        ("Who designed this bridge?", ("Hello", "Hi, how can I help?"), False),
        ("Who designed this bridge?", ("Is there a bridge at Tarn?",), True),
        ("Who owned the Heron, and where is this ship now?", (), True),
        ("Who owned that ship, and where is this ship now?", (), False),
    ],
)
def test_only_what_names_something_tells_what_a_question_points_at(question: str, turns: tuple[str, ...], told: bool) -> None:
    repository = SimpleNamespace(signs=lambda keys: {}, embedding_model="hash", forms=lambda documents: {})
    means = cast(Means, SimpleNamespace(repository=repository, tokenizer=TURNED.tokenizer))
    reading = SimpleNamespace(statistics=statistics("Tarn"), parts=split_question(question))
    gathered = cast(Gathered, SimpleNamespace(evidence=(), pool=(), ranked=(), reading=reading, strict=False, findings=()))
    asked = Question("q", question, history=tuple(Turn("user", turn) for turn in turns))
    assert grounds_of(asked, gathered, means, constrained=True).told_before is told
