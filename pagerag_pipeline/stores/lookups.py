"""Rows that asking finds by key: statements for an engine, or tables kept in memory that give the same rows in the same order."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.edge_table import EDGES, EdgeTable
from pagerag_pipeline.stores.found import Linked
from pagerag_pipeline.stores.kept import Kept
from pagerag_pipeline.stores.keyed_rows import KeyedRows
from pagerag_pipeline.stores.reading import scoped
from pagerag_pipeline.stores.sign_table import SignTable
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.term_table import TermTable
from pagerag_pipeline.stores.vector_table import VectorTable
from pagerag_pipeline.stores.vectors import VectorReader

Rows = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
"""Runs a statement with its parameters."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Rows of a table by the values of one of its columns."""

    columns: tuple[str, ...]
    """As the table names them; first the first value of a row, and so on."""
    table: str
    key: str
    order: str = ""
    condition: str = "TRUE"
    keys: tuple[str, ...] = ()
    """All columns by which a table that is kept is looked up; empty = the key alone. Lookups that differ in their key share it."""

    @property
    def by_key(self) -> str:
        """The statement for an engine."""
        return self._statement(f"{self.key} IN (SELECT unnest(?::VARCHAR[])) AND {self.condition} {{scope}}")

    @property
    def whole(self) -> str:
        """The statement for all rows."""
        return self._statement(self.condition)

    def _statement(self, where: str) -> str:
        order = f" ORDER BY {self.order}" if self.order else ""
        return f"SELECT {', '.join(self.columns)} FROM data.{self.table} WHERE {where}{order}"


_PASSAGE = "document chunk_id kind parent_id start_at end_at text context content_id embed_key tokens terms section_path page".split()
_IN_PLACE = "document, start_at, end_at DESC, chunk_id"
_SHOWN = "kind IN ('passage', 'row')"

PASSAGES = Lookup(tuple(_PASSAGE), "chunks", "embed_key", _IN_PLACE, _SHOWN, ("embed_key", "chunk_id"))
PASSAGES_BY_ID = Lookup(tuple(_PASSAGE), "chunks", "chunk_id", _IN_PLACE, _SHOWN, ("embed_key", "chunk_id"))
"""Fields of a passage, then its section path and page."""
FIELDS = 12
"""So many of a passage's columns are its own."""

BINDINGS = Lookup(
    ("element_id", "document", "chunk_id", "start_at", "end_at", "quote"), "bindings", "element_id", "element_id, document, start_at, end_at"
)
ALIASES = Lookup(("alias_key", "entity_id"), "aliases", "alias_key")
NODES = Lookup(("entity_id", "name", "type", "mentions", "key"), "nodes", "entity_id")
FORMS = Lookup(("document", "form"), "profiles", "document")
VOCABULARY = Lookup(("term", "passages"), "vocabulary", "term")


class Lookups:
    """The lookups of one generation."""

    def __init__(self, rows: Rows, tables: Tables, vectors: VectorReader, *, most: int) -> None:
        self._rows, self._tables, self._vectors = rows, tables, vectors
        self._kept = Kept(self._read_statement, most)

    def keep(self) -> None:
        """Keep in memory from now on what is looked up, within `most` bytes."""
        self._kept.begin()

    def rows(self, lookup: Lookup, values: Sequence[str], scope: Scope = Scope()) -> list[tuple[Any, ...]]:
        """The rows in scope with one of these values in the key column."""
        held = self.kept(lookup)
        if held is None:
            sql, parameters = scoped(lookup.by_key, "document", scope)
            return self._rows(sql, [list(values), *parameters])
        found = held.of(lookup.key, values)
        if scope.documents is None:
            return found
        inside, place = frozenset(scope.documents), lookup.columns.index("document")
        return [row for row in found if row[place] in inside]

    def linked(self, alias_keys: Sequence[str], scope: Scope) -> list[Linked]:
        """What `reading.LINKED` gives: entities with one of these alias keys, the most mentioned first, each with the first of its keys."""
        keys: dict[str, str] = {}
        for key, entity in self.rows(ALIASES, alias_keys):
            keys[entity] = min(key, keys.get(entity, key))
        if scope.documents is not None:
            bound = {row[0] for row in self.rows(BINDINGS, sorted(keys), scope)}
            keys = {entity: key for entity, key in keys.items() if entity in bound}
        found = [Linked(entity, name, kind, mentions, keys[entity]) for entity, name, kind, mentions, _ in self.rows(NODES, sorted(keys))]
        return sorted(found, key=lambda one: (-one.mentions, one.entity_id))

    def kept(self, lookup: Lookup) -> KeyedRows | None:
        """The table of a lookup, if it is kept in memory."""
        return self._kept.made(lookup.whole, lambda table: KeyedRows(table, lookup.keys or (lookup.key,)))

    def edges(self) -> EdgeTable | None:
        """The governed edges, if they are kept in memory."""
        return self._kept.made(EDGES, EdgeTable)

    def vectors(self, table: str) -> VectorTable | None:
        """The vectors of a table, if they are kept in memory."""
        return self._kept.made(table, VectorTable, self._read_vectors)

    def signs(self, table: str) -> SignTable | None:
        """The signs of a table's tokens, if it has any and they are kept in memory."""
        width = self._vectors.token_bytes(table)
        if not width:
            return None
        return self._kept.made(f"signs of {table}", lambda rows: SignTable(rows, width), lambda _: self._read_vectors(table, ("key", "signs")))

    def terms(self, table: str) -> TermTable | None:
        """The terms of a table, if they are kept in memory."""
        return self._kept.made(f"terms of {table}", TermTable, lambda _: self._read_vectors(table, ("key", "terms")))

    @contextlib.contextmanager
    def _read_statement(self, statement: str) -> Iterator[Iterable[pa.RecordBatch]]:
        with generations.readable(), self._tables.reader(statement) as batches:
            yield batches

    @contextlib.contextmanager
    def _read_vectors(self, table: str, columns: Sequence[str] = ("key", "vector")) -> Iterator[Iterable[pa.RecordBatch]]:
        with generations.readable():
            yield self._vectors.batches(table, columns)
