"""The `ensi` system (EnSI-RAG; systems, section 5): records as addresses of passages, plans over them, and what all that matches gives together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pagerag_pipeline.answering.computed import Computed
from pagerag_pipeline.retrieval.text import score_passages
from pagerag_pipeline.schema.asking import Evidence, Plan, Question, Scope, SourceSpan
from pagerag_pipeline.stores.record_index import Entry, RecordIndex, record_index
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.ablations import NO_ALL_MATCHING, NO_RECORDS
from pagerag_pipeline.systems.asking.record_plan import Names, ask_record_plan
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading, read, text_query
from pagerag_pipeline.systems.recorded.hops import Start, gather_nearest, gather_point
from pagerag_pipeline.systems.recorded.inventory import Inventory, take_inventory
from pagerag_pipeline.systems.recorded.meanings import Meanings
from pagerag_pipeline.systems.recorded.plan import RecordPlan
from pagerag_pipeline.systems.recorded.reading import plan_over_rows
from pagerag_pipeline.systems.recorded.vocabulary import Kind, kinds


def gather_ensi(question: Question, means: Means) -> Gathered:
    """Evidence for a question by its plan over records: the passages of one fact, or all that matches with what it gives together.

    An answer over all that matches goes to the gate with the rows it stands on; where field, value or period is unsure it is none.
    """
    run = means.clock.run
    reading = run("read", read, question, means)
    if NO_RECORDS in means.ablations:
        return run("match", gather_nearest, reading, means)
    index = run("index", record_index, means.repository, means.scope, means.ensi.granularity)
    meanings = Meanings(means)
    plan, steps = (None, ()) if NO_ALL_MATCHING in means.ablations else run("plan", _planned, question, index, meanings, means)
    if plan is None or plan.reach == "point":
        start = Start(plan if plan and plan.by == "model" else None, (*steps, *((plan.step,) if plan and plan.by == "rules" else ())))
        return run("match", gather_point, reading, index, meanings, means=means, start=start)
    inventory = run("inventory", take_inventory, plan, index)
    found = run("evidence", gather_inventory, reading, plan, inventory, index, means=means)
    return replace(found, trace=(*steps, *found.trace))


def _planned(question: Question, index: RecordIndex, meanings: Meanings, means: Means) -> tuple[RecordPlan | None, tuple[dict[str, Any], ...]]:
    """The plan of the rules where they read all of a question over all that matches, else a model's where one is asked, and a step where it gave none.

    A plan of None is that of a question of single facts, which rules plan by the entities it names.
    """
    held = means.repository.held(_fine_kinds if means.ensi.granularity == "fine" else _broad_kinds, means.scope)
    by_rules, asking = plan_over_rows(question, held, meanings, means), means.asking
    if asking is None or not asking.settings.record_plan or (by_rules is not None and not by_rules.missing):
        return by_rules, ()
    counting = by_rules is not None and by_rules.target != "list"
    plan = ask_record_plan(question, Names(index, held, counting), asking)
    if isinstance(plan, str):
        return by_rules, ({"step": "record_plan_call", "fallback": f"planned by rules: {asking.plan.name} gave no plan ({plan})"},)
    return plan, ()


def _fine_kinds(repository: Repository, scope: Scope) -> tuple[Kind, ...]:
    return kinds(record_index(repository, scope, "fine"))


def _broad_kinds(repository: Repository, scope: Scope) -> tuple[Kind, ...]:
    return kinds(record_index(repository, scope, "broad"))


def gather_inventory(reading: Reading, plan: RecordPlan, inventory: Inventory, index: RecordIndex, *, means: Means) -> Gathered:
    """All rows that were looked at as evidence, in batches within the budget each, and what they give together.

    The batches may hold more than the budget in all: what is worked out over every row cannot be cut to some. The trace tells how much was read.
    """
    budget = means.ensi.batch_tokens if means.budget is None else means.budget
    found = _rows(inventory.entries, reading, means)
    batches = _batches(found, budget)
    evidence = tuple(replace(item, label=f"E{number}") for number, item in enumerate((item for batch in batches for item in batch), 1))
    spans = tuple(SourceSpan(e.document, e.chunk_id, e.start, e.end, e.quote) for e in _distinct(inventory.standing))
    why = "; ".join((*plan.why, *inventory.notes, f"{inventory.matched} rows qualify, of {inventory.entities} entities"))
    confidence = means.ensi.computed_confidence if inventory.answer else 0.0
    computed = Computed(inventory.answer, spans, confidence, why, inventory.missing)
    told = Plan({"reach": plan.reach, "target": plan.target}, ("records",), {"tokens": budget, "batches": len(batches)}, plan.why)
    tokens = sum(item.tokens for item in found)
    step: dict[str, Any] = {
        "step": "inventory", "rows": inventory.matched, "entities": inventory.entities, "rows_read": len(found), "tokens_read": tokens,
        "batches": len(batches), "batch_tokens": budget, "over_budget": tokens > budget, "missing": inventory.missing, "notes": list(inventory.notes),
    }  # fmt: skip
    ranked = tuple(found)
    if not found:
        # What was looked at is told of a refusal too.
        point = gather_point(reading, index, Meanings(means), means=means)
        ranked, evidence = point.ranked, point.evidence
    return Gathered(reading, told, ranked, evidence, (plan.step, step), computed=computed)


def _rows(entries: Sequence[Entry], reading: Reading, means: Means) -> list[Evidence]:
    """The rows of these records as evidence, in document order, each with its scores by text."""
    passages = means.repository.passages_by_id(sorted({entry.passage_id for entry in entries}), means.scope)
    scored = score_passages(passages, text_query(reading, means), means.repository, known={}, dense_weight=means.retrieve.dense_weight) if passages else []
    return sorted(scored, key=lambda item: (item.spans[0].document, item.spans[0].start))


def _batches(found: Sequence[Evidence], budget: int) -> list[list[Evidence]]:
    """The items in order, in as few batches within the budget as their order allows; nothing is left out."""
    batches: list[list[Evidence]] = []
    used = 0
    for item in found:
        if not batches or used + item.tokens > budget:
            batches.append([])
            used = 0
        batches[-1].append(item)
        used += item.tokens
    return batches


def _distinct(entries: Sequence[Entry]) -> list[Entry]:
    """One record a row."""
    return list({(entry.document, entry.start, entry.end): entry for entry in entries}.values())
