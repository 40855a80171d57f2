"""Intervals hold the value, are the same each time, and are not made of too little."""

import numpy as np
import pytest

from pagerag_pipeline.evaluation.intervals import interval, mean_interval


def test_a_mean_lies_in_its_interval_and_a_constant_has_none_of_width() -> None:
    values = np.array([0.0, 1.0] * 50)
    low, high = mean_interval(values, seed=7) or (1.0, 0.0)
    # Standard error 0.05: 95 % lie within about 0.098 of the mean.
    assert (low, high) == (pytest.approx(0.402, abs=0.02), pytest.approx(0.598, abs=0.02))
    assert mean_interval(values, seed=7) == (low, high)
    assert mean_interval(np.ones(5), seed=7) == (1.0, 1.0)
    assert mean_interval(np.ones(1), seed=7) is None


def test_samples_are_drawn_together() -> None:
    first = np.arange(30.0)
    assert interval(lambda a, b, axis: (a - b).mean(axis=axis), (first, first), seed=7) == (0.0, 0.0)


def test_resamples_without_the_statistic_are_left_out() -> None:
    def known(values: np.ndarray, axis: int) -> np.ndarray:
        return np.where(values.any(axis=axis), 1.0, np.nan)

    assert interval(known, (np.array([0, 0, 1]),), seed=7) == (1.0, 1.0)
    assert interval(lambda values, axis: np.full(values.shape[:-1], np.nan), (np.array([0, 0, 1]),), seed=7) is None
