"""Simple paths between two nodes of a graph that is known only by asking for the edges of some nodes."""

import heapq
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

FRONTIER = 5_000
"""Most nodes that are asked for in one step; of more, those behind the surest edges are taken and the others counted."""

KEEP = 8
"""Partial paths kept per node and length for each path that is asked for: leaving out loops must not starve the result."""


class Edge(Protocol):
    """What the search must know of an edge."""

    @property
    def edge_id(self) -> str: ...  # noqa: D102
    @property
    def head(self) -> str: ...  # noqa: D102
    @property
    def tail(self) -> str: ...  # noqa: D102
    @property
    def confidence(self) -> float: ...  # noqa: D102


E = TypeVar("E", bound=Edge)
Adjacency = dict[str, dict[str, E]]
"""Per node its known neighbors, each with the surest edge between the two."""


@dataclass(frozen=True, slots=True)
class PathSearch(Generic[E]):
    """The paths that were found, and what the search did not follow."""

    paths: list[list[E]]
    cut: int = 0
    """Nodes that were reached and not gone on from, because a frontier was full ..."""
    blocked: int = 0
    """... and those that no path may go through."""
    stopped: str = ""
    """Why the search ended early; empty when it did not."""


_Partial = tuple[float, tuple[str, ...], tuple[str, ...]]
"""Doubt (the sum of -log confidence), edge ids, and nodes; the latter two from here to the target."""


def find_paths(
    ends: tuple[str, str], expand: Callable[[Sequence[str]], Iterable[E]], blocked: Callable[[str], bool], *, max_edges: int, limit: int
) -> PathSearch[E]:
    """Up to `limit` simple paths of at most `max_edges` edges between the two ends: shortest first, then surest, then by edge ids.

    Edges are followed in both directions. `expand(nodes)` returns the edges at these nodes; it is asked from both ends in turn, at the
    smaller frontier first, and no further than the answer needs. No path goes on through a node that is `blocked`; the ends never are.
    """
    if ends[0] == ends[1] or limit <= 0:
        return PathSearch([])
    adjacency: Adjacency[E] = {}
    frontiers, seen, found = [[end] for end in ends], [{end} for end in ends], list[list[E]]()
    avoided: set[str] = set()

    def closed(node: str) -> bool:
        if node not in avoided and blocked(node):
            avoided.add(node)
        return node in avoided

    def best(most: int) -> list[list[E]]:
        # Every edge that is known begins or ends where one side was asked: a path has a node that both sides have seen.
        return [] if seen[0].isdisjoint(seen[1]) else _best_paths(adjacency, ends, closed, max_edges=most, limit=limit)

    cut = 0
    for reach in range(1, max_edges + 1):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        if not frontiers[side]:
            return PathSearch(best(max_edges), cut, len(avoided))
        _add(adjacency, expand(frontiers[side]))
        reached = _next_frontier(adjacency, frontiers[side], seen[side], closed)
        frontiers[side] = reached[:FRONTIER]
        found = best(reach)
        if len(found) >= limit:
            break
        # What the last step reaches is gone on from by none.
        cut += len(reached) - len(frontiers[side]) if reach < max_edges else 0
    return PathSearch(found, cut, len(avoided))


def _add(adjacency: Adjacency[E], edges: Iterable[E]) -> None:
    for edge in edges:
        if edge.head != edge.tail:
            for node, other in ((edge.head, edge.tail), (edge.tail, edge.head)):
                known = adjacency.setdefault(node, {}).setdefault(other, edge)
                if known is not edge and (-edge.confidence, edge.edge_id) < (-known.confidence, known.edge_id):
                    adjacency[node][other] = edge


def _next_frontier(adjacency: Adjacency[E], nodes: Sequence[str], seen: set[str], blocked: Callable[[str], bool]) -> list[str]:
    doubt: dict[str, float] = {}
    for node in nodes:
        for other, edge in adjacency.get(node, {}).items():
            if other in doubt:
                doubt[other] = min(doubt[other], -edge.confidence)
            elif other not in seen and not blocked(other):
                doubt[other] = -edge.confidence
    seen.update(doubt)
    return sorted(doubt, key=lambda node: (doubt[node], node))


def _best_paths(
    adjacency: Adjacency[E], ends: tuple[str, str], blocked: Callable[[str], bool], *, max_edges: int, limit: int
) -> list[list[E]]:
    """The paths in what is known, by layers from the target: each layer holds the surest partial paths of one more edge."""
    source, target = ends
    distance = _distances(adjacency, source, blocked, max_edges)
    layer: dict[str, list[_Partial]] = {target: [(0.0, (), (target,))]} if target in distance else {}
    found: list[list[E]] = []
    for length in range(1, max_edges + 1):
        grown: dict[str, list[_Partial]] = {}
        for node in sorted(layer):
            for other, edge in adjacency.get(node, {}).items():
                if distance.get(other, max_edges) + length <= max_edges:
                    grown.setdefault(other, []).extend(_grow(layer[node], other, edge))
        layer = {node: heapq.nsmallest(limit * KEEP, partials) for node, partials in grown.items() if partials}
        whole = layer.pop(source, [])
        found += [_edges_of(adjacency, nodes) for _, _, nodes in whole]
        if len(found) >= limit:
            break
    return found[:limit]


def _grow(partials: Sequence[_Partial], node: str, edge: Edge) -> list[_Partial]:
    step = -math.log(min(1.0, max(edge.confidence, 1e-9)))
    return [
        (round(doubt + step, 9), (edge.edge_id, *edges), (node, *nodes)) for doubt, edges, nodes in partials if node not in nodes
    ]


def _edges_of(adjacency: Adjacency[E], nodes: Sequence[str]) -> list[E]:
    return [adjacency[one][other] for one, other in zip(nodes, nodes[1:], strict=False)]


def _distances(adjacency: Adjacency[E], source: str, blocked: Callable[[str], bool], most: int) -> dict[str, int]:
    """Edges from the source to each node that a path may use: blocked nodes are reached but not left, so they have no entry."""
    distance = {source: 0}
    frontier = [source]
    for step in range(1, most + 1):
        reached = {other for node in frontier for other in adjacency.get(node, {}) if other not in distance and not blocked(other)}
        distance.update(dict.fromkeys(reached, step))
        frontier = sorted(reached)
    return distance
