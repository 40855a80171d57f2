"""Nodes of the tree by how often their leaves name what is asked about (systems, sections 3.4 and 7)."""

from dataclasses import replace

import numpy as np

from pagerag_pipeline.retrieval.occurrence import dense_order, nearest_nodes, node_weights, occurrence_order
from pagerag_pipeline.settings_asking import E2Settings
from pagerag_pipeline.stores.incidence import incidence
from pagerag_pipeline.stores.tree_nodes import TreeNodes
from pagerag_pipeline_tests.retrieval.term_case import WIDTH, Documents, graph_of, windows_of

K2 = replace(E2Settings(), chunks=2)
NONE = np.zeros(0, dtype=np.int64)


def tree_of(documents: Documents, below: list[tuple[int, int, int]]) -> TreeNodes:
    """Leaves without passages, and summaries over ranges of sentences of the first document with so many leaves."""
    windows = windows_of(documents)
    places = np.array([(first * WIDTH, last * WIDTH) for first, last, _ in below], dtype=np.int64).reshape(-1, 2)
    leaves = np.array([count for *_, count in below], dtype=np.int64)
    shown = incidence(NONE, NONE, len(windows.chunk_ids))
    return TreeNodes(windows, (), NONE, NONE, np.zeros((0, 2)), shown, tuple("s" * len(below)), np.zeros((len(below), 2)), places, leaves)


def test_a_summary_whose_leaves_name_it_five_times_comes_before_a_leaf_with_three() -> None:
    """Systems, section 7, 5."""
    documents = {"d": [["a", "a", "a"], ["a", "x"], ["a"]]}
    graph, tree = graph_of(documents), tree_of({"d": documents["d"]}, [(0, 6, 3), (3, 6, 2)])
    weights = node_weights(graph, tree, [graph.numbers["a"]], E2Settings())
    assert weights.tolist() == [3, 1, 1, 5, 2]
    assert occurrence_order(np.array([0.9, 0.1, 0.1, 0.2, 0.3]), weights, replace(E2Settings(), chunks=3)).nodes == (3, 0, 4)
    mean = node_weights(graph, tree, [graph.numbers["a"]], replace(E2Settings(), summary_weight="mean"))
    assert mean.tolist() == [3, 1, 1, 5 / 3, 1]


def test_each_entity_counts_for_itself() -> None:
    documents = {"d": [["a b"], ["a"]]}
    graph = graph_of(documents)
    assert node_weights(graph, tree_of(documents, []), [graph.numbers["a"], graph.numbers["b"]], E2Settings()).tolist() == [2, 1]


def test_ties_go_to_the_nearer_node_and_what_names_nothing_is_left_out() -> None:
    cosines, weights = np.array([0.1, 0.5, 0.9, 0.3]), np.array([1.0, 1.0, 0.0, 0.0])
    found = occurrence_order(cosines, weights, replace(E2Settings(), chunks=3))
    assert found.nodes == (1, 0)
    assert found.step == {"candidates": 4, "naming": 2, "all_zero": False, "filled": 0, "left_out": 2}
    filled = occurrence_order(cosines, weights, replace(E2Settings(), chunks=3, fill_to_k=True))
    assert filled.nodes == (1, 0, 2) and filled.step["filled"] == 1


def test_only_the_nearest_twice_as_many_are_weighed() -> None:
    cosines, weights = np.array([0.9, 0.8, 0.7, 0.6, 0.5]), np.array([0.0, 0.0, 0.0, 1.0, 9.0])
    assert occurrence_order(cosines, weights, K2).nodes == (3,)


def test_without_any_occurrence_the_nearest_remain() -> None:
    found = occurrence_order(np.array([0.1, 0.5, 0.9]), np.zeros(3), K2)
    assert found.nodes == (2, 1) and found.step["all_zero"]


def test_no_more_nodes_come_than_there_are_and_none_twice() -> None:
    assert nearest_nodes(np.array([0.2, 0.4]), E2Settings()).nodes == (1, 0)
    assert nearest_nodes(np.zeros(0), E2Settings()).nodes == ()
    assert dense_order(np.array([0.5, -1.0, 0.5]), 9).tolist() == [0, 2], "a leaf without a passage has no place; equal ones by number"
