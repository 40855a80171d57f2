"""What a hop over records leads to where no record says it: one small call, believed as far as the cited text says it (EnSI-RAG, EN-17)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pagerag_pipeline.answering.shown import fence_evidence, fit_evidence
from pagerag_pipeline.lexical import words
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Evidence, Question
from pagerag_pipeline.schema.language import Failure, Request, plain_label
from pagerag_pipeline.systems.asking.models import STAGE, Asking, why_none


def ask_bridge(lookup: str, question: Question, evidence: Sequence[Evidence], asking: Asking) -> tuple[list[str], dict[str, Any]]:
    """The names that a look-up leads to, each written in a piece that is cited for it, and the step that tells it; none where nothing says it."""
    step: dict[str, Any] = {"step": "bridge_call", "model": asking.plan.name, "lookup": lookup}

    def make(shown: Sequence[Evidence]) -> Request:
        filled = load_prompt("bridge").request(evidence=fence_evidence(shown), question=fence_text(question.text), lookup=fence_text(lookup))
        return replace(filled, stage=STAGE)

    shown, request = fit_evidence(evidence, make, asking.plan)
    if not shown:
        return [], {**step, "why": "no evidence to ask about" if not evidence else "no piece of evidence fits the model's window"}
    result = asking.plan.reply(request)
    if isinstance(result, Failure):
        return [], {**step, "fallback": f"without a bridge: {asking.plan.name} gave nothing ({why_none(result)})"}
    found: list[str] = []
    dropped = 0
    for one in result.value["values"]:
        labels = set(map(plain_label, one["labels"]))
        cited = {word for item in shown if item.label in labels for word in words(f"{item.context} {item.text}")}
        if words(one["value"]) and set(words(one["value"])) <= cited:
            found.append(" ".join(one["value"].split()))
        else:
            dropped += 1
    return list(dict.fromkeys(found)), {**step, "values": found, "dropped": dropped, "shown": len(shown), "left_out": len(evidence) - len(shown)}
