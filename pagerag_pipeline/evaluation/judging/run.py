"""One evaluation judged: cases from rows, scores, and the figures that the report shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pagerag_pipeline.evaluation.judging.cases import Case
from pagerag_pipeline.evaluation.judging.compare import FAMILIES
from pagerag_pipeline.evaluation.judging.figures import case_figures, pair_figures
from pagerag_pipeline.evaluation.judging.judge import Judge
from pagerag_pipeline.evaluation.judging.scoring import score_cases, score_pairs
from pagerag_pipeline.schema.protocols import Embedder, Progress


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be judged."""

    kinds: tuple[str, ...]
    """Of scoring.KINDS."""
    seed: int
    """Of intervals."""
    embedders: Mapping[str, Embedder] = field(default_factory=dict)
    """By set, what compares questions for `answer_relevance`."""


def judge_cases(judge: Judge, cases: Sequence[Case], wanted: Wanted, *, told: Progress | None = None) -> dict[str, Any]:
    """Figures by set and variant (`results`), of the first variant beside each other one (`pairs`), and what the judge tells of itself."""
    scored = score_cases(judge, cases, wanted.kinds, wanted.embedders, told=told)
    results: dict[str, Any] = {}
    pairs: dict[str, Any] = {}
    for name in dict.fromkeys(case.set for case in cases):
        places = [place for place, case in enumerate(cases) if case.set == name]
        by_variant = {variant: [p for p in places if cases[p].variant == variant] for variant in dict.fromkeys(cases[p].variant for p in places)}
        results[name] = {one: case_figures([cases[p] for p in own], [scored[p] for p in own], seed=wanted.seed) for one, own in by_variant.items()}
        families = [family for family in FAMILIES if family in wanted.kinds]
        first, *others = by_variant
        for other in others if families else ():
            left, right = _same_questions([cases[p] for p in by_variant[first]], [cases[p] for p in by_variant[other]])
            told_of = {family: pair_figures(score_pairs(judge, left, right, family, told=told), seed=wanted.seed) for family in families}
            pairs.setdefault(name, {})[f"{first} - {other}"] = told_of
    return {**judge.told(), "kinds": list(wanted.kinds), "results": results, "pairs": pairs}


def _same_questions(first: Sequence[Case], other: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """The cases of the questions that both variants were asked, side by side; a run that was stopped has asked some of one alone."""
    known = {(case.qid, case.question): case for case in other}
    both = [(case, known[case.qid, case.question]) for case in first if (case.qid, case.question) in known]
    return [case for case, _ in both], [case for _, case in both]
