"""The asset `document_profiles` and its checks."""

import dagster as dg

from pagerag_pipeline.defs.checks import Audit
from pagerag_pipeline.defs.product import Results, kept_fresh, product
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.refresh import products

CHECKS = (
    Audit("documents_without_profile", "Every document has a profile."),
    Audit("profiles_without_document", "No profile outlives its document."),
    Audit("sections_with_gaps", "The sections of a document follow each other without gap or overlap."),
)


@product(after=["source_documents"], group="text", kinds={"duckdb"}, checks=CHECKS)
def document_profiles(context: dg.AssetExecutionContext, refresh: RefreshResource) -> Results:
    """What kind of text each document is: form, mode, topics, language, structure and the boundary of its scope (PAGE-RAG, section 2.2).

    A profile steers how a document is cut, read and searched. It is a control signal, never evidence.
    """
    yield from kept_fresh(context, refresh, products.document_profiles, checks=CHECKS)
