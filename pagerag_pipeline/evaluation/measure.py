"""One question asked of one variant and scored: the system sees the question alone, gold is looked at when it has answered."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pagerag_pipeline.evaluation.datasets import Gold, Task
from pagerag_pipeline.evaluation.metrics import holds, is_lenient, is_strict, normalized
from pagerag_pipeline.evaluation.results import Row
from pagerag_pipeline.schema.asking import Outcome, Question, says_nothing
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.stores.tables import is_interrupt
from pagerag_pipeline.systems.gathering import Gathered

LOGGER = logging.getLogger(__name__)

EVIDENCE_TOKENS = 2400
"""Budget within which evidence must hold the answer (chosen)."""


class Asked(Protocol):
    """What is evaluated. It is given questions, never gold."""

    def ask(self, question: Question, *, system: str, plan: str) -> Outcome:
        """An answer or a refusal."""
        ...

    def gather(self, question: Question, *, system: str, budget: int, plan: str) -> Gathered:
        """A ranking, and evidence within a budget."""
        ...


class Texts(Protocol):
    """The texts that an answer may stand in, as the evaluated home holds them."""

    def hold(self, documents: Sequence[str] | None, answers: Sequence[str]) -> bool:
        """Whether one of the answers stands in one of the documents, of all when none are named."""
        ...


@dataclass(frozen=True, slots=True)
class Variant:
    """A system, whole, behind a planner, or without one of its parts."""

    system: str
    ablation: str = ""
    plan: str = ""

    @property
    def label(self) -> str:
        """`page`, `page+pank` behind a planner, or `page:no_floor` for what is asked without its floor."""
        planned = f"{self.system}+{self.plan}" if self.plan else self.system
        return f"{planned}:{self.ablation}" if self.ablation else planned


def shown(question: Question) -> Question:
    """The question as a system is given it: its own id may tell its answer (`...-true`), so it has one of no meaning."""
    return replace(question, qid=digest("asked", question.qid)[:12])


def measured(engine: Asked, variant: Variant, task: Task, texts: Texts) -> Row:
    """What came of one question, scored; a fault of whatever kind is a row with status `failed`. Raises KeyboardInterrupt."""
    row = {"qid": task.question.qid, "question": task.question.text, "variant": variant.label, **_of_gold(task.gold)}
    try:
        return {**row, **_asked(engine, variant, task, texts)}
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        LOGGER.exception("question %s failed", task.question.qid)
        return {**row, **_failed(task, f"{type(error).__name__}: {error}")}


def _asked(engine: Asked, variant: Variant, task: Task, texts: Texts) -> Row:
    gold = task.gold
    question = shown(task.question)
    outcome = engine.ask(question, system=variant.system, plan=variant.plan)
    if outcome.status == "failed":
        return _failed(task, outcome.error)
    if says_nothing(outcome.reason, evidence=bool(outcome.evidence)):
        return _failed(task, f"refused as {outcome.reason}: that says nothing of the evidence, another reply or a higher ceiling may answer")
    looked = gold.relevant or gold.answers
    gathered = engine.gather(question, system=variant.system, budget=EVIDENCE_TOKENS, plan=variant.plan) if looked else None
    return {**_told(outcome), **_judged(outcome, gathered, task, texts)}


def _told(outcome: Outcome) -> Row:
    gates = [step for step in outcome.trace if step["step"] == "gate"]
    return {
        "status": outcome.status,
        "reason": outcome.reason,
        "confidence": outcome.confidence,
        "answer": outcome.answer,
        "seconds": outcome.usage.seconds,
        "steps": outcome.usage.steps,
        "evidence_tokens": outcome.usage.evidence_tokens,
        "operators": list(outcome.plan.operators),
        "features": gates[0]["features"] if len(gates) == 1 else None,
        "generation": outcome.generation,
    }


def _judged(outcome: Outcome, gathered: Gathered | None, task: Task, texts: Texts) -> Row:
    """The scores; None where gold says nothing."""
    row: Row = {"lenient": None, "strict": None, "hit": None, "present": None, "ranked": None}
    gold = task.gold
    if gathered is not None and gold.relevant:
        row["ranked"] = list(dict.fromkeys(span.document for item in gathered.ranked for span in item.spans))
    if gathered is not None and gold.answers:
        answer, quotes = outcome.answer or "", [citation.quote for citation in outcome.citations]
        row["lenient"] = bool(answer) and is_lenient(answer, quotes, gold.answers)
        row["strict"] = bool(answer) and is_strict(answer, gold.answers)
        row["hit"] = holds([normalized(item.text) for item in gathered.evidence], gold.answers)
        row["present"] = texts.hold(task.question.doc_ids, gold.answers)
    return row


def _of_gold(gold: Gold) -> Mapping[str, Any]:
    return {
        "answerable": gold.answerable,
        "relevant": dict(gold.relevant),
        "kind": gold.kind,
        "group": gold.group,
        "crossed": gold.crossed,
    }


def _failed(task: Task, error: str) -> Row:
    """A fault counts as wrong wherever there is gold, and as neither an answer nor a refusal."""
    wrong = False if task.gold.answers else None
    return {
        "status": "failed", "reason": None, "confidence": 0.0, "answer": None, "seconds": 0.0, "steps": {}, "evidence_tokens": 0, "operators": [],
        "features": None, "generation": "", "lenient": wrong, "strict": wrong, "hit": wrong, "present": None,
        "ranked": [] if task.gold.relevant else None, "error": error,
    }  # fmt: skip
