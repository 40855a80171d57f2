"""Rows to documents, whatever file they stand in, and JSON lines, the plainest of them; CSV and Parquet stand beside."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from pagerag_pipeline.indexing.decode import NotText, clean_text, decode_text, says_something
from pagerag_pipeline.indexing.formats.compose import Composer
from pagerag_pipeline.indexing.formats.marks import find_blocks, without_tags
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.schema.ids import digest
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


def documents_from_rows(rows: Iterable[tuple[str, Mapping[str, Any]]], notes: list[str], settings: ParseSettings) -> ParsedFile:
    """One document a row with its own id; a row without visible text is noted, an id that comes again gets a number behind it.

    A text is a string, or bytes that are one: numbers, lists and the like are none.
    """
    documents: list[ParsedDocument] = []
    places: list[str] = []
    lost: Counter[str] = Counter()
    for where, row in rows:
        text, repairs = _own_text(row.get(TEXT_FIELD))
        notes.extend(f"{where}: {repair}" for repair in repairs)
        if not text:
            continue
        if len(documents) == settings.max_documents_per_file:
            notes.append(f"{where} and all after it left out: parse.max_documents_per_file = {settings.max_documents_per_file}")
            break
        title = readable(row, TITLE_FIELD, lost).strip()
        sub_id = _own_id(row, lost) or digest("row", title, text)[:12]
        documents.append(ParsedDocument(sub_id, without_tags(title), text, find_blocks(text), tuple(_metadata(row, lost))))
        places.append(where)
    numbered = _numbered(documents, places, notes)
    notes.extend(left_out(lost))
    return ParsedFile(tuple(numbered), skipped="" if numbered else "no row has text", notes=_shortened(notes))


def table_document(rows: Iterable[list[str]], header: list[str], notes: tuple[str, ...]) -> ParsedFile:
    """A table as one document, a line a row."""
    composer = Composer()
    composer.table([[clean_text(cell)[0] for cell in row] for row in rows], header=[clean_text(name)[0] for name in header])
    if not composer.text.strip():
        return ParsedFile((), skipped="empty", notes=notes)
    return ParsedFile((ParsedDocument("", "", composer.text, tuple(composer.blocks)),), notes=notes)


def readable(row: Mapping[str, Any], name: str, lost: Counter[str]) -> str:
    """A value of a row as cleaned text; empty, and counted in `lost`, when it is binary data."""
    try:
        return clean_text(_text(row.get(name)))[0]
    except NotText:
        lost[name] += 1
        return ""


def left_out(lost: Counter[str]) -> list[str]:
    """A note a column whose values were binary data."""
    return [f"column {name!r}: {number} value{'s' * (number > 1)} left out: binary data, not text" for name, number in sorted(lost.items())]


def _own_text(value: Any) -> tuple[str, tuple[str, ...]]:
    """The cleaned text of a row, empty when it has none, and what is to be noted of it."""
    if not isinstance(value, str | bytes | None):
        return "", (f"its `{TEXT_FIELD}` is not a string",)
    try:
        text, repairs = clean_text(_text(value))
    except NotText as error:
        return "", (f"its `{TEXT_FIELD}` is {error}",)
    return (text, repairs) if says_something(text) else ("", (*repairs, "no text"))


def _numbered(documents: list[ParsedDocument], places: list[str], notes: list[str]) -> list[ParsedDocument]:
    """The documents under different ids: the first of an id keeps it, a repeat gets the first number behind it that no other row has."""
    taken = {document.sub_id for document in documents}
    times: Counter[str] = Counter()
    last: dict[str, int] = {}
    numbered = []
    for document, where in zip(documents, places, strict=True):
        own = document.sub_id
        times[own] += 1
        if times[own] > 1:
            number = next(n for n in count(last.get(own, 1) + 1) if f"{own}~{n}" not in taken)
            last[own] = number
            document = replace(document, sub_id=f"{own}~{number}")
            taken.add(document.sub_id)
            notes.append(f"{where}: id {own!r} stands in the file {times[own]} times: {document.sub_id!r} here")
        numbered.append(document)
    return numbered


def _json_row(line: str) -> dict[str, Any] | str:
    """The object of a line, or what is wrong with it."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    return row if isinstance(row, dict) else "not a JSON object"


def _own_id(row: Mapping[str, Any], lost: Counter[str]) -> str:
    return next((value for name in ID_FIELDS if (value := readable(row, name, lost).strip())), "")


def _metadata(row: Mapping[str, Any], lost: Counter[str]) -> Iterator[tuple[str, str]]:
    for name, value in row.items():
        if name not in (TEXT_FIELD, TITLE_FIELD, *ID_FIELDS) and value not in (None, "", [], {}) and (told := readable(row, name, lost)):
            yield clean_text(str(name))[0], told


def _text(value: Any) -> str:
    """A value as text. Raises NotText for binary data, also inside a list or record."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return decode_text(value).text
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True, default=_inner_text)


def _inner_text(value: Any) -> str:
    return decode_text(value).text if isinstance(value, bytes) else str(value)


def _shortened(notes: list[str]) -> tuple[str, ...]:
    if len(notes) <= MOST_NOTES:
        return tuple(notes)
    return (*notes[:MOST_NOTES], f"and {len(notes) - MOST_NOTES} notes more")
