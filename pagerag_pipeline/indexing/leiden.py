"""Bounded, connected groups from above: Leiden (Traag et al. 2019) again and again in what is too large, growth where it finds no structure."""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pagerag_pipeline.settings import ClusterSettings

_ITERATIONS = 2


def leiden_groups(count: int, weights: Mapping[tuple[int, int], float], settings: ClusterSettings) -> list[list[list[int]]]:
    """Vertices 0..count-1 as upper groups of leaf groups, each connected and within its bound, from edges in a fixed order."""
    import igraph

    graph = igraph.Graph(n=count, edges=list(weights), directed=False)
    graph.vs["vertex"] = range(count)
    graph.es["weight"] = list(weights.values())
    return [
        [leaf.vs["vertex"] for leaf in _split(upper, min(settings.max_leaf, settings.max_upper), settings)]
        for upper in _split(graph, settings.max_upper, settings)
    ]


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
