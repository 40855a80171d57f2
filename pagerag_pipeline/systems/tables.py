"""Tables among evidence: the headers of those that a passage continues, and questions over all rows of one, which quotes do not answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pagerag_pipeline.retrieval.evidence import passage_evidence
from pagerag_pipeline.schema.asking import Evidence, Question, Scope
from pagerag_pipeline.stores.record_index import row_index
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.ablations import NO_ALL_MATCHING
from pagerag_pipeline.systems.ensi import gather_inventory
from pagerag_pipeline.systems.gathering import Gathered, Means
from pagerag_pipeline.systems.recorded import cues
from pagerag_pipeline.systems.recorded.inventory import take_inventory
from pagerag_pipeline.systems.recorded.meanings import Meanings
from pagerag_pipeline.systems.recorded.reading import plan_over_rows
from pagerag_pipeline.systems.recorded.vocabulary import Kind, kinds

_CELL_MARKS = (" |", "| ", "\t")


def rows_begun(evidence: Sequence[Evidence], means: Means) -> tuple[Evidence, ...]:
    """The rows at which texts and quotes of the evidence begin that show lines of a table: its header stands before them, in the rows' context."""
    spans = [span for item in evidence for span in item.spans if any(mark in span.quote for mark in _CELL_MARKS)]
    rows = [passage for passage in means.repository.passages_at(spans, means.scope) if passage.kind == "row"] if spans else []
    return tuple(passage_evidence([row], 0.0, tokenizer=means.tokenizer) for row in rows)


def over_tables(question: Question, gathered: Gathered, means: Means) -> Gathered:
    """What was gathered; for a question over all rows of a table, whose every word is understood, with what they give together or that nothing was.

    Where the tables hold no such rows, or do not say what a word of the question means, quotes are left to answer or not.
    """
    asks = any(pattern.search(question.text) for pattern in (cues.COUNT, cues.LIST, cues.JOINED))
    if not asks or gathered.computed is not None or NO_ALL_MATCHING in means.ablations or not any(item.kind == "row" for item in gathered.ranked):
        return gathered
    plan = plan_over_rows(question, means.repository.held(_kinds, means.scope), Meanings(means), means)
    if plan is None or plan.missing:
        return gathered
    if means.answer.over_tables == "compute":
        index = row_index(means.repository, means.scope)
        found = gather_inventory(gathered.reading, plan, take_inventory(plan, index), index, means=means)
        return replace(gathered, evidence=found.evidence, computed=found.computed, trace=(*gathered.trace, *found.trace))
    kind = plan.hops[0].anchor.type
    unread = f"it asks over all rows of {kind}, of which only some were read; the system ensi works it out over all of them"
    step: dict[str, Any] = {"step": "tables", "asks": plan.target, "over": kind, "why": unread}
    return replace(gathered, unread=unread, trace=(*gathered.trace, step))


def _kinds(repository: Repository, scope: Scope) -> tuple[Kind, ...]:
    return kinds(row_index(repository, scope))
