"""The four measures of Ragas (PankRAG's evaluation; systems, section 4.8), by their published definitions: an answer beside its question and evidence."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from pagerag_pipeline.evaluation.judging.cases import Case
from pagerag_pipeline.evaluation.judging.grade import lines
from pagerag_pipeline.evaluation.judging.judge import Judge
from pagerag_pipeline.prompts.load import fence_text
from pagerag_pipeline.schema.language import plain_label
from pagerag_pipeline.schema.protocols import Embedder
from pagerag_pipeline.systems.gathering import encode_question

QUESTIONS = 3
"""Questions that are written back from an answer; the default of Ragas."""


def answer_relevance(case: Case, judge: Judge, embedder: Embedder) -> float | None:
    """Mean cosine of the question with those that the answer would reply to; 0 for an evasive answer, and for a refusal of what can be answered.

    None for a question that cannot be answered. Raises Unjudged.
    """
    if not case.answerable:
        return None
    if not case.answer.strip():
        return 0.0
    reply = judge.ask("reverse", {"count": str(QUESTIONS), "answer": fence_text(case.answer)}, _so_many)
    if reply["evasive"]:
        return 0.0
    asked, *written = (encode_question(text, embedder) for text in (case.question, *reply["questions"]))
    return float(np.mean([one @ asked for one in written]))


def faithfulness(case: Case, judge: Judge) -> float | None:
    """Share of the statements of an answer that its evidence says; None without an answer, or for one that states nothing. Raises Unjudged."""
    if not case.answer.strip():
        return None
    values = {"question": fence_text(case.question), "answer": fence_text(case.answer)}
    stated = [one for one in judge.ask("statements", values)["statements"] if one.strip()]
    return _share_said(stated, case.contexts, judge) if stated else None


def context_recall(case: Case, judge: Judge) -> float | None:
    """Share of the statements of the first reference answer that the evidence says; None without a reference. Raises Unjudged."""
    if not case.answerable or not case.references:
        return None
    values = {"question": fence_text(case.question), "answer": fence_text(case.references[0])}
    stated = [one for one in judge.ask("statements", values)["statements"] if one.strip()]
    return _share_said(stated, case.contexts, judge) if stated else None


def context_precision(case: Case, judge: Judge) -> float | None:
    """Mean over the useful pieces of evidence of the share of useful ones down to their rank; 0 when none is useful, None without a reference.

    sum over ranks k of (precision at k x useful at k) / number of useful pieces. Raises Unjudged.
    """
    if not case.answerable or not case.references:
        return None
    values = {"question": fence_text(case.question), "references": lines(case.references)}
    useful: set[str] = set()
    pieces = {f"C{place}": text for place, text in enumerate(case.contexts, start=1)}
    for group in _groups(pieces, lambda some: judge.fits("useful", {**values, "evidence": _labeled(some)})):
        reply = judge.ask("useful", {**values, "evidence": _labeled(group)}, _each_once("label", list(group)))
        useful |= {plain_label(one["label"]) for one in reply["verdicts"] if one["useful"]}
    return mean_precision([name in useful for name in pieces])


def mean_precision(useful: Sequence[bool]) -> float:
    """The mean of the precision at each useful rank; 0 when none is useful."""
    hits = np.flatnonzero(useful)
    return float(np.mean([(place + 1) / (rank + 1) for place, rank in enumerate(hits)])) if len(hits) else 0.0


def _share_said(statements: Sequence[str], contexts: Sequence[str], judge: Judge) -> float:
    """Share of the statements that one of the groups of evidence which fit the window says; 0 without evidence."""
    numbered = fence_text("\n".join(f"{number}. {' '.join(one.split())}" for number, one in enumerate(statements, start=1)))
    pieces = {f"C{place}": text for place, text in enumerate(contexts, start=1)}
    said: set[int] = set()
    for group in _groups(pieces, lambda some: judge.fits("entail", {"statements": numbered, "evidence": _labeled(some)})):
        values = {"statements": numbered, "evidence": _labeled(group)}
        reply = judge.ask("entail", values, _each_once("number", list(range(1, len(statements) + 1))))
        said |= {one["number"] for one in reply["verdicts"] if one["said"]}
    return len(said) / len(statements)


def _groups(pieces: dict[str, str], fits: Callable[[dict[str, str]], bool]) -> list[dict[str, str]]:
    """The pieces in order in as few groups as fit a window; one that does not fit alone is a group, so that its failure is told."""
    groups: list[dict[str, str]] = []
    for name, text in pieces.items():
        if groups and fits({**groups[-1], name: text}):
            groups[-1][name] = text
        else:
            groups.append({name: text})
    return groups


def _labeled(pieces: dict[str, str]) -> str:
    return "\n\n".join(f"{name}:\n{fence_text(text)}" for name, text in pieces.items())


def _so_many(reply: dict[str, Any]) -> Iterable[str]:
    count = len([one for one in reply["questions"] if one.strip()])
    if count != QUESTIONS and not reply["evasive"]:
        yield f"questions must hold {QUESTIONS} questions, not {count}"


def _each_once(key: str, wanted: Sequence[str | int]) -> Callable[[Any], Iterable[str]]:
    def faults(reply: dict[str, Any]) -> Iterable[str]:
        given = [plain_label(one[key]) if isinstance(one[key], str) else one[key] for one in reply["verdicts"]]
        if sorted(given) != sorted(wanted):
            yield f"verdicts must have each {key} of {', '.join(map(str, wanted))} once, not {', '.join(map(str, given)) or 'nothing'}"

    return faults
