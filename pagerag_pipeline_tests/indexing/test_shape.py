"""Figures of small graphs, counted by hand."""

import numpy as np
import pytest

from pagerag_pipeline.indexing import shape
from pagerag_pipeline.indexing.shape import Shape, graph_shape


def figures(nodes: int, edges: list[tuple[int, int]], not_walked: frozenset[int] = frozenset()) -> Shape:
    ends = np.array(edges, dtype=np.int64).reshape(len(edges), 2)
    return graph_shape(nodes, ends, walked=np.array([place not in not_walked for place in range(len(edges))], dtype=bool))


def test_a_path_of_six_a_pair_and_a_node_alone() -> None:
    """Of the 15 pairs on the path all but the two ends are at most four edges apart."""
    path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert figures(9, [*path, (7, 6)]) == Shape(
        nodes=9, edges=6, isolated=1, components=2, largest_component=6, joined_pairs=15, joined_share=round(15 / 36, 6), joined_sources=8
    )


def test_direction_parallels_and_loops_join_nothing_more() -> None:
    told = figures(3, [(0, 1), (1, 0), (0, 1), (2, 2)])
    assert (told.edges, told.isolated, told.components, told.joined_pairs) == (4, 1, 1, 1)


def test_paths_go_along_walked_edges_alone() -> None:
    told = figures(3, [(0, 1), (1, 2)], not_walked=frozenset({1}))
    assert (told.components, told.largest_component, told.joined_pairs, told.joined_sources) == (1, 3, 1, 2)


def test_nothing_has_a_shape() -> None:
    assert figures(0, []) == Shape(0, 0, 0, 0, 0, 0, 0.0, 0)
    assert figures(2, []) == Shape(2, 0, 2, 0, 0, 0, 0.0, 0)


def test_the_order_of_edges_is_no_matter() -> None:
    edges = [(place, (7 * place + 3) % 50) for place in range(50)] + [(place, place + 1) for place in range(0, 40, 3)]
    assert figures(60, edges) == figures(60, edges[::-1])


def test_a_block_after_the_other_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = [(place, (place + 1) % 200) for place in range(200)]
    monkeypatch.setattr(shape, "_BLOCK_BYTES", 1)
    assert figures(200, ring).joined_pairs == 200 * 8 // 2


def test_of_a_large_graph_a_sample_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a ring every node reaches eight others, so any sample tells the truth."""
    ring = [(place, (place + 1) % 200) for place in range(200)]
    monkeypatch.setattr(shape, "_ALL_SOURCES", 100)
    monkeypatch.setattr(shape, "_SAMPLED_SOURCES", 10)
    told = figures(200, ring)
    assert (told.joined_sources, told.joined_pairs) == (10, 800)
