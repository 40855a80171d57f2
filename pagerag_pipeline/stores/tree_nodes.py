"""The nodes of the summary tree in scope, leaves and summaries, with the vectors that dense search over all of them compares."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pagerag_pipeline.stores.found import Passage
from pagerag_pipeline.stores.incidence import Incidence, both_ways
from pagerag_pipeline.stores.reading import PASSAGE
from pagerag_pipeline.stores.term_graph import Rows, Windows

PASSAGES = f"""
SELECT {PASSAGE} FROM data.chunks c WHERE c.kind IN ('passage', 'row') {{scope}} ORDER BY c.document, c.start_at, c.end_at DESC, c.chunk_id
"""

SUMMARIES = """
WITH RECURSIVE below AS (
    SELECT node_id, parent_id, document, chunk_id FROM data.tree WHERE level = 0
    UNION ALL
    SELECT p.node_id, p.parent_id, b.document, b.chunk_id FROM below b JOIN data.tree p ON p.node_id = b.parent_id
), seen AS (
    SELECT c.node_id, bool_and(true {scope}) AS allowed, min((c.document, l.start_at)) AS begins, max((c.document, l.end_at)) AS stops, count(*) AS leaves
    FROM below c JOIN data.chunks l USING (chunk_id) GROUP BY c.node_id
)
SELECT t.node_id, t.embed_key, s.begins[1], s.begins[2], s.stops[1], s.stops[2], s.leaves
FROM data.tree t JOIN seen s USING (node_id) WHERE t.level > 0 AND s.allowed ORDER BY s.begins, s.leaves, t.level, t.node_id
"""
"""With the first and the last place below them and the number of their leaves; only those whose leaves are all in scope."""

Vectors = Callable[[str, Sequence[str]], Mapping[str, np.ndarray]]
"""Vectors of a table by embed key."""


@dataclass(frozen=True, slots=True)
class TreeNodes:
    """Nodes 0..windows-1 are leaves, the rest summaries. Passages are held with their text and vectors, about 3 KB each, so that a question reads no store."""

    windows: Windows
    passages: tuple[Passage, ...]
    """Passages and rows in document order ..."""
    starts: np.ndarray
    ends: np.ndarray
    """... their places in the corpus ..."""
    vectors: np.ndarray
    """... and their unit vectors; zeros where there is none."""
    shown: Incidence
    """Passages of a leaf."""
    summaries: tuple[str, ...]
    """Embed keys of summaries ..."""
    summary_vectors: np.ndarray
    below: np.ndarray
    """... and the places between which the leaves below each stand, one row each ..."""
    leaves: np.ndarray
    """... with their number."""

    def cosines(self, vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of all nodes, and of all passages; a leaf has that of its best passage, and -1 when it has none."""
        passages = np.round(self.vectors @ vector, 5) if len(self.passages) else np.zeros(0)
        nodes = np.full(len(self.windows.chunk_ids), -1.0)
        np.maximum.at(nodes, np.repeat(np.arange(len(nodes)), np.diff(self.shown.starts)), passages[self.shown.ends])
        summaries = np.round(self.summary_vectors @ vector, 5) if len(self.summaries) else np.zeros(0)
        return np.concatenate([nodes, summaries]), passages

    def parents(self) -> np.ndarray:
        """Of each leaf, the number of the summary directly above it, which has the fewest leaves of those above; -1 where none is in scope."""
        found = np.full(len(self.windows.chunk_ids), -1)
        for number in sorted(range(len(self.summaries)), key=lambda one: (-int(self.leaves[one]), one)):
            begins, ends = self.below[number]
            found[(self.windows.starts >= begins) & (self.windows.starts < ends)] = number
        return found


def read_tree_nodes(rows: Rows, vectors: Vectors, windows: Windows) -> TreeNodes:
    """The tree over these windows."""
    passages = tuple(Passage(*row) for row in rows(PASSAGES))
    documents = [one.document for one in passages]
    starts, ends = windows.place(documents, [one.start for one in passages]), windows.place(documents, [one.end for one in passages])
    spans, at = windows.holding(starts, ends)
    shown, _ = both_ways(at, spans, (len(windows.chunk_ids), len(passages)))
    told = rows(SUMMARIES)
    first, last = (windows.place([row[i] for row in told], [row[i + 1] for row in told]) for i in (2, 4))
    summaries = tuple(row[1] for row in told)
    return TreeNodes(
        windows,
        passages,
        starts,
        ends,
        _matrix("passages", [one.embed_key for one in passages], vectors),
        shown,
        summaries,
        _matrix("summaries", summaries, vectors),
        np.stack([first, last], axis=1) if told else np.zeros((0, 2), dtype=np.int64),
        np.array([row[6] for row in told], dtype=np.int64),
    )


def _matrix(table: str, keys: Sequence[str], vectors: Vectors) -> np.ndarray:
    found = vectors(table, sorted(set(keys))) if keys else {}
    dimension = len(next(iter(found.values()))) if found else 0
    nothing = np.zeros(dimension, dtype=np.float32)
    return np.array([found.get(key, nothing) for key in keys], dtype=np.float32).reshape(len(keys), dimension)
