"""The `page` system (PAGE-RAG, section 2.4): profile the question, route it to operators, keep text as the floor, pack to a budget."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.retrieval.community import retrieve_reports
from pagerag_pipeline.retrieval.neighborhood import GraphQuery, retrieve_neighborhood
from pagerag_pipeline.retrieval.path import retrieve_paths
from pagerag_pipeline.retrieval.records import retrieve_records
from pagerag_pipeline.retrieval.rerank import rerank
from pagerag_pipeline.retrieval.text import retrieve_text
from pagerag_pipeline.retrieval.tree import retrieve_summaries
from pagerag_pipeline.schema import Evidence, Plan, Question
from pagerag_pipeline.stores.repository import Linked, Passage
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading, read
from pagerag_pipeline.systems.packing import Packed, cut_to_budget, pack
from pagerag_pipeline.systems.routing import longest_links, name_candidates, pointed_at, profile_question, route

STRICT_WIDTH = 2
"""How much wider the text pool is for a question near the boundary."""
MOST_OTHERS = 0.4
"""Share of the budget that graph items and summaries may take: the rest stays with text."""


def gather_page(question: Question, means: Means) -> Gathered:
    """Evidence for a question by the operators that it needs; the text operator is in every plan."""
    knobs = means.settings.retrieve
    reading = read(question, means)
    linked = link(question.text, means)
    profile = profile_question(reading, linked, adjacent=_adjacent(linked, means))
    plan = route(profile, knobs, budget=means.budget)
    strict = profile.boundary >= means.settings.answer.strict_boundary
    if strict:
        knobs = replace(knobs, pool=knobs.pool * STRICT_WIDTH)
    others = _others(reading, linked, plan, means)
    bound, pointed = _bound(others, means)
    pool = retrieve_text(reading.query, means.repository, scope=means.scope, settings=knobs, extra=bound)
    ranked = rerank(pool, asked=(reading.content, reading.statistics), pointed=pointed)
    packed = _pack(ranked, others, plan, means)
    if not packed.evidence and ranked:
        packed = _cut(ranked[0], reading, plan, means)
    trace: list[dict[str, Any]] = [{"step": "link", "entities": [e.name for e in linked]}, {"step": "text", "found": len(pool)}]
    trace += [{"step": kind, "found": sum(e.kind == kind for e in others)} for kind in sorted({e.kind for e in others})]
    trace.append({"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out, "cut": packed.cut})
    return Gathered(reading, _told(plan, packed), tuple(ranked), packed.evidence, tuple(trace))


def link(question: str, means: Means) -> tuple[Linked, ...]:
    """The entities a question names, by alias key."""
    found = means.repository.linked(name_candidates(question), means.scope)
    return longest_links(question, found, means.settings.retrieve.link_nodes)


def _adjacent(linked: Sequence[Linked], means: Means) -> bool:
    return len(linked) >= 2 and means.repository.joined([entity.entity_id for entity in linked])


def _others(reading: Reading, linked: Sequence[Linked], plan: Plan, means: Means) -> list[Evidence]:
    """What the operators besides text found, each within its own budget."""
    knobs, repository, scope = means.settings.retrieve, means.repository, means.scope
    ids = tuple(entity.entity_id for entity in linked)
    asked = (reading.content, reading.statistics)
    found: list[Evidence] = []
    if "neighborhood" in plan.operators:
        query = GraphQuery(ids, reading.content, reading.statistics)
        found += retrieve_neighborhood(query, repository, scope=scope, settings=knobs, tokenizer=means.tokenizer)
    if "path" in plan.operators:
        found += retrieve_paths(ids, repository, asked=asked, scope=scope, settings=(knobs, means.tokenizer))
    if "records" in plan.operators:
        keys = [name_key(entity.name) for entity in linked]
        found += retrieve_records(keys, repository, asked=asked, scope=scope, tokenizer=means.tokenizer)
    if "community" in plan.operators:
        found += retrieve_reports(reading.vector, repository, scope=scope, settings=knobs, tokenizer=means.tokenizer)
    if "tree" in plan.operators:
        found += retrieve_summaries(reading.vector, repository, scope=scope, settings=knobs, tokenizer=means.tokenizer)
    return found


def _bound(others: Sequence[Evidence], means: Means) -> tuple[list[Passage], dict[tuple[str, int], float]]:
    """The passages that the other operators' items are bound to, and how strongly (0..1) they point at each, by document and start."""
    spans = [(span, item.score) for item in others for span in item.spans]
    passages = means.repository.passages_at([span for span, _ in spans], means.scope)
    strength: dict[tuple[str, int], float] = {}
    for passage in passages:
        inside = [score for span, score in spans if span.document == passage.document and passage.start <= span.start < passage.end]
        strength[(passage.document, passage.start)] = max(0.0, *inside)
    return passages, pointed_at(strength)


def _pack(ranked: Sequence[Evidence], others: Sequence[Evidence], plan: Plan, means: Means) -> Packed:
    knobs = means.settings.retrieve
    budget = plan.budgets["tokens"]
    most = knobs.text_passages if means.budget is None else None
    room = int(budget * MOST_OTHERS)
    kept: list[Evidence] = []
    for item in others:
        if item.tokens <= room:
            kept.append(item)
            room -= item.tokens
    return pack(ranked, kept, budget=budget, most=most, floor=knobs.floor_passages)


def _cut(best: Evidence, reading: Reading, plan: Plan, means: Means) -> Packed:
    evidence = cut_to_budget(best, reading.content, budget=plan.budgets["tokens"], tokenizer=means.tokenizer)
    return Packed((evidence,), evidence.tokens, 1, True) if evidence else Packed((), 0, 1, False)


def _told(plan: Plan, packed: Packed) -> Plan:
    notes = []
    if packed.cut:
        notes.append(f"budget: {plan.budgets['tokens']} tokens hold no whole passage; the best one was cut to fit")
    elif packed.left_out:
        notes.append(f"budget: {packed.left_out} items found no room in {plan.budgets['tokens']} tokens")
    return Plan(plan.profile, plan.operators, plan.budgets, (*plan.why, *notes))
