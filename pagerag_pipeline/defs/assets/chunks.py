"""The asset `chunks` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("documents_without_chunks", "Every document with text was cut."),
    Audit("chunks_without_document", "No chunk outlives its document."),
    Audit("chunks_with_gaps", "The chunks of a document follow each other without gap or overlap."),
    Audit("chunks_without_text", "The text of every chunk is at hand."),
)


@product(after=["document_profiles"], group="text", kinds={"duckdb"}, checks=CHECKS)
def chunks(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """The documents cut along their structure, in three sizes of one table.

    A `chunk` has about 1,200 tokens and never crosses a section; a `passage` stands inside a chunk and fits the embedder's window; a `row`
    belongs to a table. `text` is the exact slice of the document, and the chunks of a document join to its text again. Boundaries are chosen from content, so
    an edit changes the chunks around it and no others.
    """
    yield from kept_fresh(context, refresh, products.chunks, checks=CHECKS)
