"""The co-occurrence operator: chunks that related entities of a question share, by adaptive tightening (E2GraphRAG; systems, section 3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagerag_pipeline.settings_asking import E2Settings
from pagerag_pipeline.stores.term_graph import TermGraph

UNREACHED = 255
"""Hops between two terms that no path within the limit joins."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What the pairs of a question's entities share: chunks in the order in which they are kept, and for each which entities it was found by."""

    branch: str
    """local | local_tightened(n) | entity_aware(n); empty when no related pair shares a chunk."""
    chunks: tuple[int, ...]
    found_by: tuple[tuple[int, ...], ...]
    """Positions among the entities."""
    history: tuple[dict[str, Any], ...]
    """Related pairs and the chunks that they share, at each h."""


def shared_chunks(graph: TermGraph, entities: Sequence[int], settings: E2Settings, parents: np.ndarray | None = None) -> Shared:
    """The chunks of pairs within `hops`, tightened hop by hop until at most `chunks` are left.

    When none is left, the best of the last that were: by the entities they name, by the run of neighbors that name the same, by occurrences. With
    `siblings` these are tightened once more before, to those with as many others of them under their tree parent (systems, section 3.6, A2).
    """
    apart = hops_between(graph, entities, _limit(settings.hops, settings))
    named = occurrences(graph, entities)
    found = np.zeros_like(named, dtype=bool)
    history: list[dict[str, Any]] = []
    for steps, hops in enumerate(range(settings.hops, -1, -1)):
        related = (apart <= _limit(hops, settings)) & ~np.eye(len(entities), dtype=bool)
        last, found = found, (named > 0) & (((named > 0).astype(np.int64) @ related.astype(np.int64)) > 0)
        chunks = np.flatnonzero(found.any(axis=1))
        history.append({"h": hops, "pairs": int(related.sum()) // 2, "chunks": len(chunks)})
        if len(chunks) <= settings.chunks:
            break
    if len(chunks):
        return _told(f"local_tightened({steps})" if steps else "local", chunks, found, history)
    if not last.any():
        return Shared("", (), (), tuple(history))
    left = np.flatnonzero(last.any(axis=1))
    if settings.siblings and parents is not None:
        beside = with_siblings(left, parents, settings.siblings)
        history.append({"siblings": settings.siblings, "chunks": len(beside)})
        left = beside if len(beside) else left
        if len(left) <= settings.chunks:
            return _told(f"local_tightened({steps})", left, last, history)
    best = aware_order(graph, named, left)[: settings.chunks]
    return _told(f"entity_aware({steps})", best, last, history)


def with_siblings(chunks: np.ndarray, parents: np.ndarray, least: int) -> np.ndarray:
    """Those of these chunks under whose parent at least so many others of them stand; one without a parent (-1) has no siblings."""
    own = parents[chunks]
    same = np.array([(own == parent).sum() - 1 if parent >= 0 else 0 for parent in own], dtype=np.int64)
    kept: np.ndarray = chunks[same >= least]
    return kept


def hops_between(graph: TermGraph, entities: Sequence[int], most: int) -> np.ndarray:
    """Hops of the shortest path between each two entities, at most `most`, else UNREACHED.

    Breadth first from both ends: two are d hops apart when what is within half of it of one meets what is within the rest of the other.
    """
    apart = np.full((len(entities), len(entities)), UNREACHED, dtype=np.int64)
    np.fill_diagonal(apart, 0)
    around = [_Around(graph, entity) for entity in entities]
    left = [(one, other) for one in range(len(entities)) for other in range(one + 1, len(entities))]
    for hops in range(1, most + 1):
        met = [pair for pair in left if (around[pair[0]].within((hops + 1) // 2) & around[pair[1]].within(hops // 2)).any()]
        for one, other in met:
            apart[one, other] = apart[other, one] = hops
        left = [pair for pair in left if apart[pair] == UNREACHED]
        if not left:
            break
    return apart


class _Around:
    """The terms within some hops of one, found as far as they are asked for."""

    def __init__(self, graph: TermGraph, term: int) -> None:
        self._graph = graph
        self._frontier = np.array([term])
        self._read = np.zeros(len(graph.starts), dtype=bool)
        own = np.zeros(len(graph.names), dtype=bool)
        own[term] = True
        self._balls = [own]

    def within(self, hops: int) -> np.ndarray:
        """Whether each term is at most so many hops away."""
        while len(self._balls) <= hops:
            self._balls.append(self._grown())
        return self._balls[hops]

    def _grown(self) -> np.ndarray:
        """One hop more, each sentence being read once."""
        ball = self._balls[-1].copy()
        fresh = np.zeros_like(self._read)
        fresh[self._graph.sentences.of_all(self._frontier)] = True
        fresh &= ~self._read
        self._read |= fresh
        ball[self._graph.terms.of_all(np.flatnonzero(fresh))] = True
        self._frontier = np.flatnonzero(ball & ~self._balls[-1])
        return ball


def occurrences(graph: TermGraph, entities: Sequence[int]) -> np.ndarray:
    """In how many sentences of each chunk (rows) each entity (columns) is named."""
    named = np.zeros((len(graph.windows.chunk_ids), len(entities)), dtype=np.int64)
    for column, term in enumerate(entities):
        low, high = graph.held.starts[term], graph.held.starts[term + 1]
        named[graph.held.ends[low:high], column] = graph.counts[low:high]
    return named


def aware_order(graph: TermGraph, named: np.ndarray, chunks: np.ndarray) -> np.ndarray:
    """These chunks by coverage, run and occurrences, all descending (the EntityAwareFilter); ties in document order.

    A run is how many chunks stand beside one without a gap, before and after it in its document, that name the same entities.
    """
    holds = named > 0
    same = np.concatenate([[False], (holds[1:] == holds[:-1]).all(axis=1)]) & graph.windows.follows() if len(holds) else np.zeros(0, dtype=bool)
    run_of = np.cumsum(~same)
    runs = np.bincount(run_of)[run_of] - 1
    order = np.lexsort((chunks, -named[chunks].sum(axis=1), -runs[chunks], -holds[chunks].sum(axis=1)))
    best: np.ndarray = chunks[order]
    return best


def _limit(hops: int, settings: E2Settings) -> int:
    """Most hops of a path that a threshold allows."""
    return hops if settings.path_measure == "hops" else hops - 1


def _told(branch: str, chunks: np.ndarray, found: np.ndarray, history: Sequence[dict[str, Any]]) -> Shared:
    by = tuple(tuple(int(one) for one in np.flatnonzero(found[chunk])) for chunk in chunks)
    return Shared(branch, tuple(int(chunk) for chunk in chunks), by, tuple(history))
