"""One page of a PDF as lines in reading order. What repeats on every page is the business of `pdf_running`, composing that of `pdf`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

HYPHEN = "\x02"
"""Stands where a line ended in a hyphen that may have divided a word."""
CELL_GAP = 1.2
"""A gap wider than this many font sizes sets two cells (or columns) apart."""
PROSE = 20
"""Fragments with this many characters may be lines of a column of prose."""
LEAST_LINES = 8
"""A column has at least this many of them."""
CROSSING = 0.15
"""At most this share of the characters of a page in columns stands in lines that run across the gutter."""


@dataclass(frozen=True, slots=True)
class Line:
    """Characters side by side; positions in points from the lower left corner of the page. `cells` are parts with wide gaps between them."""

    cells: tuple[str, ...]
    left: float
    right: float
    bottom: float
    top: float
    size: float
    turned: bool = False

    @property
    def text(self) -> str:
        """The cells, two spaces apart."""
        return "  ".join(self.cells)


def page_lines(text_page: Any, raw: Any, width: float) -> list[Line]:
    """The lines of a page in reading order; turned ones (a stamp in the margin) come last unless most of the page is turned.

    The order of the file is kept, for it is that of whoever set the page; it is repaired where a page in columns was written across them,
    or where lines jump about.
    """
    fragments = _fragments(text_page, raw)
    turned = [fragment for fragment in fragments if fragment.turned]
    if 2 * len(turned) > len(fragments):
        return fragments
    upright = [fragment for fragment in fragments if not fragment.turned]
    return _joined_cells(_ordered(upright, width, 2)) + turned


def _fragments(text_page: Any, raw: Any) -> list[Line]:
    """Runs of characters without a wide gap, in the order of the file."""
    found: list[Line] = []
    run = _Run()
    page, rect, angle_of = text_page.raw, raw.FS_RECTF(), raw.FPDFText_GetCharAngle
    fresh, turned = True, False
    for index in range(text_page.count_chars()):
        code = raw.FPDFText_GetUnicode(page, index)
        if code in (10, 13):
            fresh = True
            continue
        if code in (9, 32, 160):
            run.spaced = True
            continue
        if not raw.FPDFText_GetLooseCharBox(page, index, rect):
            continue
        if fresh:
            fresh, turned = False, 0.1 < angle_of(page, index) < 6.18
        box = (rect.left, rect.bottom, rect.right, rect.top)
        if run.codes and not run.continues(box, turned):
            found.append(run.line())
            run = _Run()
        run.add(2 if code == 0xFFFE else code, box, turned)
    return [*found, run.line()] if run.codes else found


class _Run:
    """Characters of one fragment as they come."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.spaced = False
        self._turned = False
        self._box = (0.0, 0.0, 0.0, 0.0)
        self._last = (0.0, 0.0, 0.0, 0.0)
        self._sizes: list[float] = []

    def continues(self, box: tuple[float, float, float, float], turned: bool) -> bool:
        """Whether a character at `box` stands on the same line, close behind the last one (or in its place: a ligature is given letter by letter)."""
        if turned or self._turned:
            return turned and self._turned and max(abs(box[0] - self._last[0]), abs(box[1] - self._last[1])) < 4 * self._height()
        bottom, top = max(box[1], self._box[1]), min(box[3], self._box[3])
        low = min(box[3] - box[1], self._box[3] - self._box[1])
        size = max(self._height(), box[3] - box[1])
        if self.codes[-1] == ord(HYPHEN) or top - bottom < 0.5 * low:
            return False
        return box[0] > self._last[0] - 0.5 * size and box[0] - self._last[2] < CELL_GAP * self._height()

    def add(self, code: int, box: tuple[float, float, float, float], turned: bool) -> None:
        """Append a character."""
        if self.codes and (self.spaced or (not turned and box[0] - self._last[2] > 0.3 * self._height())):
            self.codes.append(32)
        joined = (min(self._box[0], box[0]), min(self._box[1], box[1]), max(self._box[2], box[2]), max(self._box[3], box[3]))
        self._box = joined if self.codes else box
        self.codes.append(code)
        self._last, self.spaced, self._turned = box, False, turned
        self._sizes.append(box[3] - box[1])

    def line(self) -> Line:
        """What was collected."""
        units = b"".join(code.to_bytes(4 if code > 0xFFFF else 2, "little") if code <= 0xFFFF else chr(code).encode("utf-16-le") for code in self.codes)
        text = units.decode("utf-16-le", "replace").replace("\0", "")
        left, bottom, right, top = self._box
        return Line((text,), left, right, bottom, top, round(median(self._sizes), 1), self._turned)

    def _height(self) -> float:
        return self._last[3] - self._last[1]


def _ordered(fragments: Sequence[Line], width: float, depth: int) -> list[Line]:
    """Fragments in reading order: column by column where the file runs across columns, from the top where it jumps about."""
    gutter = _gutter(fragments) if depth else None
    if gutter is not None and _is_woven(fragments, gutter):
        return _by_columns(fragments, gutter, (width, depth))
    jumps = sum(1 for a, b in pairwise(fragments) if b.bottom > a.top + 2 * a.size)
    if gutter is None and len(fragments) > LEAST_LINES and jumps > 0.3 * len(fragments):
        return sorted(fragments, key=lambda f: (-round(f.bottom / max(1.0, f.size / 2)), f.left))
    return list(fragments)


def _gutter(fragments: Sequence[Line]) -> float | None:
    """Where the white strip between two columns of prose stands; None for a page of one column."""
    prose = [f for f in fragments if len(f.text) >= PROSE]
    if len(prose) < 2 * LEAST_LINES:
        return None
    first, last = min(f.left for f in prose), max(f.right for f in prose)
    best, fewest = None, CROSSING * sum(len(f.text) for f in prose)
    for step in range(25, 76):
        at = first + (last - first) * step / 100
        left, right = [f for f in prose if f.right <= at], [f for f in prose if f.left >= at]
        crossing = sum(len(f.text) for f in prose) - sum(len(f.text) for f in left) - sum(len(f.text) for f in right)
        if min(len(left), len(right)) >= LEAST_LINES and crossing < fewest:
            best, fewest = at, crossing
    return best


def _is_woven(fragments: Sequence[Line], gutter: float) -> bool:
    """Whether the file goes to and fro between the columns."""
    sides = [f.left >= gutter for f in fragments if f.right <= gutter or f.left >= gutter]
    switches = sum(a != b for a, b in pairwise(sides))
    return switches > 0.25 * min(sum(sides), len(sides) - sum(sides)) + 6


def _by_columns(fragments: Sequence[Line], gutter: float, rest: tuple[float, int]) -> list[Line]:
    """From the top, in bands between the lines that run across: the left column of a band, then the right one."""
    width, depth = rest
    ordered: list[Line] = []
    sides: tuple[list[Line], list[Line]] = ([], [])
    for fragment in [*sorted(fragments, key=lambda f: (-f.top, f.left)), None]:
        if fragment is not None and (fragment.right <= gutter or fragment.left >= gutter):
            sides[fragment.left >= gutter].append(fragment)
            continue
        for side in sides:
            ordered.extend(_ordered(side, width, depth - 1))
            side.clear()
        if fragment is not None:
            ordered.append(fragment)
    return ordered


def _joined_cells(fragments: Sequence[Line]) -> list[Line]:
    """Fragments that follow each other on one baseline as one line of several cells."""
    lines: list[Line] = []
    for fragment in fragments:
        last = lines[-1] if lines else None
        if last is not None and _same_line(last, fragment):
            cells = (*last.cells, *fragment.cells)
            right, bottom, top = max(last.right, fragment.right), min(last.bottom, fragment.bottom), max(last.top, fragment.top)
            lines[-1] = replace(last, cells=cells, right=right, bottom=bottom, top=top, size=max(last.size, fragment.size))
        else:
            lines.append(fragment)
    return lines


def _same_line(last: Line, fragment: Line) -> bool:
    overlap = min(last.top, fragment.top) - max(last.bottom, fragment.bottom)
    return overlap > 0.6 * min(last.top - last.bottom, fragment.top - fragment.bottom) and fragment.left >= last.right - 1.0
