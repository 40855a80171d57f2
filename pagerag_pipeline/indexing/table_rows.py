"""Where the rows of a document's tables stand in its chunks, under which headings, and which column says what a row is about."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.tabular.cells import aligned, form_of, is_rule, plain_cell, split_cells
from pagerag_pipeline.indexing.tabular.columns import MOST_ROWS, Roles, column_roles
from pagerag_pipeline.indexing.tabular.headings import read_heading
from pagerag_pipeline.indexing.tabular.quantities import is_figure, is_period
from pagerag_pipeline.schema.documents import Block, Chunk, ParsedDocument, RowForm, Section
from pagerag_pipeline.schema.knowledge import TableRow

VERSION = "table_rows/2"

LONGEST_CAPTION = 300
_CAPTION = re.compile(r"[*_\s]*(?:table|tab\.|exhibit|figure|schedule|tableau|tabelle|\u8868)\s*[\w.]{0,6}[.:)*_]?\s", re.IGNORECASE)
_TAGS = re.compile(r"<[^<>]{1,200}>")
_TAGGED_ROW = re.compile(r"<tr\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table as read: its rows by the blocks that hold them."""

    form: RowForm
    header: tuple[str, ...]
    caption: str
    roles: Roles
    rows: tuple[Block, ...]


def table_rows(document: ParsedDocument, sections: Sequence[Section], chunks: Sequence[Chunk]) -> list[TableRow]:
    """The rows of all tables that have a header of two columns or more, by chunk and in order; a row that a chunk cuts is there cut.

    Tables without a header, or with figures in it, give none: nothing says what their cells are.
    """
    wholes = [chunk for chunk in chunks if chunk.kind == "chunk"]
    ends = [chunk.end for chunk in wholes]
    found: list[TableRow] = []
    for table in _tables(document):
        for block in table.rows:
            for chunk in wholes[bisect_right(ends, block.start) :]:
                if chunk.start >= block.end:
                    break
                subject = _subject(document, sections, chunk.section)
                found.append(_row(table, block, chunk, subject))
    return found


def _row(table: _Table, block: Block, chunk: Chunk, subject: str) -> TableRow:
    return TableRow(
        chunk=chunk.ordinal,
        start=max(block.start, chunk.start) - chunk.start,
        end=min(block.end, chunk.end) - chunk.start,
        form=table.form,
        header=table.header,
        key=table.roles.key,
        dimensions=table.roles.dimensions,
        caption=table.caption,
        subject=subject,
    )


def _subject(document: ParsedDocument, sections: Sequence[Section], ordinal: int) -> str:
    """The innermost title above a chunk."""
    titles = [document.title, *next((section.path for section in sections if section.ordinal == ordinal), ())]
    return next((" ".join(title.split()) for title in reversed(titles) if title.strip()), "")


def _tables(document: ParsedDocument) -> Iterator[_Table]:
    tables = sorted((b for b in document.blocks if b.kind == "table"), key=lambda b: (b.start, -b.end))
    rows = sorted((b for b in document.blocks if b.kind == "row" and b.end > b.start), key=lambda b: (b.start, b.end))
    starts = [row.start for row in rows]
    done = 0
    for table in tables:
        inside = rows[max(done, bisect_left(starts, table.start)) : bisect_left(starts, table.end)]
        done = max(done, bisect_left(starts, table.end))
        if inside and (read := _read(document, table, inside)) is not None:
            yield read


def _read(document: ParsedDocument, table: Block, rows: Sequence[Block]) -> _Table | None:
    text = document.text
    if not rows[0].label.strip():
        return None
    line = _header_line(text[table.start : rows[0].start]) or rows[0].label
    form = form_of(line)
    header = [plain_cell(cell) for cell in split_cells(line, form)]
    samples = [[plain_cell(cell) for cell in split_cells(text[row.start : row.end], form)] for row in rows[:MOST_ROWS]]
    if form == "gaps" and sum(len(cells) == len(header) + 1 for cells in samples) > len(samples) // 2:
        header.insert(0, "")
    if len(header) < 2 or any(is_figure(cell) and not is_period(cell) for cell in header):
        return None
    whole = [cells for given in samples if (cells := aligned(given, len(header), form)) is not None]
    caption = _caption(text, table)
    return _Table(form, tuple(header), caption, column_roles([read_heading(cell) for cell in header], whole, caption), tuple(rows))


def _header_line(above: str) -> str:
    """The line of headings among what stands in a table above its first row; empty when there is none."""
    if _TAGGED_ROW.search(above):
        return next((part for part in reversed(_TAGGED_ROW.split(above)) if split_cells(part, "tags")), "")
    lines = [line for line in above.split("\n") if line.strip() and not is_rule(line)]
    return next((line for line in reversed(lines) if len(split_cells(line, form_of(line))) > 1), "")


def _caption(text: str, table: Block) -> str:
    """What a table is called: its own caption, or the paragraph right before or after it that says so."""
    if table.label.strip():
        return table.label.strip()[:LONGEST_CAPTION]
    before = text[max(0, table.start - 2 * LONGEST_CAPTION) : table.start].rstrip().rpartition("\n\n")[2]
    after = text[table.end : table.end + 2 * LONGEST_CAPTION].strip().partition("\n\n")[0]
    for near, leads in ((before, True), (after, False)):
        told = " ".join(plain_cell(_TAGS.sub(" ", near)).split())
        if 0 < len(told) <= LONGEST_CAPTION and (_CAPTION.match(f"{told} ") or (leads and told.endswith(":"))):
            return told
    return ""
