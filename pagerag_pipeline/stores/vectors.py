"""The only door to LanceDB: vectors, signs of tokens and the full-text index of passages, summaries and reports, written by the driver, read by version."""

import contextlib
import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.hits import BM25_DIGITS, batches, best_hits, is_one_of, key_batches
from pagerag_pipeline.stores.vector_handles import INDEXED, clean_up, fingerprint_of, index_rows, keys_of, pairs, set_tag, unit_of
from pagerag_pipeline.stores.vector_rows import check_length, hits_of, reading, repeated, sign_matrix, token_bytes, vector_rows

LOGGER = logging.getLogger(__name__)

TABLES = ("passages", "summaries", "reports", "handles")
"""What may be searched: passages and rows of tables, summaries of the tree, community reports, handles of records. Keys are embed keys."""

_ADD_ROWS = 8192
_PROBES = 256
"""Partitions looked into by a search with an index: all of them up to about a million rows, so results do not hang on the k-means seed."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync changed, and how many rows the table has now."""

    added: int
    deleted: int
    rows: int


class VectorStore:
    """The vector tables of a home, for the one process that may write them."""

    def __init__(self, folder: Path, settings: EmbedSettings) -> None:
        self._folder = folder
        self._settings = settings
        self._database = _connect(folder)

    def sync(
        self, table: str, wanted: Sequence[str], fetch: Callable[[Sequence[str]], pl.DataFrame], *, fingerprint: str = "", anew: bool = False
    ) -> SyncReport:
        """Make a table hold exactly the wanted keys: others are deleted, missing ones fetched (key, terms, vector, and signs where it has them) and added in batches.

        A table written under another `fingerprint` (of whatever decides vectors and terms, given their key) is begun anew, as is one that
        cannot be read, or with `anew`; its old versions stay for those who read them. Doing it again changes nothing. Raises VectorsError
        when `fetch` does not return what it was asked for, or vectors of another length than the table has.
        """
        keys = set(wanted)
        handle, found = self._standing(table)
        same, present = not anew and found is not None and handle is not None and fingerprint_of(handle) == fingerprint, found or []
        gone = repeated(present) | (set(present) - keys) if same else set(present)
        missing = sorted(keys - (set(present) - gone))
        # What is written over in full need not be emptied, nor could it be where it is damaged.
        for some in key_batches(sorted(gone)) if same or not missing else ():
            handle.delete(is_one_of(some))
        for some in batches(missing, _ADD_ROWS):
            rows = vector_rows(table, some, fetch(some), fingerprint)
            if same:
                check_length(table, rows, handle.schema)
                handle.add(rows)
            else:
                mode = "create" if handle is None else "overwrite"
                handle, same = self._database.create_table(table, rows, mode=mode), True
        return SyncReport(len(missing), len(gone), handle.count_rows() if handle is not None else 0)

    def _standing(self, table: str) -> tuple[Any, list[str] | None]:
        """A table and its keys; None for the keys, and for what cannot even be opened, when it is damaged."""
        try:
            handle = self._table(table)
        except (RuntimeError, OSError, ValueError) as error:
            # Without its list of versions no one can open it: there is nothing to keep, nor to write over.
            LOGGER.warning("%s cannot be opened and is begun anew: %s", table, error)
            shutil.rmtree(self._folder / f"{table}.lance")
            return None, None
        try:
            return handle, keys_of(handle) if handle is not None else []
        except (RuntimeError, OSError, ValueError) as error:
            LOGGER.warning("%s cannot be read and is begun anew: %s", table, error)
        return handle, None

    def index(self, table: str) -> bool:
        """Build the indexes of a table anew when its rows have changed since they were last built; tells whether it did.

        The full-text index is always built in full: an index maintained across deletions keeps counting what was deleted, so its BM25
        scores differ from those of a clean build (measured: by up to 1.7; a full build takes 2 s per 100,000 rows).
        """
        from lancedb.index import FTS, BTree, IvfFlat

        handle = self._table(table)
        # The terms are analyzed already (lexical.terms): the index must split at white space and do nothing else.
        terms = FTS(base_tokenizer="whitespace", max_token_length=None, lower_case=False, stem=False, remove_stop_words=False, ascii_folding=False)
        kinds = {"terms": terms, "key": BTree(), "vector": IvfFlat(distance_type="dot")}
        return handle is not None and index_rows(handle, kinds, self._settings.index_rows)

    def versions(self) -> dict[str, int]:
        """The present version of each table that exists."""
        return {table: handle.version for table, handle in self._tables()}

    def tag(self, generation: str) -> None:
        """Protect the present version of every table from cleanup under the name of a generation."""
        for _, handle in self._tables():
            set_tag(handle, generation)

    def drop_tag(self, generation: str) -> None:
        """Give up a generation's protection; nothing happens for tables without that tag."""
        for _, handle in self._tables():
            if generation in handle.tags.list():
                handle.tags.delete(generation)

    def tags(self) -> dict[str, list[str]]:
        """Names of the generations that are tagged, by table."""
        return {table: sorted(name for name in handle.tags.list() if name != INDEXED) for table, handle in self._tables()}

    def compact(self) -> None:
        """Remove versions older than the oldest tagged one, and what killed writers left; tagged versions stay readable.

        The engine refuses to clean up behind a tag, so what lies between two tagged versions goes once the older one was dropped. Only for
        the holder of the refresh lock: files of an unfinished write count as leftovers.
        """
        for table, handle in self._tables():
            try:
                clean_up(handle)
            except RuntimeError as error:
                LOGGER.warning("%s: old versions were not removed this time: %s", table, error)

    def _tables(self) -> Iterator[tuple[str, Any]]:
        for table in TABLES:
            handle = self._table(table)
            if handle is not None:
                yield table, handle

    def _table(self, table: str) -> Any:
        _check_name(table)
        if not (self._folder / f"{table}.lance").exists():
            return None
        try:
            return self._database.open_table(table)
        except ValueError as error:
            # A writer that was killed before its first commit leaves a folder that is no table yet.
            if "not found" in str(error):
                return None
            raise


class VectorReader:
    """The vector tables of one generation, by version; safe for several threads. A table that is absent or empty gives no hits."""

    def __init__(self, folder: Path, versions: dict[str, int]) -> None:
        self._folder = folder
        database = _connect(folder) if versions else None
        self._tables: dict[str, Any] = {}
        self._indexed: set[str] = set()
        for table, version in sorted(versions.items()):
            _check_name(table)
            handle = _at_version(database, folder, table, version)
            with self._reading(table):
                if handle.count_rows():
                    self._tables[table] = handle
                    if any(index.name == "vector_idx" for index in handle.list_indices()):
                        self._indexed.add(table)

    def nearest(
        self, table: str, vector: np.ndarray, *, limit: int, keys: Sequence[str] | None = None
    ) -> list[tuple[str, float]]:
        """Up to `limit` pairs (key, cosine), best first, ties by key; only among `keys` when given.

        Raises ValueError when the vector's length is not that of the table.
        """
        handle = self._handle(table)
        if handle is None:
            return []
        query = unit_of(vector, handle.schema.field("vector").type.list_size, table)

        def ask(count: int, where: str | None) -> pa.Table:
            search = handle.search(query, vector_column_name="vector").distance_type("dot").select(["key", "vector", "_distance"]).limit(count)
            if where is None and table in self._indexed:
                return search.nprobes(_PROBES).to_arrow()
            return (search.where(where, prefilter=True) if where else search).bypass_vector_index().to_arrow()

        def cosines(count: int, where: str | None) -> list[tuple[str, float]]:
            with self._reading(table):
                found = ask(count, where)
            return hits_of(found, query)

        return best_hits(cosines, keys, limit)

    def match(self, table: str, terms: Sequence[str], *, limit: int, keys: Sequence[str] | None = None) -> list[tuple[str, float]]:
        """Up to `limit` pairs (key, BM25), best first, ties by key; rows that hold at least one of the terms, only among `keys` when given.

        BM25 with k1 = 1.2, b = 0.75 and idf = ln(1 + (N - n + 0.5) / (n + 0.5)) over the whole table, whatever `keys` says; repeated
        terms count once.
        """
        handle = self._handle(table)
        query = " ".join(sorted({word for term in terms for word in term.split()}))
        if handle is None or not query:
            return []
        from lancedb.query import MatchQuery

        def scores(count: int, where: str | None) -> list[tuple[str, float]]:
            search = handle.search(MatchQuery(query, "terms"), query_type="fts").select(["key", "_score"]).limit(count)
            with self._reading(table):
                found = (search.where(where, prefilter=True) if where else search).to_arrow()
            return [(key, round(score, BM25_DIGITS)) for key, score in pairs(found, "_score")]

        return best_hits(scores, keys, limit)

    def vectors(self, table: str, keys: Sequence[str]) -> dict[str, np.ndarray]:
        """The unit vectors (float32) of those keys that the table holds; of most of them the whole table is read (measured: 0.03 s for 0.25 of 17,196)."""
        handle, wanted = self._handle(table), frozenset(keys)
        result: dict[str, np.ndarray] = {}
        if handle is None:
            return result
        size, every = handle.schema.field("vector").type.list_size, len(wanted) * 2 > handle.count_rows()
        for where in [None] if every else map(is_one_of, key_batches(keys)):
            with self._reading(table):
                search = handle.search().where(where) if where else handle.search()
                for batch in search.select(["key", "vector"]).to_batches(_ADD_ROWS):
                    vectors = batch["vector"].flatten().to_numpy().reshape(-1, size)
                    result.update(pair for pair in zip(batch["key"].to_pylist(), vectors, strict=True) if pair[0] in wanted)
        return result

    def signs(self, table: str, keys: Sequence[str]) -> dict[str, np.ndarray]:
        """The signs of the tokens, uint8 of shape (tokens, bytes a token), of those keys that the table holds; none where it has no signs."""
        handle, width = self._handle(table), self.token_bytes(table)
        result: dict[str, np.ndarray] = {}
        for some in key_batches(keys) if width else ():
            with self._reading(table):
                found = handle.search().where(is_one_of(some)).select(["key", "signs"]).to_arrow()
            matrix, starts = sign_matrix(found["signs"], width)
            result.update((key, matrix[starts[row] : starts[row + 1]]) for row, key in enumerate(found["key"].to_pylist()))
        return result

    def token_bytes(self, table: str) -> int:
        """Bytes that the signs of a token take; 0 where a table has none."""
        handle = self._handle(table)
        return token_bytes(handle.schema) if handle is not None else 0

    def count(self, table: str) -> int:
        """Rows of a table."""
        handle = self._handle(table)
        return int(handle.count_rows()) if handle is not None else 0

    def batches(self, table: str, columns: Sequence[str] = ()) -> Iterator[pa.RecordBatch]:
        """All rows of a table, in the order they are stored in; without `columns` named, all of them."""
        handle = self._handle(table)
        if handle is not None:
            with self._reading(table):
                yield from handle.search().select(list(columns or handle.schema.names)).to_batches(_ADD_ROWS)

    def probe(self, table: str) -> None:
        """Ask the indexes of a table for its first row. Raises FileDamaged when they do not find it."""
        handle = self._handle(table)
        if handle is None:
            return
        with self._reading(table):
            (row,) = handle.search().select(["key", "terms"]).limit(1).to_arrow().to_pylist()
            words = row["terms"].split()[:8]
            if not self.vectors(table, [row["key"]]) or (words and not self.match(table, words, limit=1)):
                raise ValueError("the indexes do not find what the rows hold")

    def _reading(self, table: str) -> contextlib.AbstractContextManager[None]:
        return reading(self._folder / f"{table}.lance")

    def _handle(self, table: str) -> Any:
        _check_name(table)
        return self._tables.get(table)


def _connect(folder: Path) -> Any:
    import lancedb

    folder.mkdir(parents=True, exist_ok=True)
    return lancedb.connect(str(folder))


def _at_version(database: Any, folder: Path, table: str, version: int) -> Any:
    path = folder / f"{table}.lance"
    try:
        handle = database.open_table(table)
        handle.checkout(version)
    except (ValueError, RuntimeError, OSError) as error:
        raise FileDamaged(f"{path} is {'damaged' if path.exists() else 'missing'}: version {version} of it cannot be opened.") from error
    return handle


def _check_name(table: str) -> None:
    if table not in TABLES:
        raise ValueError(f"no vector table is called {table!r}; there are {', '.join(TABLES)}")
