"""Chunks that related entities share: hops, tightening and the filter (systems, sections 3.4 and 7)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.retrieval.cooccurrence import UNREACHED, Shared, hops_between, shared_chunks
from pagerag_pipeline.settings_asking import E2Settings
from pagerag_pipeline.stores.term_graph import TermGraph
from pagerag_pipeline_tests.retrieval.term_case import WIDTH, graph_of

CHAIN = {"d": [["a b", "b c"], ["c d", "d e"], ["a", "e"]]}
"""A path of four edges from a to e, which share the last chunk but no sentence."""


def numbers(graph: TermGraph, *terms: str) -> list[int]:
    return [graph.numbers[term] for term in terms]


def shared(graph: TermGraph, *terms: str, settings: E2Settings = E2Settings()) -> Shared:
    return shared_chunks(graph, numbers(graph, *terms), settings)


def test_an_edge_is_a_sentence_and_its_weight_their_number() -> None:
    graph = graph_of({"d": [["a b b", "b a", "c"]]})
    a, b, c = numbers(graph, "a", "b", "c")
    assert (graph.weight(a, b), graph.weight(b, a), graph.weight(b, b), graph.weight(a, c)) == (2, 2, 0, 0)
    assert graph.neighbors(a).tolist() == [b] and graph.neighbors(c).tolist() == [], "what stands alone is a node without edges"


def test_a_sentence_in_two_windows_counts_for_both_and_once_for_the_edge() -> None:
    graph = graph_of({"d": [["a b", "a b", "c"]]}, windows=[("d", 0, 2 * WIDTH), ("d", WIDTH, 3 * WIDTH)])
    a, b = numbers(graph, "a", "b")
    assert graph.weight(a, b) == 2
    assert graph.held.of(a).tolist() == [0, 1]
    low, high = graph.held.starts[a], graph.held.starts[a + 1]
    assert graph.counts[low:high].tolist() == [2, 1]
    assert [graph.holds.of(window).tolist() for window in (0, 1)] == [sorted([a, b]), sorted([a, b, *numbers(graph, "c")])]


def test_a_sentence_that_no_window_holds_whole_stands_where_it_begins() -> None:
    graph = graph_of({"d": [["a b", "c"]]}, windows=[("d", 0, WIDTH - 3), ("d", WIDTH - 3, 2 * WIDTH)])
    assert graph.held.of(graph.numbers["a"]).tolist() == [0]


@pytest.mark.parametrize(("measure", "branch"), [("hops", "local"), ("nodes", "")])
def test_four_edges_pass_as_hops_and_fail_as_nodes(measure: str, branch: str) -> None:
    """Systems, section 7, 4."""
    graph = graph_of(CHAIN)
    found = shared(graph, "a", "e", settings=replace(E2Settings(), path_measure=measure))  # type: ignore[arg-type]
    assert found.branch == branch
    assert found.chunks == ((2,) if branch else ())
    assert hops_between(graph, numbers(graph, "a", "e"), 4)[0, 1] == 4 and hops_between(graph, numbers(graph, "a", "e"), 3)[0, 1] == UNREACHED


def test_entities_without_a_path_or_a_chunk_share_nothing() -> None:
    """Systems, section 7, 3."""
    assert shared(graph_of({"d": [["a x"], ["b y"]]}), "a", "b").branch == ""
    assert shared(graph_of({"d": [["a", "b"]]}), "a", "b").branch == "", "a chunk without a path"
    assert shared(graph_of({"d": [["a x"], ["x b"]]}), "a", "b").branch == "", "a path without a chunk"
    assert shared(graph_of({"d": [["a"]]}), "a").branch == "" and shared(graph_of({"d": [["a"]]})).branch == ""


def test_few_shared_chunks_are_local() -> None:
    found = shared(graph_of({"d": [["a b"], ["a b", "c"], ["a"], ["b a"]]}), "a", "b")
    assert (found.branch, found.chunks, found.history) == ("local", (0, 1, 3), ({"h": 4, "pairs": 1, "chunks": 3},))
    assert found.found_by == ((0, 1),) * 3


def test_a_chunk_of_several_pairs_is_found_by_all_their_entities() -> None:
    found = shared(graph_of({"d": [["a b", "b c"], ["a b"], ["d"]]}), "a", "b", "c", "d")
    assert dict(zip(found.chunks, found.found_by, strict=True)) == {0: (0, 1, 2), 1: (0, 1)}


def test_tightening_stops_at_the_first_h_that_is_few_enough() -> None:
    graph = graph_of({"d": [["a b"], *[["a x", "x c"]] * 3]})
    found = shared(graph, "a", "b", "c", settings=replace(E2Settings(), chunks=2))
    assert (found.branch, found.chunks) == ("local_tightened(3)", (0,))
    assert [step["chunks"] for step in found.history] == [4, 4, 4, 1]


def test_what_tightening_loses_is_chosen_by_coverage_then_run_then_occurrences() -> None:
    """Systems, section 7, 3."""
    graph = graph_of({"d": [["a b"], ["a b", "a b"], ["x"], ["a b c"], ["x"], ["a b"]]})
    found = shared(graph, "a", "b", "c", settings=replace(E2Settings(), chunks=3))
    assert found.branch == "entity_aware(4)"
    assert found.chunks == (3, 1, 0), "all three entities; then two neighbors that name the same, the one first that names them more often"
    assert [step["chunks"] for step in found.history] == [4, 4, 4, 4, 0]


def test_runs_end_with_their_document() -> None:
    graph = graph_of({"a": [["a b"]], "b": [["a b"], ["a b"], ["x"], ["a b", "a b", "a b"]]})
    assert shared(graph, "a", "b", settings=replace(E2Settings(), chunks=2)).chunks == (1, 2)


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=3).map(" ".join), max_size=12), st.integers(0, 5))
def test_hops_are_those_of_the_shortest_path(sentences: list[str], most: int) -> None:
    graph = graph_of({"d": [sentences]} if sentences else {})
    terms = sorted(graph.numbers.values())
    found = hops_between(graph, terms, most)
    step = np.array([[one == other or graph.weight(one, other) > 0 for other in terms] for one in terms], dtype=np.int64).reshape(len(terms), len(terms))
    reached = [np.eye(len(terms), dtype=np.int64)]
    for _ in range(most):
        reached.append((reached[-1] @ step > 0).astype(np.int64))
    wanted = np.where(np.array(reached).any(axis=0), np.array(reached).argmax(axis=0), UNREACHED)
    assert (found == wanted).all()


def test_chunks_with_siblings_are_kept_before_the_filter_where_that_is_asked_for() -> None:
    """Systems, section 3.6, A2."""
    graph = graph_of({"d": [["a b"]] * 6})
    parents = np.array([0, 0, 0, 1, 1, -1])
    few = replace(E2Settings(), chunks=3)
    plain = shared(graph, "a", "b", settings=few)
    assert plain.branch == "entity_aware(4)" and "siblings" not in plain.history[-1]
    found = shared_chunks(graph, numbers(graph, "a", "b"), replace(few, siblings=2), parents)
    assert (found.branch, found.chunks, found.history[-1]) == ("local_tightened(4)", (0, 1, 2), {"siblings": 2, "chunks": 3})
    more = shared_chunks(graph, numbers(graph, "a", "b"), replace(few, siblings=1, chunks=2), parents)
    assert (more.branch, len(more.chunks), more.history[-1]["chunks"]) == ("entity_aware(4)", 2, 5) and 5 not in more.chunks
    none = shared_chunks(graph, numbers(graph, "a", "b"), replace(few, siblings=3), parents)
    assert (none.branch, none.history[-1]["chunks"]) == ("entity_aware(4)", 0), "where none has any, all go on"
