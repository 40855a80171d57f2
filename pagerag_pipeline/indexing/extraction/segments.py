"""A chunk as a tagger should read it: paragraphs with even white space, headings set apart, every character at its place."""

import re
from dataclasses import dataclass

_BREAK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_MARKED_HEADING = re.compile(r"\s{0,3}#{1,6}\s|\s*(?:chapter|part|book|act|scene|section|letter|canto|volume)\s+(?:[ivxlcdm]+|\d+|[a-z]+)\b[.:]?\s*$", re.I)
_LINE_ITEM = re.compile(r"\n(?=[ \t]*(?:[-*\u2022+]|\d{1,3}[.)])[ \t]+\S|[ \t]*\|)")
_CELLS = re.compile(r"[|\t][^|\t\n]*[|\t]")
_ENDS = (".", "!", "?", ":", ";", ",", "\u2026", "\u3002", "\uff01", "\uff1f", '"', "\u201d", "'", "\u2019", ")", "*", "_")
_HEADING_WORDS = 9
_LONGEST = 20_000
_SMALL_WORDS = frozenset("a an and as at but by for from in into of on or the to with de du des la le les et".split())


@dataclass(frozen=True, slots=True)
class Segment:
    """A paragraph or list item: `text` is as long as its slice of the chunk; line ends and markup are spaces in it."""

    start: int
    text: str
    heading: bool
    tabular: bool = False
    """A line of cells, not a sentence: it names things but states nothing a parser could read."""


def segment_text(text: str) -> list[Segment]:
    """The segments of a chunk in order; white space between them belongs to none."""
    segments: list[Segment] = []
    blocks = _blocks(text)
    for number, (start, end) in enumerate(blocks):
        heading = _is_heading(text[start:end], alone=len(blocks) == 1, last=number == len(blocks) - 1)
        for low, high in _pieces(text, start, end):
            even = _even(text[low:high])
            blank = len(even) - len(even.lstrip())
            if blank < len(even):
                segments.append(Segment(low + blank, even[blank:], heading, _CELLS.search(text, low, high) is not None))
    return segments


def _blocks(text: str) -> list[tuple[int, int]]:
    blocks: list[tuple[int, int]] = []
    start = 0
    for match in [*_BREAK.finditer(text), None]:
        end = match.start() if match else len(text)
        blocks.extend(_heading_lines_apart(text, *_trimmed(text, start, end)))
        start = match.end() if match else end
    return [(low, high) for low, high in blocks if low < high]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + len(part.rstrip())


def _heading_lines_apart(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A block whose first line is marked as a heading gives that line, then the rest."""
    line_end = text.find("\n", start, end)
    if line_end < 0 or not _MARKED_HEADING.match(text[start:line_end]):
        return [(start, end)]
    return [(start, line_end), *_heading_lines_apart(text, *_trimmed(text, line_end, end))]


def _is_heading(block: str, *, alone: bool, last: bool) -> bool:
    """Whether a block is a title line: marked as one, or short, without an end mark, all its words capitalized, and followed by text."""
    if _MARKED_HEADING.match(block):
        return True
    lines = block.split("\n")
    if len(lines) == 2 and lines[1].strip() and not lines[1].strip(" =-"):
        return True
    words = block.split()
    if alone or last or len(words) > _HEADING_WORDS or block.endswith(_ENDS):
        return False
    return all(not word[0].isalpha() or word[0].isupper() or word in _SMALL_WORDS for word in words)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """List items apart; a piece that is too long for a parser is cut at white space."""
    cuts = [start, *(match.end() for match in _LINE_ITEM.finditer(text, start, end)), end]
    pieces: list[tuple[int, int]] = []
    for low, high in zip(cuts, cuts[1:], strict=False):
        while high - low > _LONGEST:
            space = text.rfind(" ", low + 1, low + _LONGEST)
            middle = space if space > low else low + _LONGEST
            pieces.append((low, middle))
            low = middle
        pieces.append((low, high))
    return [piece for low, high in pieces if (piece := _trimmed(text, low, high))[0] < piece[1]]


_QUOTED_DASH = re.compile(r"(?<=[\u201d\u2019\"])\u2014|\u2014(?=[\u201c\u2018\"])")
_MARKUP = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|(?<=^)[ \t]*(?:[-+\u2022]|#{1,6}|>|\d{1,3}[.)])(?=\s)|\|")


def _even(part: str) -> str:
    """White space and markup become spaces, so that every character keeps its place."""
    if "\n" in part or "\t" in part or "\xa0" in part:
        part = part.replace("\n", " ").replace("\t", " ").replace("\xa0", " ")
    # A dash that touches a quotation mark makes one token of three for the tokenizer.
    if "\u2014" in part:
        part = _QUOTED_DASH.sub(" ", part)
    return _MARKUP.sub(lambda match: " " * len(match.group()), part)
