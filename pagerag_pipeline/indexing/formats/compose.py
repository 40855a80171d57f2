"""Builds a text from parts that a format declares (headings, paragraphs, tables) and remembers where each stands."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pagerag_pipeline.schema.documents import Block

CELL_SEPARATOR = " | "
_SPACE = re.compile(r"\s+")


class Composer:
    """A growing text whose parts are set apart by blank lines; `blocks` hold their exact ranges."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []

    @property
    def text(self) -> str:
        """The text so far, ending in one line feed when it is not empty."""
        return "".join(self._pieces) + ("\n" if self._pieces else "")

    def add(self, kind: str, text: str, *, level: int = 0, label: str = "") -> None:
        """Append one part; parts without visible text are passed over."""
        text = text.strip()
        if text:
            start = self.put(text)
            self.blocks.append(Block(kind, start, self._length, level, label))

    def table(self, rows: Sequence[Sequence[str]], *, header: Sequence[str] = (), caption: str = "") -> None:
        """Append a table, a line a row, cells set apart by ` | `; each row block has the header line as its label."""
        lines = [line for line in map(row_line, rows) if line.strip(" |")]
        head = row_line(header) if header else ""
        if caption.strip():
            self.add("caption", fold(caption))
        if not lines and not head:
            return
        start = self._length
        first = True
        if head:
            start, first = self.put(head), False
        found = []
        for line in lines:
            at = self.put(line, "\n\n" if first else "\n")
            start, first = (at if first else start), False
            found.append(Block("row", at, self._length, 0, head))
        self.blocks.append(Block("table", start, self._length, 0, fold(caption)))
        self.blocks.extend(found)

    def page(self, number: int | str, separator: str = "\n\n") -> None:
        """Mark that what follows, behind `separator`, stands on a page."""
        at = self._length + (len(separator) if self._pieces else 0)
        self.blocks.append(Block("page", at, at, 0, str(number)))

    def extend(self, text: str, blocks: Sequence[Block]) -> None:
        """Append a text that has its own blocks; they are moved to where it stands now."""
        visible = text.strip()
        if not visible:
            return
        lead = len(text) - len(text.lstrip())
        start = self.put(visible)
        for block in blocks:
            begin, end = (min(max(0, at - lead), len(visible)) + start for at in (block.start, block.end))
            self.blocks.append(replace(block, start=begin, end=end))

    def put(self, text: str, separator: str = "\n\n") -> int:
        """Append a text as it is, without a block; where it begins."""
        if self._pieces:
            self._pieces.append(separator)
            self._length += len(separator)
        start = self._length
        self._pieces.append(text)
        self._length += len(text)
        return start


def row_line(cells: Sequence[str]) -> str:
    """One table row as a line."""
    return CELL_SEPARATOR.join(fold(cell) for cell in cells).strip()


def fold(text: str) -> str:
    """A text on one line, runs of white space as one space."""
    return _SPACE.sub(" ", text).strip()


def guess_header(rows: Sequence[Sequence[str]]) -> int:
    """1 when the first row of a table looks like its header (words above at least one column of numbers), else 0."""
    if len(rows) < 2 or any(_numeric(cell) for cell in rows[0]) or not any(cell.strip() for cell in rows[0]):
        return 0
    return int(any(_numeric(cell) for row in rows[1:6] for cell in row) or len(set(rows[0])) == len(rows[0]) > 1)


def _numeric(cell: str) -> bool:
    stripped = cell.strip().strip("$€£%()+-").replace(",", "").replace(".", "")
    return stripped.isdigit()
