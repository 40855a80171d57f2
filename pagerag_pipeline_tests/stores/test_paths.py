"""The path search finds what enumerating all simple paths finds, in the same order."""

import itertools
import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from pagerag_pipeline.stores import paths as module
from pagerag_pipeline.stores.paths import find_paths


class Arc(NamedTuple):
    """An edge as the search sees it."""

    edge_id: str
    head: str
    tail: str
    confidence: float


def _graph(seed: int, nodes: int, edges: int) -> list[Arc]:
    rng = random.Random(seed)
    return [
        Arc(f"e{i:03}", f"n{rng.randrange(nodes)}", f"n{rng.randrange(nodes)}", rng.choice([0.5, 0.75, 0.75, 0.9, 1.0])) for i in range(edges)
    ]


def _expected(arcs: Sequence[Arc], blocked: set[str], max_edges: int) -> list[tuple[str, ...]]:
    best: dict[frozenset[str], Arc] = {}
    for arc in sorted(arcs, key=lambda a: (-a.confidence, a.edge_id)):
        best.setdefault(frozenset((arc.head, arc.tail)), arc)
    names = sorted({arc.head for arc in arcs} | {arc.tail for arc in arcs})
    found = []
    for length in range(1, max_edges + 1):
        for middle in itertools.permutations([n for n in names if n not in ("n0", "n1") and n not in blocked], length - 1):
            steps = [best.get(frozenset(pair)) for pair in itertools.pairwise(("n0", *middle, "n1"))]
            if all(steps):
                doubt = round(sum(-math.log(s.confidence) for s in steps if s), 6)
                found.append((length, doubt, tuple(s.edge_id for s in steps if s)))
    return [ids for _, _, ids in sorted(found)]


@pytest.mark.parametrize("seed", range(25))
def test_all_simple_paths_are_found_shortest_first(seed: int):
    arcs = _graph(seed, nodes=9, edges=22)
    blocked = {"n2"} if seed % 2 else set()
    expected = _expected(arcs, blocked, 4)
    asked: list[str] = []

    def expand(nodes: Sequence[str]) -> list[Arc]:
        asked.extend(nodes)
        return [arc for arc in arcs if arc.head in nodes or arc.tail in nodes]

    for limit in (1, 3, 500):
        asked.clear()
        found = find_paths(("n0", "n1"), expand, blocked.__contains__, max_edges=4, limit=limit)
        assert [tuple(arc.edge_id for arc in path) for path in found.paths] == expected[:limit]
        assert not blocked & set(asked)
        assert found.blocked <= len(blocked)


def test_a_near_answer_needs_no_far_question():
    arcs = _graph(3, nodes=9, edges=22) + [Arc("direct", "n0", "n1", 1.0)]
    asked: list[str] = []

    def expand(nodes: Sequence[str]) -> list[Arc]:
        asked.extend(nodes)
        return [arc for arc in arcs if arc.head in nodes or arc.tail in nodes]

    assert find_paths(("n0", "n1"), expand, lambda node: False, max_edges=4, limit=1).paths == [[arcs[-1]]]
    assert asked == ["n0"]


def test_no_path_between_strangers_or_from_a_node_to_itself():
    arcs = [Arc("a", "n0", "n2", 1.0), Arc("b", "n1", "n3", 1.0), Arc("loop", "n0", "n0", 1.0)]
    for ends in (("n0", "n1"), ("n0", "n0"), ("n0", "unknown")):
        assert find_paths(ends, lambda nodes: [a for a in arcs if {a.head, a.tail} & set(nodes)], lambda n: False, max_edges=4, limit=3).paths == []


def test_nodes_that_a_full_frontier_leaves_behind_are_counted(monkeypatch: pytest.MonkeyPatch):
    arcs = [Arc(f"s{i}", "n0", f"m{i}", 0.9) for i in range(5)] + [Arc(f"t{i}", f"m{i}", f"k{i}", 0.9) for i in range(5)]
    arcs += [Arc(f"u{i}", f"k{i}", "n1", 0.9) for i in range(5)]

    def search() -> module.PathSearch[Arc]:
        return find_paths(("n0", "n1"), lambda nodes: [a for a in arcs if {a.head, a.tail} & set(nodes)], lambda n: False, max_edges=4, limit=50)

    whole = search()
    assert (len(whole.paths), whole.cut) == (5, 0)
    monkeypatch.setattr(module, "FRONTIER", 2)
    narrow = search()
    assert len(narrow.paths) < 5 and narrow.cut > 0


def test_hubs_that_no_path_goes_through_are_counted_once():
    arcs = [Arc("a", "n0", "hub", 0.9), Arc("b", "hub", "n1", 0.9), Arc("c", "n0", "m", 0.9), Arc("d", "m", "n1", 0.9)]
    found = find_paths(("n0", "n1"), lambda nodes: [a for a in arcs if {a.head, a.tail} & set(nodes)], lambda n: n == "hub", max_edges=4, limit=9)
    assert [[arc.edge_id for arc in path] for path in found.paths] == [["c", "d"]]
    assert found.blocked == 1
