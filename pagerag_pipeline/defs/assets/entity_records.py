"""The asset `entity_records` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("chunks_not_read", "Every chunk was read."),
    Audit("extractions_of_gone_chunks", "Nothing that was read outlives its chunk."),
)


@product(after=["chunks", "document_profiles"], group="knowledge", kinds={"duckdb"}, checks=CHECKS)
def entity_records(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """What was read in each chunk: terms and names by sentence, knowledge units, and records (entity, category, field, value).

    Each statement carries the quote that supports it. A record is an address of its passage, never evidence itself.
    """
    yield from kept_fresh(context, refresh, products.entity_records, checks=CHECKS)
