"""Plain text as paragraphs: where they stand and what they look like. What they mean is the business of `headings` and `chunk`."""

from collections.abc import Iterator
from dataclasses import dataclass

LONG = 600
"""Longer paragraphs are body, whatever they hold."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of lines without a blank line: its exact range, the blank lines before it, and its text on one line when it is short."""

    start: int
    end: int
    gap: int
    lines: int
    text: str
    """White space folded; only its first characters when the paragraph is long."""
    indent: int

    @property
    def length(self) -> int:
        """Characters from start to end."""
        return self.end - self.start


def find_paragraphs(text: str) -> list[Paragraph]:
    """All paragraphs of a text, in order; they begin at the start of a line and end before a line feed."""
    found: list[Paragraph] = []
    start = end = position = -1
    gap = lines = 0
    for begin, finish, blank in _lines(text):
        if not blank:
            start = begin if start < 0 else start
            end, lines = finish, lines + 1
        elif start >= 0:
            found.append(_paragraph(text, start, end, (gap, lines)))
            start, gap, lines = -1, 1, 0
        else:
            gap += 1
        position = finish
    if start >= 0:
        found.append(_paragraph(text, start, position, (gap, lines)))
    return found


def _lines(text: str) -> Iterator[tuple[int, int, bool]]:
    begin = 0
    for line in text.split("\n"):
        yield begin, begin + len(line), not line or line.isspace()
        begin += len(line) + 1


def _paragraph(text: str, start: int, end: int, shape: tuple[int, int]) -> Paragraph:
    shown = text[start : min(end, start + LONG)]
    return Paragraph(start, end, shape[0], shape[1], " ".join(shown.split()), len(shown) - len(shown.lstrip()))
