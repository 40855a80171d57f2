"""The asset `raw_graph` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("raw_edges_without_node", "Both ends of every edge are nodes."),
    Audit("raw_elements_without_evidence", "Every node and edge is bound to at least one span of a document."),
    Audit("raw_bindings_of_gone_chunks", "Every binding points into a living chunk."),
    Audit("units_lost_in_the_raw_graph", "Every statement that was read stands in it."),
    Audit("texts_that_gave_nothing", "Hardly any prose gave nothing at all (`govern.max_silent_share`): a reader that finds nothing has failed."),
)


@product(after=["entity_records"], group="knowledge", kinds={"duckdb"}, checks=CHECKS)
def raw_graph(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """All statements as read, joined by name: nodes, edges and their bindings to the text.

    Beside it, which terms stand together in sentences (E2GraphRAG, section 3.3). Nothing has been judged here yet.
    """
    yield from kept_fresh(context, refresh, products.raw_graph, checks=CHECKS)
