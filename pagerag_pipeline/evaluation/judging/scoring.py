"""Everything that is to be judged, judged: cases one by one, pairs of variants question by question; a failure is counted, never a value."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pagerag_pipeline.evaluation.judging.cases import Case
from pagerag_pipeline.evaluation.judging.compare import FAMILIES, Compared, compare
from pagerag_pipeline.evaluation.judging.grade import grade
from pagerag_pipeline.evaluation.judging.judge import Judge, Unjudged
from pagerag_pipeline.evaluation.judging.support import answer_relevance, context_precision, context_recall, faithfulness
from pagerag_pipeline.schema.protocols import Embedder, Progress

KINDS = ("grades", "four", "six", "ragas")
"""What can be judged: strict and lenient grades, pairs on four and on six dimensions, the measures of Ragas."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a judge made of one case: its measures by name, and what failed."""

    values: Mapping[str, float]
    failures: tuple[str, ...] = ()


@dataclass(slots=True)
class Pairs:
    """What a judge made of two variants on one set, by dimension of one family, a verdict a question."""

    verdicts: dict[str, list[Compared]] = field(default_factory=dict)
    not_compared: int = 0
    """Questions that not both of them answered."""
    failures: Counter[str] = field(default_factory=Counter)


def score_cases(
    judge: Judge, cases: Sequence[Case], kinds: Sequence[str], embedders: Mapping[str, Embedder], *, told: Progress | None = None
) -> list[Scored]:
    """What the judge makes of each case, in their order."""
    scored: dict[int, Scored] = {}

    def one(place: int) -> Scored:
        return _scored(judge, cases[place], kinds, embedders)

    for place, result in judge.each(one, range(len(cases))) if {"grades", "ragas"} & set(kinds) else ():
        scored[place] = result
        if told:
            told("judge", len(scored), len(cases))
    return [scored.get(place, Scored({})) for place in range(len(cases))]


def score_pairs(
    judge: Judge, first: Sequence[Case], other: Sequence[Case], family: str, *, told: Progress | None = None
) -> Pairs:
    """What the judge makes of two variants, which were asked the same questions in the same order."""
    pairs = Pairs({name: [] for name in FAMILIES[family]})
    both = [(a, b) for a, b in zip(first, other, strict=True) if a.answer.strip() and b.answer.strip()]
    pairs.not_compared = len(first) - len(both)
    found: dict[int, dict[str, Compared] | Unjudged] = {}

    def one(place: int) -> dict[str, Compared] | Unjudged:
        a, b = both[place]
        try:
            return compare(a.question, a.answer, b.answer, family=family, judge=judge)
        except Unjudged as failure:
            return failure

    for place, result in judge.each(one, range(len(both))):
        found[place] = result
        if told:
            told(f"judge {family}", len(found), len(both))
    for _, verdict in sorted(found.items()):
        if isinstance(verdict, Unjudged):
            pairs.failures[verdict.name] += 1
            continue
        for name, one_verdict in verdict.items():
            pairs.verdicts[name].append(one_verdict)
    return pairs


def _scored(judge: Judge, case: Case, kinds: Sequence[str], embedders: Mapping[str, Embedder]) -> Scored:
    values: dict[str, float] = {}
    failures: list[str] = []
    for names, measure in _measures(judge, case, kinds, embedders):
        try:
            values.update({name: value for name, value in measure().items() if value is not None})
        except Unjudged as failure:
            failures.append(f"{names}, {failure.name}")
    return Scored(values, tuple(failures))


_Measure = Callable[[], Mapping[str, float | None]]


def _measures(judge: Judge, case: Case, kinds: Sequence[str], embedders: Mapping[str, Embedder]) -> list[tuple[str, _Measure]]:
    """What is measured of a case. A fault of the system counts as wrong in the grades, and says nothing about its evidence."""
    measures: list[tuple[str, _Measure]] = []
    if "grades" in kinds:
        measures.append(("grades", lambda: grade(case, judge)))
    if "ragas" in kinds and case.status != "failed":
        measures += [
            ("answer_relevance", lambda: {"answer_relevance": answer_relevance(case, judge, embedders[case.set])}),
            ("faithfulness", lambda: {"faithfulness": faithfulness(case, judge)}),
            ("context_recall", lambda: {"context_recall": context_recall(case, judge)}),
            ("context_precision", lambda: {"context_precision": context_precision(case, judge)}),
        ]
    return measures
