"""The edges of the nodes that path searches asked for: searches between a question's entities, and of many questions, meet the same nodes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

MOST = 200_000
"""Edges that are kept, about 100 MB; beyond it all are forgotten and the next search begins anew (chosen, no result depends on it)."""


class Joining(Protocol):
    """What must be known of an edge."""

    @property
    def head(self) -> str: ...  # noqa: D102
    @property
    def tail(self) -> str: ...  # noqa: D102


E = TypeVar("E", bound=Joining)
_Degrees = tuple[int, int]


class KnownEdges(Generic[E]):
    """Edges with the degrees of their heads and tails, by node. Safe to read from many threads: what is stored of a node is never changed."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept = 0
        self._edges: dict[str, Mapping[E, _Degrees]] = {}

    def of(self, nodes: Sequence[str], ask: Callable[[Sequence[str]], Mapping[E, _Degrees]]) -> dict[E, _Degrees]:
        """All edges at these nodes; `ask` gives those at the nodes that were not asked for before."""
        known = {node: edges for node in nodes if (edges := self._edges.get(node)) is not None}
        lacking = [node for node in nodes if node not in known]
        fresh: dict[str, dict[E, _Degrees]] = {node: {} for node in lacking}
        for edge, degrees in (ask(lacking) if lacking else {}).items():
            for node in {edge.head, edge.tail} & set(fresh):
                fresh[node][edge] = degrees
        self._keep(fresh)
        return {edge: degrees for edges in (*known.values(), *fresh.values()) for edge, degrees in edges.items()}

    def _keep(self, fresh: Mapping[str, Mapping[E, _Degrees]]) -> None:
        count = sum(map(len, fresh.values()))
        if self._kept + count > self._most:
            self._edges, self._kept = {}, 0
        if count <= self._most:
            self._edges.update(fresh)
            self._kept += count
