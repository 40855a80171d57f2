"""Asked end to end: what lies beyond the scope, rests on a false premise, or is told in two ways."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline_tests.homes import build

_STORY = "\n\n".join(
    f"CHAPTER {number}\n\n{text}\n\n" + "The rain fell on the roofs of the harbor and the bell was rung at noon. " * 12
    for number, text in (
        ("I", "Anna Roe kept the toll house by the bridge, and Jonas Pell mended it."),
        ("II", "Anna Roe married Jonas Pell in the spring. The toll house was never closed."),
    )
)
FILES = {
    "novel.txt": _STORY,
    "guide.txt": "Tinworks was founded in 1901. Odo Fenn of Tinworks sold kettles to the harbor.",
    "leaflet.txt": "Tinworks was founded in 1903. It stands beside the bridge.",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueryEngine]:
    home: Path = build(tmp_path_factory.mktemp("refusals"), FILES)
    with QueryEngine(home) as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    ["What did Anna Roe do after the end of the novel?", "What happens to Jonas Pell in chapter 9?", "What happened to Anna Roe after chapter two?"],
)
def test_what_comes_after_the_end_of_a_text_is_beyond_scope(engine: QueryEngine, question: str) -> None:
    outcome = engine.ask(question)
    assert (outcome.status, outcome.reason, outcome.answer, outcome.citations) == ("refused", "beyond_scope", None, ())
    assert "after" in outcome.missing[0]
    assert outcome.evidence


def test_what_the_last_chapter_tells_is_within_scope(engine: QueryEngine) -> None:
    assert engine.ask("Whom did Anna Roe marry in chapter two?").reason != "beyond_scope"


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Why did Anna Roe marry Odo Fenn?", "Anna Roe married Jonas Pell in the spring."),
        ("When was the toll house closed?", "The toll house was never closed."),
    ],
)
def test_a_false_premise_is_refused_with_the_quote_against_it(engine: QueryEngine, question: str, quote: str) -> None:
    outcome = engine.ask(question)
    assert (outcome.status, outcome.reason, outcome.answer) == ("refused", "false_premise", None)
    assert quote in outcome.missing[0]
    assert any(quote in " ".join(item.text.split()) for item in outcome.evidence)


def test_two_sources_of_two_opinions_are_both_cited(engine: QueryEngine) -> None:
    outcome = engine.ask("When was Tinworks founded?")
    assert outcome.status == "partial"
    assert {claim.text for claim in outcome.claims} == {"1901", "1903"}
    assert {citation.document for citation in outcome.citations} >= {"guide.txt", "leaflet.txt"}
    assert "contradict" in outcome.missing[0]
