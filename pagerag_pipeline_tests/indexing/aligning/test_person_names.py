"""Names of people read by their words."""

import pytest

from pagerag_pipeline.indexing.aligning.person_names import given_gender, near_form, read_name, same_given
from pagerag_pipeline.lexical import name_key


@pytest.mark.parametrize(
    ("surface", "titles", "words", "tail"),
    [
        ("Mr. Hale", ("mr",), ("hale",), ""),
        ("M. Hale", ("mr",), ("hale",), ""),
        ("poor Miss Ann Hale", ("miss",), ("ann", "hale"), ""),
        ("Odo Hale of Low Farm", (), ("odo", "hale"), "low farm"),
        ("Odo the Conqueror", (), ("odo",), "conqueror"),
        ("Odo XII", (), ("odo",), "xii"),
        ("Odo von Hale", (), ("odo", "von hale"), ""),
        ("Odo Hale Jr.", (), ("odo", "hale"), ""),
        ("José Hale", (), ("jose", "hale"), ""),
    ],
)
def test_a_name_has_titles_words_and_origin(surface: str, titles: tuple[str, ...], words: tuple[str, ...], tail: str) -> None:
    name = read_name(name_key(surface), surface.removeprefix("poor "))
    assert name is not None
    assert (name.titles, name.words, name.tail) == (titles, words, tail)


@pytest.mark.parametrize(
    "surface",
    ["Mr. and Mrs. Hale", "Hale's Farm", "Miss", "Ann said", "Which Ann", "Ann, Odo", "Room 12", "Ann--she", "Misses Hale"],
)
def test_what_is_no_name_of_one_person_is_none(surface: str) -> None:
    assert read_name(name_key(surface), surface) is None


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("tom", "thomas", True),
        ("lizzy", "elizabeth", True),
        ("betty", "lizzy", True),
        ("fritz", "friedrich", True),
        ("t", "thomas", True),
        ("tom", "tim", False),
        ("mary", "maria", False),
        ("ann", "odo", False),
    ],
)
def test_forms_of_one_given_name(left: str, right: str, wanted: bool) -> None:
    assert same_given(left, right) == same_given(right, left) == wanted


def test_some_forms_show_it_and_some_do_not() -> None:
    assert near_form("lizzy", "elizabeth") and near_form("tom", "thomas")
    assert not near_form("bill", "william")


def test_a_short_form_has_the_gender_of_what_it_is_short_for() -> None:
    assert [given_gender(word) for word in ("loo", "tom", "quill")] == ["f", "m", ""]
