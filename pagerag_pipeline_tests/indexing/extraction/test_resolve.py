"""Pronouns, definite nouns and speakers: one possibility is taken and marked, two or none are left alone."""

import pytest

from pagerag_pipeline.schema.documents import Mode
from pagerag_pipeline_tests.indexing.extraction.reading import units

pytestmark = pytest.mark.models


@pytest.mark.parametrize(
    ("text", "wanted", "how"),
    [
        ("Mara Quill founded Tinworks. She married Odo Fenn in 1903.", ("Mara Quill", "married", "Odo Fenn"), "pronoun: Mara Quill"),
        ("Mr. Darcy met Elizabeth Bennet. He bought Tinworks.", ("Mr. Darcy", "bought", "Tinworks"), "pronoun: Mr. Darcy"),
        ("Jan Fenn lived in Hale with Ann Hale. His brother Bob bought Tinworks.", ("Bob", "brother_of", "Jan Fenn"), "pronoun: Jan Fenn"),
        ("Odo Fenn, a baker, was poor. The baker sold Tinworks.", ("Odo Fenn", "sold", "Tinworks"), "nickname: Odo Fenn"),
        ("The Red Inn stood on Hill Lane. The inn was founded by Ann Hale.", ("Ann Hale", "founded", "Red Inn"), "nickname: Red Inn"),
        ("“I bought Tinworks,” said Mara Quill.", ("Mara Quill", "bought", "Tinworks"), "speaker: Mara Quill"),
    ],
)
def test_what_can_be_meant_in_one_way_is_taken(text: str, wanted: tuple[str, str, str], how: str) -> None:
    unit = units(text, "narrative")[wanted]
    assert ("resolved", how) in unit.qualifiers
    assert unit.confidence < 0.9
    assert how.partition(": ")[2] in unit.quote, "a reader can check it in the quote"


@pytest.mark.parametrize(
    "text",
    [
        "Odo Fenn met Jan Hale. He bought Tinworks.",
        "Odo Fenn met the clerk. He bought Tinworks.",
        "Mary Hale slept. He bought Tinworks.",
        "Odo Fenn slept.\n\nHe bought Tinworks.",
        "Odo Fenn slept. It rained. He bought Tinworks.",
        "“Odo Fenn slept. He bought Tinworks.”",
        "Odo Fenn, a baker, met Jan Hale, a baker. The baker bought Tinworks.",
        "Odo Fenn was a baker. The old baker bought Tinworks.",
        "“I bought Tinworks.”",
        "“I bought Tinworks,” she said.",
    ],
)
def test_what_can_be_meant_in_no_or_several_ways_is_left(text: str) -> None:
    assert not [unit for unit in units(text, "narrative").values() if unit.predicate == "bought" and unit.head not in ("baker", "old baker")]


def test_it_goes_on_with_the_subject_outside_stories_only() -> None:
    text = "The University of Hale opened in 1901. It employs Ann Hale."
    wanted = ("University of Hale", "employs", "Ann Hale")
    assert wanted in units(text, "conceptual")
    assert wanted not in units(text, "narrative")


@pytest.mark.parametrize("mode", ["narrative", "mixed"])
def test_what_a_named_person_says_is_reported_with_its_speaker(mode: Mode) -> None:
    for text in ("“Odo bought Tinworks,” said Mara.", "Mara said that Odo had bought Tinworks."):
        unit = units(text, mode)["Odo", "bought", "Tinworks"]
        assert unit.modality == "reported" and ("speaker", "Mara") in unit.qualifiers, text
    unnamed = units("“Odo bought Tinworks,” she said.", mode)["Odo", "bought", "Tinworks"]
    assert unnamed.modality == "reported" and not unnamed.qualifiers
