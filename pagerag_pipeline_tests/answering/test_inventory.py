"""A question for several things gets all that the quotes name, each once and cited; a count comes with what was counted."""

import pytest

from pagerag_pipeline.answering.inventory import asks_several, expected
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


@pytest.mark.parametrize(
    ("question", "several", "number"),
    [
        ("Who are the members of the guild?", True, None),
        ("Which three villages were chosen?", True, 3),
        ("What are Anna Roe's two rules for fog?", True, 2),
        ("Which mills are in Tarn?", True, None),
        ("List the founders of Tinworks.", True, None),
        ("Who founded Tinworks?", False, None),
        ("Which class was she in?", False, None),
        ("How many mills are there?", False, None),
    ],
)
def test_several_things_are_asked_by_a_number_or_a_plural(question: str, several: bool, number: int | None) -> None:
    assert (asks_several(question), expected(question)) == (several, number)


@pytest.mark.parametrize(
    ("question", "texts", "answer", "documents"),
    [
        ("Which three villages were chosen for the trial?", ("The villages chosen for the trial were Sarn, Upper Ket and Dunmal.",), "Sarn, Upper Ket, Dunmal", 1),
        ("What are the two rules of the ferry?", ("The ferry has two rules. Never stand up. Never whistle.",), "Never stand up, Never whistle", 1),
        ("Which four tools are in the box?", ("The tools in the box are:\n- saw\n- awl\n- file\n- plane\n",), "saw, awl, file, plane", 1),
        (
            "Who are the members of the guild?",
            ("Mara Quill is a member of the guild.", "Odo Fenn is a member of the guild.", "Ms Quill is a member of the guild.", "The bell hangs in a tower."),
            "Mara Quill, Odo Fenn",
            2,
        ),
    ],
)
def test_the_items_are_named_once_with_their_sentences(question: str, texts: tuple[str, ...], answer: str, documents: int) -> None:
    decision = gate(question, *texts, settings=OPEN)
    assert (decision.status, decision.answer) == ("answered", answer)
    quoted = " ".join(sentence.text for sentence in decision.cited)
    assert all(item in quoted for item in answer.split(", "))
    assert len({sentence.span.document for sentence in decision.cited}) >= documents


def test_a_series_of_another_length_than_the_question_says_is_no_inventory() -> None:
    decision = gate("Which four villages were chosen?", "The villages chosen were Sarn, Upper Ket and Dunmal.", settings=OPEN)
    assert decision.answer == "The villages chosen were Sarn, Upper Ket and Dunmal."


def test_a_count_names_what_it_counts() -> None:
    decision = gate("How many villages were chosen?", "Three villages were chosen: Sarn, Upper Ket and Dunmal.", settings=OPEN)
    assert decision.answer == "Three: Sarn, Upper Ket, Dunmal"


def test_a_count_of_things_that_no_sentence_names_stands_alone() -> None:
    assert gate("How many villages were chosen?", "Three villages were chosen in spring.", settings=OPEN).answer == "Three"


def test_clauses_that_follow_a_number_are_not_what_it_counts() -> None:
    text = "She set three neighbors apart. It asks what a repair is that holds for long, what kinds of it there are, and how the two differ."
    assert gate("How many neighbors did she set apart?", text, settings=OPEN).answer == "three"


def test_long_items_are_told_by_their_first_clauses() -> None:
    tail = "and never in all the years that she had been on the water had she seen any of them do otherwise"
    text = f"The ferry has two rules. Stand still, {tail}. Never whistle, {tail}."
    assert gate("What are the two rules of the ferry?", text, settings=OPEN).answer == "Stand still, Never whistle"
