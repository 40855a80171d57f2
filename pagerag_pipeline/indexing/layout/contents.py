"""Tables of contents in plain text: where they stand, so that their lines are not taken for chapters, and what they announce."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.layout.headings import Heading, normal_key, plain_words, read_heading
from pagerag_pipeline.indexing.layout.numerals import roman
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph

MOST_CHARACTERS = 60_000
"""A longer run of lines is no table of contents."""
_PICTURES = re.compile(r"illustrations|woodcuts|plates|figures|maps|tables", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:\s{2,}|\.{2,}\s*|\s)(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_NUMBER = re.compile(r"^\W*(?:(?:chapter|chap|stave|book|part|kapitel|chapitre|section|act|scene)\W+)?(?:[ivxlcdm]+|\d+)\b[\s.:)—–-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Contents:
    """A table of contents: the paragraphs [first, last) after its heading, and the keys of the titles it lists."""

    first: int
    last: int
    titles: frozenset[str]


def find_contents(text: str, paragraphs: Sequence[Paragraph], headings: Sequence[Heading]) -> list[Contents]:
    """All tables of contents (and lists of illustrations), each from its heading to where the text begins that it announces."""
    at = {heading.index: heading for heading in headings}
    found: list[Contents] = []
    for heading in headings:
        if heading.family == "contents" and not (found and heading.index < found[-1].last):
            found.append(_read(text, paragraphs, at, heading.index + 1))
    return found


def _read(text: str, paragraphs: Sequence[Paragraph], at: dict[int, Heading], first: int) -> Contents:
    lines: set[str] = set()
    numbers: set[tuple[str, int]] = set()
    titles: set[str] = set()
    last = first
    begin = paragraphs[first].start if first < len(paragraphs) else 0
    while last < len(paragraphs) and paragraphs[last].end - begin < MOST_CHARACTERS:
        paragraph, heading = paragraphs[last], at.get(last)
        if _is_prose(text, paragraph):
            last = _back_over_headings(paragraphs, at, first, last)
            break
        raw = text[paragraph.start : paragraph.end].split("\n")
        if not any(map(_PAGE_NUMBER.search, raw)) and _announced(heading, raw, lines, numbers) and (heading or paragraph.gap >= 2):
            last = _back_over_numbers(at, first, last)
            break
        if heading and heading.number is not None:
            numbers.add((heading.family, heading.number))
        for line in raw:
            entry = plain_words(_PAGE_NUMBER.sub("", line))
            lines.update((normal_key(entry), normal_key(_NUMBER.sub("", entry))))
            titles.add(normal_key(_NUMBER.sub("", entry)))
            numbers.update(_line_number(entry))
        last += 1
    pictures = _PICTURES.search(paragraphs[first - 1].text)
    return Contents(first, last, frozenset() if pictures else frozenset(title for title in titles if len(title) > 2))


def _announced(heading: Heading | None, raw: Sequence[str], lines: set[str], numbers: set[tuple[str, int]]) -> bool:
    """Whether a paragraph is the body's own heading: it says again what a line of the table said."""
    if heading and heading.number is not None:
        return (heading.family, heading.number) in numbers
    key = normal_key(plain_words(raw[0]))
    return len(key) > 3 and key in lines


def _line_number(entry: str) -> set[tuple[str, int]]:
    heading = read_heading(Paragraph(0, len(entry), 0, 1, entry, 0), 0)
    if heading and heading.number is not None:
        return {(heading.family, heading.number)}
    number = roman(entry.split(" ")[0].strip(".)")) if entry else None
    return {("roman", number)} if number else set()


def _is_prose(text: str, paragraph: Paragraph) -> bool:
    """Long lines that end in a sentence, none of them with a page number."""
    if paragraph.length < 250 or paragraph.length / paragraph.lines < 45:
        return False
    raw = text[paragraph.start : paragraph.end].split("\n")
    return sum(bool(re.search(r"(?:\s{2,}|\.{3,}\s*)\d{1,4}\s*$", line)) for line in raw) * 4 < len(raw)


def _back_over_numbers(at: dict[int, Heading], first: int, last: int) -> int:
    """A title is announced by its words; the bare number above it belongs to it."""
    return last - 1 if last - 1 > first and last - 1 in at and at[last - 1].bare else last


def _back_over_headings(paragraphs: Sequence[Paragraph], at: dict[int, Heading], first: int, last: int) -> int:
    """The body begins with the headings that stand right before its first prose, set apart more widely than the lines of the table."""
    moved = last
    while moved > first and last - moved < 3 and (moved - 1) in at and paragraphs[moved - 1].gap >= 2:
        moved -= 1
    return moved
