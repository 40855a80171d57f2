"""Strict and lenient accuracy as a judge sees it (PAGE-RAG; systems, section 2.6: what the words mean is resolved there, the paper does not say)."""

from collections.abc import Sequence

from pagerag_pipeline.evaluation.judging.cases import Case
from pagerag_pipeline.evaluation.judging.judge import Judge
from pagerag_pipeline.prompts.load import fence_text

GRADES = ("judged_strict", "judged_lenient")


def grade(case: Case, judge: Judge) -> dict[str, float]:
    """`judged_strict`: 1 when the answer is fully correct; `judged_lenient`: 1 when it is so at least in part.

    To refuse a question that can be answered, or to fail, is wrong in both, without a call. Nothing for a question that cannot be answered, or without
    reference answers. Raises Unjudged.
    """
    if not case.answerable or not case.references:
        return {}
    if not case.answer.strip():
        return dict.fromkeys(GRADES, 0.0)
    values = {"question": fence_text(case.question), "references": lines(case.references), "answer": fence_text(case.answer)}
    verdict = judge.ask("grade", values)["verdict"]
    return {"judged_strict": float(verdict == "correct"), "judged_lenient": float(verdict in ("correct", "partly"))}


def lines(references: Sequence[str]) -> str:
    """Reference answers as data, each on a line of its own."""
    return fence_text("\n".join(f"- {' '.join(one.split())}" for one in references))
