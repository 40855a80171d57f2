"""What declares another name, and what only sounds like it."""

import pytest

from pagerag_pipeline.indexing.extraction import aliases
from pagerag_pipeline.indexing.ontology import ALIAS
from pagerag_pipeline_tests.indexing.extraction.reading import units


@pytest.mark.parametrize(
    "between",
    [
        ", also known as ",
        " (known as ",
        ", called ",
        " was called ",
        ", who was nicknamed ",
        " is now called the ",
        ", alias ",
        " also called ",
        ", n\u00e9e ",
        ", formerly called ",
    ],
)
def test_words_that_declare_a_name(between: str) -> None:
    assert aliases._BETWEEN.fullmatch(between)


@pytest.mark.parametrize("between", [" called ", '" called ', " often called ", " once called ", " and ", " called out to "])
def test_words_that_declare_none(between: str) -> None:
    assert aliases._BETWEEN.fullmatch(between) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Tom Hale, called Red Tom, built Tinworks.", {("Tom Hale", "Red Tom")}),
        ("The Tin Hall, or Old Hall, was built by Ada Moss.", {("Tin Hall", "Old Hall")}),
        ("Julia Hale called Tom Moss to her side.", set()),
        ("I wrote to Julia Hale, or Tom Moss, or Ada Fenn, about it.", set()),
    ],
)
def test_names_that_a_sentence_declares(text: str, wanted: set[tuple[str, str]]) -> None:
    assert {(head, tail) for head, predicate, tail in units(text) if predicate == ALIAS} == wanted
