"""Sections tile the text; chapters of real books are found, and what only looks like one is not."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.structure import find_sections
from pagerag_pipeline.schema.documents import ParsedDocument, Section
from pagerag_pipeline.settings import ParseSettings

FACTS = Path(__file__).parent / "facts"
PROSE = "It was late when they came to the bridge, and the river below it ran high and brown with the rain of the whole week. " * 4


def sections(text: str, title: str = "") -> tuple[Section, ...]:
    return find_sections(ParsedDocument("", title, text))


def book(*parts: str) -> str:
    """Headings and prose, set apart as in a typed book."""
    return "\n\n\n\n".join(parts) + "\n"


def outline(text: str, title: str = "") -> list[tuple[str, int, str]]:
    return [(s.kind, s.level, s.title) for s in sections(text, title)]


LINES = st.sampled_from(["CHAPTER I", "II.", "2. Title", "CONTENTS", "  ", "", "PREFACE", "A LINE IN CAPITALS", PROSE, "ACT I", "Scene 2", "第一回 天地", "*** END OF THE PROJECT GUTENBERG EBOOK ***"])  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(LINES, max_size=40).map("\n".join)))
def test_sections_tile_any_text(text: str) -> None:
    found = sections(text)
    assert "".join(text[s.start : s.end] for s in found) == text
    assert [s.ordinal for s in found] == list(range(len(found)))
    assert all(s.start < s.end for s in found)


@pytest.mark.parametrize(
    "headings",
    [
        ["CHAPTER I", "CHAPTER II", "CHAPTER III"],
        ["Chapter One", "Chapter Two", "Chapter Twenty-One"],
        ["CHAP. I.", "CHAP. II.", "CHAP. III."],
        ["Chapter the First", "Chapter the Second", "Chapter the Last"],
        ["FIRST CHAPTER", "SECOND CHAPTER", "THIRD CHAPTER"],
        ["STAVE I: A Ghost", "STAVE II: Another", "STAVE III: The Last"],
        ["Erstes Kapitel", "Zweites Kapitel", "Drittes Kapitel"],
        ["CHAPITRE PREMIER", "CHAPITRE II", "CHAPITRE III"],
        ["                    CHAPTER I.", "                    CHAPTER II.", "                    CHAPTER III."],
        ["CHAPTER I.--OF BEES", "CHAPTER II.--OF TIN", "CHAPTER III.--OF FOG"],
        ["第一回 甄士隐", "第二回 贾夫人", "第三回 林黛玉"],
    ],
)
def test_chapters_are_found_however_they_count(headings: list[str]) -> None:
    found = sections(book(*(part for heading in headings for part in (heading, PROSE))))
    assert [(s.kind, s.title) for s in found] == [("chapter", heading.strip()) for heading in headings]


def test_bare_numbers_need_a_sequence_and_text_between() -> None:
    long = PROSE * 9
    assert outline(book("I", long, "II", long, "III", long)) == [("chapter", 1, "I"), ("chapter", 1, "II"), ("chapter", 1, "III")]
    assert outline(book("I", "A rose.", "II", "A lily.", "III", "A stone.")) == [("body", 1, "")]
    assert outline(book(PROSE, "V", long, "X", long)) == [("body", 1, "")]


def test_a_title_below_the_number_belongs_to_the_heading() -> None:
    text = book("CHAPTER I", "The Ball on Hob's Stair", PROSE, "CHAPTER II", "The Widow of Cable Row", PROSE)
    assert [s.title for s in sections(text)] == ["CHAPTER I: The Ball on Hob's Stair", "CHAPTER II: The Widow of Cable Row"]


def test_acts_hold_scenes_and_parts_hold_chapters() -> None:
    play = book("ACT I", "SCENE I. A room", PROSE, "SCENE II. A street", PROSE, "ACT II", "SCENE I. A room", PROSE)
    assert [(k, lv) for k, lv, _ in outline(play)] == [("act", 1), ("scene", 2), ("scene", 2), ("act", 1), ("scene", 2)]
    novel = book("PART ONE", "CHAPTER I", PROSE, "CHAPTER II", PROSE, "PART TWO", "CHAPTER I", PROSE)
    assert [s.path for s in sections(novel)][-1] == ("PART TWO", "CHAPTER I")


def test_letters_are_letters() -> None:
    assert [k for k, _, _ in outline(book("LETTER I", PROSE, "LETTER II", PROSE))] == ["letter", "letter"]


def test_a_table_of_contents_is_front_matter_and_no_chapters() -> None:
    table = "CHAPTER I. The Bridge      1\nCHAPTER II. The River     17\nCHAPTER III. The Sea      40"
    text = book("THE CROSSING", "CONTENTS", table, "CHAPTER I", "The Bridge", PROSE, "CHAPTER II", "The River", PROSE, "CHAPTER III", "The Sea", PROSE)
    found = outline(text, "THE CROSSING")
    assert [k for k, _, _ in found] == ["front", "front", "chapter", "chapter", "chapter"]
    assert found[1][2] == "CONTENTS"


def test_titles_that_a_table_of_contents_announces_are_headings() -> None:
    text = book("TALES", "CONTENTS", "     The Bridge\n\n     The River", "The Bridge", PROSE, "The River", PROSE)
    assert [(k, t) for k, _, t in outline(text, "TALES")][2:] == [("section", "The Bridge"), ("section", "The River")]


def test_front_and_back_matter_is_marked_and_kept() -> None:
    text = book("PREFACE", PROSE, "CHAPTER I", PROSE, "CHAPTER II", PROSE, "NOTES TO THE TEXT", PROSE, "INDEX", "Bees, 1\nTin, 2")
    assert [(k, t) for k, _, t in outline(text)] == [
        ("front", "PREFACE"), ("chapter", "CHAPTER I"), ("chapter", "CHAPTER II"), ("back", "NOTES TO THE TEXT"), ("back", "INDEX"),
    ]  # fmt: skip


def test_a_gutenberg_header_and_license_are_marked_and_their_headings_do_not_count() -> None:
    start, end = "*** START OF THE PROJECT GUTENBERG EBOOK BEES ***", "*** END OF THE PROJECT GUTENBERG EBOOK BEES ***"
    text = book("The Project Gutenberg eBook of Bees", start, "CHAPTER I", PROSE, "CHAPTER II", PROSE, end, "Section 1. General Terms", PROSE)
    assert [(s.kind, s.title) for s in sections(text)] == [
        ("front", "Project Gutenberg header"), ("chapter", "CHAPTER I"), ("chapter", "CHAPTER II"), ("back", "Project Gutenberg license"),
    ]  # fmt: skip


def test_prose_that_begins_like_a_heading_is_prose() -> None:
    text = book("CHAPTER I", PROSE + "\nChapter and verse were quoted.", "Part of her mind was elsewhere.", PROSE, "Act one thing and say another.", PROSE)
    assert [t for _, _, t in outline(text)] == ["CHAPTER I"]


@pytest.mark.parametrize(
    "dates",
    [
        ["June 29th.", "30th (Lord's day).", "July 1st.", "2nd, 3rd, 4th.", "5th.", "August 1st."],
        ["Monday, 3 June 1861.", "Tuesday, 4 June 1861.", "9 June 1861.", "Dec. 30, 1861:", "2 January 1862.", "3 January 1862."],
        ["1861-06-03", "1861-06-04", "1861-06-09", "1861-12-30", "1862-01-02", "1862-01-03"],
    ],
)
def test_the_dated_entries_of_a_diary_are_sections(dates: list[str]) -> None:
    for joint in ("  ", "\n", "\n\n"):
        found = sections("\n\n".join(date + joint + PROSE for date in dates))
        assert [s.kind for s in found] == ["section"] * 6
    months = {"30th (Lord's day)": "June", "2nd, 3rd, 4th": "July", "5th": "July"}
    assert [s.title for s in found] == [f"{months[date]} {date}" if (date := raw.strip(".:")) in months else date for raw in dates]


def test_dates_that_do_not_run_through_a_text_are_no_sections() -> None:
    days = ["June 1st.", "2nd.", "3rd.", "4th.", "5th.", "6th."]
    assert outline("\n\n".join(day + " Rain." for day in days)) == [("body", 1, "")]
    assert outline("\n\n".join([PROSE * 9, *(day + " " + PROSE for day in days)])) == [("body", 1, "")]
    assert outline("\n\n".join(f"{day} {PROSE}" for day in ("May 5.", "April 4.", "March 3.", "February 2.", "June 1."))) == [("body", 1, "")]
    assert outline("\n\n".join(f"The {day} {PROSE}" for day in days)) == [("body", 1, "")]


def test_a_text_without_headings_is_one_body() -> None:
    assert outline(PROSE) == [("body", 1, "")]
    assert sections("") == ()


def test_declared_headings_make_the_sections_of_marked_up_formats() -> None:
    text = "# Tin\n\nOne.\n\n## References\n\nTwo.\n"
    (document,) = parse_file("x.md", text.encode(), ParseSettings()).documents
    assert [(s.kind, s.level, s.path) for s in find_sections(document)] == [("section", 1, ("Tin",)), ("back", 2, ("Tin", "References"))]


def book_facts() -> Iterator[dict[str, object]]:
    for line in (FACTS / "books.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


@pytest.mark.skipif("PAGERAG_EVAL" not in os.environ, reason="PAGERAG_EVAL names no folder of evaluation data")
@pytest.mark.parametrize("fact", list(book_facts()), ids=lambda fact: str(fact["file"]).split("/")[-1][:24])
def test_real_books_have_their_chapters(fact: dict[str, object]) -> None:
    path = Path(os.environ["PAGERAG_EVAL"]) / str(fact["file"])
    (document,) = parse_file(path.name, path.read_bytes(), ParseSettings()).documents
    found = find_sections(document)
    members = [s for s in found if s.kind == fact["kind"]]
    assert len(members) == fact["count"]
    for number, words in dict(fact["begins"]).items():  # type: ignore[call-overload]
        assert 0 <= document.text[members[int(number) - 1].start :].find(words) < 400, (number, members[int(number) - 1].title)
    assert [t for t in fact["front"] if t not in [s.title for s in found if s.kind == "front"]] == []  # type: ignore[attr-defined]
    assert [t for t in fact["back"] if t not in [s.title for s in found if s.kind == "back"]] == []  # type: ignore[attr-defined]
