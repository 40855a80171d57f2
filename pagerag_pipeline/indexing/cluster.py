"""Groups the entities of a graph into one hierarchy of bounded, connected communities."""

from collections.abc import Sequence

from pagerag_pipeline.indexing.leiden import leiden_groups
from pagerag_pipeline.indexing.linkage import linked_groups
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.knowledge import Community
from pagerag_pipeline.settings import ClusterSettings

VERSION = "cluster/2"


def cluster(nodes: Sequence[str], edges: Sequence[tuple[str, str, float]], settings: ClusterSettings) -> list[Community]:
    """Communities of both levels, sorted by level and members; the same for any order of nodes and edges.

    Level 0 holds at most `max_upper` members each, level 1 (the leaves, nested in level 0) at most `max_leaf`. Every node with an edge to
    another node is in exactly one community of each level; nodes without one are left out. Parallel and opposite edges add up; loops
    and weights that are not positive are no edges. A community is always connected, so where a star does not fit its
    bound, the rest of its rays are communities of one. A change of the graph moves communities near it (`linkage`), or in its
    component (`leiden`). Raises ValueError for an edge that names an unknown node.
    """
    names, weights = _graph(nodes, edges)
    groups = {"linkage": linked_groups, "leiden": leiden_groups}[settings.method]
    communities: list[Community] = []
    for leaves in groups(len(names), weights, settings):
        above = _community(0, [names[vertex] for leaf in leaves for vertex in leaf])
        communities.append(above)
        communities += [_community(1, [names[vertex] for vertex in leaf], above.community_id) for leaf in leaves]
    return sorted(communities, key=lambda one: (one.level, one.members))


def _community(level: int, members: Sequence[str], parent: str = "") -> Community:
    ordered = tuple(sorted(members))
    return Community(digest("community", level, *ordered), level, parent, ordered)


def _graph(nodes: Sequence[str], edges: Sequence[tuple[str, str, float]]) -> tuple[list[str], dict[tuple[int, int], float]]:
    """The nodes that have an edge, and the summed weights of the pairs of their places, in order.

    They stand in the order of their digests: ties go by place, and along a row of names each would hang on the one before it.
    """
    known = set(nodes)
    weights: dict[tuple[str, str], float] = {}
    for pair, weight in sorted(((head, tail) if head < tail else (tail, head), weight) for head, tail, weight in edges):
        if not known.issuperset(pair):
            raise ValueError(f"an edge names an unknown node: {pair}")
        if weight > 0 and pair[0] != pair[1]:
            weights[pair] = weights.get(pair, 0.0) + weight
    names = sorted({name for pair in weights for name in pair}, key=lambda name: (digest("place", name), name))
    place = {name: index for index, name in enumerate(names)}
    ends = ((place[head], place[tail], weight) for (head, tail), weight in weights.items())
    return names, {(one, other): weight for one, other, weight in sorted((min(a, b), max(a, b), weight) for a, b, weight in ends)}
