"""Which of two: a quote that names neither does not answer."""

import pytest

from pagerag_pipeline.answering.pairs import asked_pair, is_one_of, names_one
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


def test_the_two_of_a_choice_are_read() -> None:
    pair = asked_pair("Which lost more water, the single mat or the double mat?")
    assert pair == (frozenset({"singl", "mat"}), frozenset({"doubl", "mat"}))


@pytest.mark.parametrize(
    "question",
    [
        "Which mat lost more water?",
        "Which towns lie in Kent or Sussex?",
        "Which is heavier, gold or gold?",
        "What did the captain do after the war, when he was poor or sick?",
        "What should a keeper do, in case of fire or flood?",
        "Who, in 1950, said that he would live or die?",
        "What is the penalty for members who, without notice, leave early or arrive late?",
    ],
)
def test_other_questions_offer_no_choice(question: str) -> None:
    assert asked_pair(question) is None


def test_one_of_the_two_must_be_named_whole() -> None:
    pair = asked_pair("Which is older, the north mill or the south mill?")
    assert names_one(pair, frozenset({"north", "mill", "burn"}))
    assert not names_one(pair, frozenset({"mill", "burn"}))
    assert names_one(None, frozenset())


def test_a_quote_about_a_third_thing_is_refused() -> None:
    third = "The sealed timber lost three litres of water a week."
    question = "Which lost more water, the single mat or the double mat?"
    assert gate(question, third, settings=OPEN).status == "refused"
    both = "The single mat lost more water than the double mat."
    assert gate(question, third, both, settings=OPEN).answer == both


def test_a_name_that_answers_is_one_of_the_two() -> None:
    pair = asked_pair("Who was older in 1868, Josiah Threlk or Ambrose Quillan?")
    assert is_one_of(pair, frozenset({"quillan"})) and is_one_of(pair, frozenset({"mr", "ambros", "quillan"}))
    assert not is_one_of(pair, frozenset()) and not is_one_of(pair, frozenset({"josiah", "threlk", "and", "ambros", "quillan"}))
    kin = asked_pair("Who was taller, John Smith or Jane Smith?")
    assert is_one_of(kin, frozenset({"jane"})) and not is_one_of(kin, frozenset({"smith"}))
    assert not is_one_of(pair, frozenset({"dab"})) and is_one_of(None, frozenset({"dab"}))
