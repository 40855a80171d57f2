"""Spans of the type that a question asks for."""

import time

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.candidates import candidates
from pagerag_pipeline_tests.answering.evidence import RULES


def spans(question: str, sentence: str) -> list[str]:
    """The candidates of a sentence, best first."""
    return [one.text for one in candidates(sentence, RULES.tag([sentence], "en")[0], read_question(question))]


@pytest.mark.parametrize(
    ("sentence", "sum_told"),
    [
        ("The allowance is $45.", "$45"),
        ("It cost $1,200.50, all told.", "$1,200.50"),
        ("It cost 86,000 pounds.", "86,000 pounds"),
        ("It cost two hundred and ten pounds.", "ten pounds"),
    ],
)
def test_a_sum_ends_with_its_last_figure_or_currency(sentence: str, sum_told: str) -> None:
    assert spans("What is the price?", sentence) == [sum_told]


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("It has 32 gigabytes of memory.", "32 gigabytes"),
        ("It has 32GB of memory.", "32GB"),
        ("It weighs 1.5 kg.", "1.5 kg"),
        ("It is 14 centimeters wide.", "14 centimeters"),
        ("It covers 12 km\u00b2.", "12 km\u00b2"),
        ("It holds 1.5 litres.", "1.5 litres"),
        ("It drives at 90 km/h.", "90 km/h"),
        ("It drives at 90 miles per hour.", "90 miles per hour"),
        ("It holds 12 guests.", "12"),
    ],
)
def test_a_number_goes_with_its_unit(sentence: str, number: str) -> None:
    assert spans("How much is it?", sentence) == [number]


@pytest.mark.parametrize("sentence", ["1," * 10_000, "1,," * 7_000, "one " * 5_000, "one hundred " * 2_000, "$1," * 7_000])
def test_numbers_without_end_take_no_more_than_their_length(sentence: str) -> None:
    tagged = RULES.tag(["x"], "en")[0]
    begun = time.process_time()
    candidates(sentence, tagged, read_question("What is the price?"))
    assert time.process_time() - begun < 1.5
