"""Rows in memory are found by key in the order they stand in; what is kept stays within its limit."""

import contextlib
from collections.abc import Iterator

import pyarrow as pa
import pytest

from pagerag_pipeline.stores.kept import Kept
from pagerag_pipeline.stores.keyed_rows import KeyedRows, KeyIndex

TABLE = pa.table({"key": ["b", "a", "b", "c"], "text": ["one", "two", "three", None], "other": ["x", "x", "y", "y"]})


def test_rows_come_in_the_order_of_the_table_whatever_the_order_of_the_keys() -> None:
    rows = KeyedRows(TABLE, ("key", "other"))
    assert rows.of("key", ["c", "b", "b", "nothing"]) == [("b", "one", "x"), ("b", "three", "y"), ("c", None, "y")]
    assert rows.of("other", ["x"]) == [("b", "one", "x"), ("a", "two", "x")]
    assert rows.of("key", []) == rows.of("key", ["nothing"]) == []
    assert rows.nbytes > TABLE.nbytes


def test_keys_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = KeyedRows(TABLE, ("key",))
    monkeypatch.setattr(KeyIndex, "positions", lambda self, keys: __import__("numpy").arange(4))
    assert rows.of("key", ["a"]) == [("a", "two", "x")]


def kept(most: int) -> tuple[Kept, list[str]]:
    """Tables in a limit, and the statements that were read."""
    read: list[str] = []

    @contextlib.contextmanager
    def reader(statement: str) -> Iterator[pa.RecordBatchReader]:
        read.append(statement)
        yield TABLE.to_reader(max_chunksize=2)

    return Kept(reader, most), read


def keyed(table: pa.Table) -> KeyedRows:
    return KeyedRows(table, ("key",))


def test_nothing_is_read_before_keeping_begins_and_then_each_table_once() -> None:
    tables, read = kept(10_000)
    assert tables.made("s", keyed) is None and read == []
    tables.begin()
    first = tables.made("s", keyed)
    assert first is not None and first.of("key", ["a"]) == [("a", "two", "x")]
    assert tables.made("s", keyed) is first and read == ["s"]


def test_what_finds_no_room_is_not_kept() -> None:
    size = keyed(TABLE).nbytes
    tables, read = kept(size + size // 2)
    tables.begin()
    assert tables.made("s", keyed) is not None
    assert tables.made("t", keyed) is None and tables.made("t", keyed) is None and read == ["s", "t"]
    nothing, _ = kept(0)
    nothing.begin()
    assert nothing.made("s", keyed) is None
