"""A name answers for somebody's kin only where its sentence tells that it is that kin of the one asked about."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.kin import asks_kin, is_kin


def told(question: str, sentence: str, name: str) -> bool:
    start = sentence.index(name)
    return is_kin(read_question(question), sentence, start, start + len(name))


@pytest.mark.parametrize(
    ("question", "kin"),
    [
        ("Who is Martha Dorn's sister?", True),
        ("Who was the father of Martha Dorn?", True),
        ("Who was Hugo's younger brother?", True),
        ("What is the name of Martha's aunt?", True),
        ("Who taught Martha's sister to swim?", False),
        ("Who founded the Sisters of Mercy?", False),
        ("Who is the chair?", False),
    ],
)
def test_questions_for_kin_are_known(question: str, kin: bool) -> None:
    assert asks_kin(read_question(question)) is kin


@pytest.mark.parametrize(
    ("question", "sentence", "name"),
    [
        ("Who is Martha Dorn's sister?", "Martha's elder sister Elsa kept the keys.", "Elsa"),
        ("Who is Martha Dorn's sister?", "Elsa, the elder sister of Martha Dorn, kept the keys.", "Elsa"),
        ("Who is Martha Dorn's sister?", "Martha and her sister, Elsa Dorn, moved away.", "Elsa Dorn"),
        ("Who was Hugo's brother?", "Karl Dorn was Hugo's brother.", "Karl Dorn"),
        ("Who was the father of Martha Dorn?", "Martha Dorn's father was Hugo Dorn.", "Hugo Dorn"),
    ],
)
def test_a_name_that_is_told_to_be_kin_answers(question: str, sentence: str, name: str) -> None:
    assert told(question, sentence, name)


@pytest.mark.parametrize(
    ("question", "sentence", "name"),
    [
        ("Who is Martha Dorn's sister?", "Martha Dorn was called the Heron by Karl Voss.", "Heron"),
        ("Who is Martha Dorn's sister?", "Karl Voss met Martha Dorn and her sister at the gate.", "Karl Voss"),
        ("Who is Martha Dorn's sister?", "Martha Dorn knew Hugo's sister Elsa.", "Elsa"),
        ("Who is Martha Dorn's sister?", "Elsa, the sister of Hugo Voss, wrote to Martha Dorn.", "Elsa"),
        ("Who is Martha Dorn's sister?", "Martha Dorn's brother Karl sailed with Elsa.", "Karl"),
        ("Who was Hugo's brother?", "Her brother Karl sailed in May.", "Karl"),
    ],
)
def test_the_nearest_name_is_no_kin(question: str, sentence: str, name: str) -> None:
    assert not told(question, sentence, name)
