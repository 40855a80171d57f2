"""Questions that point at what they do not name."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.pointing import names_something, pointed_at


@pytest.mark.parametrize(
    ("question", "pointed"),
    [
        ("Does this library lend tools to the public?", "this library"),
        ("What is the main purpose of that NASA mission?", "that NASA"),
        ("Are these clinics open on Sundays?", "these clinics"),
        ("In which country is this language spoken?", "this language"),
        ("Can we bring dogs to those parks?", "those parks"),
        ("Who designed that?", "that"),
        ("Who did that?", "that"),
        ("When did that happen?", "that happen"),
        ("Who designed that bridge?", "that bridge"),
        ("How does that work?", "that work"),
        ("How much did that cost?", "that cost"),
    ],
)
def test_a_demonstrative_with_a_noun_points(question: str, pointed: str) -> None:
    assert pointed_at(read_question(question)) == pointed


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Tinworks?",
        "What happens at the end of this story?",
        "What does the author of this paper propose?",
        "Who owned the Heron, and where is this ship now?",
        "There is a country that borders Chad. What is the capital of this country?",
        "What is this?",
        "Is this different from the old rule?",
        "What is that?",
        "Who said that ships?",
        "Which of the rivers does that?",
        "Why did the mayor of the town say that?",
        "What did Odo Fenn do after that?",
        "What is the largest city that borders the river?",
        "Which ships sank this year in the Baltic?",
        "Wem geh\u00f6rt dieses Schiff, und that Schiff?",
    ],
)
def test_what_is_named_or_at_hand_is_not_pointed_at(question: str) -> None:
    assert pointed_at(read_question(question)) == ""


@pytest.mark.parametrize(
    ("turns", "named"),
    [
        (("Hello", "Hi, how can I help?"), False),
        (("Good morning!", "Good morning. What would you like to know?"), False),
        (("Who designed that?",), False),
        ((), False),
        (("Who founded Tinworks?",), True),
        (("Hello", "Hi, how can I help?", "Tell me about the toll bridge."), True),
        (("Wer gr\u00fcndete das Werk?",), True),
    ],
)
def test_only_a_turn_that_names_something_tells_what_is_pointed_at(turns: tuple[str, ...], named: bool) -> None:
    assert names_something(turns) is named
