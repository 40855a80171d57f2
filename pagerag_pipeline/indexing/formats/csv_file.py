"""CSV and TSV files: many documents (a `text` column), or one table that is a document itself."""

import csv
import io
from collections.abc import Iterable
from itertools import pairwise

from pagerag_pipeline.indexing.decode import decode_text
from pagerag_pipeline.indexing.formats.rows import ID_FIELDS, TEXT_FIELD, TITLE_FIELD, documents_from_rows, table_document
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings

Row = tuple[int, list[str]]
"""The number of the line where a row begins, and its cells."""


def parse_csv(data: bytes, settings: ParseSettings) -> ParsedFile:
    """Documents from a table with a `text` column, else one document that is the table itself, its first row the header."""
    decoded = decode_text(data)
    csv.field_size_limit(2**31 - 1)
    notes = list(decoded.notes)
    try:
        rows, told = _read_rows(decoded.text, "\t" if _tabs(decoded.text) else _delimiter(decoded.text))
    except csv.Error as error:
        return ParsedFile((), skipped=f"not readable as CSV: {error}")
    if not rows:
        return ParsedFile((), skipped="empty")
    header = [name.strip() for name in rows[0][1]]
    columns, chosen = _columns(header)
    if TEXT_FIELD not in columns:
        return table_document([row for _, row in rows[1:]], header, (*notes, *told))
    notes += [*told, *chosen, *_surplus(rows[1:], len(header))]
    records = [(f"line {at}", {name: row[place] for name, place in columns.items() if place < len(row)}) for at, row in rows[1:]]
    return documents_from_rows(records, notes, settings)


def _read_rows(text: str, delimiter: str) -> tuple[list[Row], list[str]]:
    """Rows that are not blank, and a note a row of several lines whose quote never closes, or closes inside a cell.

    What such a quote swallows is read line by line when most of its lines have as many cells as the header; else it is a text that was cut off.
    """
    lines = list(io.StringIO(text, newline=""))
    rows: list[Row] = []
    notes = []
    for (at, row), (after, _) in pairwise([*_rows_of(lines, delimiter), (len(lines) + 1, [])]):
        if after - at < 2 or _is_sound(lines[at - 1 : after - 1], delimiter):
            rows.append((at, row))
            continue
        again = [(number, _lone_row(lines[number - 1], delimiter)) for number in range(at, after)]
        width = len((rows or again)[0][1])
        fits = 2 * sum(len(cells) == width for _, cells in again[1:]) >= len(again)
        rows += again if fits else [(at, row)]
        told = "it and the lines after it are read line by line" if fits else "the lines after it are taken as part of it"
        notes.append(f"line {at}: a quote opens in this row and does not close as it should: {told}, up to line {after - 1}")
    return [(at, row) for at, row in rows if any(cell.strip() for cell in row)], notes


def _rows_of(lines: list[str], delimiter: str) -> list[Row]:
    reader = csv.reader(lines, delimiter=delimiter)
    rows, at = [], 1
    for row in reader:
        rows.append((at, row))
        at = reader.line_num + 1
    return rows


def _is_sound(lines: list[str], delimiter: str) -> bool:
    """Whether each quote in these lines of one row is closed, and closed at the end of its cell."""
    try:
        return bool(list(csv.reader(lines, delimiter=delimiter, strict=True)))
    except csv.Error:
        return False


def _lone_row(line: str, delimiter: str) -> list[str]:
    """The cells of a line that stands for itself; a quote in it that does not close is a mark like others."""
    if _is_sound([line], delimiter):
        return next(csv.reader([line], delimiter=delimiter))
    return next(csv.reader([line], delimiter=delimiter, quoting=csv.QUOTE_NONE), [])


def _columns(header: list[str]) -> tuple[dict[str, int], list[str]]:
    """Place of each column by its name, the names that have a meaning in small letters; and notes on which of two was taken."""
    meant = (*ID_FIELDS, TEXT_FIELD, TITLE_FIELD)
    columns: dict[str, int] = {}
    notes = []
    # Names as they should be written come first, so that a variant in capitals does not stand before them.
    for place, name in sorted(enumerate(header), key=lambda column: (column[1] not in meant, column[0])):
        known = name.lower() if name.lower() in meant else name
        if known not in columns:
            columns[known] = place
            continue
        notes.append(f"columns {columns[known] + 1} and {place + 1} are both {known!r}: the text of column {columns[known] + 1} is taken")
        if name != known:
            columns.setdefault(name, place)
    return dict(sorted(columns.items(), key=lambda column: column[1])), notes


def _surplus(rows: Iterable[Row], width: int) -> list[str]:
    """A note a row that has filled cells behind the last column."""
    return [f"line {at}: {len(row)} cells for {width} columns, the rest left out" for at, row in rows if any(map(str.strip, row[width:]))]


def _tabs(text: str) -> bool:
    first = text.split("\n", 1)[0]
    return first.count("\t") > max(first.count(","), first.count(";"))


def _delimiter(text: str) -> str:
    first = text.split("\n", 1)[0]
    return ";" if first.count(";") > first.count(",") else ","
