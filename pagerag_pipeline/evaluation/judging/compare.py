"""Two answers compared dimension by dimension, each pair in both orders, so that what comes first wins nothing by it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pagerag_pipeline.evaluation.judging.judge import Judge
from pagerag_pipeline.prompts.load import fence_text

DIMENSIONS = {
    "comprehensiveness": "how much of what the question asks for is covered, with the details that matter",
    "diversity": "how many different sides, views and insights the answer brings",
    "empowerment": "how well it lets a reader understand the matter and judge it by themselves",
    "directness": "how plainly and specifically it answers what was asked, without what was not",
    "logicality": "how sound its reasoning is: each step follows, nothing contradicts itself",
    "relevance": "how closely all of it bears on the question",
    "coherence": "how well its parts hang together and read as one text",
}
FAMILIES = {
    "four": ("comprehensiveness", "diversity", "empowerment", "directness"),
    "six": ("comprehensiveness", "diversity", "logicality", "relevance", "coherence", "empowerment"),
}
"""The four of PAGE-RAG (systems, section 2.6) and the six of PankRAG (section 4.8). What each means is said here, since the papers' wording is not taken."""

State = Literal["win", "loss", "tie", "disagree"]


@dataclass(frozen=True, slots=True)
class Compared:
    """What two verdicts on one dimension, one in each order, make together, seen from the first answer."""

    state: State
    """Both orders agree for the first answer, for the second, on a tie; or they disagree."""
    share: float
    """Mean over both orders: 1 for the first answer, 0.5 for a tie, 0 for the second."""


def compare(question: str, first: str, second: str, *, family: str, judge: Judge) -> dict[str, Compared]:
    """Each dimension of a family for two answers; two calls. Raises Unjudged when either order gave nothing."""
    names = FAMILIES[family]
    forward = _winners(question, (first, second), names, judge)
    backward = _winners(question, (second, first), names, judge)
    return {name: together(_POINTS[forward[name]], 1 - _POINTS[backward[name]]) for name in names}


def together(forward: float, backward: float) -> Compared:
    """The points of the first answer (1, 0.5 or 0) in both orders as one verdict."""
    states: dict[tuple[float, float], State] = {(1.0, 1.0): "win", (0.0, 0.0): "loss", (0.5, 0.5): "tie"}
    return Compared(states.get((forward, backward), "disagree"), (forward + backward) / 2)


_POINTS = {"1": 1.0, "tie": 0.5, "2": 0.0}


def _winners(question: str, answers: tuple[str, str], names: tuple[str, ...], judge: Judge) -> dict[str, str]:
    told = "\n".join(f"- {name}: {DIMENSIONS[name]}" for name in names)
    values = {"dimensions": told, "question": fence_text(question), "first": fence_text(answers[0]), "second": fence_text(answers[1])}
    reply = judge.ask("compare", values, _each_once(names))
    return {one["dimension"].strip().lower(): one["winner"] for one in reply["verdicts"]}


def _each_once(names: tuple[str, ...]) -> Callable[[Any], Iterable[str]]:
    def faults(reply: dict[str, Any]) -> Iterable[str]:
        given = [one["dimension"].strip().lower() for one in reply["verdicts"]]
        if sorted(given) != sorted(names):
            yield f"verdicts must name each of {', '.join(names)} once, not {', '.join(given) or 'nothing'}"

    return faults
