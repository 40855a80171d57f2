"""Groups the entities of a graph into one hierarchy of bounded, connected communities (Leiden; Traag et al. 2019)."""

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

from pagerag_pipeline.schema import Community, digest
from pagerag_pipeline.settings import ClusterSettings

VERSION = "cluster/1"

_ITERATIONS = 2


def cluster(nodes: Sequence[str], edges: Sequence[tuple[str, str, float]], settings: ClusterSettings) -> list[Community]:
    """Communities of both levels, sorted by level and members; the same for any order of nodes and edges.

    Level 0 holds at most `max_upper` members each, level 1 (the leaves, nested in level 0) at most `max_leaf`. Every node with an edge to
    another node is in exactly one community of each level; nodes without one are left out. Parallel and opposite edges add up; loops
    and weights that are not positive are no edges. A community is always connected, so where a star does not fit its
    bound, the rest of its rays are communities of one. Each component is clustered by itself: a change in one never moves another.
    Raises ValueError for an edge that names an unknown node.
    """
    graph = _graph(nodes, edges)
    communities: list[Community] = []
    for upper in _split(graph, settings.max_upper, settings):
        members = _members(upper)
        above = Community(_community_id(0, members), 0, "", members)
        communities.append(above)
        for leaf in _split(upper, min(settings.max_leaf, settings.max_upper), settings):
            members = _members(leaf)
            communities.append(Community(_community_id(1, members), 1, above.community_id, members))
    return sorted(communities, key=lambda one: (one.level, one.members))


def _community_id(level: int, members: Sequence[str]) -> str:
    return digest("community", level, *members)


def _graph(nodes: Sequence[str], edges: Sequence[tuple[str, str, float]]) -> Any:
    """An igraph graph over the sorted nodes that have an edge, with summed weights."""
    import igraph

    known = set(nodes)
    weights: dict[tuple[str, str], float] = {}
    for pair, weight in sorted(((head, tail) if head < tail else (tail, head), weight) for head, tail, weight in edges):
        if not known.issuperset(pair):
            raise ValueError(f"an edge names an unknown node: {pair}")
        if weight > 0 and pair[0] != pair[1]:
            weights[pair] = weights.get(pair, 0.0) + weight
    names = sorted({name for pair in weights for name in pair})
    place = {name: index for index, name in enumerate(names)}
    graph = igraph.Graph(n=len(names), edges=[(place[head], place[tail]) for head, tail in weights], directed=False)
    graph.vs["name"] = names
    graph.es["weight"] = list(weights.values())
    return graph


def _members(graph: Any) -> tuple[str, ...]:
    return tuple(sorted(graph.vs["name"]))


def _split(graph: Any, most: int, settings: ClusterSettings) -> list[Any]:
    """Connected subgraphs of at most `most` nodes that partition the graph: components, then Leiden again and again, then growth."""
    done: list[Any] = []
    pending = _parts(graph, graph.connected_components().membership)
    while pending:
        part = pending.pop()
        if part.vcount() <= most:
            done.append(part)
            continue
        pieces = _parts(part, _leiden(part, settings))
        if len(pieces) == 1:
            pieces = _parts(part, _grown(part, most))
        pending.extend(piece for whole in pieces for piece in _parts(whole, whole.connected_components().membership))
    return done


def _parts(graph: Any, membership: Sequence[int]) -> list[Any]:
    groups: dict[int, list[int]] = {}
    for vertex, group in enumerate(membership):
        groups.setdefault(group, []).append(vertex)
    return [graph] if len(groups) == 1 else [graph.induced_subgraph(vertices) for vertices in groups.values()]


def _leiden(graph: Any, settings: ClusterSettings) -> list[int]:
    import leidenalg

    partition = leidenalg.find_partition(
        graph,
        leidenalg.RBConfigurationVertexPartition,
        weights="weight",
        resolution_parameter=settings.resolution,
        n_iterations=_ITERATIONS,
        seed=settings.seed,
    )
    membership: list[int] = partition.membership
    return membership


def _grown(graph: Any, most: int) -> list[int]:
    """Membership for a graph in which Leiden finds no structure: groups of at most `most` nodes, each grown from its best linked node.

    A group takes again and again the free node with the strongest links into it (ties by place, that is by id).
    """
    free = set(range(graph.vcount()))
    membership = [0] * graph.vcount()
    links = _links(graph)
    strength = [sum(weight for _, weight in one) for one in links]
    for group, seed in enumerate(sorted(free, key=lambda vertex: (-strength[vertex], vertex))):
        if seed in free:
            for vertex in _grow(seed, links, free, most):
                membership[vertex] = group
    return membership


def _grow(seed: int, links: Sequence[Iterable[tuple[int, float]]], free: set[int], most: int) -> list[int]:
    pull: dict[int, float] = {seed: 0.0}
    queue = [(0.0, seed)]
    taken: list[int] = []
    while queue and len(taken) < most:
        weight, vertex = heapq.heappop(queue)
        if vertex not in free or -weight < pull[vertex]:
            continue
        free.discard(vertex)
        taken.append(vertex)
        for neighbor, link in links[vertex]:
            if neighbor in free:
                pull[neighbor] = pull.get(neighbor, 0.0) + link
                heapq.heappush(queue, (-pull[neighbor], neighbor))
    return taken


def _links(graph: Any) -> list[list[tuple[int, float]]]:
    links: list[list[tuple[int, float]]] = [[] for _ in range(graph.vcount())]
    for edge, weight in zip(graph.get_edgelist(), graph.es["weight"], strict=True):
        links[edge[0]].append((edge[1], weight))
        links[edge[1]].append((edge[0], weight))
    return links
