"""Rows become documents under ids of their own, and only a text is a text."""

import json

import pytest

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings


def lines(*rows: object) -> ParsedFile:
    return parse_file("x.jsonl", "\n".join(map(json.dumps, rows)).encode(), ParseSettings())


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["x", "x~2", "x"], ["x", "x~2", "x~3"]),
        (["x", "x", "x~2"], ["x", "x~3", "x~2"]),
        (["x", "x~2", "x", "x", "x~2"], ["x", "x~2", "x~3", "x~4", "x~2~2"]),
        (["x", "x", "x"], ["x", "x~2", "x~3"]),
    ],
)
def test_a_repeated_id_gets_a_number_that_no_row_has(given: list[str], expected: list[str]) -> None:
    parsed = lines(*({"doc_id": own, "text": f"Text {at}."} for at, own in enumerate(given)))
    assert [document.sub_id for document in parsed.documents] == expected
    assert len(parsed.notes) == len(given) - len(set(given))


def test_many_repeats_of_one_id_are_numbered_in_passing() -> None:
    parsed = lines(*({"doc_id": "x", "text": "Text."} for _ in range(20_000)))
    assert [document.sub_id for document in parsed.documents[-2:]] == ["x~19999", "x~20000"]


@pytest.mark.parametrize("value", [float("nan"), True, 12345, 1.5, {"x": 1}, ["a", "b"]])
def test_a_text_that_is_not_a_string_is_no_text(value: object) -> None:
    parsed = lines({"doc_id": "odd", "text": value}, {"doc_id": "good", "text": "Good."})
    assert [document.sub_id for document in parsed.documents] == ["good"]
    assert parsed.notes == ("line 1: its `text` is not a string",)


def test_a_text_of_null_is_no_text() -> None:
    assert lines({"text": None}, {"text": "Good."}).notes == ("line 1: no text",)
