"""Parquet files are read in bounded memory, and one odd cell costs no more than itself."""

import io
import random
import tracemalloc
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings

BINARY = bytes(range(256))
LIMIT = 1 << 20


def written(columns: dict[str, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, **options)
    return buffer.getvalue()


def parse(data: bytes, **settings: int) -> ParsedFile:
    return parse_file("x.parquet", data, ParseSettings(**settings))


def test_a_binary_cell_is_left_out_and_its_row_stays() -> None:
    parsed = parse(written({"doc_id": ["a", "b"], "text": ["First.", "Second."], "image": [BINARY, b"a note"], "inner": [{"x": BINARY}, {"x": b"y"}]}))
    assert [(document.sub_id, dict(document.metadata)) for document in parsed.documents] == [
        ("a", {}), ("b", {"image": "a note", "inner": '{"x": "y"}'}),
    ]  # fmt: skip
    assert parsed.notes == ("column 'image': 1 value left out: binary data, not text", "column 'inner': 1 value left out: binary data, not text")


def test_a_row_whose_text_is_binary_is_skipped_with_a_note() -> None:
    parsed = parse(written({"doc_id": ["a", "b"], "text": [b"First.", BINARY * 4]}))
    assert [document.text for document in parsed.documents] == ["First."]
    assert parsed.notes == ("row 2: its `text` is binary data, not text",)


def test_a_table_with_a_binary_cell_stays_a_table() -> None:
    parsed = parse(written({"name": ["Ann", "Bob"], "image": [BINARY, None]}))
    assert parsed.documents[0].text.splitlines()[1].startswith("Ann")
    assert parsed.notes == ("column 'image': 1 value left out: binary data, not text",)


BOMBS: dict[str, dict[str, Any]] = {
    "text": {"text": ["spam " * 20_000] * 300},
    "list": {"text": ["short"], "words": [["spam " * 20_000] * 300]},
    "map": {"words": pa.array([[("key", "spam " * 20_000)]] * 300, pa.map_(pa.string(), pa.string()))},
    "record": {"words": [{"deep": {"deeper": "spam " * 20_000}}] * 300},
    "fixed": {"code": pa.array([b"x" * 10_000] * 300, pa.binary(10_000))},
    "numbers": {"number": pa.array([7] * 1_000_000)},
    "nothing": {"text": pa.array([None] * 1_000_000, pa.string())},
}


@pytest.mark.parametrize("kind", sorted(BOMBS))
def test_a_file_that_would_unpack_to_too_much_is_skipped_before_it_does(kind: str) -> None:
    data = written(BOMBS[kind], compression="zstd")
    assert len(data) < 150_000
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    try:
        parsed = parse(data, max_unpacked_bytes=LIMIT)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert parsed == ParsedFile((), skipped=f"would unpack to more than parse.max_unpacked_bytes = {LIMIT}")
    assert peak < 4 * LIMIT
    assert pa.total_allocated_bytes() - before < 4 * LIMIT


def test_texts_in_several_groups_and_dictionaries_come_back_whole() -> None:
    source = random.Random(1)
    texts = ["same " * 200] * 2000 + ["".join(source.choices("abcdef ", k=400)) for _ in range(4000)]
    columns = {"text": texts, "words": [[text[:90], text[:90]] for text in texts], "year": list(range(6000))}
    parsed = parse(written(columns, row_group_size=3500))
    assert [document.text for document in parsed.documents] == texts
    assert dict(parsed.documents[-1].metadata)["year"] == "5999"


def test_rows_past_the_most_are_left_out_with_a_note() -> None:
    data = written({"text": [f"Text {n}." for n in range(9)]}, row_group_size=4)
    parsed = parse(data, max_documents_per_file=5)
    assert [document.text for document in parsed.documents] == [f"Text {n}." for n in range(5)]
    assert parsed.notes == ("row 6 and all after it left out: parse.max_documents_per_file = 5",)
