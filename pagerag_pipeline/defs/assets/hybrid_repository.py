"""The asset `hybrid_repository` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products


@product(
    after=[
        "source_documents",
        "document_profiles",
        "chunks",
        "chunk_embeddings",
        "entity_records",
        "raw_graph",
        "governed_graph",
        "communities",
        "summary_tree",
    ],
    group="repository",
    kinds={"duckdb", "lancedb", "kuzu"},
)
def hybrid_repository(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """The published generation: text, graph, profiles and bindings in three stores, under one manifest (PAGE-RAG, section 2.1).

    Written beside the readers and switched to in one atomic step; before it, every binding and quote is compared with the text it claims
    to stand in. When nothing moved, the generation before stays current.
    """
    yield from kept_fresh(context, refresh, products.hybrid_repository)
