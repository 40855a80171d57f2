"""Which surnames a text says of a family or as a name, and which of somebody."""

import pytest

from pagerag_pipeline.indexing.aligning.families import family_names
from pagerag_pipeline_tests.indexing.aligning.told import mentions


@pytest.mark.parametrize(
    "text",
    [
        "Below us lay the dark House of Fenn.",
        "It was the seat of the family of Fenn.",
        "The feud of the Fenn clan was old.",
        "Her maiden name was Fenn, and she was proud of it.",
        "The surname of Fenn is found in two parishes.",
        "She kept Fenn as her dead mother 's family name .",
        "Fenn is our surname.",
        "Chez la famille Fenn, on dormait.",
        "Der Familienname lautete Fenn.",
    ],
)
def test_a_surname_may_be_of_a_family_or_spoken_of_as_a_name(text: str) -> None:
    assert family_names(text, mentions(text, ("Fenn",))) == {"fenn"}


@pytest.mark.parametrize(
    "text",
    [
        "Fenn came home.",
        "A man called Fenn came home. His name was Fenn.",
        "Fenn was ashamed of the surname.",
        "The family of Odo Fenn came home.",
        "In the House of Fenn Hale they slept.",
    ],
)
def test_a_name_of_somebody_is_no_familys(text: str) -> None:
    assert family_names(text, mentions(text, ("Odo Fenn", "Fenn Hale", "Fenn"))) == frozenset()


def test_a_surname_is_what_it_is_said_of_more_often() -> None:
    once = "We saw the House of Fenn. Fenn rose."
    assert family_names(once, mentions(once, ("Fenn",))) == frozenset()
    twice = f"{once} It was the last night of the Fenn family."
    assert family_names(twice, mentions(twice, ("Fenn",))) == {"fenn"}


def test_a_house_counts_though_its_name_is_a_longer_one() -> None:
    text = "We saw the House of Fenn. Odo Fenn slept."
    assert family_names(text, mentions(text, ("House of Fenn", "Odo Fenn"))) == {"fenn"}
