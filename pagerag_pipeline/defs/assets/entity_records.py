"""The asset `entity_records` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("chunks_not_read", "Every chunk was read."),
    Audit("chunks_not_parted", "Every chunk that was read was parted into passages around an entity."),
    Audit("entity_passages_with_gaps", "Those passages follow each other through every chunk without gap or overlap."),
    Audit("rows_not_read", "Every row of a table with a header was read."),
    Audit("extractions_of_gone_chunks", "Nothing that was read outlives its chunk."),
)


@product(after=["chunks", "document_profiles"], group="knowledge", kinds={"duckdb"}, checks=CHECKS)
def entity_records(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """What was read in each chunk: terms and names by sentence, knowledge units, records (entity, category, field, value) of sentences and table rows.

    Each statement carries the quote that supports it. A record is an address of its passage, never evidence itself. Passages around one main
    entity (kind `entity` of a generation's chunks) part each chunk from its beginning to its end.
    """
    yield from kept_fresh(context, refresh, products.entity_records, checks=CHECKS)
