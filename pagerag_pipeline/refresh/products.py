"""The products, one function each, in flow order: where verbs meet ledger and stores. An asset calls one and reports; nothing else does."""

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pagerag_pipeline.models.tagger import parsed_languages
from pagerag_pipeline.refresh import around_entities, codes, documents, given, governing, handles, shape
from pagerag_pipeline.refresh import communities as community_products
from pagerag_pipeline.refresh import summary_tree as tree_products
from pagerag_pipeline.refresh.corpus_wide import Derived, derive
from pagerag_pipeline.refresh.ledger import Counts, bring_up_to_date, check_failures
from pagerag_pipeline.refresh.publish import product_states, publish
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.refresh.spent import accounted, embedding_total, run_total
from pagerag_pipeline.stores import knowledge, scan, work
from pagerag_pipeline.stores.governance import governance_text

RAW_TABLES = ("raw_nodes", "raw_edges", "raw_bindings", "graph_terms", "term_sentences")


def source_documents(session: Session) -> ProductReport:
    """Bind every file of the corpus folder to the documents it holds now."""
    begun = time.perf_counter()
    code = codes.ledger_code(documents.NAME, session.settings)
    scanned = documents.scan_corpus(session, code)
    added, changed, deleted = scan.changes(session.tables)
    found, files = work.ledger_state(session.tables, documents.NAME)
    failed = check_failures(session, documents.NAME, files)
    count = scan.document_count(session.tables)
    details = {
        "documents": count,
        "files": scanned.files,
        "files_read": scanned.read,
        "skipped": [list(pair) for pair in scanned.skipped],
        "notes": [list(pair) for pair in scan.parse_notes(session.tables)],
        "failures": [list(pair) for pair in failed],
        **({"recovered": session.recovered} if session.recovered else {}),
    }
    return ProductReport(
        product=documents.NAME,
        digest=found,
        rows=count,
        units=files,
        computed=scanned.parsed,
        reused=files - scanned.parsed - len(failed),
        failed=len(failed),
        seconds=time.perf_counter() - begun,
        added=added,
        changed=changed,
        deleted=deleted,
        details=details,
    )


@accounted
def document_profiles(session: Session) -> ProductReport:
    """Profile what is new or changed."""
    return _ledger_product(session, "document_profiles")


def chunks(session: Session) -> ProductReport:
    """Cut what is new or changed."""
    return _ledger_product(session, "chunks")


@accounted
def chunk_embeddings(session: Session) -> ProductReport:
    """Embed the texts that no memory holds."""
    return _ledger_product(session, "chunk_embeddings")


@accounted
def entity_records(session: Session) -> ProductReport:
    """Extract from the chunks that no memory holds, read their table rows, part them into passages around one entity.

    `without_parser` counts documents by language that rules alone can read.
    """
    report = around_entities.with_parts(session, _ledger_product(session, "entity_records"))
    if session.settings.extract.tagger == "rules":
        return report
    parsed = parsed_languages(session.settings.extract)
    by_rules = {language: count for language, count in scan.document_languages(session.tables).items() if language not in parsed}
    return replace(report, details={**report.details, **({"without_parser": by_rules} if by_rules else {})})


def raw_graph(session: Session) -> ProductReport:
    """Assemble the raw graph and the co-occurrence graph from the live extractions."""
    begun = time.perf_counter()
    derived = derive(
        session, "raw_graph", given=given.raw_graph(session), tables=RAW_TABLES, make=lambda: knowledge.assemble(session.tables)
    )
    silent = governing.silent_texts(session.tables, session.settings)
    details = {**work.table_counts(session.tables, RAW_TABLES), **({"texts_that_gave_nothing": silent} if silent else {})}
    return _corpus_report("raw_graph", derived, begun=begun, details=details)


@accounted
def governed_graph(session: Session) -> ProductReport:
    """Pass units through the gates, align and consolidate them into the governed graph, and embed what it and the records may be called."""
    begun = time.perf_counter()
    gates = _bring("unit_gates", session)
    failed = check_failures(session, "unit_gates", gates.units)
    overrides = governance_text(session.home)
    derived = derive(
        session,
        "governed_graph",
        given=given.governed_graph(session),
        tables=governing.TABLES,
        make=lambda: governing.govern(session.tables, overrides, session.settings.govern, ontology_text=session.ontology),
    )
    embedded = handles.bring_up_to_date(session)
    details: dict[str, Any] = {
        **work.table_counts(session.tables, governing.TABLES),
        "handles": handles.counts(session),
        "units_in_and_out": knowledge.unit_counts(session.tables),
        "acts": knowledge.act_counts(session.tables),
        **shape.bring_up_to_date(session),
        "warnings": governing.warnings(session.tables, overrides),
        "failures": [list(pair) for pair in failed],
    }
    return _corpus_report("governed_graph", derived, begun=begun, details=details, parts=(gates, embedded))


@accounted
def communities(session: Session) -> ProductReport:
    """Cluster the governed graph; report on every community whose members or evidence moved."""
    begun = time.perf_counter()
    clustered, reported, parts = community_products.bring_up_to_date(session)
    found, rows = product_states(session)["communities"]
    details = {
        **work.table_counts(session.tables, community_products.TABLES),
        "shape": community_products.shape(session),
        **shape.whole(session),
    }
    derived = Derived(found, rows, clustered.fresh or reported.fresh)
    return _corpus_report("communities", derived, begun=begun, details=details, parts=parts)


@accounted
def summary_tree(session: Session) -> ProductReport:
    """Summarize every group of chunks or summaries whose content moved, up to one root per document and one over all."""
    begun = time.perf_counter()
    derived, parts = tree_products.bring_up_to_date(session)
    details = {**work.table_counts(session.tables, tree_products.TABLES), "levels": tree_products.levels(session)}
    return _corpus_report("summary_tree", derived, begun=begun, details=details, parts=parts)


def hybrid_repository(session: Session) -> ProductReport:
    """Publish one generation of all stores, unless nothing moved."""
    begun = time.perf_counter()
    session.end_workers()
    published = publish(session)
    details: dict[str, Any] = {"generation": published.generation, "published": published.fresh, "peak_memory_mib": peak_memory_mib()}
    if spent := run_total(session):
        details["chat_run"] = spent
    if embedded := embedding_total(session):
        details["embedding_run"] = embedded
    if published.recovered:
        details["recovered"] = published.recovered
    derived = Derived(published.digest, published.rows, published.fresh)
    return _corpus_report("hybrid_repository", derived, begun=begun, details=details)


def peak_memory_mib() -> int:
    """The most memory that this process has held so far, in MiB, and beside it the most that any one of its ended workers has."""
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // unit


PRODUCT_FUNCTIONS: dict[str, Callable[[Session], ProductReport]] = {
    function.__name__: function
    for function in (
        source_documents,
        document_profiles,
        chunks,
        chunk_embeddings,
        entity_records,
        raw_graph,
        governed_graph,
        communities,
        summary_tree,
        hybrid_repository,
    )
}
"""In flow order."""


def refresh(session: Session) -> list[ProductReport]:
    """Bring all products up to date, in flow order."""
    return [function(session) for function in PRODUCT_FUNCTIONS.values()]


def _bring(name: str, session: Session) -> Counts:
    return bring_up_to_date(session, name, codes.ledger_code(name, session.settings, session.ontology))


def _ledger_product(session: Session, name: str) -> ProductReport:
    begun = time.perf_counter()
    counts = _bring(name, session)
    failed = check_failures(session, name, counts.units)
    found, bound = work.ledger_state(session.tables, name)
    return ProductReport(
        product=name,
        digest=found,
        rows=work.product_rows(session.tables, name),
        units=bound,
        computed=counts.computed,
        reused=counts.reused,
        failed=len(failed),
        seconds=time.perf_counter() - begun,
        details={"gone": counts.gone, "model_seconds": round(counts.seconds, 3), "failures": [list(pair) for pair in failed]},
    )


def _corpus_report(
    product: str, derived: Derived, *, begun: float, details: dict[str, Any], parts: tuple[Counts, ...] = ()
) -> ProductReport:
    return ProductReport(
        product=product,
        digest=derived.digest,
        rows=derived.rows,
        units=1 + sum(part.units for part in parts),
        computed=int(derived.fresh) + sum(part.computed for part in parts),
        reused=int(not derived.fresh) + sum(part.reused for part in parts),
        failed=sum(part.failed for part in parts),
        seconds=time.perf_counter() - begun,
        details=details,
    )
