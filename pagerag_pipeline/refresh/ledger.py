"""How units are kept fresh: bind what is known, compute what is not, commit batch by batch. The same for every ledger."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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
    "row_records": "read_rows_batch",
    "entity_passages": "partition_batch",
    "unit_gates": "gate_batch",
    "handle_embeddings": "embed_batch",
    "reports": "report_batch",
    "report_embeddings": "embed_batch",
    "summaries": "summarize_batch",
    "summary_embeddings": "embed_batch",
}
"""Which worker computes a ledger's units."""

_SHOWN = 5


class TooManyFailures(RuntimeError):
    """A ledger whose failed units exceed the set share; the message names the first. What succeeded is kept."""


class LostUnits(RuntimeError):
    """Batches that came back with other units than they went out with; nothing is published from them."""


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
    """Make a ledger hold what is wanted now, and nothing else; failed units are bound as failed."""
    work.stage_wanted(session.tables, name, code, WANTED[name])
    settled = work.settle(session.tables, name, code, session.generation)
    done = compute(session, name, code)
    return Counts(settled.wanted, done.computed, settled.unchanged + settled.remembered, done.failed, settled.gone, done.seconds)


class Computed(NamedTuple):
    """Memo keys computed, memo keys failed, and the workers' seconds."""

    computed: int
    failed: int
    seconds: float


def compute(session: Session, name: str, code: str, *, where: str = "true") -> Computed:
    """Compute the staged units of a ledger that no memory holds, batch by batch, each committed whole."""
    knobs = session.settings.refresh
    batching = work.Batching(knobs.batch_units, knobs.batch_characters, knobs.max_attempts)
    batches = work.stage_todo(session.tables, name, PAYLOAD[name], batching=batching, where=where)
    total = sum(count for _, count in batches)
    session.progress(name, 0, total)
    computed, failed, seconds = 0, 0, 0.0
    if not batches:
        return Computed(0, 0, 0.0)

    def told(done: int) -> None:
        session.progress(name, computed + failed + done, total)

    for tasks, results in session.mapper.map(f"{workers.__name__}:{FUNCTIONS[name]}", _batches(session, name, batches), told=told):
        check_whole(name, [task["key"] for task in tasks], results)
        work.commit(session.tables, name, results, code=code, generation=session.generation)
        failed += sum(1 for result in results if result.error)
        computed += sum(1 for result in results if not result.error)
        seconds += sum(result.seconds for result in results)
        session.progress(name, computed + failed, total)
    return Computed(computed, failed, seconds)


def check_failures(session: Session, name: str, units: int) -> list[tuple[str, str]]:
    """The failed units of a ledger; raises TooManyFailures when they exceed the set share."""
    failed = work.failures(session.tables, name)
    share = session.settings.refresh.max_failed_share
    if failed and len(failed) > share * units:
        shown = "; ".join(f"{unit}: {error}" for unit, error in failed[:_SHOWN])
        more = f" (and {len(failed) - _SHOWN} more)" if len(failed) > _SHOWN else ""
        raise TooManyFailures(f"{name}: {len(failed)} of {units} units failed, more than the share of {share:g} allowed: {shown}{more}.")
    return failed


def check_whole(name: str, asked: Sequence[str], results: Sequence[work.UnitResult]) -> None:
    """Every unit that went out came back, and no other. Raises LostUnits."""
    told = [result.key for result in results]
    if sorted(asked) != sorted(told):
        lost = sorted(set(asked) - set(told))
        more = sorted(set(told) - set(asked))
        raise LostUnits(f"{name}: {len(asked)} units went out, {len(told)} came back; missing {lost[:_SHOWN]}, unknown {more[:_SHOWN]}.")


def _batches(session: Session, name: str, batches: list[tuple[int, int]]) -> Iterator[list[dict[str, Any]]]:
    for batch, count in batches:
        tasks = work.todo_batch(session.tables, name, batch)
        if len(tasks) != count:
            raise LostUnits(f"{name}: {count} units were to go out, {len(tasks)} have all that they read.")
        yield tasks
