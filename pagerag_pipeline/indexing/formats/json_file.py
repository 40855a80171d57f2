"""JSON files: an array or object of records with `text`, or one such record; lines of JSON under the name of one."""

import json
from dataclasses import replace
from typing import Any

from pagerag_pipeline.indexing.decode import decode_text
from pagerag_pipeline.indexing.formats.rows import ID_FIELDS, TEXT_FIELD, documents_from_rows, parse_json_lines
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings


def parse_json(data: bytes, settings: ParseSettings) -> ParsedFile:
    """A document a record with `text`: in an array, in the one array that an object holds, under the keys of an object (its ids), or the object itself."""
    decoded = decode_text(data)
    if not decoded.text.strip():
        return ParsedFile((), skipped="empty")
    try:
        value = json.loads(decoded.text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return parse_json_lines(data, settings)
        return ParsedFile((), skipped=f"not JSON: {error.msg}, line {error.lineno}")
    rows = _records(value)
    if not rows:
        return ParsedFile((), skipped="holds no records with a `text` field", notes=decoded.notes)
    if isinstance(value, dict) and value is rows[0][1]:
        value = {name: field for name, field in value.items() if name not in ID_FIELDS}
        parsed = documents_from_rows([("the object", value | {"id": "only"})], list(decoded.notes), settings)
        return _as_whole(parsed)
    return documents_from_rows(rows, list(decoded.notes), settings)


def _as_whole(parsed: ParsedFile) -> ParsedFile:
    """A file of one record is a document itself, without an id inside the file."""
    return replace(parsed, documents=tuple(replace(document, sub_id="") for document in parsed.documents))


def _records(value: Any) -> list[tuple[str, dict[str, Any]]]:
    if isinstance(value, list):
        return [(f"record {n}", row if isinstance(row, dict) else {}) for n, row in enumerate(value, start=1)] if any(map(_has_text, value)) else []
    if not isinstance(value, dict):
        return []
    if isinstance(value.get(TEXT_FIELD), str):
        return [("the object", value)]
    arrays = [held for held in value.values() if isinstance(held, list) and any(map(_has_text, held))]
    if arrays:
        return _records([row for held in arrays for row in held])
    if value and all(map(_has_text, value.values())):
        return [(f"record {key!r}", {"id": key} | row) for key, row in value.items()]
    return []


def _has_text(row: Any) -> bool:
    return isinstance(row, dict) and TEXT_FIELD in row
