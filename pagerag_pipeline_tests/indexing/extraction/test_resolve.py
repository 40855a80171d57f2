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
        ("The Palace of Hale stood empty. The palace was founded by Ann Hale.", ("Ann Hale", "founded", "Palace of Hale"), "nickname: Palace of Hale"),
        ("Hale College was poor. The college bought Tinworks.", ("Hale College", "bought", "Tinworks"), "nickname: Hale College"),
        ("Prince Otto slept. The prince bought Tinworks.", ("Prince Otto", "bought", "Tinworks"), "nickname: Prince Otto"),
        ("Odo Fenn waited. Then he bought Tinworks.", ("Odo Fenn", "bought", "Tinworks"), "pronoun: Odo Fenn"),
        ("Odo Fenn followed the miner. He bought Tinworks.", ("Odo Fenn", "bought", "Tinworks"), "pronoun: Odo Fenn"),
        ("“I bought Tinworks,” said Mara Quill.", ("Mara Quill", "bought", "Tinworks"), "speaker: Mara Quill"),
        ("“Jan!” cried Mara Quill. “I bought Tinworks.”", ("Mara Quill", "bought", "Tinworks"), "speaker: Mara Quill"),
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
        "Mrs. Fenn slept. He bought Tinworks.",
        "The miner followed John Fenn. He bought Tinworks.",
        "One of the crew followed John Fenn. He bought Tinworks.",
        "O. F. P. slept. He bought Tinworks.",
        "John Fenn! John Fenn! He bought Tinworks.",
        "Odo Fenn followed her. He bought Tinworks.",
        "The clock belonged to Odo Fenn. He bought Tinworks.",
        "When he knew that John Fenn slept, he bought Tinworks.",
        "“I bought Tinworks.”",
        "“I bought Tinworks,” she said.",
    ],
)
def test_what_can_be_meant_in_no_or_several_ways_is_left(text: str) -> None:
    assert not [unit for unit in units(text, "narrative").values() if unit.predicate == "bought" and unit.head not in ("baker", "old baker")]


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("Odo Fenn loved the Hale Song Contest. The song was bought by Ann Hale.", "song"),
        ("Odo Fenn lived in Covent Garden. The garden was bought by Ann Hale.", "garden"),
        ("Odo Fenn lived in Quillon City. The city was bought by Ann Hale.", "city"),
        ("The Red Inn was older than a small inn. The inn was bought by Ann Hale.", "inn"),
        ("The inn was dark. The Red Inn was light. The inn was bought by Ann Hale.", "inn"),
        ("Odo Fenn went to St. Mary's Church. The church was bought by Ann Hale.", "church"),
        ("Odo Fenn liked the name Hale House. The name was bought by Ann Hale.", "name"),
        ("Three Romans, the inviolate deity, slept. The deity was bought by Ann Hale.", "deity"),
        ("Odo Fenn loved Quill Hall. It followed the film, Tinworks. The film was bought by Ann Hale.", "film"),
        ("Ann Hale saw Lake Bay and the Quill Bay. The bay was bought by Ann Hale.", "bay"),
        ("Odo Fenn met Bob Baker. The baker was bought by Ann Hale.", "baker"),
    ],
)
def test_a_noun_that_may_be_another_one_is_left(text: str, noun: str) -> None:
    bought = {unit.tail for unit in units(text, "narrative").values() if unit.predicate == "bought"}
    assert bought == {noun}


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
    for text in ("“Odo bought Tinworks.” She rose and said: “Yes.” Jan Hale said: “No.”", "“Odo bought Tinworks.” “Jan!” cried she."):
        assert not units(text, mode)["Odo", "bought", "Tinworks"].qualifiers, text
    unnamed = units("“Odo bought Tinworks,” she said.", mode)["Odo", "bought", "Tinworks"]
    assert unnamed.modality == "reported" and not unnamed.qualifiers
