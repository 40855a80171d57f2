"""How units are kept fresh: bind what is known, compute what is not, commit batch by batch. The same for every ledger."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pagerag_pipeline.models.endpoint.line import EmbeddingFault
from pagerag_pipeline.refresh import workers
from pagerag_pipeline.refresh.asked import is_asked
from pagerag_pipeline.refresh.asking import BELOW, ask_batches, batching
from pagerag_pipeline.refresh.embedding import GONE, Paid
from pagerag_pipeline.refresh.expecting import expect
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.stores import work
from pagerag_pipeline.stores.asked import ASKED_PAYLOAD, ASKED_WANTED, note_spending, spending_rows, todo_size
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
"""Which worker computes a ledger's units; `passage_records` are there only where a chat model makes them."""

_NONE = "SELECT * FROM ({wanted}) LIMIT 0"

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
    work.stage_wanted(session.tables, name, code, wanted(session, name))
    settled = work.settle(session.tables, name, code, session.generation)
    done = compute(session, name, code)
    return Counts(settled.wanted, done.computed, settled.unchanged + settled.remembered, done.failed, settled.gone, done.seconds)


def wanted(session: Session, name: str) -> str:
    """The query of what a ledger wants under the session's settings."""
    if is_asked(name, session.settings) and name in ASKED_WANTED:
        return ASKED_WANTED[name]
    return WANTED[name] if name in WANTED else _NONE.format(wanted=ASKED_WANTED[name])


class Computed(NamedTuple):
    """Memo keys computed, memo keys failed, and the workers' seconds."""

    computed: int
    failed: int
    seconds: float


def compute(session: Session, name: str, code: str, *, where: str = "true") -> Computed:
    """Compute the staged units of a ledger that no memory holds, batch by batch, each committed whole.

    Raises CeilingReached where a chat model is asked, and EmbeddingFault, once all that was under way came back, where the server that embeds is gone or has another model by now.
    """
    asked = is_asked(name, session.settings)
    knobs = session.settings.refresh
    sizes = batching(session) if asked else work.Batching(knobs.batch_units, knobs.batch_characters, knobs.max_attempts)
    batches = work.stage_todo(session.tables, name, ASKED_PAYLOAD[name] if asked else PAYLOAD.get(name, ""), batching=sizes, where=where)
    total = sum(count for _, count in batches)
    session.progress(name, 0, total)
    computed, failed, seconds = 0, 0, 0.0
    if not batches:
        return Computed(0, 0, 0.0)

    def told(done: int) -> None:
        session.progress(name, computed + failed + done, total)

    gone: list[work.UnitResult] = []
    tasks_out = _until_gone(_batches(session, name, batches), gone)
    for tasks, results in _asked(session, name, tasks_out) if asked else session.mapper.map(_function(name) or "", tasks_out, told=told):
        check_whole(name, [task["key"] for task in tasks], results)
        _note_embedding(session, name, results)
        gone += [result for result in results if result.error.startswith(GONE)]
        results = [result for result in results if not result.error.startswith(GONE)]
        work.commit(session.tables, name, results, code=code, generation=session.generation)
        failed += sum(1 for result in results if result.error)
        computed += sum(1 for result in results if not result.error)
        seconds += sum(result.seconds for result in results)
        session.progress(name, computed + failed, total)
    if gone:
        kept = f"{total - computed - failed:,} of {total:,} texts of {name} have no vector yet; those that came are kept, and the next refresh goes on from there."
        raise EmbeddingFault("transport", f"{gone[0].error.removeprefix(GONE)} {kept}", final=True)
    return Computed(computed, failed, seconds)


def _note_embedding(session: Session, name: str, results: Sequence[work.UnitResult]) -> None:
    """What an embeddings server was asked for these units, of failed ones too; in dollars where `[[chat.prices]]` names its model."""
    price = session.settings.chat.price_of(session.settings.embed.model)
    costs = [(r.key, replace(r.spent, usd=r.spent.prompt_tokens * price.input / 1_000_000 if price else 0.0)) for r in results if isinstance(r, Paid)]
    place, model = (session.run, name, ""), session.settings.embed.model
    note_spending(session.tables, [row for key, spent in costs for row in spending_rows(key, place, [("embeddings", model, spent)], kept=True)])


def _until_gone(batches: Iterator[list[dict[str, Any]]], gone: Sequence[work.UnitResult]) -> Iterator[list[dict[str, Any]]]:
    """Batches until some came back for which no server is there."""
    for tasks in batches:
        if gone:
            return
        yield tasks


def _function(name: str) -> str | None:
    return f"{workers.__name__}:{FUNCTIONS[name]}" if name in FUNCTIONS else None


def _asked(session: Session, name: str, batches: Iterator[list[dict[str, Any]]]) -> Iterator[tuple[list[dict[str, Any]], list[work.UnitResult]]]:
    """Units by a chat model, with what they are expected to cost noted before the first is asked for."""
    expected = expect(session.tables, session.settings, name, todo_size(session.tables))
    session.expected[name] = session.expected[name] + expected if name in session.expected else expected
    return ask_batches(session, name, batches, function=_function(name))


def open_failures(session: Session, name: str) -> int:
    """Failed units of a ledger that are to be tried again."""
    return work.open_failures(session.tables, name, session.settings.refresh.max_attempts)


def check_failures(session: Session, name: str, units: int) -> list[tuple[str, str]]:
    """The failed units of a ledger; raises TooManyFailures when those exceed the set share that failed by themselves."""
    failed = work.failures(session.tables, name)
    share = (session.settings.build if is_asked(name, session.settings) else session.settings.refresh).max_failed_share
    own = [pair for pair in failed if not pair[1].startswith(BELOW)]
    if own and len(own) > share * units:
        shown = "; ".join(f"{unit}: {error}" for unit, error in own[:_SHOWN])
        more = f" (and {len(own) - _SHOWN} more)" if len(own) > _SHOWN else ""
        raise TooManyFailures(f"{name}: {len(own)} of {units} units failed, more than the share of {share:g} allowed: {shown}{more}.")
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
