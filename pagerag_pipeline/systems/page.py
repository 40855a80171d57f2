"""The `page` system (PAGE-RAG, section 2.4): profile the question, route it to operators, keep text as the floor, pack to a budget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pagerag_pipeline.answering.asked import question_names
from pagerag_pipeline.lexical import name_candidates, name_key
from pagerag_pipeline.retrieval.community import retrieve_reports
from pagerag_pipeline.retrieval.evidence import EntityQuery, Found, by_content, passage_evidence
from pagerag_pipeline.retrieval.neighborhood import retrieve_neighborhood
from pagerag_pipeline.retrieval.path import retrieve_paths
from pagerag_pipeline.retrieval.records import retrieve_records
from pagerag_pipeline.retrieval.rerank import rerank
from pagerag_pipeline.retrieval.spread import Start, order_by_activation, spread_activation
from pagerag_pipeline.retrieval.text import retrieve_text
from pagerag_pipeline.retrieval.tree import retrieve_summaries
from pagerag_pipeline.schema.asking import Evidence, Plan, Question
from pagerag_pipeline.stores.found import Linked, Passage
from pagerag_pipeline.stores.graph import GraphLimit
from pagerag_pipeline.systems.ablations import NO_FLOOR, NO_STRUCTURAL_GUIDANCE, ablated, bound_text
from pagerag_pipeline.systems.alike import alike_entities
from pagerag_pipeline.systems.asking.profile import profile_beside
from pagerag_pipeline.systems.boundary import find_boundary
from pagerag_pipeline.systems.gathering import (
    Gathered,
    Means,
    Reading,
    encode_question,
    encode_together,
    read,
    text_query,
    with_history,
)
from pagerag_pipeline.systems.packing import Packed, cut_to_budget, interleave, named_rows_first, pack
from pagerag_pipeline.systems.routing import longest_links, pointed_at, profile_question, route, without_names

_Operator = Callable[[Reading, Sequence[Linked], Means], Found]


def gather_page(question: Question, means: Means) -> Gathered:
    """Evidence for a question by the operators that it needs; the text operator is in every plan."""
    knobs, run = means.retrieve, means.clock.run
    searched = with_history(question, knobs.history_turns)
    keys = name_candidates(searched)
    every = run("link", link, searched, keys, means)
    linked = every[: knobs.link_nodes]
    rest, names = without_names(searched, linked), {**dict.fromkeys(keys, ""), **{entity.alias_key: entity.entity_id for entity in linked}}
    run("encode", encode_together, [searched, rest], means.embedder)
    reading = run("read", read, question, means)
    boundary = run("boundary", find_boundary, reading, means)
    by_rules = profile_question(reading, linked, adjacent=_adjacent(linked, means), boundary=boundary)
    profile, told = profile_beside(by_rules, question, means.asking)
    plan = ablated(route(profile, knobs, budget=means.budget), means.ablations)
    others, steps = _others(reading, linked, plan, means)
    spreads = "spread" in plan.operators
    text, pointed = run("text", _text, reading, others, plan, means)
    steps.append(text.step("text"))
    floor = run("rerank", rerank, text.evidence, knobs, pointed=pointed)
    ranked = floor
    if spreads and (floor or NO_FLOOR in means.ablations):
        ranked, step = run("spread", _spread, reading, floor, (rest, names), means)
        steps.append(step)
    first = named_rows_first(floor, reading.content)
    packed = run("pack", _pack, first if ranked is floor else ranked, first, others, plan=plan, means=means)
    if not packed.evidence and ranked:
        packed = _cut(ranked[0], reading, plan, means)
    trace = (
        {"step": "link", "entities": [entity.name for entity in linked], "left_out": len(every) - len(linked)},
        *told,
        *steps,
        {"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out, "cut": packed.cut, "over_share": packed.over_share},
    )
    return Gathered(reading, _told(plan, packed), tuple(ranked), packed.evidence, trace, boundary.strict, boundary.beyond)


def link(question: str, keys: Sequence[str], means: Means) -> tuple[Linked, ...]:
    """The entities a question names, by the keys of what may be names in it.

    With `retrieve.link_records`, of a name that is no alias, those whose handles are nearly it.
    """
    linked = longest_links(question, means.repository.linked(keys, means.scope))
    return (*linked, *_alike(question, linked, means)) if means.retrieve.link_records else linked


def _alike(question: str, linked: Sequence[Linked], means: Means) -> list[Linked]:
    """The entities that the records and the graph call nearly what the question says, where it names none of them word for word."""
    keys = [key for one in question_names(question) if (key := name_key(one)) and not any(f" {own.alias_key} " in f" {key} " for own in linked)]
    near: dict[str, float] = {}
    for key in keys:
        near |= alike_entities(encode_question(key, means.embedder), means, least=means.ensi.entity_cosine, most=means.ensi.entities)
    known = {one.entity_id for one in linked}
    found = means.repository.linked(list(near), means.scope) if near else []
    return sorted((one for one in found if one.entity_id not in known), key=lambda one: (-near.get(one.alias_key, 0.0), one.entity_id))[: means.ensi.entities]


def _adjacent(linked: Sequence[Linked], means: Means) -> bool:
    return len(linked) >= 2 and means.repository.joined([entity.entity_id for entity in linked], means.scope)


def _others(reading: Reading, linked: Sequence[Linked], plan: Plan, means: Means) -> tuple[list[Evidence], list[dict[str, Any]]]:
    """What the operators besides text found, each within its own budget, and what each of them did; one stopped at its limit gives nothing."""
    found: list[Evidence] = []
    trace: list[dict[str, Any]] = []
    for operator in plan.operators:
        if operator in _OPERATORS:
            try:
                one = means.clock.run(operator, _OPERATORS[operator], reading, linked, means)
            except GraphLimit as error:
                trace.append({"step": operator, "stopped": str(error)})
                continue
            found += one.evidence
            trace.append(one.step(operator))
    return found, trace


def _from_entities(retrieve: Callable[..., Found]) -> _Operator:
    """An operator that starts from the entities a question names."""

    def run(reading: Reading, linked: Sequence[Linked], means: Means) -> Found:
        ids, keys = tuple(entity.entity_id for entity in linked), tuple(name_key(entity.name) for entity in linked)
        query = EntityQuery(ids, keys, reading.content, reading.statistics)
        return retrieve(query, means.repository, scope=means.scope, settings=means.retrieve, tokenizer=means.tokenizer)

    return run


def _from_vector(retrieve: Callable[..., Found]) -> _Operator:
    """An operator that starts from a question's vector."""

    def run(reading: Reading, linked: Sequence[Linked], means: Means) -> Found:
        return retrieve(reading.vector, means.repository, scope=means.scope, settings=means.retrieve, tokenizer=means.tokenizer)

    return run


_OPERATORS: dict[str, _Operator] = {
    "neighborhood": _from_entities(retrieve_neighborhood),
    "path": _from_entities(retrieve_paths),
    "records": _from_entities(retrieve_records),
    "community": _from_vector(retrieve_reports),
    "tree": _from_vector(retrieve_summaries),
}


def _text(reading: Reading, others: Sequence[Evidence], plan: Plan, means: Means) -> tuple[Found, dict[tuple[str, int], float]]:
    """What the text operator found, in a wider pool under the strict gate, and how strongly the graph points at passages."""
    knobs, floorless = means.retrieve, NO_FLOOR in means.ablations
    if plan.profile["strict"]:
        knobs = replace(knobs, pool=knobs.pool * knobs.strict_width)
    hinted = "spread" not in plan.operators and NO_STRUCTURAL_GUIDANCE not in means.ablations
    bound, pointed = _bound(others, means) if hinted or floorless else ([], {})
    query = text_query(reading, means)
    if floorless:
        return bound_text(query, bound, means.repository, knobs), pointed
    return retrieve_text(query, means.repository, scope=means.scope, settings=knobs, extra=bound), pointed


def _spread(reading: Reading, floor: list[Evidence], named: tuple[str, Mapping[str, str]], means: Means) -> tuple[list[Evidence], dict[str, Any]]:
    """The text ranking with the passages that activation reaches, in the order of activation, and what the operator did.

    `named` is the question without the names in it, and the keys that may be names with the ids of their entities.
    """
    rest, names = named
    vectors = (reading.vector, *([encode_question(rest, means.embedder)] if rest else []))
    start = Start(names, tuple(floor), vectors)
    reached = spread_activation(start, means.repository, scope=means.scope, settings=means.retrieve)
    known = {span.chunk_id for item in floor for span in item.spans}
    fresh = means.repository.passages_by_id([chunk for chunk in reached.activation if chunk not in known], means.scope)
    added = [passage_evidence(group, floor[-1].score if floor else 0.0, tokenizer=means.tokenizer) for group in by_content(fresh).values()]
    return order_by_activation([*floor, *added], reached.activation, means.retrieve), reached.step()


def _bound(others: Sequence[Evidence], means: Means) -> tuple[list[Passage], dict[tuple[str, int], float]]:
    """The passages that the other operators' items are bound to, and how strongly (0..1) they point at each, by document and start."""
    spans = [(span, item.score) for item in others for span in item.spans]
    passages = means.repository.passages_at([span for span, _ in spans], means.scope)
    strength: dict[tuple[str, int], float] = {}
    for passage in passages:
        inside = [score for span, score in spans if span.document == passage.document and passage.start <= span.start < passage.end]
        strength[(passage.document, passage.start)] = max(0.0, *inside)
    return passages, pointed_at(strength)


def _pack(ranked: Sequence[Evidence], floor: Sequence[Evidence], others: Sequence[Evidence], *, plan: Plan, means: Means) -> Packed:
    """The floor's best passages first, whatever activation says, then both rankings in turn; graph items and summaries within their share."""
    knobs = means.retrieve
    budget = plan.budgets["tokens"]
    most = knobs.text_passages if means.budget is None else None
    room = int(budget * knobs.others_share)
    kept: list[Evidence] = []
    for item in others:
        if item.tokens <= room:
            kept.append(item)
            room -= item.tokens
    ordered = interleave(ranked, floor, knobs.floor_passages) if ranked is not floor else floor
    packed = pack(ordered, kept, budget=budget, most=most, floor=knobs.floor_passages)
    return replace(packed, over_share=len(others) - len(kept))


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
