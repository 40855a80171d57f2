"""Communities are bounded, connected, nested, complete, and the same for any order of the input."""

import random
from collections import Counter
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagerag_pipeline.indexing.cluster import cluster
from pagerag_pipeline.schema.knowledge import Community
from pagerag_pipeline.settings import ClusterSettings

SETTINGS = ClusterSettings()
METHODS = ("linkage", "leiden")
Edge = tuple[str, str, float]


def nodes_of(edges: list[Edge]) -> list[str]:
    return sorted({name for head, tail, _ in edges for name in (head, tail)})


def linked(edges: list[Edge]) -> set[str]:
    return {name for head, tail, weight in edges if head != tail and weight > 0 for name in (head, tail)}


def star(rays: int) -> list[Edge]:
    return [("hub", f"ray {ray:03}", 1.0) for ray in range(rays)]


def clique(prefix: str, size: int) -> list[Edge]:
    return [(f"{prefix}{a:03}", f"{prefix}{b:03}", 1.0) for a in range(size) for b in range(a)]


def level(communities: list[Community], wanted: int) -> list[Community]:
    return [one for one in communities if one.level == wanted]


def connected(members: tuple[str, ...], edges: list[Edge]) -> bool:
    inside = set(members)
    links = [(head, tail) for head, tail, weight in edges if head in inside and tail in inside and weight > 0]
    reached = {members[0]}
    while grown := {name for pair in links if reached & set(pair) for name in pair} - reached:
        reached |= grown
    return reached == inside


def assert_hierarchy(communities: list[Community], edges: list[Edge], bounds: ClusterSettings = SETTINGS) -> None:
    for number, most in ((0, bounds.max_upper), (1, bounds.max_leaf)):
        members = [name for one in level(communities, number) for name in one.members]
        assert sorted(members) == sorted(linked(edges)), "every node with an edge stands once on each level"
        assert all(len(one.members) <= most for one in level(communities, number))
    assert all(connected(one.members, edges) for one in communities)
    above = {one.community_id: set(one.members) for one in level(communities, 0)}
    assert all(set(one.members) <= above[one.parent] for one in level(communities, 1))
    assert all(one.parent == "" for one in level(communities, 0))
    assert len({one.community_id for one in communities}) == len(communities)


random_edges = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.5, 1.0, 2.0, 0.0])).map(lambda e: (f"n{e[0]}", f"n{e[1]}", e[2])),
    max_size=200,
)


@given(edges=random_edges, method=st.sampled_from(METHODS), data=st.data())
@settings(max_examples=100, deadline=None)
def test_any_graph_gives_a_sound_hierarchy_in_any_order(edges: list[Edge], method: Literal["linkage", "leiden"], data: st.DataObject) -> None:
    bounds = ClusterSettings(method=method, max_upper=12, max_leaf=4)
    communities = cluster(nodes_of(edges), edges, bounds)
    assert_hierarchy(communities, edges, bounds)
    shuffled = [(tail, head, weight) if data.draw(st.booleans()) else (head, tail, weight) for head, tail, weight in data.draw(st.permutations(edges))]
    assert cluster(data.draw(st.permutations(nodes_of(edges))), shuffled, bounds) == communities


def test_two_groups_with_one_bridge_are_two_communities() -> None:
    edges = [*clique("a", 25), *clique("b", 25), ("a000", "b000", 1.0)]
    communities = cluster(nodes_of(edges), edges, SETTINGS)
    assert [{name[0] for name in one.members} for one in level(communities, 0)] == [{"a"}, {"b"}]
    assert_hierarchy(communities, edges)


def test_a_small_component_is_one_community_on_both_levels() -> None:
    edges = [("Mara Quill", "Tinworks", 1.0), ("Tinworks", "Harbour Lane", 1.0)]
    upper, leaf = cluster(nodes_of(edges), edges, SETTINGS)
    assert (upper.level, leaf.level) == (0, 1)
    assert upper.members == leaf.members == ("Harbour Lane", "Mara Quill", "Tinworks")
    assert leaf.parent == upper.community_id != leaf.community_id


def test_separate_components_never_share_a_community() -> None:
    edges = [(f"{pair} left", f"{pair} right", 1.0) for pair in range(50)]
    communities = cluster(nodes_of(edges), edges, SETTINGS)
    assert Counter((one.level, len(one.members)) for one in communities) == {(0, 2): 50, (1, 2): 50}


def test_a_hub_with_300_leaves_keeps_the_bound_and_counts_singletons() -> None:
    edges = star(300)
    communities = cluster(nodes_of(edges), edges, SETTINGS)
    assert_hierarchy(communities, edges)
    assert Counter(len(one.members) for one in level(communities, 0)) == {40: 1, 1: 261}
    assert Counter(len(one.members) for one in level(communities, 1)) == {10: 1, 1: 291}


def test_a_clique_beyond_the_bound_is_divided_without_singletons() -> None:
    edges = clique("c", 100)
    communities = cluster(nodes_of(edges), edges, SETTINGS)
    assert_hierarchy(communities, edges)
    assert sorted(len(one.members) for one in level(communities, 0)) == [20, 40, 40]
    assert {len(one.members) for one in level(communities, 1)} == {10}


def test_hubs_that_share_rays_end() -> None:
    edges = [(f"hub {hub}", f"ray {ray:03}", 1.0) for hub in range(4) for ray in range(200)]
    assert_hierarchy(cluster(nodes_of(edges), edges, SETTINGS), edges)


def test_loops_and_weightless_edges_bind_nothing() -> None:
    edges = [("a", "a", 1.0), ("b", "c", 0.0), ("d", "e", -1.0), ("f", "g", float("nan"))]
    assert cluster(list("abcdefg"), edges, SETTINGS) == []
    assert cluster([], [], SETTINGS) == []


def test_opposite_and_parallel_edges_add_up() -> None:
    once = [*clique("a", 30), ("a000", "b000", 3.0), *clique("b", 30)]
    apart = [edge for edge in once if edge[2] != 3.0] + [("a000", "b000", 1.0), ("b000", "a000", 1.0), ("a000", "b000", 1.0)]
    assert cluster(nodes_of(apart), apart, SETTINGS) == cluster(nodes_of(once), once, SETTINGS)


def ring(cliques: int) -> list[Edge]:
    inside = [edge for number in range(cliques) for edge in clique(f"{number:03}-", 7)]
    return inside + [(f"{number:03}-000", f"{(number + 1) % cliques:03}-003", 1.0) for number in range(cliques)]


def test_a_change_moves_communities_near_it_alone() -> None:
    edges = ring(60)
    before = cluster(nodes_of(edges), edges, SETTINGS)
    changed = [edge for edge in edges if not {edge[0], edge[1]} & {"030-001", "030-002"}]
    after = cluster(nodes_of(changed), changed, SETTINGS)
    lost = {one.members for one in before} - {one.members for one in after}
    assert 1 <= len(lost) <= 6
    assert {name[:3] for members in lost for name in members} < {f"{number:03}" for number in range(20, 41)}


@given(edges=random_edges)
@settings(max_examples=60, deadline=None)
def test_a_node_stands_alone_only_beside_groups_that_are_full(edges: list[Edge]) -> None:
    bounds = ClusterSettings(max_upper=12, max_leaf=4)
    leaves = level(cluster(nodes_of(edges), edges, bounds), 1)
    size = {name: len(one.members) for one in leaves for name in one.members}
    alone = {name for name, count in size.items() if count == 1}
    for name in alone:
        near = {other for edge in edges if name in edge[:2] and edge[2] > 0 for other in edge[:2]} - {name}
        assert max(size[other] for other in near) == bounds.max_leaf


def test_a_change_in_one_component_leaves_the_others_alone() -> None:
    rng = random.Random(5)
    still = [(f"s{rng.randrange(200)}", f"s{rng.randrange(200)}", 1.0) for _ in range(500)]
    moved = [(f"m{rng.randrange(200)}", f"m{rng.randrange(200)}", 1.0) for _ in range(500)]
    before = {one for one in cluster(nodes_of(still + moved), still + moved, SETTINGS) if one.members[0].startswith("s")}
    after = {one for one in cluster(nodes_of(still + moved[:-50]), still + moved[:-50], SETTINGS) if one.members[0].startswith("s")}
    assert before == after != set()


def test_an_edge_to_an_unknown_node_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown node"):
        cluster(["a"], [("a", "b", 1.0)], SETTINGS)
