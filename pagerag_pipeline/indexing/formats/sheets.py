"""Excel workbooks by openpyxl: a heading a sheet, its tables a line a row."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from pagerag_pipeline.indexing.decode import clean_text
from pagerag_pipeline.indexing.formats.archive import open_office
from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

MOST_CELLS = 5_000_000
"""Cells read, empty ones too: a cell in the last corner makes a sheet of billions."""
LOOK_AHEAD = 8
"""A header is looked for in so many rows of a table."""


def parse_xlsx(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of all sheets that show; values as last computed. Rows of one cell are text; a table's rows carry its header, merged headings filled in."""
    import openpyxl

    book = openpyxl.load_workbook(open_office(data, settings, "xl"), read_only=True, data_only=True)
    composer, notes = Composer(), []
    left = MOST_CELLS
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            notes.append(f"hidden sheet {sheet.title!r} left out")
            continue
        sheet.reset_dimensions()
        rows, used = _rows(sheet, left)
        left -= used
        if rows:
            composer.add("heading", fold(sheet.title), level=1)
            _add_rows(composer, rows)
        if left <= 0:
            notes.append(f"sheet {sheet.title!r} cut: more than {MOST_CELLS} cells")
            break
    book.close()
    text, repairs = clean_text(composer.text)
    if not text.strip():
        return ParsedFile((), skipped="no text", notes=(*notes, *repairs))
    title = clean_text(fold(book.properties.title or ""))[0]
    return ParsedFile((ParsedDocument("", title, text, tuple(composer.blocks)),), notes=(*notes, *repairs))


def _rows(sheet: Any, limit: int) -> tuple[list[list[str]], int]:
    """The rows of a sheet that hold something, and how many cells were read."""
    rows: list[list[str]] = []
    used = 0
    for row in sheet.iter_rows():
        used += len(row) + 1
        if used > limit:
            break
        values = [_shown(cell) for cell in row]
        while values and not values[-1]:
            values.pop()
        if values:
            rows.append(values)
    return rows, used


def _shown(cell: Any) -> str:
    """A value as text: dates in ISO form, whole numbers without a fraction, shares as percent where the sheet shows them so."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ", "minutes")
    if isinstance(value, float):
        if "%" in (cell.number_format or "") and abs(value) < 1e6:
            return f"{round(value * 100, 2):g}%"
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.12g}"
    return fold(str(value))


def _add_rows(composer: Composer, rows: Sequence[Sequence[str]]) -> None:
    """Lines of one cell as paragraphs until a table begins; then the table."""
    at = 0
    while at < len(rows):
        if sum(map(bool, rows[at])) < 2:
            composer.add("paragraph", " ".join(filter(None, rows[at])))
            at += 1
            continue
        end = at
        while end < len(rows) and (sum(map(bool, rows[end])) > 1 or any(sum(map(bool, row)) > 1 for row in rows[end + 1 : end + 2])):
            end += 1
        _add_table(composer, rows[at:end])
        at = end


def _add_table(composer: Composer, rows: Sequence[Sequence[str]]) -> None:
    head = next((number for number, row in enumerate(rows[:LOOK_AHEAD]) if any(_is_figure(cell) for cell in row[1:])), None)
    if head is None:
        head = 1 if len(rows) > 1 and len(set(filter(None, rows[0]))) == sum(map(bool, rows[0])) else 0
    header = _header(rows[:head])
    width = max(map(len, rows))
    kept = [column for column in range(width) if any(column < len(row) and row[column] for row in rows)]
    composer.table([_columns(row, kept) for row in rows[head:]], header=_columns(header, kept) if head else ())


def _header(rows: Sequence[Sequence[str]]) -> list[str]:
    """One heading a column from several rows; in all but the last, a value also stands for the empty columns to its right, as merged cells show."""
    width = max(map(len, rows), default=0)
    parts: list[list[str]] = [[] for _ in range(width)]
    for number, row in enumerate(rows):
        value = ""
        for column in range(width):
            own = row[column] if column < len(row) else ""
            value = own or (value if number < len(rows) - 1 and column > 1 else "")
            below = any(column < len(other) and other[column] for other in rows[number + 1 :])
            if own or (value and below):
                parts[column].append(value)
    return [" ".join(part) for part in parts]


def _columns(row: Sequence[str], kept: Sequence[int]) -> list[str]:
    return [row[column] if column < len(row) else "" for column in kept]


def _is_figure(cell: str) -> bool:
    digits = sum(c.isdigit() for c in cell)
    return digits > 0 and not any(c.isalpha() for c in cell)
