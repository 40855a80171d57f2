"""Eta rises for what nothing in scope mentions and for what lies beyond the boundary of the profiles."""

import pytest

from pagerag_pipeline.schema.asking import Question, Scope
from pagerag_pipeline.settings_asking import AnswerSettings, RetrieveSettings
from pagerag_pipeline.systems.boundary import Boundary, asks_beyond, find_boundary
from pagerag_pipeline.systems.gathering import Means, read
from pagerag_pipeline_tests.memory_repository import MemoryRepository

NOVEL = {"order": "chapters", "chapters": "12", "last_section": "CHAPTER XIV", "years": "1850-1912"}
PLAIN = {"order": "text", "sections": "1"}


def boundary(question: str, *kappa: dict[str, str]) -> Boundary:
    repository = MemoryRepository({"a.txt": ["Mara Quill founded Tinworks in 1901."]}, kappa=kappa)
    means = Means(repository, repository.embedder, RetrieveSettings(), AnswerSettings(), Scope())  # type: ignore[arg-type]
    return find_boundary(read(Question("q", question), means), means)


@pytest.mark.parametrize(
    ("question", "beyond"),
    [
        ("What happens in chapter 15?", True),
        ("What happens in Chapter XIV?", False),
        ("What happens after chapter fourteen?", True),
        ("What happens in chapter thirteen?", False),
        ("What did Mara do in 1950?", True),
        ("What did Mara do in 1849?", True),
        ("What did Mara do in 1901?", False),
        ("What did Mara do in 1920?", False),
        ("What became of Mara after the end of the novel?", True),
        ("What became of Mara after the end of the war?", False),
        ("Who founded Tinworks?", False),
    ],
)
def test_chapters_years_and_ends_beyond_the_visible_scope_are_seen(question: str, beyond: bool) -> None:
    known = {"1920": 1}
    assert bool(asks_beyond(question, lambda: [NOVEL, PLAIN], known)) is beyond


def test_texts_that_know_of_no_chapters_or_years_bound_nothing() -> None:
    assert asks_beyond("What happens in chapter 15 in 1950?", lambda: [PLAIN], {}) == ""


def test_profiles_are_read_only_when_a_question_speaks_of_chapters_or_years() -> None:
    assert asks_beyond("Who founded Tinworks?", lambda: pytest.fail("read"), {}) == ""


def test_asking_beyond_adds_three_tenths_and_can_make_the_gate_strict() -> None:
    within, beyond = boundary("Did Mara leave Tinworks in 2087?", PLAIN), boundary("Did Mara leave Tinworks in 2087?", NOVEL)
    assert beyond.eta == pytest.approx(within.eta + 0.3)
    assert beyond.strict and beyond.beyond == "in 2087, outside the years 1850-1912"


def test_what_is_known_is_far_from_the_boundary() -> None:
    assert boundary("Who founded Tinworks?", NOVEL) == Boundary(0.0, False, "")
