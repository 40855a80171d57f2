"""One generation as asking sees it: read-only, leased while open, every statement that an operator needs as a method."""

import contextlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.schema.asking import Scope, SourceSpan, TermStatistics
from pagerag_pipeline.schema.documents import embed_text
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import generations, lookups, reading
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.activation_reading import Sources, read_activation_graph
from pagerag_pipeline.stores.documents import resolve_name
from pagerag_pipeline.stores.found import Handle, Linked, Passage, Place, Quoted, spans_by_owner
from pagerag_pipeline.stores.governed_edges import GovernedEdges
from pagerag_pipeline.stores.graph import EdgeRow
from pagerag_pipeline.stores.own_words import own_words
from pagerag_pipeline.stores.paths import PathSearch
from pagerag_pipeline.stores.seals import check_file
from pagerag_pipeline.stores.tables import Tables, open_tables
from pagerag_pipeline.stores.vectors import VectorReader

_Made = TypeVar("_Made")


class Repository:
    """R(D) of one generation: text, graph, profiles and bindings. Safe to read from many threads."""

    def __init__(self, home: Path, manifest: generations.Manifest, settings: Settings) -> None:
        self.manifest = manifest
        self.generation: str = manifest.generation
        self.embedding_model: str = manifest.settings["embed"]["model"]
        self._settings = settings
        self.retrieve = settings.retrieve
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(generations.lease(home, manifest.generation))
            tables_path = folder / generations.TABLES_FILE
            # Its size alone: the engine checks the blocks that it reads.
            check_file(tables_path, manifest.seals.get(generations.TABLES_FILE), whole=False)
            self._tables = open_tables(tables_path, settings.store, read_only=True)
            stack.callback(self._tables.close)
            self._vectors = VectorReader(home / generations.VECTORS_FOLDER, dict(manifest.vectors))
            graph = folder / generations.GRAPH_FILE
            self._closing = stack.pop_all()
        self._lock = threading.Lock()
        self._cursors = threading.local()
        self._opened: list[Tables] = []
        self._statistics = lru_cache(maxsize=32)(self._read_statistics)
        self._keys = lru_cache(maxsize=96)(self._read_keys)
        self._held = lru_cache(maxsize=16)(self._make)
        self._boundaries = lru_cache(maxsize=32)(self._read_boundaries)
        self._documents: tuple[str, ...] | None = None
        self._lookups = lookups.Lookups(self.rows, self._tables, self._vectors, most=settings.store.kept_bytes)
        seal = manifest.seals.get(generations.GRAPH_FILE)
        self._edges = GovernedEdges(graph, seal, settings.store, tables=(self.rows, self._lookups))

    def keep(self) -> None:
        """Keep in memory from now on what questions look up by key, as `store.kept_bytes` allows: worth it from a second question on."""
        self._lookups.keep()

    def has_own_terms(self) -> bool:
        """Whether words are cut now as they were when this generation was written; else a question's terms would miss its passages."""
        rows = self.rows(reading.SAMPLE)
        return all(" ".join(terms(embed_text(context, text))) == stored for context, text, stored in rows)

    def close(self) -> None:
        """Let go of the engines and of the lease."""
        with self._lock:
            for cursor in self._opened:
                cursor.close()
            self._opened.clear()
            self._edges.close()
            self._closing.close()

    def documents(self) -> tuple[str, ...]:
        """Ids of all documents, sorted."""
        if self._documents is None:
            self._documents = tuple(row[0] for row in self.rows("SELECT document FROM data.documents ORDER BY document"))
        return self._documents

    def resolve_document(self, name: str) -> str:
        """The one document that a name means (`documents.resolve_name`)."""
        return resolve_name(name, self.documents())

    def resolve_scope(self, names: Sequence[str] | None) -> Scope:
        """The scope that document names mean (None: everything). Raises UnknownDocument."""
        return Scope() if names is None else Scope(tuple(sorted({self.resolve_document(name) for name in names})))

    def places(self, chunk_ids: Sequence[str]) -> dict[str, Place]:
        """Section path, page, beginning and text of chunks."""
        shown = self._lookups.rows(lookups.PASSAGES_BY_ID, chunk_ids) if self._lookups.kept(lookups.PASSAGES_BY_ID) else []
        found = {row[1]: Place(tuple(json.loads(row[-2] or "[]")), row[-1], row[4], row[6]) for row in shown}
        others = [one for one in chunk_ids if one not in found]
        rows = self.rows(reading.PLACES, [others]) if others else []
        return {**found, **{row[0]: Place(tuple(json.loads(row[1] or "[]")), *row[2:]) for row in rows}}

    def slice(self, document: str, start: int, end: int) -> str:
        """The text of a document between two offsets; empty when there is no such document."""
        rows = self.rows(reading.SLICE, [start + 1, end - start, document])
        return str(rows[0][0]) if rows else ""

    def boundaries(self, scope: Scope) -> tuple[dict[str, str], ...]:
        """The distinct boundaries (kappa) of the profiles in scope; read when first asked for."""
        return self._boundaries(scope.documents)

    def match(self, terms: Sequence[str], *, limit: int, scope: Scope) -> list[tuple[str, float]]:
        """Embed keys of the passages with the best BM25 score."""
        keys = self._keys("passages", scope.documents)
        kept = self._lookups.terms("passages")
        if kept is not None:
            return kept.match(terms, limit=limit, keys=keys)
        with generations.readable():
            return [] if not terms or keys == () else self._vectors.match("passages", terms, limit=limit, keys=keys)

    def nearest(self, table: str, vector: np.ndarray, *, limit: int, scope: Scope) -> list[tuple[str, float]]:
        """Embed keys with the best cosine in `passages`, `summaries`, `reports` or `handles`, among those with text in scope."""
        keys = self._keys(table, scope.documents)
        kept = self._lookups.vectors(table)
        if kept is not None:
            return kept.nearest(vector, limit=limit, table=table, keys=keys)
        with generations.readable():
            return [] if keys == () else self._vectors.nearest(table, vector, limit=limit, keys=keys)

    def vectors(self, table: str, keys: Sequence[str]) -> dict[str, np.ndarray]:
        """Vectors by embed key."""
        kept = self._lookups.vectors(table)
        if kept is not None:
            return kept.vectors(keys)
        with generations.readable():
            return self._vectors.vectors(table, keys)

    def signs(self, embed_keys: Sequence[str]) -> dict[str, np.ndarray]:
        """The signs of the tokens of passages by embed key, uint8 of shape (tokens, bytes a token); none in a generation of an earlier version."""
        kept = self._lookups.signs("passages")
        if kept is not None:
            return kept.signs(embed_keys)
        with generations.readable():
            return self._vectors.signs("passages", embed_keys)

    def passages(self, embed_keys: Sequence[str], scope: Scope) -> list[Passage]:
        """All passages and rows in scope with one of these keys, in document order; equal contents may stand in several places."""
        return [Passage(*row[: lookups.FIELDS]) for row in self._lookups.rows(lookups.PASSAGES, embed_keys, scope)]

    def passages_by_id(self, chunk_ids: Sequence[str], scope: Scope) -> list[Passage]:
        """Passages and rows in scope by chunk id, in document order."""
        return [Passage(*row[: lookups.FIELDS]) for row in self._lookups.rows(lookups.PASSAGES_BY_ID, chunk_ids, scope)]

    def passages_at(self, spans: Sequence[SourceSpan], scope: Scope) -> list[Passage]:
        """The passages and rows in scope in which spans begin, in document order."""
        if not spans:
            return []
        sql, parameters = reading.scoped(reading.PASSAGES_AT, "c.document", scope)
        found = self.rows(sql, [[s.document for s in spans], [s.start for s in spans], *parameters])
        return [Passage(*row) for row in found]

    def statistics(self, terms: Sequence[str], scope: Scope) -> TermStatistics:
        """How common terms are in scope."""
        passages, mean_terms, counts = self._statistics(scope.documents)
        if counts is None:
            counts = dict(self._lookups.rows(lookups.VOCABULARY, sorted(set(terms))))
        return TermStatistics(passages, mean_terms, {term: counts[term] for term in set(terms) if term in counts})

    def linked(self, alias_keys: Sequence[str], scope: Scope) -> list[Linked]:
        """Entities with one of these alias keys that are bound to text in scope; the most mentioned first."""
        if self._lookups.kept(lookups.ALIASES) is not None:
            return self._lookups.linked(alias_keys, scope)
        sql, parameters = reading.scoped(reading.LINKED, "b.document", scope)
        return [Linked(*row) for row in self.rows(sql, [list(alias_keys), *parameters])]

    def names(self, entity_ids: Sequence[str]) -> dict[str, str]:
        """Display names of entities."""
        return {row[0]: row[1] for row in self._lookups.rows(lookups.NODES, entity_ids)}

    def neighbors(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> list[EdgeRow]:
        """Governed edges at these entities that are bound in scope: heaviest first, then surest, then by id."""
        return self._edges.neighbors(entity_ids, scope, limit=limit)

    def count_neighbors(self, entity_ids: Sequence[str], scope: Scope) -> int:
        """How many edges `neighbors` would give without a limit."""
        return self._edges.count_neighbors(entity_ids, scope)

    def joined(self, entity_ids: Sequence[str], scope: Scope) -> bool:
        """Whether some governed edge that is bound in scope joins two of these entities."""
        return self._edges.joined(entity_ids, scope)

    def paths(self, source: str, target: str, scope: Scope, *, max_edges: int, limit: int) -> PathSearch[EdgeRow]:
        """Bounded paths between two entities along edges that are bound in scope, never through negated or hypothetical ones."""
        return self._edges.paths(source, target, scope, max_edges=max_edges, limit=limit)

    def activation_graph(self, scope: Scope) -> ActivationGraph:
        """The entity-passage graph of what is in scope, with the vectors of its passages; built when first asked for."""
        return self.held(_read_activation, scope)

    def graph_sources(self, scope: Scope) -> Sources:
        """Where the graph of what is in scope is read from."""
        vectors, related = partial(self.vectors, "passages"), partial(self._edges.related, scope, self.columns)
        return Sources(lambda statement: self.columns(*reading.scoped(statement, "c.document", scope)), self._lookups.rows, related, vectors)

    def held(self, make: Callable[["Repository", Scope], _Made], scope: Scope) -> _Made:
        """What a function makes of what is in scope, made when first asked for and kept while the generation is open."""
        made: _Made = self._held(make, scope.documents)
        return made

    def forms(self, documents: Sequence[str]) -> dict[str, str]:
        """The form of each of these documents, by its profile."""
        return dict(self._lookups.rows(lookups.FORMS, documents))

    def bindings(self, element_ids: Sequence[str], scope: Scope) -> dict[str, list[SourceSpan]]:
        """The spans in scope that nodes or edges are bound to, in document order."""
        return spans_by_owner(self._lookups.rows(lookups.BINDINGS, element_ids, scope))

    def reports(self, embed_keys: Sequence[str], scope: Scope) -> list[Quoted]:
        """Community reports, told in their own words where all that they were made of is in scope, else in those of their quotes that are."""
        return self._quoted(reading.REPORTS, embed_keys, scope, own_words(self.rows, "report", embed_keys, scope))

    def summaries(self, embed_keys: Sequence[str], scope: Scope) -> list[Quoted]:
        """Summaries of the tree, told in the same way."""
        return self._quoted(reading.SUMMARIES, embed_keys, scope, own_words(self.rows, "summary", embed_keys, scope))

    def handles(self, embed_keys: Sequence[str], scope: Scope) -> dict[str, list[Handle]]:
        """The handles in scope by embed key: one word may be a name, a type and a field."""
        sql, parameters = reading.scoped(reading.HANDLES, "c.document", scope)
        found: dict[str, list[Handle]] = {}
        for row in self.rows(sql, [*parameters, list(embed_keys)]):
            found.setdefault(row[0], []).append(Handle(*row))
        return found

    def records(self, entity_keys: Sequence[str], scope: Scope, *, terms: Sequence[str], limit: int) -> tuple[list[Quoted], int]:
        """Records of entities in scope, as `entity | field | value`, each with the span it addresses, and how many there are without the limit.

        Those that hold most of the terms as written come first.
        """
        sql, parameters = reading.scoped(reading.RECORDS, "r.document", scope)
        rows = self.rows(sql, [list(entity_keys), *parameters, list(terms), limit])
        return [Quoted(row[0], row[1], (SourceSpan(*row[2:-1]),)) for row in rows], int(rows[0][-1]) if rows else 0

    def _quoted(self, statement: str, embed_keys: Sequence[str], scope: Scope, own: Mapping[str, str]) -> list[Quoted]:
        sql, parameters = reading.scoped(statement, "q.document", scope)
        rows = self.rows(sql, [list(embed_keys), *parameters])
        owners = {row[0]: row[1] for row in rows}
        spans = spans_by_owner([(row[0], *row[2:]) for row in rows])
        by_key: dict[str, Quoted] = {}
        for owner, found in spans.items():
            text = own.get(owners[owner]) or " ".join(span.quote for span in found)
            by_key.setdefault(owners[owner], Quoted(owners[owner], text, tuple(found)))
        return [by_key[key] for key in embed_keys if key in by_key]

    def _read_statistics(self, documents: tuple[str, ...] | None) -> tuple[int, float, dict[str, int] | None]:
        scope = Scope(documents)
        sql, parameters = reading.scoped(reading.PASSAGE_COUNT, "c.document", scope)
        count, mean = self.rows(sql, parameters)[0]
        if documents is None:
            return int(count), float(mean or 1.0), None
        sql, parameters = reading.scoped(reading.SCOPE_VOCABULARY, "c.document", scope)
        return int(count), float(mean or 1.0), dict(self.rows(sql, parameters))

    def _make(self, make: Callable[["Repository", Scope], Any], documents: tuple[str, ...] | None) -> Any:
        return make(self, Scope(documents))

    def _read_boundaries(self, documents: tuple[str, ...] | None) -> tuple[dict[str, str], ...]:
        sql, parameters = reading.scoped(reading.BOUNDARIES, "c.document", Scope(documents))
        return tuple(dict(json.loads(row[0])) for row in self.rows(sql, parameters))

    def _read_keys(self, table: str, documents: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if documents is None:
            return None
        sql, parameters = reading.scoped(reading.KEYS[table], "c.document", Scope(documents))
        return tuple(row[0] for row in self.rows(sql, parameters))

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of a statement that stands in this room; data comes as parameters."""
        with generations.readable():
            return self._cursor().rows(sql, parameters)

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
        """What `rows` gives, by column."""
        with generations.readable():
            return self._cursor().columns(sql, parameters)

    def _cursor(self) -> Tables:
        cursor: Tables | None = getattr(self._cursors, "tables", None)
        if cursor is None:
            with self._lock:
                cursor = self._tables.cursor()
                self._opened.append(cursor)
            self._cursors.tables = cursor
        return cursor


def _read_activation(repository: Repository, scope: Scope) -> ActivationGraph:
    return read_activation_graph(repository.graph_sources(scope), repository.retrieve)
