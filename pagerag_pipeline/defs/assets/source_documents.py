"""The asset `source_documents` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products


@product(after=["corpus_folder"], group="text", kinds={"duckdb"})
def source_documents(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """Every document of the corpus folder as normalized text with the layout that its format declares.

    One file is one document, or holds many (`.jsonl`, `.csv`, `.parquet`). A file is read again when its size or time of change moved, and
    parsed again when its bytes did; files that gave no document are listed with the reason. A listing that lost too much at once stops the
    refresh before anything changes.
    """
    yield from kept_fresh(context, refresh, products.source_documents)
    if refresh.listing:
        context.log_event(dg.AssetObservation("corpus_folder", tags={"dagster/data_version": refresh.listing}))
