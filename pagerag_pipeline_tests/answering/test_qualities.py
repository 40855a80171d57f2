"""A quote on a thing of another color, material or side does not answer for the one asked about."""

import pytest

from pagerag_pipeline.answering.qualities import lacks_quality, qualities_asked


def test_qualities_stand_before_nouns_and_in_no_name() -> None:
    assert qualities_asked("Who makes the red paint in the Red Lion by the wooden bridge?") == [("red", "paint"), ("wooden", "bridge")]
    assert qualities_asked("Who painted the door red?") == []


@pytest.mark.parametrize(
    ("asked", "quote", "around", "lacks"),
    [
        (("red", "paint"), "Odo makes the blue paint.", "The red lamp burns.", True),
        (("red", "paint"), "Odo makes it.", "The red paint is dear.", False),
        (("red", "paint"), "Odo makes the scarlet paint.", "", False),
        (("red", "paint"), "Odo makes the paint.", "", True),
        (("grey", "goose"), "The gray goose hissed.", "", False),
        (("wooden", "bridge"), "The bridge of oak fell.", "", False),
        (("northern", "gate"), "The southern gate fell.", "", True),
        (("northern", "gate"), "The gate fell.", "", False),
    ],
)
def test_another_quality_or_none_is_lacking(asked: tuple[str, str], quote: str, around: str, lacks: bool) -> None:
    assert lacks_quality(asked, quote, around) is lacks
