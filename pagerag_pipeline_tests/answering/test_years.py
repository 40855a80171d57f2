"""Differences of years: which questions ask for one, and which year belongs to what."""

import pytest

from pagerag_pipeline.answering.years import YEAR, other_year, year_near, years_asked, years_of_both
from pagerag_pipeline_tests.answering.evidence import gate


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("How many years older is Aldric than Berta?", ("Aldric", "Berta")),
        ("By how many years is Aldric older than Berta?", ("Aldric", "Berta")),
        ("How many years passed between the founding and the sale?", ("the founding", "the sale")),
        ("How long was it from the fire to the flood?", ("the fire", "the flood")),
        ("How many years did the flood come after the fire?", ("the flood come", "the fire")),
    ],
)
def test_both_sides_are_read(question: str, sides: tuple[str, str]) -> None:
    asked = years_asked(question)
    assert asked is not None and (asked.first, asked.second) == sides


@pytest.mark.parametrize(
    "question",
    [
        "How many rooms has it?",
        "How long is the bridge?",
        "When was it founded?",
        "By how much did the price of rye rise between 2019 and 2020?",
        "How much did Odo Fenn earn before the fire of Tinworks?",
        "How many years of drought were there between 1901 and 1912?",
    ],
)
def test_other_questions_ask_for_no_difference(question: str) -> None:
    assert years_asked(question) is None


def test_the_year_behind_a_name_belongs_to_it_else_the_last_before() -> None:
    text = "Aldric was born in 986 and Berta in 988."
    assert [year_near(text, text.index(name))[0] for name in ("Aldric", "Berta")] == [986, 988]  # type: ignore[index]
    assert year_near("In 988 came Berta.", 12) == (988, 3, 6)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("A born 986, B born 988.", "A", "B"),
        ("B, born 988, saw a cow that A, born 986, had sold.", "A", "B"),
        ("In 986 Aldric was born, and in 988 Berta.", "Aldric", "Berta"),
        ("Aldric and Berta were born in 986 and 988.", "Aldric", "Berta"),
        ("Berta and Aldric were born in 988 and 986.", "Aldric", "Berta"),
    ],
)
def test_each_of_two_names_has_its_own_year(text: str, first: str, second: str) -> None:
    assert years_of_both(text, first, second) == (986, 988)


def test_two_names_may_share_the_only_year() -> None:
    assert years_of_both("Aldric and Berta were born in 986.", "Aldric", "Berta") == (986, 986)
    assert years_of_both("Aldric and Berta were born.", "Aldric", "Berta") is None


@pytest.mark.parametrize(
    ("text", "name", "year"),
    [
        ("A born 986, B born 988.", "A", 988),
        ("A born 986, B born 988.", "B", 986),
        ("Aldric was born in 986 and Berta in 988.", "Aldric", 988),
        ("Aldric was born in 986 and died in 1040.", "Aldric", None),
        ("Aldric was born in 986 and married Berta in 1010.", "Aldric", None),
        ("Aldric was born in 986.", "Aldric", None),
    ],
)
def test_the_other_year_is_of_another_of_whom_the_same_is_said(text: str, name: str, year: int | None) -> None:
    assert other_year(text, name) == year


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("How many years after the fire was the flood?", 1),
        ("How many years before the fire was the flood?", -1),
        ("How many years did the flood come after the fire?", -1),
        ("How many years did the fire come before the flood?", 1),
        ("How many years older is Aldric than Berta?", 1),
        ("How many years passed between the fire and the flood?", 0),
    ],
)
def test_which_side_is_the_earlier_is_read_from_the_question(question: str, order: int) -> None:
    asked = years_asked(question)
    assert asked is not None and asked.order == order


def test_years_are_not_subtracted_against_the_order_asked_by() -> None:
    texts = ("The Heron was built in 1896.", "The Plover was built in 1885.")
    right = gate("How many years after the Plover was the Heron built?", *texts)
    assert right.answer == "11 years (1885 to 1896)"
    assert (gate("How many years after the Heron was the Plover built?", *texts).answer or "") != right.answer


def test_amounts_are_no_years() -> None:
    assert YEAR.findall("It cost $1500, 1,500 sheep, 1500.5 tons and 15% in 1500.") == ["1500"]
