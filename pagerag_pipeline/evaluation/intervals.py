"""Bootstrap intervals over questions, by `scipy.stats.bootstrap` (percentile method)."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

RESAMPLES = 1000
LEVEL = 0.95

Interval = tuple[float, float]


def interval(statistic: Callable[..., Any], samples: Sequence[np.ndarray], *, seed: int) -> Interval | None:
    """The 95 % interval of a statistic whose samples are drawn together, question by question; None for fewer than two questions.

    The statistic is taken over the last axis of many resamples at once. Those on which it is not defined (NaN) are left out.
    """
    from scipy.stats import DegenerateDataWarning, bootstrap

    if len(samples[0]) < 2:
        return None
    with warnings.catch_warnings():
        # It warns of resamples without a value, which are left out below.
        warnings.simplefilter("ignore", DegenerateDataWarning)
        found = bootstrap(
            samples, statistic, n_resamples=RESAMPLES, confidence_level=LEVEL, paired=len(samples) > 1, vectorized=True,
            method="percentile", rng=np.random.default_rng(seed),
        )  # fmt: skip
    known = found.bootstrap_distribution[~np.isnan(found.bootstrap_distribution)]
    if not len(known):
        return None
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def mean_interval(values: np.ndarray, *, seed: int) -> Interval | None:
    """The 95 % interval of a mean; None for fewer than two values."""
    return interval(np.mean, (values,), seed=seed)
