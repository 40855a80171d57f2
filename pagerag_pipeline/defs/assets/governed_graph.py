"""The asset `governed_graph` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("edges_without_node", "Both ends of every edge are nodes."),
    Audit("edges_without_evidence", "Every edge is bound to at least one span of a document."),
    Audit("bindings_of_gone_chunks", "Every binding points into a living chunk."),
)


@product(after=["raw_graph", "document_profiles"], group="knowledge", kinds={"duckdb", "kuzu"}, checks=CHECKS)
def governed_graph(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """The graph after its gates: bound to evidence, typed, aligned by equal or declared names, consolidated (PAGE-RAG, section 2.3).

    Every act on a statement or node is a row with its reason, so it can be asked why something is in the graph, or is not. What
    `governance.toml` of the home declares is applied here.
    """
    yield from kept_fresh(context, refresh, products.governed_graph, checks=CHECKS)
