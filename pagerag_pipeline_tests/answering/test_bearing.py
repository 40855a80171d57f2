"""Claims that stand in their sources are no answer where they are beside what was asked."""

from dataclasses import replace
from typing import Any

import pytest

from pagerag_pipeline.answering.bearing import untyped
from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.answering.generative import answer_by_model
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.schema.asking import Question, Turn
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import RULES, shown, statistics
from pagerag_pipeline_tests.answering.test_generative import BEFORE, said
from pagerag_pipeline_tests.fakes import SayingModel
from pagerag_pipeline_tests.homes import F1, F3

BEES = said("at Low Farm", ("Sister Bell kept bees at Low Farm.", ["E2"]))


def decided(reply: dict[str, Any], question: Question, *texts: str, **changes: Any) -> Decision:
    evidence = tuple(shown(*texts))
    grounds = replace(Grounds(evidence, evidence, statistics(*texts), "hash"), **changes)
    found = answer_by_model(question, grounds, BEFORE, model=SayingModel(lambda _: reply), readers=(RULES, AnswerSettings())).decision
    assert found is not None
    return found


def test_a_claim_that_its_source_says_and_nobody_asked_for_is_refused() -> None:
    question = Question("q", "Who founded Tinworks?")
    found = decided(BEES, question, F1, F3)
    assert (found.status, found.reason, found.answer, found.claims, found.cited) == ("refused", "insufficient", None, (), ())
    assert found.missing == (question.text,) and "founded, tinworks" in found.trace[-1]["beside_the_point"]
    assert found.confidence < AnswerSettings().threshold
    assert decided(BEES, question, F1, F3, constrained=False).status == "answered", "without the gate nothing is refused"


def test_one_claim_that_bears_carries_the_others_with_it() -> None:
    reply = said("Mara Quill", ("Mara Quill founded Tinworks.", ["E1"]), ("Sister Bell kept bees at Low Farm.", ["E2"]))
    assert decided(reply, Question("q", "Who founded Tinworks?"), F1, F3).status == "answered"


@pytest.mark.parametrize(
    ("question", "text", "claim"),
    [
        ("What did the captain do after the storm?", "The captain feared the storm. He mended the mast.", "He mended the mast."),
        ("Who started Tinworks?", F1, "Mara Quill was its founder."),
        ("How was the place?", "The winter was cold and dark.", "The winter was cold and dark."),
        ("¿Quién fundó la fábrica?", F1, "Mara Quill founded Tinworks in 1901."),
    ],
)
def test_the_sentence_before_a_relative_and_another_language_are_no_reason_to_refuse(question: str, text: str, claim: str) -> None:
    assert decided(said(claim, (claim, ["E1"])), Question("q", question), text).status in ("answered", "partial")


def test_what_was_said_before_is_asked_about_too() -> None:
    question = Question("q", "And by whom?", history=(Turn("user", "Was Low Farm tended?"),))
    assert decided(said("Sister Bell", ("Sister Bell kept bees at Low Farm.", ["E1"])), question, F3).status == "answered"


def test_an_answer_without_the_number_or_time_that_is_asked_for_is_marked() -> None:
    found = decided(said("Harbour Lane", ("Tinworks stands on Harbour Lane.", ["E1"])), Question("q", "When was Tinworks founded?"), F1)
    assert (found.status, found.reason, found.missing) == ("partial", "insufficient", ("When was Tinworks founded?",))
    assert found.trace[-1]["untyped"] == "no time is claimed"


@pytest.mark.parametrize(
    ("asked", "said_so", "lack"),
    [
        ("When did she leave?", "She left after the funeral.", ""),
        ("When did she leave?", "She left with Odo.", "no time is claimed"),
        ("How many bees were kept?", "Seven bees were kept.", ""),
        ("How many bees were kept?", "Bees were kept at the farm.", "no number is claimed"),
        ("Who kept bees?", "The sister did.", ""),
        ("When did she leave, and how many stayed?", "She left with Odo.", ""),
    ],
)
def test_types_are_read_leniently(asked: str, said_so: str, lack: str) -> None:
    assert untyped(Question("q", asked), said_so) == lack
