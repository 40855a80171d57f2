"""Edges are asked for once, whatever nodes they are asked for with, and forgotten when they are too many."""

from collections.abc import Sequence
from typing import NamedTuple

from pagerag_pipeline.stores.known_edges import KnownEdges


class Edge(NamedTuple):
    """An edge by its ends."""

    head: str
    tail: str


EDGES = {Edge("a", "b"): (1, 2), Edge("b", "c"): (2, 2), Edge("c", "d"): (2, 1)}


class Asked:
    """What stands in for the store, with a list of what it was asked."""

    def __init__(self) -> None:
        self.nodes: list[list[str]] = []

    def __call__(self, nodes: Sequence[str]) -> dict[Edge, tuple[int, int]]:
        self.nodes.append(list(nodes))
        return {edge: degrees for edge, degrees in EDGES.items() if edge.head in nodes or edge.tail in nodes}


def test_only_what_is_not_known_is_asked_for_and_the_answer_is_whole() -> None:
    known, asked = KnownEdges[Edge](), Asked()
    assert known.of(["a", "b"], asked) == {Edge("a", "b"): (1, 2), Edge("b", "c"): (2, 2)}
    assert known.of(["b", "c", "x"], asked) == {Edge("a", "b"): (1, 2), Edge("b", "c"): (2, 2), Edge("c", "d"): (2, 1)}
    assert known.of(["c", "x"], asked) == {Edge("b", "c"): (2, 2), Edge("c", "d"): (2, 1)}
    assert asked.nodes == [["a", "b"], ["c", "x"]]


def test_beyond_the_limit_all_is_forgotten_and_answers_stay_whole() -> None:
    known, asked = KnownEdges[Edge](most=2), Asked()
    for nodes in (["a"], ["c"], ["a"], ["b", "c"]):
        assert known.of(nodes, asked) == Asked()(nodes)
    assert asked.nodes == [["a"], ["c"], ["a"], ["b", "c"]]
