"""Outcomes of questions: refusals, faults, what was looked at, what the gate decided, and the JSON that all of them are told in."""

from dataclasses import asdict, replace
from typing import Any

from pagerag_pipeline.answering.citations import cite, supported
from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.answering.generative import Generated
from pagerag_pipeline.schema.asking import Evidence, Outcome, Plan, Question, Reason, Usage
from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.gathering import Gathered

_NO_PLAN = Plan({}, (), {}, ())


class LongQuestion(ValueError):
    """A question longer than is read; the message says how long it may be."""


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """An outcome as `ask --json` and each line of `answer` print it (architecture, section 6)."""
    table: dict[str, Any] = {
        "qid": outcome.qid,
        "question": outcome.question,
        "system": outcome.system,
        "status": outcome.status,
        "answer": outcome.answer,
        "claims": [{"text": claim.text, "labels": list(claim.labels)} for claim in outcome.claims],
        "missing": list(outcome.missing),
        "reason": outcome.reason,
        "confidence": outcome.confidence,
        "citations": [{**asdict(citation), "section": list(citation.section)} for citation in outcome.citations],
        "evidence": [_evidence_json(item) for item in outcome.evidence],
        "plan": {**asdict(outcome.plan), "operators": list(outcome.plan.operators), "why": list(outcome.plan.why)},
        "trace": [dict(step) for step in outcome.trace],
        "usage": asdict(outcome.usage),
        "generation": outcome.generation,
    }
    if outcome.status == "failed":
        table["error"] = outcome.error
    return table


def refused(question: Question, system: str, reason: Reason, why: str) -> Outcome:
    """A refusal before anything was looked at; `why` is told as what is missing."""
    missing = (why,) if why else ()
    return Outcome(question.qid, question.text, system, "refused", None, (), missing, reason, 0.0, (), (), _NO_PLAN)


def failed(question: Question, system: str, error: str) -> Outcome:
    """A fault in one question, which is never an answer."""
    return replace(refused(question, system, "malformed", ""), status="failed", reason=None, error=error)


def looked(question: Question, system: str, gathered: Gathered, generation: str) -> Outcome:
    """A refusal that shows what was looked at: the floor from which an answer has to rise."""
    tokens = sum(item.tokens for item in gathered.evidence)
    nothing = refused(question, system, "insufficient", "")
    return replace(
        nothing, evidence=gathered.evidence, plan=gathered.plan, trace=gathered.trace, usage=Usage(evidence_tokens=tokens), generation=generation
    )


def decided(outcome: Outcome, decision: Decision, repository: Repository) -> Outcome:
    """The outcome with the decision of the gate, once its citations are checked against the sources."""
    told = replace(outcome, missing=decision.missing, confidence=decision.confidence, trace=(*outcome.trace, *decision.trace))
    if decision.status == "refused":
        return replace(told, reason=decision.reason)
    places = repository.places(sorted({sentence.span.chunk_id for sentence in decision.cited}))
    citations = tuple(cite(decision.cited, places))
    if not supported(decision.claims, citations, places):
        return replace(told, reason="uncited")
    return replace(
        told, status=decision.status, answer=decision.answer, claims=decision.claims, citations=citations, reason=decision.reason
    )


def generated(outcome: Outcome, made: Generated) -> Outcome:
    """The outcome with what a model was shown and what it cost; `failed` when no reply came."""
    spent, tokens = made.spent, sum(item.tokens for item in made.shown)
    usage = Usage(spent.calls, spent.prompt_tokens, spent.completion_tokens, tokens)
    told = replace(outcome, evidence=made.shown, usage=usage)
    return replace(told, status="failed", reason=None, error=made.error) if made.decision is None else told


def with_calls(usage: Usage, spent: Spent) -> Usage:
    """What a question cost with what was asked while its evidence was gathered."""
    return replace(
        usage,
        calls=usage.calls + spent.calls,
        prompt_tokens=usage.prompt_tokens + spent.prompt_tokens,
        completion_tokens=usage.completion_tokens + spent.completion_tokens,
    )


def _evidence_json(item: Evidence) -> dict[str, Any]:
    return {"label": item.label, "kind": item.kind, "text": item.text, "score": item.score, "spans": [asdict(span) for span in item.spans]}
