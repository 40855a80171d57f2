"""The shape of a graph in figures: how much of it hangs together, and how many of its nodes a short path joins."""

import random
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

Ends = NDArray[np.int64]

LONGEST = 4
"""Edges of the longest path that counts: as far as path search goes (PAGE-RAG, section 2.4)."""
_ALL_SOURCES = 4096
"""In a graph of at most so many linked nodes, paths are followed from all of them: a novel's take less than a second."""
_SAMPLED_SOURCES = 512
"""In a larger one from so many, drawn with a fixed seed: the standard error of their mean is then at most 2.2 % of the pairs."""
_SEED = 13
_BLOCK_BYTES = 2**27
"""Memory that following paths may take at a time."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Figures of one graph."""

    nodes: int
    edges: int
    isolated: int
    """Nodes without an edge to another."""
    components: int
    """Connected parts of at least two nodes."""
    largest_component: int
    """Nodes of the largest of them."""
    joined_pairs: int
    """Unordered pairs of nodes with a path of at most LONGEST edges between them; where `joined_sources` is less than the linked nodes, an estimate."""
    joined_share: float
    """The same as a share of all pairs, those of isolated nodes included; 0 to 1."""
    joined_sources: int
    """Nodes that paths were followed from."""

    def figures(self) -> dict[str, float]:
        """The figures by name."""
        return asdict(self)


def graph_shape(nodes: int, edges: Ends, *, walked: NDArray[np.bool_]) -> Shape:
    """Figures of a graph of nodes 0..nodes-1 and edges as rows of two ends; paths go along edges that are `walked`, in both directions.

    The same for any order of the edges; where sources are drawn, it depends on the order of the nodes.
    """
    others = edges[edges[:, 0] != edges[:, 1]] if len(edges) else edges.reshape(0, 2)
    parts = _parts(nodes, others)
    linked = np.zeros(nodes, dtype=bool)
    linked[others.ravel()] = True
    sizes = np.bincount(parts[linked], minlength=nodes) if nodes else np.zeros(0, dtype=np.int64)
    paths = edges[walked]
    starts = _sources(np.flatnonzero(np.bincount(paths[paths[:, 0] != paths[:, 1]].ravel(), minlength=nodes)))
    joined = _joined(nodes, paths, starts) * starts.of / max(1, 2 * len(starts.places))
    return Shape(
        nodes=nodes,
        edges=len(edges),
        isolated=int(nodes - linked.sum()),
        components=int((sizes > 0).sum()),
        largest_component=int(sizes.max(initial=0)),
        joined_pairs=round(joined),
        joined_share=round(joined / max(1, nodes * (nodes - 1) / 2), 6),
        joined_sources=len(starts.places),
    )


@dataclass(frozen=True, slots=True)
class _Sources:
    """Nodes to follow paths from, and of how many they are drawn."""

    places: Ends
    of: int


def _sources(linked: Ends) -> _Sources:
    if len(linked) <= _ALL_SOURCES:
        return _Sources(linked, len(linked))
    drawn = random.Random(_SEED).sample(range(len(linked)), _SAMPLED_SOURCES)
    return _Sources(linked[sorted(drawn)], len(linked))


def _parts(nodes: int, edges: Ends) -> Ends:
    """The least node of each node's connected part: the smaller of two neighbors' marks spreads until nothing moves."""
    part = np.arange(nodes)
    while True:
        least = np.minimum(part[edges[:, 0]], part[edges[:, 1]])
        now = part.copy()
        for side in (0, 1):
            np.minimum.at(now, part[edges[:, side]], least)
        while not np.array_equal(now, now[now]):
            now = now[now]
        if np.array_equal(now, part):
            return part
        part = now


def _joined(nodes: int, edges: Ends, sources: _Sources) -> int:
    """Pairs (source, other node) with a path of at most LONGEST edges, counted by one bit a source that spreads from neighbor to neighbor."""
    if not len(edges):
        return 0
    both = np.sort(np.concatenate([edges[:, 0] * nodes + edges[:, 1], edges[:, 1] * nodes + edges[:, 0]]))
    near, neighbors = np.divmod(both[np.append(True, both[1:] != both[:-1])], nodes)
    begins = np.flatnonzero(np.append(True, near[1:] != near[:-1]))
    heads = near[begins]
    words = max(1, _BLOCK_BYTES // (8 * len(near)))
    found = 0
    for begin in range(0, len(sources.places), 64 * words):
        block = sources.places[begin : begin + 64 * words]
        reached = np.zeros((nodes, -(-len(block) // 64)), dtype=np.uint64)
        bits = np.arange(len(block))
        np.bitwise_or.at(reached, (block, bits // 64), np.uint64(1) << (bits % 64).astype(np.uint64))
        for _ in range(LONGEST):
            reached[heads] |= np.bitwise_or.reduceat(reached[neighbors], begins, axis=0)
        found += int(np.bitwise_count(reached).sum()) - len(block)
    return found
