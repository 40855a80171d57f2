"""The asset `governed_graph` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("edges_without_node", "Both ends of every edge are nodes."),
    Audit("elements_without_evidence", "Every node and edge is bound to at least one span of a document."),
    Audit("bindings_of_gone_chunks", "Every binding points into a living chunk."),
    Audit("bindings_beside_the_text", "The quote of every binding is what stands at its place."),
    Audit("edges_from_a_node_to_itself", "No merge made a statement speak of one entity twice."),
    Audit("edges_of_other_types", "The ends of every edge have types that its relation joins."),
    Audit("causes_without_a_cue", "Every cause is said to be one, in words, in each span it stands on."),
    Audit("quarantine_in_the_graph", "What was held or rejected is nowhere in the graph."),
    Audit("units_unaccounted_for", "Every unit that came in ended in one place: an edge, a value, a name, or quarantine with its reason."),
    Audit("decisions_twice", "Every decision has an id of its own."),
)


@product(after=["raw_graph", "document_profiles"], group="knowledge", kinds={"duckdb", "kuzu"}, checks=CHECKS)
def governed_graph(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """The graph after its gates: bound to evidence, typed, aligned by equal or declared names, consolidated (PAGE-RAG, section 2.3).

    Every act on a statement or node is a row with its reason, so it can be asked why something is in the graph, or is not (`pagerag show
    entity NAME`, `pagerag show decision ID`). What `governance.toml` of the home declares is applied here; `warnings` in the details names
    what of it matches nothing.
    """
    yield from kept_fresh(context, refresh, products.governed_graph, checks=CHECKS)
