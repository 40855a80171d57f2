"""The asset `chunk_embeddings` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("passages_without_vector", "Every passage and row has a vector."),
)


@product(after=["chunks"], group="vectors", kinds={"duckdb", "lancedb"}, checks=CHECKS)
def chunk_embeddings(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """A unit vector, the signs of the tokens' vectors and the search terms of every distinct passage and row, as embedded with its title and section path.

    Equal texts share one vector, wherever they stand. A longer text has the score of its best passage.
    """
    yield from kept_fresh(context, refresh, products.chunk_embeddings, checks=CHECKS)
