"""Numerals of headings are read, and words that only look like them are not."""

import pytest

from pagerag_pipeline.indexing.layout.numerals import number_of


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("I", 1), ("iv", 4), ("XLII", 42), ("xc", 90), ("IIII", 4), ("12", 12), ("3rd", 3), ("One", 1), ("the First", 1), ("TWELFTH", 12), ("Twenty-one", 21),
        ("forty second", 42), ("sixtieth", 60), ("premier", 1), ("troisième", 3), ("Zweites", 2), ("zwölfter", 12), ("siebentes", 7), ("十", 10), ("二十一", 21),
        ("一百零八", 108),
    ],
)  # fmt: skip
def test_a_numeral_has_its_number(word: str, number: int) -> None:
    assert number_of(word) == number


@pytest.mark.parametrize("word", ["", "the", "of", "civil", "IC", "last", "0", "12345", "twentyish", "十x"])
def test_another_word_has_none(word: str) -> None:
    assert number_of(word) is None
