"""Plain text as paragraphs: where they stand and what they look like. What they mean is the business of `headings` and `breaks`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONG = 600
"""Longer paragraphs are body, whatever they hold."""
WRAPPED = 120
"""Lines that are longer on average are not wrapped: each is a paragraph of its own (columns; a wide character takes two)."""
_WIDE = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of lines without a blank line, or one line of a text that is not wrapped."""

    start: int
    end: int
    gap: int
    """Blank lines before it."""
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
    for gap, lines in _runs(text):
        start, end = lines[0][0], lines[-1][1]
        if len(lines) > 1 and _columns(text, start, end) > WRAPPED * len(lines):
            found.extend(_paragraph(text, *line, (gap if line is lines[0] else 0, 1)) for line in lines)
        else:
            found.append(_paragraph(text, start, end, (gap, len(lines))))
    return found


def _runs(text: str) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Runs of lines that are not blank, each with the number of blank lines before it."""
    run: list[tuple[int, int]] = []
    gap = begin = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            run.append((begin, begin + len(line)))
        else:
            if run:
                yield gap, run
                run, gap = [], 0
            gap += 1
        begin += len(line) + 1
    if run:
        yield gap, run


def _columns(text: str, start: int, end: int) -> int:
    """Width of a stretch in columns, estimated from its beginning."""
    sample = text[start : min(end, start + LONG)]
    return (end - start) * (len(sample) + len(_WIDE.findall(sample))) // len(sample)


def _paragraph(text: str, start: int, end: int, shape: tuple[int, int]) -> Paragraph:
    shown = text[start : min(end, start + LONG)]
    return Paragraph(start, end, shape[0], shape[1], " ".join(shown.split()), len(shown) - len(shown.lstrip()))
