"""The only door to Kuzu: the governed graph, written in bulk into a new file per generation and read by many."""

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import polars as pl

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.known_edges import KnownEdges
from pagerag_pipeline.stores.paths import PathSearch, find_paths

LOGGER = logging.getLogger(__name__)

AVOIDED = ("negated", "hypothetical")
"""Modalities that no path goes through: what was denied or only supposed connects nothing (systems, G3)."""

MAX_DEGREE = 1000
"""A path does not go on through a node with more edges: that would be most of the graph. Its ends may have any number."""

_SCHEMA = (
    "CREATE NODE TABLE Entity(id STRING PRIMARY KEY, name STRING, key STRING, type STRING, mentions INT64, degree INT64)",
    "CREATE REL TABLE Relation(FROM Entity TO Entity, edge_id STRING, predicate STRING, modality STRING, confidence DOUBLE, weight INT64)",
)
_FOLLOWED = " AND NOT list_contains($avoided, r.modality)"
_EDGE = "r.edge_id, a.id, r.predicate, b.id, r.modality, r.confidence, r.weight"

# Written from the known end: the planner scans all entities otherwise (measured: 29 ms against 5).
_ENDS = (("a", "(a:Entity)-[r:Relation]->(b:Entity)"), ("b", "(b:Entity)<-[r:Relation]-(a:Entity)"))

_IN_LIST = 300
"""Up to here a list of ids is looked up one by one; a longer one is joined (measured: 150 ms flat on 300,000 edges)."""


class GraphError(RuntimeError):
    """A graph file that cannot be built or opened; the message says which, and why."""


class GraphLimit(GraphError):
    """A query that was stopped at its time or memory limit."""


Within = Callable[[Sequence[str]], Collection[str]]
"""Gives those of some edge ids that may be followed."""


class EdgeRow(NamedTuple):
    """One edge of the governed graph; `head` and `tail` are entity ids."""

    edge_id: str
    head: str
    predicate: str
    tail: str
    modality: str
    confidence: float
    weight: int


def build_graph(path: Path, nodes: pl.DataFrame, edges: pl.DataFrame, settings: StoreSettings) -> None:
    """Write a new graph file from `nodes` and `edges` as in `layout.CORPUS`; what stood at the path is replaced.

    Raises GraphError when an edge's end is no node, an id comes twice, or other counts were written than intended.
    """
    for leftover in _files(path):
        leftover.unlink(missing_ok=True)
    entities = _with_degrees(nodes, edges)
    relations = edges.sort("edge_id").select("head", "tail", "edge_id", "predicate", "modality", "confidence", "weight")
    with (
        contextlib.closing(_open(path, settings, read_only=False)) as database,
        contextlib.closing(_connect(database, settings, timeout=0)) as connection,
    ):
        try:
            for statement in _SCHEMA:
                connection.execute(statement)
            if entities.height:
                connection.execute("COPY Entity FROM $frame", {"frame": entities})
            if relations.height:
                connection.execute("COPY Relation FROM $frame", {"frame": relations})
            written = (_count(connection, "(e:Entity)"), _count(connection, "()-[:Relation]->()"))
        except RuntimeError as error:
            raise GraphError(f"{path}: the graph was not written: {error}") from error
    if written != (nodes.height, edges.height):
        raise GraphError(f"{path}: {written} nodes and edges were written instead of {(nodes.height, edges.height)}")


class GraphReader:
    """A graph file for reading, from several threads and processes at once. Readers of one file in a process share its buffers."""

    def __init__(self, path: Path, settings: StoreSettings, *, max_degree: int = MAX_DEGREE) -> None:
        self._settings, self._max_degree = settings, max_degree
        self._key, self._database = _share(path, settings)
        self._quiet = threading.Condition()
        self._idle: list[Any] = []
        self._busy, self._closed, self.known = 0, False, KnownEdges[EdgeRow]()

    def neighbors(self, entity_ids: Sequence[str], *, limit: int) -> list[EdgeRow]:
        """Up to `limit` edges that start or end at one of the entities, of any modality: heaviest first, then surest, then by id.

        Raises GraphLimit when the query was stopped.
        """
        rows = self.edges(entity_ids, "", f" ORDER BY r.weight DESC, r.confidence DESC, r.edge_id LIMIT {int(limit)}")
        return sorted(rows, key=lambda row: (-row.weight, -row.confidence, row.edge_id))[:limit]

    def count_neighbors(self, entity_ids: Sequence[str]) -> int:
        """Number of edges that start or end at one of the entities, of any modality."""
        wanted = sorted(set(entity_ids))
        touching = "MATCH (a:Entity)-[r:Relation]->(b:Entity) WHERE"
        starting = self._query(f"{touching} a.id IN $ids RETURN count(*)", ids=wanted) if wanted else [[0]]
        ending = self._query(f"{touching} b.id IN $ids AND NOT a.id IN $ids RETURN count(*)", ids=wanted) if wanted else [[0]]
        return int(starting[0][0]) + int(ending[0][0])

    def paths(self, source: str, target: str, *, max_edges: int, limit: int, within: Within | None = None) -> PathSearch[EdgeRow]:
        """Up to `limit` simple paths of at most `max_edges` edges in any direction: shortest first, then surest, then by ids.

        Of parallel edges the surest stands for all. No path goes on through a node with more than `max_degree` edges, along an edge that was
        denied or only supposed, or along one that is not `within`. A search that is stopped at its limit gives what it has found, and says so.
        """
        search = _Expansion(self, within)

        def blocked(node: str) -> bool:
            return node not in (source, target) and search.degrees.get(node, 0) > self._max_degree

        return replace(find_paths((source, target), search.expand, blocked, max_edges=max_edges, limit=limit), stopped=search.stopped)

    def degrees(self, entity_ids: Sequence[str]) -> dict[str, int]:
        """Number of edges, in both directions and of any modality, of those entities that exist."""
        wanted = sorted(set(entity_ids))
        return dict(self._query(f"{_lookup('a', len(wanted))} RETURN a.id, a.degree", ids=wanted)) if wanted else {}

    def edges(self, entity_ids: Sequence[str], where: str, order: str, **parameters: Any) -> dict[EdgeRow, tuple[int, int]]:
        """The edges at these entities with the degrees of their heads and tails; `where` and `order` are Cypher from this file."""
        wanted = sorted(set(entity_ids))
        found: dict[EdgeRow, tuple[int, int]] = {}
        for end, pattern in _ENDS if wanted else ():
            lookup = _lookup(end, len(wanted), pattern)
            for *edge, head, tail in self._query(f"{lookup}{where} RETURN {_EDGE}, a.degree, b.degree{order}", ids=wanted, **parameters):
                found[EdgeRow(*edge)] = (head, tail)
        return found

    def _query(self, statement: str, **parameters: Any) -> list[Any]:
        with self._connection() as connection:
            try:
                rows: list[Any] = connection.execute(statement, parameters).get_all()
            except RuntimeError as error:
                raise _explained(error, self._settings) from error
        return rows

    @contextlib.contextmanager
    def _connection(self) -> Iterator[Any]:
        """A connection that no other thread uses meanwhile."""
        with self._quiet:
            if self._closed:
                raise GraphError("this graph reader is closed")
            self._busy += 1
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or _connect(self._database, self._settings, timeout=self._settings.kuzu_timeout_ms)
            yield connection
        finally:
            with self._quiet:
                self._busy -= 1
                if connection is not None:
                    self._idle.append(connection)
                self._quiet.notify_all()

    def close(self) -> None:
        """Let go of the file once running queries have ended; nothing happens when that was done."""
        with self._quiet:
            if self._closed:
                return
            self._closed = True
            # The engine crashes when a database is closed under a running query.
            self._quiet.wait_for(lambda: not self._busy)
        for connection in self._idle:
            connection.close()
        _unshare(self._key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _Expansion:
    """The edges that a path search asks for, with the degrees it meets; nothing more once a query was stopped."""

    def __init__(self, reader: GraphReader, within: Within | None) -> None:
        self.degrees: dict[str, int] = {}
        self.stopped = ""
        self._reader = reader
        self._within = within

    def expand(self, nodes: Sequence[str]) -> list[EdgeRow]:
        """Edges at the nodes in both directions, none of an avoided modality, all of them within."""
        if self.stopped:
            return []
        try:
            found = self._reader.known.of(nodes, lambda new: self._reader.edges(new, _FOLLOWED, "", avoided=list(AVOIDED)))
        except GraphLimit as error:
            LOGGER.warning("a path search ends early: %s", error)
            self.stopped = str(error)
            return []
        if self._within is not None:
            allowed = self._within(sorted(edge.edge_id for edge in found))
            found = {edge: degrees for edge, degrees in found.items() if edge.edge_id in allowed}
        for edge, (head, tail) in found.items():
            self.degrees[edge.head], self.degrees[edge.tail] = head, tail
        return list(found)


@dataclass
class _Shared:
    database: Any
    readers: int


_OPEN: dict[tuple[int, int], _Shared] = {}
"""Open databases by device and inode: two objects on one file, hard links included, must not exist in one process."""
_OPEN_LOCK = threading.Lock()


def _share(path: Path, settings: StoreSettings) -> tuple[tuple[int, int], Any]:
    try:
        status = os.stat(path)
    except OSError as error:
        raise GraphError(f"{path}: the graph file cannot be read: {error.strerror}") from error
    key = (status.st_dev, status.st_ino)
    with _OPEN_LOCK:
        if key not in _OPEN:
            _OPEN[key] = _Shared(_open(path, settings, read_only=True), 0)
        _OPEN[key].readers += 1
        return key, _OPEN[key].database


def _unshare(key: tuple[int, int]) -> None:
    with _OPEN_LOCK:
        _OPEN[key].readers -= 1
        if not _OPEN[key].readers:
            _OPEN.pop(key).database.close()


def _open(path: Path, settings: StoreSettings, *, read_only: bool) -> Any:
    import kuzu

    try:
        return kuzu.Database(
            str(path), buffer_pool_size=settings.kuzu_buffer_bytes, max_db_size=settings.kuzu_max_bytes, read_only=read_only
        )
    except RuntimeError as error:
        reason = str(error).strip()
        if "different version" in reason:
            reason = f"it was written by another version of Kuzu than the installed {kuzu.__version__}; refresh to build it anew ({reason})"
        elif "lock" in reason:
            reason = f"another process writes it ({reason})"
        raise GraphError(f"{path}: the graph file cannot be opened: {reason}") from error


def _connect(database: Any, settings: StoreSettings, *, timeout: int) -> Any:
    import kuzu

    connection = kuzu.Connection(database, num_threads=settings.duckdb_threads)
    connection.set_query_timeout(timeout)
    return connection


def _files(path: Path) -> list[Path]:
    return [path, path.with_name(path.name + ".wal"), path.with_name(path.name + ".shadow")]


def _with_degrees(nodes: pl.DataFrame, edges: pl.DataFrame) -> pl.DataFrame:
    degrees = pl.concat([edges.select(entity_id="head"), edges.select(entity_id="tail")]).group_by("entity_id").len("degree")
    joined = nodes.join(degrees, on="entity_id", how="left").sort("entity_id")
    return joined.select(pl.col("entity_id").alias("id"), "name", "key", "type", "mentions", pl.col("degree").fill_null(0).cast(pl.Int64))


def _count(connection: Any, pattern: str) -> int:
    return int(connection.execute(f"MATCH {pattern} RETURN count(*)").get_next()[0])


def _lookup(end: str, count: int, pattern: str = "(a:Entity)") -> str:
    """A MATCH of all ids in $ids at one end of a pattern."""
    if count <= _IN_LIST:
        return f"MATCH {pattern} WHERE {end}.id IN $ids"
    return f"UNWIND $ids AS one MATCH {pattern} WHERE {end}.id = one"


def _explained(error: RuntimeError, settings: StoreSettings) -> GraphError:
    reason = str(error)
    if "Interrupted" in reason:
        return GraphLimit(f"a graph query was stopped after {settings.kuzu_timeout_ms} ms (store.kuzu_timeout_ms)")
    if "Buffer manager" in reason:
        return GraphLimit(f"a graph query did not fit {settings.kuzu_buffer_bytes} bytes (store.kuzu_buffer_bytes)")
    return GraphError(f"a graph query failed: {reason}")
