"""The lines of a PDF's pages as running text: which belong to one paragraph, which are headings, which are rows of a table."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.indexing.formats.pdf_page import HYPHEN, Line
from pagerag_pipeline.schema.documents import Block

LEAST_ROWS = 3
LARGER = 1.12
"""A heading's type is so many times that of the text."""
LEAST_HEADINGS = 3
"""Headings on fewer pages than this, the first apart, are no structure."""
_END = re.compile(r"[.!?:;。！？]['\"”’)\]]*$")
_NUMBERING = re.compile(r"^(?:[A-Z]|[IVX]+|\d+)(?:\.\d+)*[.)]?\s+(?=\S)")
_YEAR = re.compile(r"\W*(?:1[89]|20)\d\d(?:\W+(?:1[89]|20)?\d\d)?\W*$")
_WORD_END = re.compile(r"\w+$")
_WORD_START = re.compile(r"\n?(\w{1,60})")


@dataclass(slots=True)
class Group:
    """Lines that belong together: a paragraph, a heading, or a table of lines in cells."""

    page: int
    lines: list[Line] = field(default_factory=list)
    kind: str = "paragraph"
    level: int = 0
    continues: bool = False
    """It goes on with the sentence of the group before."""

    @property
    def text(self) -> str:
        """Its lines as lines."""
        return "\n".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        """Size of type."""
        return median(line.size for line in self.lines)


class Flow:
    """Groups of lines over all pages. `outline` gives, by page from 0, the keys of bookmarked headings and their levels."""

    def __init__(self, pages: Sequence[Sequence[Line]], outline: Mapping[int, Mapping[str, int]]) -> None:
        self._count = len(pages)
        self._outline = outline
        self.groups = [group for number, lines in enumerate(pages) for group in _groups(number, lines)]
        self._body = _body_size(self.groups)
        self._mark_headings()
        for before, group in pairwise(self.groups):
            group.continues = _continues(before, group)

    @property
    def largest(self) -> str:
        """The text in the largest type on the first page with text, when it is larger than the body's; else empty."""
        first = [g for g in self.groups if g.page == self.groups[0].page and any(c.isalpha() for c in g.text)]
        best = max(first, key=lambda g: g.size, default=None)
        if best is None or best.size < LARGER * self._body or len(best.text) > 250:
            return ""
        return fold(best.text.replace(HYPHEN, "-"))

    def write(self, composer: Composer) -> None:
        """Compose everything, each page behind its page block."""
        page = -1
        for group in self.groups:
            separator = "\n" if group.continues else "\n\n"
            while page < group.page:
                page += 1
                composer.page(page + 1, separator)
            if group.kind == "table":
                _write_table(composer, group)
            else:
                start = composer.put(group.text, separator)
                if group.kind == "heading":
                    composer.blocks.append(Block("heading", start, start + len(group.text), group.level, fold(group.text.replace(HYPHEN, "-"))))

    def _mark_headings(self) -> None:
        marked = self._by_outline() or self._by_size()
        if len({group.page for group, _ in marked} - {0}) < min(LEAST_HEADINGS, self._count - 1) or len(marked) <= LEAST_HEADINGS:
            return
        for group, level in marked:
            group.kind, group.level = "heading", level
        self.groups = _merged(self.groups)

    def _by_outline(self) -> list[tuple[Group, int]]:
        found = []
        for group in self.groups:
            level = self._outline.get(group.page, {}).get(heading_key(group.text))
            if level and len(group.text) < 250 and group.kind == "paragraph":
                found.append((group, level))
        return found if len(found) > LEAST_HEADINGS else []

    def _by_size(self) -> list[tuple[Group, int]]:
        found = [group for group in self.groups if group.kind == "paragraph" and group.size >= LARGER * self._body and _is_short(group)]
        if sum(len(g.text) for g in found) > 0.1 * sum(len(g.text) for g in self.groups):
            return []
        sizes = sorted({round(group.size) for group in found}, reverse=True)
        return [(group, min(4, sizes.index(round(group.size)) + 1)) for group in found]


def heading_key(text: str) -> str:
    """A heading without numbering, case and punctuation, to compare it with a bookmark."""
    return "".join(c for c in _NUMBERING.sub("", fold(text.replace(HYPHEN, ""))).casefold() if c.isalnum())


def join_divided(composer: Composer) -> tuple[str, int]:
    """The text without marks of division, and how many words were joined; the composer's blocks are moved with it.

    A word is joined when its second half begins in lower case and the word with the hyphen stands nowhere else in the text; else the hyphen stays.
    """
    text = composer.text
    hyphened = {word.casefold() for word in re.findall(r"\b\w{1,60}-\w{1,60}\b", text)}
    cuts: list[tuple[int, int]] = []
    for match in re.finditer(HYPHEN, text):
        at = match.start()
        before, after = _WORD_END.search(text[max(0, at - 60) : at]), _WORD_START.match(text, at + 1)
        if before and after and after[1].islower() and f"{before[0]}-{after[0].strip()}".casefold() not in hyphened:
            cuts.append((at, after.start(1)))
    pieces, last, gone = [], 0, [0]
    for start, end in cuts:
        pieces.append(text[last:start])
        last = end
        gone.append(gone[-1] + end - start)
    ends = [end for _, end in cuts]

    def moved(position: int) -> int:
        return position - gone[bisect_right(ends, position)]

    composer.blocks = [replace(b, start=moved(b.start), end=moved(b.end)) for b in composer.blocks]
    return "".join([*pieces, text[last:]]).replace(HYPHEN, "-"), len(cuts)


def _groups(page: int, lines: Sequence[Line]) -> Iterator[Group]:
    """The paragraphs and tables of one page."""
    leading = _leading(lines)
    at = 0
    while at < len(lines):
        end = _table_end(lines, at)
        if end - at >= LEAST_ROWS:
            yield Group(page, list(lines[at:end]), "table")
            at = end
            continue
        group = Group(page, [lines[at]])
        at += 1
        while at < len(lines) and _goes_on(group.lines, lines[at], leading) and _table_end(lines, at) - at < LEAST_ROWS:
            group.lines.append(lines[at])
            at += 1
        yield group


def _table_end(lines: Sequence[Line], at: int) -> int:
    """Where a table that begins at a line ends: lines of several cells, and single short ones between two of those."""
    end = at
    while end < len(lines):
        if len(lines[end].cells) < 2 and not (end > at and end + 1 < len(lines) and len(lines[end + 1].cells) > 1 and len(lines[end].text) < 60):
            break
        end += 1
    return end


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance from line to line of a page."""
    steps = [a.bottom - b.bottom for a, b in pairwise(lines) if 0 < a.bottom - b.bottom < 3 * a.size]
    return median(steps) if steps else 0.0


def _goes_on(lines: Sequence[Line], line: Line, leading: float) -> bool:
    """Whether a line belongs to the paragraph of the lines before it: no wider gap, no other type, no indent behind a full stop."""
    last = lines[-1]
    if line.turned or last.turned:
        return line.turned and last.turned
    if abs(line.size - last.size) > 0.15 * max(line.size, last.size):
        return False
    step = last.bottom - line.bottom
    if step < -0.5 * last.size:
        return last.text.endswith(HYPHEN) or (not _END.search(last.text) and line.text[:1].islower())
    if step > max(1.3 * leading, (1.5 if last.size > leading else 1.1) * last.size):
        return False
    indented = 0.8 * line.size < line.left - last.left < 5 * line.size
    return not (indented and _END.search(last.text))


def _continues(before: Group, group: Group) -> bool:
    """Whether a paragraph on a new page goes on with the sentence of the page before."""
    if before.kind != "paragraph" or group.kind != "paragraph" or before.page == group.page or not group.lines or group.lines[0].turned:
        return False
    text = before.text
    return text.endswith(HYPHEN) or (not _END.search(text) and group.text[:1].islower())


def _body_size(groups: Sequence[Group]) -> float:
    sizes: Counter[float] = Counter()
    for group in groups:
        for line in group.lines:
            sizes[round(2 * line.size) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], -size), default=0.0)


def _merged(groups: Sequence[Group]) -> list[Group]:
    """Groups, with a short heading and one of the same level right below it as one: `Chapter 1` and its title."""
    merged: list[Group] = []
    for group in groups:
        last = merged[-1] if merged else None
        pair = last is not None and last.kind == group.kind == "heading" and (last.level, last.page) == (group.level, group.page)
        if last is not None and pair and len(last.text) <= 40 and len(last.lines) == 1:
            last.lines.extend(group.lines)
        else:
            merged.append(group)
    return merged


def _is_short(group: Group) -> bool:
    if group.text[-1] in ".;,:" or not group.text[0].isalnum():
        return False
    return len(group.lines) <= 3 and len(group.text) <= 200 and sum(c.isalpha() for c in group.text) > 2


def _write_table(composer: Composer, group: Group) -> None:
    """A table, a line a row; rows of several cells are blocks with the table's header line as their label."""
    head = _header_lines(group.lines)
    label = fold(" | ".join(line.text for line in group.lines[:head]).replace(HYPHEN, "-"))
    rows = []
    start = end = -1
    for number, line in enumerate(group.lines):
        at = composer.put(line.text, "\n" if number else "\n\n")
        start, end = (at if number == 0 else start), at + len(line.text)
        if number >= head and len(line.cells) > 1:
            rows.append(Block("row", at, end, 0, label))
    composer.blocks.append(Block("table", start, end))
    composer.blocks.extend(rows)


def _header_lines(lines: Sequence[Line]) -> int:
    """How many lines stand above the first one that begins with words and has a figure in another cell; 0 when most would."""
    for number, line in enumerate(lines[:6]):
        if any(c.isalpha() for c in line.cells[0]) and any(map(_is_figure, line.cells[1:])):
            return number
    return 0


def _is_figure(cell: str) -> bool:
    """Digits without words that are no year, which heads a column."""
    return any(c.isdigit() for c in cell) and not any(c.isalpha() for c in cell) and not _YEAR.match(cell)
