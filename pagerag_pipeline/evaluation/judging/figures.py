"""Figures over what a judge said: means with intervals and their numbers of questions, pairs by dimension, failures by kind."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pagerag_pipeline.evaluation.intervals import interval, mean_interval
from pagerag_pipeline.evaluation.judging.cases import Case
from pagerag_pipeline.evaluation.judging.grade import GRADES
from pagerag_pipeline.evaluation.judging.scoring import Pairs, Scored
from pagerag_pipeline.evaluation.refusal import balanced_lenient
from pagerag_pipeline.evaluation.summary import figure

MEASURES = (*GRADES, "answer_relevance", "faithfulness", "context_recall", "context_precision")
JUDGED = (*MEASURES, "bbs_judged")
"""All figures of one variant, in the order in which they are shown."""


def case_figures(cases: Sequence[Case], scored: Sequence[Scored], *, seed: int) -> dict[str, Any]:
    """The figures of one variant on one set; `failures` counts measures without a value, which are in no mean."""
    told: dict[str, Any] = {"questions": len(cases)}
    for name in MEASURES:
        values = np.array([one.values[name] for one in scored if name in one.values], dtype=float)
        if len(values):
            told[name] = figure(float(values.mean()), mean_interval(values, seed=seed), len(values))
    told |= _balanced(cases, scored, seed)
    no_reference = sum(case.answerable and not case.references for case in cases)
    failures = Counter(name for one in scored for name in one.failures)
    return {**told, **({"no_reference": no_reference} if no_reference else {}), "failures": dict(sorted(failures.items()))}


def pair_figures(pairs: Pairs, *, seed: int) -> dict[str, Any]:
    """By dimension: questions won, lost, tied, and those on which the orders disagree; `share` is the mean of both orders with a tie as half."""
    told: dict[str, Any] = {"not_compared": pairs.not_compared, "failures": dict(sorted(pairs.failures.items())), "dimensions": {}}
    for name, verdicts in pairs.verdicts.items():
        counts = Counter(one.state for one in verdicts)
        shares = np.array([one.share for one in verdicts], dtype=float)
        share = figure(float(shares.mean()), mean_interval(shares, seed=seed), len(shares)) if len(shares) else None
        told["dimensions"][name] = {**{state: counts[state] for state in ("win", "loss", "tie", "disagree")}, "share": share}
    return told


def _balanced(cases: Sequence[Case], scored: Sequence[Scored], seed: int) -> dict[str, Any]:
    """`bbs_judged`: harmonic mean of judged lenient accuracy on what can be answered and of correct refusals of the rest, where there are both."""
    known = [(case, one) for case, one in zip(cases, scored, strict=True) if not case.answerable or "judged_lenient" in one.values]
    answerable = np.array([case.answerable for case, _ in known], dtype=bool)
    if not len(known) or answerable.all() or not answerable.any():
        return {}
    lenient = np.array([one.values.get("judged_lenient", 0.0) == 1.0 for _, one in known], dtype=bool)
    refused = np.array([case.status == "refused" for case, _ in known], dtype=bool)
    samples = (answerable, lenient, refused)
    return {"bbs_judged": figure(float(balanced_lenient(*samples)), interval(balanced_lenient, samples, seed=seed), len(known))}
