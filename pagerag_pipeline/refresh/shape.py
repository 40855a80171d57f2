"""The shape of the graph before and after governing: figures of both, and what each gate took."""

from typing import Any

from pagerag_pipeline.indexing.cluster import cluster
from pagerag_pipeline.indexing.shape import graph_shape
from pagerag_pipeline.refresh import given
from pagerag_pipeline.refresh.corpus_wide import derive
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings import ClusterSettings
from pagerag_pipeline.stores import shape
from pagerag_pipeline.stores.tables import Tables

NAME = "graph_shape"
MOST_CLUSTERED = 60_000
"""Edges of the largest raw graph that is clustered, for its number of communities alone: 500,000 take 20 s, a novel has some 5,000."""


def bring_up_to_date(session: Session) -> dict[str, Any]:
    """Measure both graphs if one of them moved, and tell it: `graph`, the figures by graph, and `removed`, what was taken by gate and reason."""
    derive(
        session,
        NAME,
        given=given.graph_shape(session),
        tables=shape.TABLES,
        make=lambda: measure(session.tables, session.settings.cluster),
    )
    return {"graph": shape.figures(session.tables), "removed": shape.losses(session.tables)}


def measure(tables: Tables, settings: ClusterSettings) -> None:
    """Fill the tables of the report from the graphs that have nodes; communities of the raw one only where they are cheap."""
    figures: dict[str, dict[str, float]] = {}
    for graph in shape.GRAPHS:
        found = shape.numbered(tables, graph)
        if not found.names:
            continue
        figures[graph] = graph_shape(len(found.names), found.edges, walked=found.walked).figures()
        if graph == "raw" and len(found.edges) <= MOST_CLUSTERED:
            figures[graph] |= _communities(found, settings)
    shape.write_shape(tables, figures)


def whole(session: Session) -> dict[str, Any]:
    """The same with the communities of the governed graph, once they are there."""
    return {**bring_up_to_date(session), "graph": shape.with_communities(session.tables)}


def _communities(graph: shape.Numbered, settings: ClusterSettings) -> dict[str, float]:
    edges = [(graph.names[head], graph.names[tail], weight) for (head, tail), weight in zip(graph.edges.tolist(), graph.weights.tolist(), strict=True)]
    sizes: dict[int, list[int]] = {0: [], 1: []}
    for one in cluster(graph.names, edges, settings):
        sizes[one.level].append(len(one.members))
    return {"communities": len(sizes[0]), "largest_community": max(sizes[0], default=0), "leaf_communities": len(sizes[1])}
