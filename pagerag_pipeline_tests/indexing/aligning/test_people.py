"""Which names of a text are one person's, and which stay two; why it says so."""

import pytest

from pagerag_pipeline.indexing.aligning.casts import Cast
from pagerag_pipeline_tests.indexing.aligning.told import cast, groups

TALK = '"Are you well, Miss Hale?" asked Odo.\n\n"Quite well," said Ann.\n\n'


def test_a_full_name_gathers_given_name_titles_and_short_forms() -> None:
    text = "Elizabeth Hale slept. Lizzy woke. Lizzy ran. Miss Hale rose. Miss Hale ate. Elizabeth left. Elizabeth wept. Miss Lizzy sang."
    found = cast(text, "Elizabeth Hale", "Lizzy", "Miss Hale", "Elizabeth", "Miss Lizzy")
    assert groups(found) == [("elizabeth", "elizabeth hale", "lizzy", "miss hale", "miss lizzy")]


def test_spellings_of_one_name_are_one() -> None:
    assert groups(cast("Mr. Hale met poor Ann. Mr Hale saw Ann.", "Mr. Hale", "Mr Hale", "Ann", "poor Ann")) == [
        ("mr hale", "mr. hale")
    ]


def test_the_only_man_of_a_surname_bears_it_alone() -> None:
    found = cast("Mr. Hale slept. Mrs. Hale woke. Hale snored.", "Mr. Hale", "Mrs. Hale", "Hale")
    assert groups(found) == [("hale", "mr. hale")]


def test_a_surname_of_two_men_is_nobodys() -> None:
    found = cast("Odo Hale slept. Tom Hale slept. Hale snored. Mr. Hale ate.", "Odo Hale", "Tom Hale", "Hale", "Mr. Hale")
    assert groups(found) == []
    assert {found.blocked[pair].reason for pair in (("hale", "odo hale"), ("hale", "tom hale"), ("mr. hale", "odo hale"))} == {
        "ambiguous_name"
    }


def test_a_name_of_two_means_the_one_who_is_named_far_more_often() -> None:
    found = cast("Tom Hale slept. " * 6 + "Tom Moss woke. Tom sang.", "Tom Hale", "Tom Moss", "Tom")
    assert groups(found) == [("tom", "tom hale")]


@pytest.mark.parametrize(
    ("text", "names", "pair", "reason"),
    [
        ("Mr. Hale slept. Ann Hale woke. Ann Hale ate.", ("Mr. Hale", "Ann Hale"), ("ann hale", "mr. hale"), "gender"),
        (
            "Ann Hale slept. Jane Hale woke. Miss Hale ate.",
            ("Ann Hale", "Jane Hale", "Miss Hale"),
            ("ann hale", "miss hale"),
            "ambiguous_name",
        ),
        (
            "George Hale slept. George Hale ate. George woke. George sang. Mr. Hale and George met. George saw Mr. Hale.",
            ("George Hale", "George", "Mr. Hale"),
            ("george hale", "mr. hale"),
            "stand_apart",
        ),
        (
            "Old Tom Hale slept. Young Tom Hale woke.",
            ("Old Tom Hale", "Young Tom Hale"),
            ("old tom hale", "young tom hale"),
            "generation",
        ),
        (
            "Colonel Hale slept. Mr. Hale woke. Odo Hale ate.",
            ("Colonel Hale", "Mr. Hale", "Odo Hale"),
            ("colonel hale", "mr. hale"),
            "other_title",
        ),
    ],
)
def test_what_speaks_against_two_names_keeps_them_apart(
    text: str, names: tuple[str, ...], pair: tuple[str, str], reason: str
) -> None:
    found = cast(text, *names)
    assert found.groups[pair[0]] != found.groups[pair[1]]
    assert any(verdict.reason == reason for one, verdict in found.blocked.items() if set(one) & set(pair)), found.blocked


@pytest.mark.parametrize(
    "text",
    [
        "Odo Moss Sr. slept. Odo Moss Jr. woke. Odo Moss ate.",
        "Odo Moss, Sr. slept. Odo Moss Jr. woke. Odo Moss ate.",
        "Odo Moss, Junior, slept. Odo Moss, Senior, woke. Odo Moss ate.",
    ],
)
def test_a_senior_and_a_junior_are_two_and_the_plain_name_is_neithers(text: str) -> None:
    found = cast(text, "Odo Moss Sr.", "Odo Moss Jr.", "Odo Moss, Junior", "Odo Moss, Senior", "Odo Moss")
    assert groups(found) == []
    assert "ambiguous_name" in {verdict.reason for verdict in found.blocked.values()}


def test_a_junior_without_a_senior_bears_the_plain_name() -> None:
    found = cast("Odo Moss Jr. woke. Dr. Odo Moss ate.", "Odo Moss Jr.", "Dr. Odo Moss")
    assert groups(found) == [("dr. odo moss", "odo moss jr.")]


def test_names_with_no_word_in_common_say_whose_they_are() -> None:
    found = cast(
        "Thomas Moss slept. Thomas Moss ate. Tom woke. Tom sang. Professor Moss left.", "Thomas Moss", "Tom", "Professor Moss"
    )
    assert groups(found) == [("professor moss", "thomas moss", "tom")]
    assert found.supported["professor moss", "thomas moss"].reason == "surname"
    pair = found.supported["professor moss", "tom"]
    assert (pair.reason, pair.detail) == ("third_name", "both are names of thomas moss")


def test_a_wife_goes_by_her_husbands_name() -> None:
    assert groups(cast("Ann Hale slept. Ann Hale ate. Mrs. Hale woke.", "Ann Hale", "Mrs. Hale")) == []
    assert groups(cast("Mrs. Ann Hale slept. Ann Hale ate. Mrs. Hale woke.", "Mrs. Ann Hale", "Ann Hale", "Mrs. Hale")) == [
        ("ann hale", "mrs. ann hale", "mrs. hale")
    ]


def test_a_familys_name_is_nobodys() -> None:
    text = "Near the House of Hale, Odo Hale slept. Odo Hale dreamed of the Hale family. {}"
    found = cast(text.format("Hale woke."), "Odo Hale", "Hale")
    assert groups(found) == []
    assert found.blocked["hale", "odo hale"].reason == "family_name"
    assert groups(cast(text.format("Hale woke. Hale ate."), "Odo Hale", "Hale")) == [("hale", "odo hale")]


def test_a_given_name_of_a_house_may_still_be_its_bearers() -> None:
    assert groups(cast("Odo Hale slept in the house of Odo. Odo Hale woke.", "Odo Hale", "Odo")) == [("odo", "odo hale")]


def test_one_of_several_sisters_is_named_by_whom_she_answers_as() -> None:
    text = "The Miss Hales came. Jane Hale slept. Jane Hale ate. Miss Hale woke.\n\n" + TALK * 3
    found = cast(text, "Miss Hales", "Jane Hale", "Miss Hale", "Ann", "Odo")
    assert groups(found) == [("ann", "miss hale")]
    assert found.supported[("ann", "miss hale")].reason == "answers"


def test_who_answers_once_is_not_enough() -> None:
    assert groups(cast(TALK, "Miss Hale", "Ann", "Odo")) == []


def test_a_narrator_calls_a_person_in_one_way() -> None:
    text = "George Hale slept. George Hale ate.\n\n" + "George sang. He slept.\n\nMr. Hale slept. He sang.\n\n" * 8
    found = cast(text, "George Hale", "George", "Mr. Hale")
    assert groups(found) == [("george", "george hale")]


def test_a_veto_holds_through_the_group() -> None:
    text = "Tom Hale slept. Tom Hale ate. Tom woke. Tom sang. Tom and Mr. Hale met. Mr. Hale and Tom met. Mr. Thomas Hale left."
    found = cast(text, "Tom Hale", "Tom", "Mr. Hale", "Mr. Thomas Hale")
    assert found.groups["tom"] != found.groups["mr. hale"]


def test_a_common_short_form_is_not_a_rare_full_name() -> None:
    assert groups(cast("Tom Thumb slept. " + "Tom ate. " * 30, "Tom Thumb", "Tom")) == []


def test_who_is_numbered_is_not_whoever_bears_the_name() -> None:
    assert groups(cast("Henry VIII slept. Henry VIII ate. Henry woke. Henry sang.", "Henry VIII", "Henry")) == []


def test_a_place_with_a_persons_word_is_no_person() -> None:
    found = cast("Hale slept. Hale ate.", "Hale", label="GPE")
    assert found.names == {}


def declared(text: str, *names: str, group: tuple[str, ...]) -> Cast:
    return cast(text, *names, declared=[group])


def test_declared_names_are_one_whatever_their_words_unless_their_bearers_cannot_be() -> None:
    text = "Tom Hale slept. Odo Fenn slept. Mr. Fenn woke. Odo Fenn ate."
    found = declared(text, "Tom Hale", "Odo Fenn", "Mr. Fenn", group=("odo fenn", "tom hale"))
    assert {"odo fenn", "tom hale"} <= set(found.groups["tom hale"])
    found = declared("Ann Hale slept. Mr. Fenn woke.", "Ann Hale", "Mr. Fenn", group=("ann hale", "mr. fenn"))
    assert groups(found) == [] and found.blocked[("ann hale", "mr. fenn")].reason == "gender"
