"""The governed edges as questions ask for them: from arrays in memory, else from the graph file, and for a scope that it knows nothing of from the tables."""

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import generations, reading
from pagerag_pipeline.stores.edge_table import BOUND_EDGES, RELATIONS, EdgeTable
from pagerag_pipeline.stores.graph import EdgeRow, GraphReader
from pagerag_pipeline.stores.lookups import Lookups, Rows
from pagerag_pipeline.stores.paths import PathSearch
from pagerag_pipeline.stores.seals import check_file


class GovernedEdges:
    """The edges of one generation. The graph file is opened when it is first asked; safe to read from many threads."""

    def __init__(self, path: Path, seal: Any, settings: StoreSettings, *, tables: tuple[Rows, Lookups]) -> None:
        self._path, self._seal, self._settings = path, seal, settings
        self._rows, self._lookups = tables
        self._ranks = lru_cache(maxsize=16)(self._read_ranks)
        self._lock = threading.Lock()
        self._graph: GraphReader | None = None

    def neighbors(self, entity_ids: Sequence[str], scope: Scope, *, limit: int) -> list[EdgeRow]:
        """Edges at these entities that are bound in scope: heaviest first, then surest, then by id."""
        if (table := self._lookups.edges()) is not None:
            return table.neighbors(entity_ids, self._bound(table, scope), limit=limit)
        if scope.documents is None:
            return self._reader().neighbors(list(entity_ids), limit=limit) if entity_ids else []
        sql, parameters = reading.scoped(reading.SCOPED_NEIGHBORS, "b.document", scope)
        return [EdgeRow(*row) for row in self._rows(sql, [list(entity_ids), list(entity_ids), *parameters, limit])]

    def count_neighbors(self, entity_ids: Sequence[str], scope: Scope) -> int:
        """How many edges `neighbors` would give without a limit."""
        if (table := self._lookups.edges()) is not None:
            return table.count_neighbors(entity_ids, self._bound(table, scope))
        if scope.documents is None:
            return self._reader().count_neighbors(list(entity_ids))
        sql, parameters = reading.scoped(reading.SCOPED_NEIGHBOR_COUNT, "b.document", scope)
        return int(self._rows(sql, [list(entity_ids), list(entity_ids), *parameters])[0][0])

    def joined(self, entity_ids: Sequence[str], scope: Scope) -> bool:
        """Whether some edge that is bound in scope joins two of these entities."""
        if (table := self._lookups.edges()) is not None:
            return table.joined(entity_ids, self._bound(table, scope))
        sql, parameters = reading.scoped(reading.JOINED, "b.document", scope)
        return bool(self._rows(sql, [list(entity_ids), list(entity_ids), *parameters]))

    def paths(self, source: str, target: str, scope: Scope, *, max_edges: int, limit: int) -> PathSearch[EdgeRow]:
        """Bounded paths between two entities along edges that are bound in scope, never through negated or hypothetical ones."""
        if (table := self._lookups.edges()) is not None:
            return table.paths(source, target, self._bound(table, scope), max_edges=max_edges, limit=limit)

        def within(edge_ids: Sequence[str]) -> set[str]:
            sql, parameters = reading.scoped(reading.BOUND, "b.document", scope)
            return {row[0] for row in self._rows(sql, [list(edge_ids), *parameters])}

        return self._reader().paths(source, target, max_edges=max_edges, limit=limit, within=within if scope.documents is not None else None)

    def related(self, scope: Scope, columns: Callable[..., pa.Table]) -> pa.Table:
        """Pairs of entities that an edge bound in scope joins which a path may follow, sorted, each once; `columns` runs a statement."""
        if (table := self._lookups.edges()) is not None:
            return table.related(self._bound(table, scope))
        return columns(*reading.scoped(RELATIONS, "c.document", scope))

    def close(self) -> None:
        """Let go of the graph file."""
        with self._lock:
            if self._graph is not None:
                self._graph.close()

    def _bound(self, table: EdgeTable, scope: Scope) -> np.ndarray | None:
        """Which edges are bound in scope, by rank; None for all of them."""
        return None if scope.documents is None else self._ranks(table, scope)

    def _read_ranks(self, table: EdgeTable, scope: Scope) -> np.ndarray:
        return table.within([row[0] for row in self._rows(*reading.scoped(BOUND_EDGES, "c.document", scope))])

    def _reader(self) -> GraphReader:
        with self._lock:
            if self._graph is None:
                # As a whole: the engine checks nothing that it reads, and a changed byte can end the process.
                with generations.readable():
                    check_file(self._path, self._seal)
                self._graph = GraphReader(self._path, self._settings)
            return self._graph
