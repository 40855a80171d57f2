"""Code versions: the digest of all that shapes a product besides its inputs. Known without loading a model."""

from collections.abc import Callable
from dataclasses import replace

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
from pagerag_pipeline.indexing.asking import describe
from pagerag_pipeline.models.embedder import embedder_fingerprint, tokenizer_fingerprint
from pagerag_pipeline.models.tagger import tagger_fingerprint
from pagerag_pipeline.refresh.asked import asked_code
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings, SummarizeSettings, slice_digest
from pagerag_pipeline.stores import entity_rows, export, handles, knowledge, layout, shape

_LEDGER_CODES: dict[str, Callable[[Settings, str], str]] = {
    "source_documents": lambda s, o: digest(parse.VERSION, slice_digest(s.parse)),
    "document_profiles": lambda s, o: digest(profile.VERSION, lexical.VERSION, slice_digest(s.profile)),
    "chunks": lambda s, o: digest(chunk.VERSION, table_rows.VERSION, slice_digest(s.chunk), tokenizer_fingerprint(s.embed)),
    "chunk_embeddings": lambda s, o: _embedding_code(s, "chunks"),
    "entity_records": lambda s, o: digest(extract.VERSION, lexical.VERSION, tagger_fingerprint(s.extract), ontology.ontology_fingerprint(o)),
    "row_records": lambda s, o: digest(row_records.VERSION, fields.VERSION, lexical.VERSION, ontology.ontology_fingerprint(o)),
    "entity_passages": lambda s, o: digest(entity_passages.VERSION, slice_digest(s.partition), tokenizer_fingerprint(s.embed)),
    "passage_records": lambda s, o: digest(fields.VERSION, lexical.VERSION),
    "unit_gates": lambda s, o: _governing_code(s, o),
    "raw_graph": lambda s, o: digest(knowledge.VERSION, lexical.VERSION),
    "governed_graph": lambda s, o: digest(knowledge.VERSION, _governing_code(s, o)),
    "handles": lambda s, o: digest(handles.VERSION, lexical.VERSION),
    "handle_embeddings": lambda s, o: _embedding_code(s, "handles"),
    "graph_shape": lambda s, o: digest(shape.VERSION, lexical.VERSION, cluster.VERSION, slice_digest(s.cluster)),
    "communities": lambda s, o: digest(cluster.VERSION, slice_digest(s.cluster)),
    "reports": lambda s, o: digest(report.VERSION, lexical.VERSION, _telling(s), tokenizer_fingerprint(s.embed)),
    "report_embeddings": lambda s, o: _embedding_code(s, "reports"),
    "descriptions": lambda s, o: digest(describe.VERSION, tokenizer_fingerprint(s.embed)),
    "summary_tree": lambda s, o: digest(tree.VERSION, slice_digest(s.summarize)),
    "summaries": lambda s, o: digest(summarize.VERSION, lexical.VERSION, _telling(s), tokenizer_fingerprint(s.embed)),
    "summary_embeddings": lambda s, o: _embedding_code(s, "summaries"),
    "hybrid_repository": lambda s, o: digest(export.VERSION, lexical.VERSION, fields.VERSION, layout.GENERATION_VERSION),
}

PARTS = {
    "entity_records": entity_rows.LEDGERS,
    "governed_graph": ("unit_gates", "handles", "handle_embeddings"),
    "communities": ("graph_shape", "descriptions", "reports", "report_embeddings"),
    "summary_tree": ("summaries", "summary_embeddings"),
}
"""Ledgers and corpus-wide steps that a product keeps beneath it."""


def ledger_code(name: str, settings: Settings, ontology_text: str = "") -> str:
    """Code version of one ledger or corpus-wide step: part of every memo key in it.

    Where a chat model computes it, also the model, its prompts and what else shapes what it is asked; so what was made without one is found again
    when it is switched off. `ontology_text` is the ontology of the home, empty for the shipped one. Raises OntologyError where it shapes the ledger.
    """
    code, asked = _LEDGER_CODES[name](settings, ontology_text), asked_code(name, settings)
    return digest(code, asked, ontology.ontology_fingerprint(ontology_text)) if asked else code


def code_version(product: str, settings: Settings, ontology_text: str = "") -> str:
    """Code version of a product with all that it keeps beneath it; shown in the UI, where a change makes the product stale."""
    return digest(*(ledger_code(name, settings, ontology_text) for name in (product, *PARTS.get(product, ()))))


def _governing_code(settings: Settings, ontology_text: str) -> str:
    return digest(govern.VERSION, lexical.VERSION, slice_digest(settings.govern), ontology.ontology_fingerprint(ontology_text))


def _telling(settings: Settings) -> str:
    """What of the settings a summary or a report reads: not where groups of the tree close, which decides what is told, not how."""
    shape = SummarizeSettings()
    return slice_digest(replace(settings.summarize, grouping=shape.grouping, force_root=shape.force_root))


def _embedding_code(settings: Settings, what: str) -> str:
    return digest(embed.VERSION, lexical.VERSION, what, embedder_fingerprint(settings.embed))
