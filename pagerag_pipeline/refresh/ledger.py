"""How units are kept fresh: bind what is known, compute what is not, commit batch by batch. The same for every ledger."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pagerag_pipeline.refresh import workers
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.stores import work
from pagerag_pipeline.stores.wanted import PAYLOAD, WANTED

LOGGER = logging.getLogger(__name__)

FUNCTIONS = {
    "document_profiles": "profile_batch",
    "chunks": "chunk_batch",
    "chunk_embeddings": "embed_batch",
    "entity_records": "extract_batch",
    "unit_gates": "gate_batch",
    "report_embeddings": "embed_batch",
    "summary_embeddings": "embed_batch",
}
"""Which worker computes a ledger's units."""

_SHOWN = 5


class TooManyFailures(RuntimeError):
    """A ledger whose failed units exceed the set share; the message names the first. What succeeded is kept."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What a pass over a ledger did, in units (`computed` and `failed` count memo keys: equal inputs are computed once)."""

    units: int
    computed: int
    reused: int
    failed: int
    gone: int
    seconds: float


def bring_up_to_date(session: Session, name: str, code: str) -> Counts:
    """Make a ledger hold what is wanted now, and nothing else. Raises TooManyFailures after committing what succeeded."""
    tables = session.tables
    knobs = session.settings.refresh
    work.stage_wanted(tables, name, code, WANTED[name])
    settled = work.settle(tables, name, code, session.generation)
    batches = work.stage_todo(
        tables, name, payload=PAYLOAD[name], units=knobs.batch_units, weight=knobs.batch_characters, attempts=knobs.max_attempts
    )
    total = sum(count for _, count in batches)
    session.progress(name, 0, total)
    computed = 0
    failed = 0
    seconds = 0.0
    if batches:
        tasks = _batches(session, name, batches)
        for _, results in session.mapper.map(f"{workers.__name__}:{FUNCTIONS[name]}", tasks):
            work.commit(tables, name, results, code=code, generation=session.generation)
            failed += sum(1 for result in results if result.error)
            computed += sum(1 for result in results if not result.error)
            seconds += sum(result.seconds for result in results)
            session.progress(name, computed + failed, total)
    return Counts(settled.wanted, computed, settled.unchanged + settled.remembered, failed, settled.gone, seconds)


def check_failures(session: Session, name: str, units: int) -> list[tuple[str, str]]:
    """The failed units of a ledger; raises TooManyFailures when they exceed the set share."""
    failed = work.failures(session.tables, name)
    share = session.settings.refresh.max_failed_share
    if failed and len(failed) > share * units:
        shown = "; ".join(f"{unit}: {error}" for unit, error in failed[:_SHOWN])
        more = f" (and {len(failed) - _SHOWN} more)" if len(failed) > _SHOWN else ""
        raise TooManyFailures(f"{name}: {len(failed)} of {units} units failed, more than the share of {share:g} allowed: {shown}{more}.")
    return failed


def _batches(session: Session, name: str, batches: list[tuple[int, int]]) -> Iterator[list[dict[str, Any]]]:
    for batch, _ in batches:
        yield work.todo_batch(session.tables, name, batch)
