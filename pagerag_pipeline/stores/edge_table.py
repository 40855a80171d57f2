"""The governed edges of a generation as arrays: their neighbors, degrees and paths without a query of an engine for every step."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagerag_pipeline.stores.graph import AVOIDED, MAX_DEGREE, EdgeRow
from pagerag_pipeline.stores.paths import PathSearch, find_paths

EDGES = """
SELECT e.edge_id, e.head, e.predicate, e.tail, e.modality, e.confidence, e.weight FROM data.edges e
ORDER BY e.weight DESC, e.confidence DESC, e.edge_id
"""
"""Heaviest first, then surest, then by id: positions are ranks."""

BOUND_EDGES = "SELECT DISTINCT c.element_id FROM data.bindings c WHERE c.element_kind = 'edge' {scope}"

RELATIONS = """
SELECT DISTINCT least(e.head, e.tail), greatest(e.head, e.tail) FROM data.edges e
JOIN (SELECT DISTINCT element_id FROM data.bindings c WHERE c.element_kind = 'edge' {scope}) bound ON bound.element_id = e.edge_id
WHERE e.head <> e.tail AND e.modality NOT IN ('negated', 'hypothetical') ORDER BY 1, 2
"""
"""Pairs of entities that an edge joins which a path may follow."""

_NOTHING = np.zeros(0, dtype=np.int32)


class EdgeTable:
    """All governed edges by rank, with the edges at each node; gives what `GraphReader` gives. Safe to read from many threads."""

    def __init__(self, edges: pa.Table, *, max_degree: int = MAX_DEGREE) -> None:
        columns = {name: edges[name].combine_chunks() for name in edges.column_names}
        ends = pa.concat_arrays([columns.pop("head"), columns.pop("tail")]).dictionary_encode()
        self._names: list[str] = ends.dictionary.to_pylist()
        self._nodes = {name: node for node, name in enumerate(self._names)}
        self._heads, self._tails = np.split(ends.indices.to_numpy().astype(np.int32), 2)
        self._columns = pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))
        self._followed = ~pc.is_in(columns["modality"], pa.array(AVOIDED, type=columns["modality"].type)).to_numpy(zero_copy_only=False)
        both = np.concatenate([self._heads, self._tails])
        degrees = np.bincount(both, minlength=len(self._names))
        self._hubs = frozenset(self._names[node] for node in np.flatnonzero(degrees > max_degree).tolist())
        ranks = np.tile(np.arange(len(self._heads), dtype=np.int32), 2)
        once = np.concatenate([np.ones(len(self._heads), dtype=bool), self._heads != self._tails])
        order = np.lexsort((ranks[once], both[once]))
        self._at = ranks[once][order]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(both[once], minlength=len(self._names)))])

    @property
    def nbytes(self) -> int:
        """Memory it takes; a node's name is kept once as text and once as a key."""
        arrays = (self._heads, self._tails, self._followed, self._at, self._starts)
        return int(sum(a.nbytes for a in arrays) + self._columns.nbytes + 200 * len(self._names))

    def within(self, edge_ids: Sequence[str]) -> np.ndarray:
        """Which edges are among these, by rank."""
        own = self._columns["edge_id"]
        return np.asarray(pc.is_in(own, pa.array(edge_ids, type=own.type)).to_numpy(zero_copy_only=False))

    def neighbors(self, entity_ids: Sequence[str], within: np.ndarray | None, *, limit: int) -> list[EdgeRow]:
        """Up to `limit` edges that start or end at one of the entities, of any modality: heaviest first, then surest, then by id."""
        return self._rows(self._touching(entity_ids, within)[:limit])

    def count_neighbors(self, entity_ids: Sequence[str], within: np.ndarray | None) -> int:
        """Number of edges that start or end at one of the entities, of any modality."""
        return len(self._touching(entity_ids, within))

    def joined(self, entity_ids: Sequence[str], within: np.ndarray | None) -> bool:
        """Whether some edge joins two of the entities."""
        ranks = self._touching(entity_ids, within)
        nodes = np.array([self._nodes[one] for one in entity_ids if one in self._nodes], dtype=np.int32)
        heads, tails = self._heads[ranks], self._tails[ranks]
        return bool((np.isin(heads, nodes) & np.isin(tails, nodes) & (heads != tails)).any())

    def related(self, within: np.ndarray | None) -> pa.Table:
        """What `RELATIONS` gives: pairs of entities that an edge joins which a path may follow, sorted, each once."""
        ranks = np.flatnonzero((self._followed if within is None else self._followed & within) & (self._heads != self._tails))
        ends = ([self._names[node] for node in nodes[ranks].tolist()] for nodes in (self._heads, self._tails))
        pairs = sorted({(min(pair), max(pair)) for pair in zip(*ends, strict=True)})
        return pa.table([pa.array([pair[i] for pair in pairs], type=pa.large_string()) for i in range(2)], names=["one", "other"])

    def paths(self, source: str, target: str, within: np.ndarray | None, *, max_edges: int, limit: int) -> PathSearch[EdgeRow]:
        """What `GraphReader.paths` gives, by the same search; it is never stopped."""
        allowed = self._followed if within is None else self._followed & within
        met: set[str] = set()

        def expand(nodes: Sequence[str]) -> list[EdgeRow]:
            edges = self._rows(self._touching(nodes, allowed))
            met.update(end for edge in edges for end in (edge.head, edge.tail))
            return edges

        def blocked(node: str) -> bool:
            return node in self._hubs and node in met and node not in (source, target)

        return find_paths((source, target), expand, blocked, max_edges=max_edges, limit=limit)

    def _touching(self, entity_ids: Sequence[str], within: np.ndarray | None) -> np.ndarray:
        """Ranks of the edges at these entities, ascending, each once."""
        nodes = sorted({self._nodes[one] for one in entity_ids if one in self._nodes})
        runs = [self._at[self._starts[node] : self._starts[node + 1]] for node in nodes]
        ranks = runs[0] if len(runs) == 1 else np.unique(np.concatenate(runs)) if runs else _NOTHING
        return ranks if within is None else ranks[within[ranks]]

    def _rows(self, ranks: np.ndarray) -> list[EdgeRow]:
        taken = self._columns.take(pa.array(ranks)).to_pydict()
        heads = [self._names[node] for node in self._heads[ranks].tolist()]
        tails = [self._names[node] for node in self._tails[ranks].tolist()]
        return list(
            map(EdgeRow, taken["edge_id"], heads, taken["predicate"], tails, taken["modality"], taken["confidence"], taken["weight"])
        )
