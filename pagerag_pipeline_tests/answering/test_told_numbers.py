"""Numbers of two texts compare by what they count, however they are written."""

import time

import pytest

from pagerag_pipeline.answering.told_numbers import numerals, spans_year, told_numbers, years_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("revenue in Q2 2020", {("place", "quarter"): {2.0}}),
        ("revenue in 2Q20", {("place", "quarter"): {2.0}}),
        ("the second quarter of 2020", {("place", "quarter"): {2.0}}),
        ("on the 4th of May and the 5th May", {}),
        ("twenty-five pounds, \u00a312.50 and two hundred and five pounds", {("count", "pound"): {25.0, 12.5, 205.0}}),
        ("3.5 million dollars", {("count", "dollar"): {3_500_000.0}}),
        ("eighteen letters and thirty-six pence", {("count", "letter"): {18.0}, ("count", "penc"): {36.0}}),
        ("the 2021 draft", {}),
        ("when Apollo 11 landed", {}),
        ("40 km", {("count", "kilometer"): {40.0}}),
        ("one man", {}),
    ],
)
def test_numbers_are_read_by_kind(text: str, numbers: dict[tuple[str, str], set[float]]) -> None:
    assert told_numbers(text) == numbers


def test_numerals_are_compared_without_marks_of_thousands() -> None:
    assert numerals("1,000 of 40.5 cups in 1902, and 1000 more") == {"1000", "40.5", "1902"}


def test_long_texts_take_no_more_than_their_length() -> None:
    begun = time.process_time()
    assert told_numbers("12 cups and " * 1_500) == {("count", "cup"): {12.0}}
    assert time.process_time() - begun < 1.5


def test_years_of_seasons_and_stretches() -> None:
    assert years_in("the 2020\u201321 season and 1999") == {2020, 2021, 1999}
    assert spans_year("mayor from 1898 to 1906", 1902) and spans_year("1898\u20131906", 1902) and spans_year("mayor since 1898", 1902)
    assert not spans_year("mayor from 1898 to 1900", 1902) and not spans_year("mayor since 1903", 1902)
    assert spans_year("between 1898 and 1906", 1902) and not spans_year("won in 1887, 1898 and 1906", 1902) and not spans_year("1898 1906", 1902)


def test_a_sum_in_two_units_is_one_sum() -> None:
    assert told_numbers("A bun costs 2 dollars and 50 cents.") == told_numbers("A bun costs 2.50 dollars.")
    assert told_numbers("It was sold for 3 pounds 5 pence.")[("count", "pound")] == {3.05}
