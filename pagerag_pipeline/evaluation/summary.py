"""Figures over rows: of each set and of all of them together, by variant, with intervals, and paired between variants."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pagerag_pipeline.evaluation.intervals import Interval, interval, mean_interval
from pagerag_pipeline.evaluation.metrics import RANKING, ranking_values
from pagerag_pipeline.evaluation.refusal import (
    Decided,
    area,
    auroc,
    auroc_of_many,
    balanced_answered,
    balanced_lenient,
    best_threshold,
    reliability,
    risk_coverage,
)
from pagerag_pipeline.evaluation.results import Row

ALL_SETS = "all sets"
MEANS = (*RANKING, "lenient", "strict", "evidence_hit", "evidence_hit_of_present", "answered", "correct_refusals")
"""Figures that are a mean over the questions of which gold says something."""
BALANCED = ("bbs_answered", "bbs_lenient", "auroc")
"""Figures over the questions of a set as a whole."""
LISTED = 20
"""Failed questions told with their errors; all of them stand in the results."""
_PLACES = 4


def summarize(rows: Sequence[Row], variants: Sequence[str], *, seed: int) -> dict[str, Any]:
    """`results`, `paired` (the first variant minus each other one), and `curves`, each by set and variant."""
    scored = _with_values(rows)
    names = list(dict.fromkeys(row["set"] for row in scored))
    parts = {name: [row for row in scored if row["set"] == name] for name in names}
    if len(names) > 1:
        parts[ALL_SETS] = scored
    results: dict[str, Any] = {}
    paired: dict[str, Any] = {}
    curves: dict[str, Any] = {}
    for name, part in parts.items():
        by_variant = {one: [row for row in part if row["variant"] == one] for one in variants}
        results[name] = {one: figures(own, seed=seed) for one, own in by_variant.items()}
        first = variants[0]
        paired[name] = {f"{first} - {one}": differences(by_variant[first], by_variant[one], seed=seed) for one in variants[1:]}
        curves[name] = {one: curve for one, own in by_variant.items() if (curve := _curves(own))}
    return {"results": results, "paired": paired, "curves": curves}


def figures(rows: Sequence[Row], *, seed: int) -> dict[str, Any]:
    """All figures of some questions in one variant."""
    statuses, reasons = (Counter(row[name] for row in rows if row[name]) for name in ("status", "reason"))
    told: dict[str, Any] = {
        "questions": len(rows),
        "statuses": dict(sorted(statuses.items())),
        "reasons": dict(sorted(reasons.items())),
    }
    failures = [[row["qid"], row["error"]] for row in rows if row["status"] == "failed"]
    if failures:
        told["failures"] = failures[:LISTED]
    for name in MEANS:
        values = np.array([row["values"][name] for row in rows if row["values"][name] is not None], dtype=float)
        if len(values):
            told[name] = figure(float(values.mean()), mean_interval(values, seed=seed), len(values))
    return {**told, **_refusal(rows, seed), **_cost(rows)}


def differences(first: Sequence[Row], other: Sequence[Row], *, seed: int) -> dict[str, Any]:
    """How much better the first variant is than the other on the same questions, with intervals over questions."""
    pairs = _pairs(first, other)
    if not pairs:
        return {}
    first, other = zip(*pairs, strict=True)
    told: dict[str, Any] = {}
    for name in MEANS:
        known = [(a["values"][name], b["values"][name]) for a, b in pairs if None not in (a["values"][name], b["values"][name])]
        if known:
            difference = np.array([a - b for a, b in known], dtype=float)
            told[name] = figure(float(difference.mean()), mean_interval(difference, seed=seed), len(difference))
    one, two = decided(first), decided(other)
    if one.answerable.all() or not one.answerable.any():
        return told
    for name in BALANCED:
        statistic, of_many, arrays = _balanced(name, one)
        more = _balanced(name, two)[2]
        value = statistic(one.answerable, *arrays) - statistic(one.answerable, *more)
        samples = (one.answerable, *arrays, *more)
        told[name] = figure(float(value), interval(_apart(of_many, len(arrays)), samples, seed=seed), len(pairs))
    return told


def _pairs(first: Sequence[Row], other: Sequence[Row]) -> list[tuple[Row, Row]]:
    """The rows of the same questions; a run that was stopped has asked some of one variant alone."""
    known = {(row["set"], row["qid"], row["question"]): row for row in other}
    return [(row, known[key]) for row in first if (key := (row["set"], row["qid"], row["question"])) in known]


def _apart(statistic: Callable[..., Any], half: int) -> Callable[..., Any]:
    """The difference of a statistic of the first arrays beside what is answerable, and of those behind them."""

    def difference(answerable: np.ndarray, *both: np.ndarray, axis: int = -1) -> Any:
        return statistic(answerable, *both[:half], axis=axis) - statistic(answerable, *both[half:], axis=axis)

    return difference


def decided(rows: Sequence[Row]) -> Decided:
    """What was decided on these questions, as arrays."""

    def flags(read: Callable[[Row], bool]) -> np.ndarray:
        return np.array([read(row) for row in rows], dtype=bool)

    return Decided(
        flags(lambda row: row["answerable"]),
        flags(lambda row: row["status"] in ("answered", "partial")),
        flags(lambda row: row["status"] == "refused"),
        flags(lambda row: bool(row["lenient"])),
        np.array([row["confidence"] for row in rows], dtype=float),
    )


def _with_values(rows: Sequence[Row]) -> list[Row]:
    """The rows with what each contributes to every mean; None where gold says nothing."""
    ranked = {str(i): row["ranked"] for i, row in enumerate(rows) if row["ranked"] is not None}
    relevant = {str(i): rows[int(i)]["relevant"] for i in ranked}
    rankings = ranking_values(ranked, relevant)
    return [
        {**row, "values": {**dict.fromkeys(RANKING), **rankings.get(str(i), {}), **_own_values(row)}} for i, row in enumerate(rows)
    ]


def _own_values(row: Row) -> dict[str, float | None]:
    answered, refused = row["status"] in ("answered", "partial"), row["status"] == "refused"
    return {
        "lenient": row["lenient"],
        "strict": row["strict"],
        "evidence_hit": row["hit"],
        "evidence_hit_of_present": row["hit"] if row["present"] else None,
        "answered": answered if row["answerable"] else None,
        "correct_refusals": None if row["answerable"] else refused,
    }


def _refusal(rows: Sequence[Row], seed: int) -> dict[str, Any]:
    """Figures of refusal, where some questions can be answered and others cannot."""
    all_of_them = decided(rows)
    if all_of_them.answerable.all() or not all_of_them.answerable.any():
        return {}
    told: dict[str, Any] = {}
    for name in BALANCED:
        if name == "bbs_lenient" and all(row["lenient"] is None for row in rows):
            continue
        statistic, of_many, arrays = _balanced(name, all_of_them)
        samples = (all_of_them.answerable, *arrays)
        told[name] = figure(float(statistic(*samples)), interval(of_many, samples, seed=seed), len(rows))
    threshold, best = best_threshold(all_of_them)
    told["bbs_best"] = _rounded(best)
    told["best_threshold"] = _rounded(threshold)
    told["bbs_of_best"] = _rounded(min(1.0, told["bbs_answered"]["value"] / best)) if best else None
    told["aurc"] = _rounded(area(*risk_coverage(all_of_them.answerable, all_of_them.confidence)))
    if any(row["lenient"] is not None for row in rows):
        told["aurc_lenient"] = _rounded(area(*risk_coverage(all_of_them.lenient, all_of_them.confidence)))
    told["calibration_error"] = _rounded(reliability(all_of_them.answerable, all_of_them.confidence)["error"])
    return told


_Balanced = tuple[Callable[..., Any], Callable[..., Any], tuple[np.ndarray, ...]]


def _balanced(name: str, one: Decided) -> _Balanced:
    """A figure of BALANCED as a function of what is answerable and of the arrays beside it, the same for many resamples, and the arrays."""
    known: dict[str, _Balanced] = {
        "bbs_answered": (balanced_answered, balanced_answered, (one.answered, one.refused)),
        "bbs_lenient": (balanced_lenient, balanced_lenient, (one.lenient, one.refused)),
        "auroc": (auroc, auroc_of_many, (one.confidence,)),
    }
    return known[name]


def _cost(rows: Sequence[Row]) -> dict[str, Any]:
    """Latency over all and by step in milliseconds, evidence tokens, and the share of plans with each operator."""
    sound = [row for row in rows if row["status"] != "failed"]
    if not sound:
        return {}
    steps = {
        name: [row["steps"][name] for row in sound if name in row["steps"]]
        for name in sorted({n for row in sound for n in row["steps"]})
    }
    operators = Counter(name for row in sound for name in dict.fromkeys(row["operators"]))
    return {
        "latency_ms": _quantiles([row["seconds"] for row in sound]),
        "latency_ms_by_step": {name: {**_quantiles(seconds), "n": len(seconds)} for name, seconds in steps.items()},
        "evidence_tokens": round(float(np.mean([row["evidence_tokens"] for row in sound])), 1),
        "plans_with": {name: _rounded(count / len(sound)) for name, count in sorted(operators.items())},
    }


def _quantiles(seconds: Sequence[float]) -> dict[str, float]:
    middle, most = np.quantile(seconds, [0.5, 0.95]) * 1000
    return {"p50": round(float(middle), 1), "p95": round(float(most), 1)}


def _curves(rows: Sequence[Row]) -> dict[str, Any]:
    one = decided(rows)
    if one.answerable.all() or not one.answerable.any():
        return {}
    coverage, risk = risk_coverage(one.answerable, one.confidence)
    return {"coverage": coverage, "risk": risk, "reliability": reliability(one.answerable, one.confidence)}


def figure(value: float, bounds: Interval | None, n: int) -> dict[str, Any]:
    """A value with its interval and the number of questions behind it."""
    low, high = bounds or (None, None)
    return {"value": _rounded(value), "low": _rounded(low), "high": _rounded(high), "n": n}


def _rounded(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else round(value, _PLACES)
