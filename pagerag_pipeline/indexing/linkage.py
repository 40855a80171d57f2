"""Bounded, connected groups from below: neighbors join, the most alike first, so that what stands far from a change stays as it was."""

import heapq
import math
from collections.abc import Iterable, Mapping

from pagerag_pipeline.settings import ClusterSettings

_UNIT = 10**9
"""Links are whole numbers of billionths: sums of them are the same in any order, which sums of floats are not."""
_FAIR = 0.3
"""Share of its best mean link that a group must find in another to join it: a bridge does not bind what happens to fit."""


def linked_groups(count: int, weights: Mapping[tuple[int, int], float], settings: ClusterSettings) -> list[list[list[int]]]:
    """Vertices 0..count-1 as upper groups of leaf groups, each connected and within its bound.

    Average linkage under a bound of size: of all pairs of neighboring groups that fit together, the pair with the largest mean link
    over its pairs of members joins, up to leaves, then of leaves up to upper groups; not so a pair whose mean link is below `_FAIR` of the
    best one of the group with fewer neighbors. So a vertex stays alone only beside groups that are full. The mean link of groups
    never rises as they grow, so the pairs that join are those that are each other's nearest, whatever happens elsewhere in the graph.
    """
    groups = _Groups(count, _likeness(count, weights))
    leaves = groups.joined(min(settings.max_leaf, settings.max_upper))
    uppers = groups.joined(settings.max_upper)
    nested: dict[int, dict[int, list[int]]] = {}
    for vertex in range(count):
        nested.setdefault(uppers[vertex], {}).setdefault(leaves[vertex], []).append(vertex)
    return [list(upper.values()) for upper in nested.values()]


def _likeness(count: int, weights: Mapping[tuple[int, int], float]) -> list[dict[int, int]]:
    """Links by vertex: the edge's weight times the likeness of its ends, (1 + common neighbors) / sqrt(neighbors * neighbors)."""
    near: list[set[int]] = [set() for _ in range(count)]
    for one, other in weights:
        near[one].add(other)
        near[other].add(one)
    links: list[dict[int, int]] = [{} for _ in range(count)]
    for (one, other), weight in weights.items():
        alike = (1 + len(near[one] & near[other])) / math.sqrt(len(near[one]) * len(near[other]))
        links[one][other] = links[other][one] = max(1, round(weight * alike * _UNIT))
    return links


class _Groups:
    """Groups of vertices that grow by joining neighbors; each is known by one of its vertices."""

    def __init__(self, count: int, links: list[dict[int, int]]) -> None:
        self._above = list(range(count))
        self._size = [1] * count
        self._links = links

    def joined(self, most: int) -> list[int]:
        """The group of every vertex once no two neighboring groups of at most `most` vertices together are left."""
        pairs = self._pairs(most)
        while pairs:
            noted, one, other = heapq.heappop(pairs)
            one, other = sorted((self._group(one), self._group(other)))
            if one == other or self._size[one] + self._size[other] > most:
                continue
            now = self._distance(one, other)
            # Likeness only falls, so what was noted of a pair is at best what it is: one that fell goes back to its place.
            if now > noted:
                heapq.heappush(pairs, (now, one, other))
            elif self._fair(one, other):
                self._join(one, other)
        return [self._group(vertex) for vertex in range(len(self._above))]

    def _pairs(self, most: int) -> list[tuple[float, int, int]]:
        pairs = [
            (self._distance(one, other), one, other)
            for one, links in enumerate(self._links)
            for other in links
            if one < other and self._size[one] + self._size[other] <= most
        ]
        heapq.heapify(pairs)
        return pairs

    def _group(self, vertex: int) -> int:
        while self._above[vertex] != vertex:
            self._above[vertex] = vertex = self._above[self._above[vertex]]
        return vertex

    def _distance(self, one: int, other: int) -> float:
        return -self._links[one][other] / (self._size[one] * self._size[other])

    def _fair(self, one: int, other: int) -> bool:
        asked = min(one, other, key=lambda group: (len(self._links[group]), group))
        best = max(link / self._size[neighbor] for neighbor, link in self._links[asked].items())
        return -self._distance(one, other) >= _FAIR * best / self._size[asked]

    def _join(self, one: int, other: int) -> None:
        """The group with fewer links becomes part of the other."""
        kept, gone = (one, other) if len(self._links[one]) >= len(self._links[other]) else (other, one)
        self._above[gone] = kept
        self._size[kept] += self._size[gone]
        mine = self._links[kept]
        del mine[gone]
        for neighbor, link in _without(self._links[gone], kept):
            mine[neighbor] = mine.get(neighbor, 0) + link
            del self._links[neighbor][gone]
            self._links[neighbor][kept] = mine[neighbor]
        self._links[gone] = {}


def _without(links: dict[int, int], vertex: int) -> Iterable[tuple[int, int]]:
    return ((neighbor, link) for neighbor, link in links.items() if neighbor != vertex)
