"""How well answering and refusing are told apart: balanced scores, ranking by confidence, risk and coverage, calibration."""

from dataclasses import dataclass
from typing import Any

import numpy as np

BINS = 10
"""Bins of the reliability diagram, of equal width."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided on questions of which it is known whether they can be answered; one entry of each array a question."""

    answerable: np.ndarray
    answered: np.ndarray
    """In whole or in part."""
    refused: np.ndarray
    """A question that failed was neither answered nor refused."""
    lenient: np.ndarray
    confidence: np.ndarray


def harmonic(first: np.ndarray | float, second: np.ndarray | float) -> np.ndarray:
    """Harmonic mean of two shares; 0 when both are 0, NaN when one is not known."""
    total = np.asarray(first + second, dtype=float)
    return np.asarray(np.divide(2 * np.multiply(first, second), total, out=np.zeros_like(total), where=total != 0))


def share(flags: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Share of what is flagged among some, over the last axis; NaN when there are none."""
    count = np.asarray(among.sum(axis=-1), dtype=float)
    return np.asarray(np.divide((flags & among).sum(axis=-1), count, out=np.full_like(count, np.nan), where=count > 0))


def balanced_answered(answerable: np.ndarray, answered: np.ndarray, refused: np.ndarray, *, axis: int = -1) -> np.ndarray:
    """`bbs_answered`: harmonic mean of the share answered of the answerable and the share refused of the others, over the last axis."""
    return harmonic(share(answered, answerable), share(refused, ~answerable))


def balanced_lenient(answerable: np.ndarray, lenient: np.ndarray, refused: np.ndarray, *, axis: int = -1) -> np.ndarray:
    """`bbs_lenient`, the paper's: harmonic mean of lenient accuracy on the answerable and the share refused of the others."""
    return harmonic(share(lenient, answerable), share(refused, ~answerable))


def auroc(answerable: np.ndarray, confidence: np.ndarray) -> float:
    """Chance that an answerable question has the higher confidence of two, one of each kind; NaN when there is but one kind."""
    from sklearn.metrics import roc_auc_score

    if answerable.all() or not answerable.any():
        return float("nan")
    return float(roc_auc_score(answerable, confidence))


def auroc_of_many(answerable: np.ndarray, confidence: np.ndarray, *, axis: int = -1) -> np.ndarray:
    """`auroc` of many resamples at once, over the last axis, by ranks (Mann and Whitney): (rank sum of n yes - n (n + 1) / 2) / (n yes x n no)."""
    from scipy.stats import rankdata

    yes = np.asarray(answerable.sum(axis=-1), dtype=float)
    pairs = yes * (answerable.shape[-1] - yes)
    ranks = np.where(answerable, rankdata(confidence, axis=-1), 0.0).sum(axis=-1)
    return np.asarray(np.divide(ranks - yes * (yes + 1) / 2, pairs, out=np.full_like(pairs, np.nan), where=pairs > 0))


def balanced_at(decided: Decided, threshold: float) -> float:
    """`bbs_answered` if nothing but confidence and this threshold decided."""
    above = decided.confidence >= threshold
    return float(balanced_answered(decided.answerable, above, ~above))


def best_threshold(decided: Decided) -> tuple[float, float]:
    """The threshold with the best `bbs_answered`, the lowest of equals, and that score."""
    scores = [(balanced_at(decided, float(one)), -float(one)) for one in np.unique(decided.confidence)]
    score, negative = max(scores)
    return -negative, score


def risk_coverage(right: np.ndarray, confidence: np.ndarray) -> tuple[list[float], list[float]]:
    """Coverage and the share of wrong answers among what is covered, the surest first; equal confidences are covered together."""
    order = np.argsort(-confidence, kind="stable")
    wrong = np.cumsum(~right[order])
    ends = np.flatnonzero(np.append(np.diff(confidence[order]) != 0, True))
    coverage = (ends + 1) / len(order)
    return [float(one) for one in coverage], [float(one) for one in wrong[ends] / (ends + 1)]


def area(coverage: list[float], risk: list[float]) -> float:
    """Area under a risk-coverage curve: the mean risk over all coverages, each step with the risk at its end."""
    return float(np.sum(np.diff([0.0, *coverage]) * np.array(risk)))


def reliability(answerable: np.ndarray, confidence: np.ndarray) -> dict[str, Any]:
    """Mean confidence, share answerable and number of questions of each bin that has any; and the expected calibration error."""
    from sklearn.calibration import calibration_curve

    shares, means = calibration_curve(answerable, confidence, n_bins=BINS, strategy="uniform")
    # The bins that `calibration_curve` uses: a confidence on an edge counts below it.
    counts = np.bincount(np.searchsorted(np.linspace(0.0, 1.0, BINS + 1)[1:-1], confidence), minlength=BINS)
    filled = counts[counts > 0]
    error = float(np.sum(filled * np.abs(shares - means)) / filled.sum())
    return {
        "confidence": [float(m) for m in means],
        "answerable": [float(s) for s in shares],
        "n": [int(n) for n in filled],
        "error": error,
    }
