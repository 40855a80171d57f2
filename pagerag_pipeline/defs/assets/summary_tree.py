"""The asset `summary_tree` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("chunks_outside_the_tree", "Every chunk is a leaf."),
    Audit("summaries_without_children", "Every summary stands over something."),
    Audit("tree_quotes_of_gone_chunks", "Every quote of a summary points into a living chunk."),
)


@product(after=["chunks", "entity_records"], group="overview", kinds={"duckdb", "lancedb"}, checks=CHECKS)
def summary_tree(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """A tree of summaries over the chunks of each document, and one over the documents; extractive, every sentence a quote.

    Groups are chosen from content, so an edit changes about two summaries a level (E2GraphRAG's tree, with boundaries that hold still).
    """
    yield from kept_fresh(context, refresh, products.summary_tree, checks=CHECKS)
