"""Code versions: the digest of all that shapes a product besides its inputs. Known without loading a model."""

from collections.abc import Callable

from pagerag_pipeline import fields, lexical
from pagerag_pipeline.indexing import (
    chunk,
    cluster,
    embed,
    entity_passages,
    extract,
    govern,
    ontology,
    parse,
    profile,
    report,
    row_records,
    summarize,
    table_rows,
    tree,
)
from pagerag_pipeline.models.embedder import embedder_fingerprint, tokenizer_fingerprint
from pagerag_pipeline.models.tagger import tagger_fingerprint
from pagerag_pipeline.schema import digest
from pagerag_pipeline.settings import Settings, slice_digest
from pagerag_pipeline.stores import entity_rows, export, knowledge, layout

_LEDGER_CODES: dict[str, Callable[[Settings], str]] = {
    "source_documents": lambda s: digest(parse.VERSION, slice_digest(s.parse)),
    "document_profiles": lambda s: digest(profile.VERSION, lexical.VERSION, slice_digest(s.profile)),
    "chunks": lambda s: digest(chunk.VERSION, table_rows.VERSION, slice_digest(s.chunk), tokenizer_fingerprint(s.embed)),
    "chunk_embeddings": lambda s: _embedding_code(s, "chunks"),
    "entity_records": lambda s: digest(extract.VERSION, lexical.VERSION, tagger_fingerprint(s.extract), ontology.ontology_fingerprint()),
    "row_records": lambda s: digest(row_records.VERSION, fields.VERSION, lexical.VERSION, ontology.ontology_fingerprint()),
    "entity_passages": lambda s: digest(entity_passages.VERSION, slice_digest(s.partition), tokenizer_fingerprint(s.embed)),
    "unit_gates": lambda s: _governing_code(s),
    "raw_graph": lambda s: digest(knowledge.VERSION, lexical.VERSION),
    "governed_graph": lambda s: digest(knowledge.VERSION, _governing_code(s)),
    "communities": lambda s: digest(cluster.VERSION, slice_digest(s.cluster)),
    "reports": lambda s: digest(report.VERSION, lexical.VERSION, slice_digest(s.summarize), tokenizer_fingerprint(s.embed)),
    "report_embeddings": lambda s: _embedding_code(s, "reports"),
    "summary_tree": lambda s: digest(tree.VERSION, slice_digest(s.summarize)),
    "summaries": lambda s: digest(summarize.VERSION, lexical.VERSION, slice_digest(s.summarize), tokenizer_fingerprint(s.embed)),
    "summary_embeddings": lambda s: _embedding_code(s, "summaries"),
    "hybrid_repository": lambda s: digest(export.VERSION, lexical.VERSION, fields.VERSION, layout.GENERATION_VERSION),
}

_PARTS = {
    "entity_records": entity_rows.LEDGERS,
    "governed_graph": ("unit_gates",),
    "communities": ("reports", "report_embeddings"),
    "summary_tree": ("summaries", "summary_embeddings"),
}
"""Ledgers that a product keeps beneath it."""


def ledger_code(name: str, settings: Settings) -> str:
    """Code version of one ledger or corpus-wide step: part of every memo key in it."""
    return _LEDGER_CODES[name](settings)


def code_version(product: str, settings: Settings) -> str:
    """Code version of a product with all that it keeps beneath it; shown in the UI, where a change makes the product stale."""
    return digest(*(ledger_code(name, settings) for name in (product, *_PARTS.get(product, ()))))


def _governing_code(settings: Settings) -> str:
    return digest(govern.VERSION, lexical.VERSION, slice_digest(settings.govern), ontology.ontology_fingerprint())


def _embedding_code(settings: Settings, what: str) -> str:
    return digest(embed.VERSION, lexical.VERSION, what, embedder_fingerprint(settings.embed))
