"""Tables as evidence shows them: each line is one row, read under the header of its table."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.schema.documents import Span

_LINE = re.compile(r"[^\n]+")
_MARKS = re.compile(r"[\s|:=+-]*")
"""A line that only parts a header from its rows."""
_BAR, _TAB = "|", "\t"
Headers = Mapping[tuple[str, int], str]
"""The header line of each row that search found alone, by document and start."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table with a header, both as cells; a row may have fewer cells than its header."""

    header: tuple[str, ...]
    cells: tuple[str, ...]
    caption: str = ""

    @property
    def heading(self) -> str:
        """The header in one line."""
        return " | ".join(cell for cell in self.header if cell)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text: prose, or one line of a table; without a header nothing says what its cells are."""

    span: Span
    line: bool
    row: Row | None = None


def read_headers(pool: Sequence[Evidence]) -> Headers:
    """What the rows among the evidence stand under: the last part of their context."""
    found: dict[tuple[str, int], str] = {}
    for item in pool:
        header = item.context.rsplit(" > ", 1)[-1]
        if item.kind == "row" and _is_line(header):
            found.update({(span.document, span.start): header for span in item.spans})
    return found


def pieces(span: SourceSpan, headers: Headers) -> list[Piece]:
    """A text in order as stretches of prose and lines of tables; two or more lines with cells are a table, and so is a row found alone."""
    text = span.quote
    lines = [Span(m.start(), m.end()) for m in _LINE.finditer(text)] if _BAR in text or _TAB in text else []
    found: list[Piece] = []
    prose = 0
    for run in _runs(text, lines):
        known = any((span.document, span.start + line.start) in headers for line in run)
        if not known and (len(run) == 1 or _BAR not in text[run[0].start : run[0].end]):
            continue
        if text[prose : run[0].start].strip():
            found.append(Piece(Span(prose, run[0].start), line=False))
        found.extend(_table(span, run, headers))
        prose = run[-1].end
    if text[prose:].strip() or not found:
        found.append(Piece(Span(prose, len(text)), line=False))
    return found


def _runs(text: str, lines: Sequence[Span]) -> Iterator[list[Span]]:
    """Lines with cells that follow one another."""
    run: list[Span] = []
    for line in lines:
        cells = _is_line(text[line.start : line.end])
        if run and (not cells or line.start > run[-1].end + 1):
            yield run
            run = []
        if cells:
            run.append(line)
    if run:
        yield run


def _table(span: SourceSpan, run: Sequence[Span], headers: Headers) -> Iterator[Piece]:
    """The rows of a table; its header is what search found one of them under, else its first line, if the table may begin there."""
    known = {headers[place] for line in run if (place := (span.document, span.start + line.start)) in headers}
    begins = run[0].start > 0 or span.start == 0 or (len(run) > 1 and _parts(span.quote[run[1].start : run[1].end]))
    first = span.quote[run[0].start : run[0].end] if begins and len(run) > 1 else ""
    header = min(known) if len(known) == 1 else first if not known else ""
    first = first if header.endswith(first.strip()) else ""
    for line in run:
        text = span.quote[line.start : line.end].rstrip()
        if _parts(text):
            continue
        own = header if text.strip() not in (header.strip(), first.strip()) else ""
        row = _row(own, text, first) if own else None
        yield Piece(Span(line.start, line.start + len(text)), line=True, row=row if row and row.cells != row.header else None)


def _row(header: str, line: str, first: str) -> Row:
    """A row under its header, which a caption and a colon may stand before."""
    caption = ""
    if header.strip() != first.strip():
        before, bar, after = header.partition(_BAR)
        caption, _, name = before.rpartition(": ")
        header = f"{name}{bar}{after}"
    names = _cells(header, header)
    cells = _cells(line, header)
    if len(cells) == len(names) + 2 and not cells[0] and not cells[-1]:
        cells = cells[1:-1]
    return Row(tuple(names), tuple(cells), caption)


def _cells(line: str, header: str) -> list[str]:
    """The cells of a line; bars around the whole header frame its rows as well."""
    framed = header.strip().startswith(_BAR) and header.strip().endswith(_BAR)
    own = line.strip().removeprefix(_BAR).removesuffix(_BAR) if framed else line
    return [cell.strip() for cell in own.split(_BAR if _BAR in header else _TAB)]


def _is_line(text: str) -> bool:
    return f" {_BAR}" in text or f"{_BAR} " in text or _TAB in text.strip() or (_BAR in text and _parts(text))


def _parts(line: str) -> bool:
    return "-" in line and _MARKS.fullmatch(line) is not None
