"""Files of rows: JSON lines, CSV and Parquet that hold many documents (a `text` column), or one table that is a document itself."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pagerag_pipeline.indexing.decode import clean_text, decode_text, says_something
from pagerag_pipeline.indexing.formats.compose import Composer
from pagerag_pipeline.indexing.formats.marks import find_blocks, without_tags
from pagerag_pipeline.schema import ParsedDocument, ParsedFile, digest
from pagerag_pipeline.settings import ParseSettings

ID_FIELDS = ("doc_id", "id", "_id")
TEXT_FIELD = "text"
TITLE_FIELD = "title"
MOST_NOTES = 20
"""Further bad lines are counted in one note."""


def parse_json_lines(data: bytes, settings: ParseSettings) -> ParsedFile:
    """A document a line that has `text`; blank lines are passed over, bad ones noted by number. Skipped when no row has `text`."""
    decoded = decode_text(data)
    rows, notes = [], list(decoded.notes)
    for number, line in enumerate(decoded.text.split("\n"), start=1):
        if not line.strip():
            continue
        row = _json_row(line)
        if isinstance(row, str):
            notes.append(f"line {number}: {row}")
        else:
            rows.append((f"line {number}", row))
    if rows and not any(TEXT_FIELD in row for _, row in rows):
        return ParsedFile((), skipped="its rows have no `text` field", notes=_shortened(notes))
    if not rows:
        return ParsedFile((), skipped="holds no JSON objects" if notes else "empty", notes=_shortened(notes))
    return documents_from_rows(rows, notes, settings)


def parse_csv(data: bytes, settings: ParseSettings) -> ParsedFile:
    """Documents from a table with a `text` column, else one document that is the table itself, its first row the header."""
    decoded = decode_text(data)
    csv.field_size_limit(2**31 - 1)
    delimiter = "\t" if _tabs(decoded.text) else _delimiter(decoded.text)
    try:
        table = [row for row in csv.reader(io.StringIO(decoded.text, newline=""), delimiter=delimiter) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        return ParsedFile((), skipped=f"not readable as CSV: {error}")
    if not table:
        return ParsedFile((), skipped="empty")
    header = [name.strip() for name in table[0]]
    if TEXT_FIELD not in [name.lower() for name in header]:
        return table_document(table[1:], header, decoded.notes)
    names = [name.lower() if name.lower() in (*ID_FIELDS, TEXT_FIELD, TITLE_FIELD) else name for name in header]
    rows = [(f"row {number}", dict(zip(names, row, strict=False))) for number, row in enumerate(table[1:], start=2)]
    return documents_from_rows(rows, list(decoded.notes), settings)


def parse_parquet(data: bytes, settings: ParseSettings) -> ParsedFile:
    """Documents from a Parquet file with a `text` column, else one document that is the table itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        names = file.schema_arrow.names
        rows = [row for batch in file.iter_batches(batch_size=4096) for row in batch.to_pylist()]
    except (pa.ArrowException, OSError) as error:
        return ParsedFile((), skipped=f"not readable as Parquet: {str(error).splitlines()[0]}")
    if not rows:
        return ParsedFile((), skipped="empty")
    if TEXT_FIELD not in names:
        return table_document([[_text(row[name]) for name in names] for row in rows], names, ())
    return documents_from_rows([(f"row {number}", row) for number, row in enumerate(rows, start=1)], [], settings)


def documents_from_rows(rows: Iterable[tuple[str, Mapping[str, Any]]], notes: list[str], settings: ParseSettings) -> ParsedFile:
    """One document a row with its own id; a row without visible text is noted, an id that comes again gets a number behind it."""
    documents: list[ParsedDocument] = []
    taken: dict[str, int] = {}
    for where, row in rows:
        text, repairs = clean_text(_text(row.get(TEXT_FIELD)))
        notes.extend(f"{where}: {repair}" for repair in repairs)
        if not says_something(text):
            notes.append(f"{where}: no text")
            continue
        if len(documents) == settings.max_documents_per_file:
            notes.append(f"{where} and all after it left out: parse.max_documents_per_file = {settings.max_documents_per_file}")
            break
        title = clean_text(_text(row.get(TITLE_FIELD)))[0].strip()
        sub_id = _own_id(row) or digest("row", title, text)[:12]
        taken[sub_id] = taken.get(sub_id, 0) + 1
        if taken[sub_id] > 1:
            notes.append(f"{where}: id {sub_id!r} stands in the file {taken[sub_id]} times")
            sub_id = f"{sub_id}~{taken[sub_id]}"
        documents.append(ParsedDocument(sub_id, without_tags(title), text, find_blocks(text), tuple(_metadata(row))))
    return ParsedFile(tuple(documents), skipped="" if documents else "no row has text", notes=_shortened(notes))


def table_document(rows: Iterable[list[str]], header: list[str], notes: tuple[str, ...]) -> ParsedFile:
    """A table as one document, a line a row."""
    composer = Composer()
    composer.table([[clean_text(cell)[0] for cell in row] for row in rows], header=[clean_text(name)[0] for name in header])
    if not composer.text.strip():
        return ParsedFile((), skipped="empty", notes=notes)
    return ParsedFile((ParsedDocument("", "", composer.text, tuple(composer.blocks)),), notes=notes)


def _json_row(line: str) -> dict[str, Any] | str:
    """The object of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    return row if isinstance(row, dict) else "not a JSON object"


def _own_id(row: Mapping[str, Any]) -> str:
    return next((value for name in ID_FIELDS if (value := clean_text(_text(row.get(name)))[0].strip())), "")


def _metadata(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in row.items():
        if name not in (TEXT_FIELD, TITLE_FIELD, *ID_FIELDS) and value not in (None, "", [], {}):
            yield clean_text(str(name))[0], clean_text(_text(value))[0]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes):
        return decode_text(value).text
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _tabs(text: str) -> bool:
    first = text.split("\n", 1)[0]
    return first.count("\t") > max(first.count(","), first.count(";"))


def _delimiter(text: str) -> str:
    first = text.split("\n", 1)[0]
    return ";" if first.count(";") > first.count(",") else ","


def _shortened(notes: list[str]) -> tuple[str, ...]:
    if len(notes) <= MOST_NOTES:
        return tuple(notes)
    return (*notes[:MOST_NOTES], f"and {len(notes) - MOST_NOTES} notes more")
