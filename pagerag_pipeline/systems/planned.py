"""A planner in front of a system (systems, section 6.3): the question's hops are gathered by that system, and one ranking comes of all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pagerag_pipeline.retrieval.dependency import rerank_by_answers
from pagerag_pipeline.retrieval.evidence import fitting
from pagerag_pipeline.retrieval.text import score_passages
from pagerag_pipeline.schema.asking import Evidence, Plan, Question, SourceSpan
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.systems.ablations import NO_RERANK
from pagerag_pipeline.systems.asking.hops import answered, rephrased
from pagerag_pipeline.systems.asking.plan import plan_hops
from pagerag_pipeline.systems.boundary import find_boundary
from pagerag_pipeline.systems.clock import Clock
from pagerag_pipeline.systems.gathering import Gathered, Means, Reading, encode_question, read, text_query
from pagerag_pipeline.systems.grounding import grounds_of_hop
from pagerag_pipeline.systems.packing import Packed, cut_to_budget, named_rows_first, pack
from pagerag_pipeline.systems.planning.execution import Finding, resolved, run_plan
from pagerag_pipeline.systems.planning.hops import CLAUSES, Hop, HopPlan, HopScope


@dataclass(frozen=True, slots=True)
class Searched:
    """What a system found for one hop."""

    reading: Reading
    ranked: tuple[Evidence, ...]
    """Passages and rows, best first, with their own scores."""
    others: tuple[Evidence, ...]
    """Reports, relations and what else is no passage."""
    steps: tuple[dict[str, Any], ...] = ()
    most_tokens: int | None = None
    """Tokens of passages that stay of the whole pool once it is reranked (systems, section 4.5); None = all."""


Search = Callable[[Question, HopScope, Means], Searched]
"""How a hop is searched: its question, whether it is specific or abstract, and the means."""
_LEFT_AS_IT_IS = {"step": "rerank", "reranked": 0, "why": "a planner in front of a system leaves the system's order as it is"}
WIDER = 2
"""Times the pool of one search, the most passages of a merged ranking: those of several searches (chosen)."""
Planner = Callable[[Question, Means], HopPlan]


@dataclass(frozen=True, slots=True)
class _Way:
    """How hops are gathered."""

    search: Search
    rerank: bool


def searched_by(gather: Callable[[Question, Means], Gathered]) -> Search:
    """The search that asks a system each hop, without a model of its own; what the system packed besides passages stays with them."""

    def search(question: Question, scope: HopScope, means: Means) -> Searched:
        found = gather(question, replace(means, asking=None))
        others = tuple(item for item in found.evidence if item.kind not in ("passage", "row", "entity"))
        return Searched(found.reading, found.ranked, others, ({"step": "route", "operators": list(found.plan.operators)},))

    return search


def gather_planned(question: Question, means: Means, *, search: Search, planner: Planner = plan_hops, rerank: bool = False) -> Gathered:
    """Evidence for a question by its plan: each hop searched and answered, then the final query; then both merged with what the question itself finds.

    With `rerank`, the candidates of a hop are reranked by the answers it rests on (PankRAG). The question is what the gate judges, whatever was planned.
    """
    search = each_once(search)
    run, way = means.clock.run, _Way(search, rerank)
    reading = run("read", read, question, means)
    plan = run("plan", planner, question, means)

    def ask(hop: Hop, text: str, known: Sequence[Finding]) -> Finding:
        return _asked(hop, question, text, known, (way, replace(means, clock=Clock())))

    found = run("hops", run_plan, plan, ask, patient(means))
    text, known, lacking = resolved(plan.final, plan, found)
    final, _ = run("final", _searched, plan.final, question, text, known, (way, means))
    final = replace(final, used=tuple(one.hop.hop_id for one in known), lacking=lacking)
    distinct = [final, *(one for one in found.values() if not one.same_as)]
    rankings = [one.ranked for one in distinct]
    if plan.hops:
        rankings = [run("question", search, question, plan.final.scope, means).ranked, *rankings]
    merged, most = merge(rankings, means.pank), means.retrieve.pool * WIDER
    ranked = run("score", _scored, merged[:most], reading, means)
    packed = run("pack", _pack, ranked, [item for one in distinct for item in one.others], reading, means)
    boundary = run("boundary", find_boundary, reading, means)
    trace = (
        plan.step(),
        *(step for one in (*found.values(), final) for step in (one.step(), *one.steps)),
        {"step": "merge", "rankings": len(rankings), "found": len(ranked), "left_out": len(merged[most:])},
        {"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out, "cut": packed.cut, "over_share": packed.over_share},
    )
    told = _told(plan, found, packed, means)
    return Gathered(reading, told, tuple(ranked), packed.evidence, trace, boundary.strict, boundary.beyond, findings=findings_of(known))


def each_once(search: Search) -> Search:
    """The search of one question, which asks no model twice for one text: the final query, or a hop, may be the question itself."""
    found: dict[tuple[str, HopScope], Searched] = {}

    def searched(question: Question, scope: HopScope, means: Means) -> Searched:
        key = (question.text, scope)
        if key not in found:
            found[key] = search(question, scope, means)
        return found[key]

    return searched


def findings_of(known: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    """What was asked on the way, with its answer."""
    return tuple((one.asked, one.answer.text) for one in known)


def patient(means: Means) -> PankSettings:
    """The settings of hops; where a model is asked, a hop may take as long as its calls do."""
    asking = means.asking
    if asking is None:
        return means.pank
    calls = asking.settings.rephrase + asking.settings.hop_answers + asking.settings.map_calls
    return replace(means.pank, hop_seconds=means.pank.hop_seconds + calls * asking.seconds)


def merge(rankings: Sequence[Sequence[Evidence]], settings: PankSettings) -> list[Evidence]:
    """Passages of several rankings, each once, best first by the sum of weight / (`merge_constant` + rank); the first has `question_weight`.

    Ties go to the ranking that is named first, then by rank.
    """
    scores: dict[tuple[SourceSpan, ...], float] = {}
    kept: dict[tuple[SourceSpan, ...], Evidence] = {}
    for number, ranking in enumerate(rankings):
        weight = settings.question_weight if number == 0 and len(rankings) > 1 else 1.0
        for rank, item in enumerate(ranking, start=1):
            kept.setdefault(item.spans, item)
            scores[item.spans] = scores.get(item.spans, 0.0) + weight / (settings.merge_constant + rank)
    return [kept[spans] for spans in sorted(kept, key=lambda spans: -round(scores[spans], 9))]


def _asked(hop: Hop, question: Question, text: str, known: Sequence[Finding], how: tuple[_Way, Means]) -> Finding:
    """A hop said anew where it is of sequence 0, then searched, reranked and answered."""
    means = how[1]
    text, anew = _anew(hop, question, text, known, means)
    found, reading = _searched(hop, question, text, known, how)
    found = replace(found, steps=(*anew, *found.steps))
    if not found.ranked:
        return found
    packed = _pack(found.ranked, found.others, reading, means)
    grounds = grounds_of_hop(packed.evidence, found.ranked, reading, means)
    answer, steps = answered(text, grounds, findings_of(known), means)
    return replace(found, answer=answer, steps=(*found.steps, *steps))


def _anew(hop: Hop, question: Question, text: str, known: Sequence[Finding], means: Means) -> tuple[str, tuple[dict[str, Any], ...]]:
    """The text of a hop that disambiguates, said anew with what was found, and the step that tells it (PankRAG, PK-13)."""
    asking = means.asking
    if asking is None or not asking.settings.rephrase or not known or not hop.hop_id.startswith(CLAUSES):
        return text, ()
    said, step = rephrased(text, question, findings_of(known), asking)
    return said, (step,)


def _searched(hop: Hop, question: Question, text: str, known: Sequence[Finding], how: tuple[_Way, Means]) -> tuple[Finding, Reading]:
    """What the search finds for a text, reranked by the answers it rests on, and the text as it was read."""
    way, means = how
    found = way.search(Question(question.qid, text, question.doc_ids, history=question.history), hop.scope, means)
    ranked, step = _reranked(found.ranked, hop.scope, known, means) if way.rerank else (list(found.ranked), _LEFT_AS_IT_IS)
    if found.most_tokens is not None:
        ranked, left = fitting(ranked, found.most_tokens)
        step = {**step, **({"over_tokens": left} if left else {})}
    return Finding(hop, text, ranked=tuple(ranked), others=found.others, steps=(*found.steps, step)), found.reading


def _reranked(ranked: Sequence[Evidence], scope: HopScope, known: Sequence[Finding], means: Means) -> tuple[list[Evidence], dict[str, Any]]:
    """The whole pool by its own scores and its likeness to known answers, and the step that tells the weights; unchanged without an answer."""
    knobs = means.pank
    if not known or NO_RERANK in means.ablations:
        why = "ablation: no_rerank" if NO_RERANK in means.ablations else "no answer to rerank by"
        return list(ranked), {"step": "rerank", "reranked": 0, "why": why}
    alpha, beta = (knobs.alpha_abstract, knobs.beta_abstract) if scope == "abstract" else (knobs.alpha_specific, knobs.beta_specific)
    answers = [encode_question(first_tokens(one.answer.text, knobs.answer_tokens, means), means.embedder) for one in known]
    placed = {passage.chunk_id: passage.embed_key for passage in means.repository.passages_by_id([span.chunk_id for item in ranked for span in item.spans], means.scope)}
    vectors = means.repository.vectors("passages", sorted(set(placed.values())))
    by_chunk: dict[str, np.ndarray] = {chunk: vectors[key] for chunk, key in placed.items() if key in vectors}
    order = rerank_by_answers(ranked, answers, by_chunk, alpha=alpha, beta=beta)
    return order, {"step": "rerank", "reranked": len(order), "alpha": alpha, "beta": beta, "by": [one.hop.hop_id for one in known]}


def first_tokens(text: str, most: int, means: Means) -> str:
    """The first so many tokens of a text."""
    offsets = means.tokenizer.offsets(text)
    return text if len(offsets) <= most else text[: int(offsets[most - 1][1])]


def _scored(merged: Sequence[Evidence], reading: Reading, means: Means) -> list[Evidence]:
    """The passages in their order with the component scores of the question itself, so that the gate's estimate reads what it was fitted on."""
    passages = means.repository.passages_by_id([span.chunk_id for item in merged for span in item.spans], means.scope)
    scored = score_passages(passages, text_query(reading, means), means.repository, known={}, dense_weight=means.retrieve.dense_weight)
    by_chunk = {span.chunk_id: item for item in scored for span in item.spans}
    ordered = {item.spans: item for one in merged for span in one.spans if (item := by_chunk.get(span.chunk_id)) is not None}
    return [replace(item, score=round(1 - place / max(1, len(ordered)), 6)) for place, item in enumerate(ordered.values())]


def _pack(ranked: Sequence[Evidence], others: Sequence[Evidence], reading: Reading, means: Means) -> Packed:
    """Passages by rank, graph items and reports within their share; the best passage cut to fit where not one has room."""
    budget = means.pank.tokens if means.budget is None else means.budget
    most = means.retrieve.text_passages if means.budget is None else None
    room, kept = int(budget * means.retrieve.others_share), []
    distinct = list({(item.kind, item.text): item for item in others}.values())
    for item in distinct:
        if item.tokens <= room:
            kept.append(item)
            room -= item.tokens
    packed = pack(named_rows_first(ranked, reading.content), kept, budget=budget, most=most, floor=means.retrieve.floor_passages)
    if not packed.evidence and ranked:
        cut = cut_to_budget(ranked[0], reading.content, budget=budget, tokenizer=means.tokenizer)
        packed = Packed((cut,), cut.tokens, 1, True) if cut else Packed((), 0, 1, False)
    return replace(packed, over_share=len(distinct) - len(kept))


def _told(plan: HopPlan, found: dict[str, Finding], packed: Packed, means: Means) -> Plan:
    """The plan as an outcome shows it."""
    budget = means.pank.tokens if means.budget is None else means.budget
    profile = {
        "scope": plan.final.scope,
        "hops": len(plan.hops),
        "sequences": len({hop.hop_id.partition("-")[0] for hop in plan.hops}),
        "known": sum(one.answer.known for one in found.values()),
        "failed": sum(one.status == "failed" for one in found.values()),
        "unused": sum(one.status == "unused" for one in found.values()),
    }
    notes = [f"hop {name}: {one.error}" for name, one in found.items() if one.status == "failed"]
    notes += [f"hop {name} is not asked: the final query does not rest on it" for name, one in found.items() if one.status == "unused"]
    notes += ["ablation: no_rerank"] if NO_RERANK in means.ablations else []
    if packed.cut:
        notes.append(f"budget: {budget} tokens hold no whole passage; the best one was cut to fit")
    elif packed.left_out:
        notes.append(f"budget: {packed.left_out} items found no room in {budget} tokens")
    return Plan(profile, ("plan", "hops", "rerank"), {"tokens": budget}, (*plan.why, *notes))
