"""The asset `communities` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("members_without_node", "Every member is a node of the graph."),
    Audit("nodes_without_community", "Every node with an edge belongs to a community of every level."),
    Audit("nodes_twice_on_a_level", "No node belongs to two communities of one level."),
    Audit("communities_in_pieces", "Every community is connected by edges between its members."),
    Audit("report_quotes_of_gone_chunks", "Every quote of a report points into a living chunk."),
)


@product(after=["governed_graph", "chunks"], group="overview", kinds={"duckdb", "lancedb"}, checks=CHECKS)
def communities(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """Groups of entities that belong together, on several levels, each of a fair size with a report in quotes.

    Level 0 is the coarsest. Every entity with an edge stands in one community of every level. The same graph gives the same communities,
    a change of it moves those near the change, and a report whose members and evidence did not move is kept. `shape` counts communities of one
    member, which stand beside full ones, those too small for a report, and the evidence that found no place in one.
    """
    yield from kept_fresh(context, refresh, products.communities, checks=CHECKS)
