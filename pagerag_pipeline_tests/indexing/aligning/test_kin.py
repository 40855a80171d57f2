"""Which places in a family, and which generations, a text tells of names."""

import pytest

from pagerag_pipeline.indexing.aligning.kin import family_roles, generations, other_place
from pagerag_pipeline_tests.indexing.aligning.told import cast, groups, mentions

NAMES = ("Kate Moss", "Katharine Moss", "Odo Moss")


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("He wrote to his wife, Kate Moss.", {"wife"}),
        ("His widow Kate Moss wept.", {"wife"}),
        ("Their niece, Kate Moss, slept. His daughter Kate Moss woke.", {"niece", "daughter"}),
        ("His wife saw Kate Moss.", None),
        ("His sister, Kate Moss, slept.", None),
        ("Kate Moss, his wife, slept.", None),
    ],
)
def test_a_word_of_kinship_right_before_a_name_gives_it_a_place(text: str, role: set[str] | None) -> None:
    assert family_roles(text, mentions(text, NAMES)) == ({"kate moss": role} if role else {})


def test_two_without_a_place_have_no_different_one() -> None:
    wife, daughter = frozenset({"wife"}), frozenset({"daughter"})
    assert other_place(wife, daughter)
    assert not other_place(wife, wife | daughter) and not other_place(wife, frozenset())


def test_a_generation_is_told_after_a_comma() -> None:
    text = "Odo Moss, Sr., slept. Kate Moss , junior, woke. Katharine Moss, just then, ate."
    assert generations(text, mentions(text, NAMES)) == {"odo moss": {"sr"}, "kate moss": {"jr"}}


def test_a_wife_is_not_the_daughter_who_is_named_after_her() -> None:
    text = "Odo Moss had a wife, Kate Moss. His daughter, Katharine Moss, slept. Kate Moss woke. Katharine Moss ate."
    found = cast(text, *NAMES)
    assert groups(found) == []
    assert found.blocked["kate moss", "katharine moss"].reason == "family_roles"
    mother = "Odo Moss had a wife, Kate Moss. Tom spoke of his mother, Katharine Moss."
    assert groups(cast(mother, *NAMES)) == [("kate moss", "katharine moss")]


@pytest.mark.parametrize("said", ["said softly to", "asked", "wrote to"])
def test_a_speaker_is_not_the_hearer(said: str) -> None:
    text = f"Kate Moss {said} Katharine Moss that it was late."
    assert cast(text, *NAMES).blocked["kate moss", "katharine moss"].reason == "stand_apart"
