"""The last step: one generation of all three stores, written beside the readers and switched to atomically."""

import dataclasses
import logging
from pathlib import Path
from typing import Any, NamedTuple

from pagerag_pipeline.models.embedder import confirm_embedder, embedder_fingerprint, known_probe
from pagerag_pipeline.models.endpoint.line import EmbeddingFault
from pagerag_pipeline.models.tagger import tagger_fingerprint
from pagerag_pipeline.refresh import around_entities, codes, given, governing
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.stores import description_rows, generations, layout, locks, soundness, work
from pagerag_pipeline.stores.damaged import told_if_full
from pagerag_pipeline.stores.export import export_generation
from pagerag_pipeline.stores.governance import governance_text
from pagerag_pipeline.stores.graph import build_graph
from pagerag_pipeline.stores.knowledge import graph_frames
from pagerag_pipeline.stores.refreshed import Refreshed, write_refreshed
from pagerag_pipeline.stores.vector_sync import sync_vectors

LOGGER = logging.getLogger(__name__)

*BEFORE, LAST = layout.PRODUCTS
LEDGER_PRODUCTS = tuple(name for name in BEFORE if name in layout.LEDGERS)
TABLE_PRODUCTS = tuple(name for name in BEFORE if name not in layout.LEDGERS)


class OutOfStep(RuntimeError):
    """Products that do not belong together; the message says which to materialize."""


class Published(NamedTuple):
    """What a publish left."""

    generation: str
    fresh: bool
    """Whether a new generation was written; false when nothing moved."""
    digest: str
    rows: int
    """Rows over all tables of the generation."""
    recovered: str = ""
    """Why the generation before could not stay although nothing moved; empty when it could."""


def product_states(session: given.Standing) -> dict[str, tuple[str, int]]:
    """(digest, rows) of every product before the last, from the work file: the rows that its report counts."""
    states = {name: (work.ledger_state(session.tables, name)[0], work.product_rows(session.tables, name)) for name in LEDGER_PRODUCTS}
    for name in TABLE_PRODUCTS:
        found = work.product_state(session.tables, name)
        states[name] = (found[1], found[2]) if found else ("", 0)
    states[around_entities.NAME] = (around_entities.state(session.tables)[0], states[around_entities.NAME][1])
    reports = work.product_state(session.tables, "reports")
    head, rows = states["communities"]
    described = [work.ledger_state(session.tables, description_rows.LEDGER)[0]] if description_rows.is_any(session.tables) else []
    states["communities"] = (digest(head, reports[1] if reports else "", *described), rows)
    return states


def whole_digest(session: given.Standing, states: dict[str, tuple[str, int]]) -> str:
    """Digest of the last product, of the states of all others and of its own code."""
    return digest(*(f"{name}={value}" for name, (value, _) in sorted(states.items())), codes.ledger_code(LAST, session.settings))


def is_published(session: given.Standing) -> bool:
    """Whether the current generation is sound and holds what the work file holds: a publish would leave it as it is."""
    former = soundness.former(session.home).manifest
    whole = whole_digest(session, product_states(session))
    return former is not None and former.products.get(LAST, {}).get("digest") == whole and not given.out_of_step(session)


def publish(session: Session) -> Published:
    """Publish what the work file holds, unless the current generation holds it already.

    Raises OutOfStep, export.AuditError, and EmbeddingFault where another embedding model answers by now than the one that made the vectors: no question could be asked of them.
    """
    stale = given.out_of_step(session)
    if stale:
        raise OutOfStep(f"{', '.join(stale)}: derived from other documents than those indexed now. Materialize all products (job refresh_corpus).")
    states = product_states(session)
    whole = whole_digest(session, states)
    found = soundness.former(session.home)
    former = found.manifest
    if former is not None and former.products.get(LAST, {}).get("digest") == whole:
        if found.rows_read:
            soundness.seal_vectors(session.home)
        _mark(session, former.generation)
        return Published(former.generation, False, whole, int(former.products[LAST]["rows"]))
    _confirm(session)
    with told_if_full(session.home):
        rows = _write_generation(session, states, whole, found=found)
        _mark(session, session.generation)
        generations.collect(session.home, session.settings.store.keep_generations, session.vectors)
        soundness.seal_vectors(session.home)
    told = f"The generation before could not stay: {' '.join(found.faults)} All of it was published anew." if found.faults else ""
    return Published(session.generation, True, whole, rows, told)


def _confirm(session: Session) -> None:
    try:
        confirm_embedder(session.settings.embed)
    except EmbeddingFault as fault:
        if fault.final:
            raise
        LOGGER.warning("Published without asking the embeddings server again, every vector having been checked when it came: %s", fault)


def _write_generation(session: Session, states: dict[str, tuple[str, int]], whole: str, *, found: soundness.Former) -> int:
    session.progress(LAST, 0, 4)
    code = codes.ledger_code("chunk_embeddings", session.settings)
    sync_vectors(session.tables, session.vectors, fingerprint=code, anew=found.vectors)
    session.progress(LAST, 1, 4)
    staging = generations.new_staging(session.home, session.generation)
    counts = export_generation(session.tables, staging / generations.TABLES_FILE)
    session.progress(LAST, 2, 4)
    _graph(session, staging, states["governed_graph"][0], former=found.manifest)
    session.progress(LAST, 3, 4)
    session.vectors.tag(session.generation)
    versions = session.vectors.versions()
    total = sum(counts.values())
    products: dict[str, dict[str, Any]] = {name: {"digest": value, "rows": rows} for name, (value, rows) in states.items()}
    products[LAST] = {"digest": whole, "rows": total}
    generations.publish(session.home, _manifest(session, products, versions), staging)
    session.progress(LAST, 4, 4)
    return total


def _graph(session: Session, staging: Path, found: str, *, former: generations.Manifest | None) -> None:
    target = staging / generations.GRAPH_FILE
    if former is not None and former.products.get("governed_graph", {}).get("digest") == found:
        if generations.link_from(session.home, former.generation, generations.GRAPH_FILE, target):
            return
    nodes, edges = graph_frames(session.tables)
    build_graph(target, nodes, edges, session.settings.store)


def _manifest(session: Session, products: dict[str, dict[str, Any]], versions: dict[str, int]) -> generations.Manifest:
    settings = session.settings
    return generations.Manifest(
        generation=session.generation,
        created=locks.now(),
        corpus_digest=session.corpus_digest,
        products=products,
        vectors=versions,
        seals=soundness.vector_seals(session.home, versions),
        settings=dataclasses.asdict(settings),
        fingerprints={"embedder": embedder_fingerprint(settings.embed), "tagger": tagger_fingerprint(settings.extract), **known_probe(settings.embed)},
        engines=generations.engine_versions(),
    )


def _mark(session: Session, generation: str) -> None:
    if session.corpus_digest:
        warnings = tuple(governing.warnings(session.tables, governance_text(session.home)))
        write_refreshed(session.home, Refreshed(session.corpus_digest, generation, locks.now(), warnings))
