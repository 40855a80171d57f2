"""Rows of a table in memory, found by the values of a column: what a question asks for by key costs no scan of the table."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa


class KeyIndex:
    """Positions of rows by the hash of their key; who looks up compares the keys themselves. 16 bytes a row."""

    def __init__(self, keys: Sequence[str]) -> None:
        hashes = np.fromiter(map(hash, keys), dtype=np.int64, count=len(keys))
        self._order = np.argsort(hashes, kind="stable")
        self._hashes = hashes[self._order]

    @property
    def nbytes(self) -> int:
        """Memory it takes."""
        return int(self._order.nbytes + self._hashes.nbytes)

    def positions(self, keys: Sequence[str]) -> np.ndarray:
        """Positions of the rows whose keys may be among these, ascending, each once."""
        wanted = np.fromiter(map(hash, keys), dtype=np.int64, count=len(keys))
        starts = np.searchsorted(self._hashes, wanted, "left")
        counts = np.searchsorted(self._hashes, wanted, "right") - starts
        places = np.arange(counts.sum()) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
        return np.unique(self._order[places])


class KeyedRows:
    """A table whose rows are found by one or more of its columns, in the order that they stand in. Safe to read from many threads."""

    def __init__(self, table: pa.Table, keys: Sequence[str]) -> None:
        self._rows = pa.RecordBatch.from_arrays([column.combine_chunks() for column in table.columns], names=table.column_names)
        self._places = {name: place for place, name in enumerate(table.column_names)}
        self._indexes = {key: KeyIndex(self._rows[key].to_pylist()) for key in keys}
        self.nbytes = int(table.nbytes) + sum(index.nbytes for index in self._indexes.values())

    def of(self, key: str, values: Sequence[str]) -> list[tuple[Any, ...]]:
        """All rows that have one of these values in a key column, as an engine would return them."""
        wanted = frozenset(values)
        positions = self._indexes[key].positions(sorted(wanted))
        if not len(positions):
            return []
        taken = [column.to_pylist() for column in self._rows.take(pa.array(positions)).columns]
        place = self._places[key]
        return [row for row in zip(*taken, strict=True) if row[place] in wanted]
