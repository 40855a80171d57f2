"""Figures of refusal, worked out by hand; the balanced score agrees with the numbers that the paper prints."""

import math

import numpy as np
import pytest

from pagerag_pipeline.evaluation.refusal import (
    Decided,
    area,
    auroc,
    auroc_of_many,
    balanced_answered,
    balanced_at,
    balanced_lenient,
    best_threshold,
    harmonic,
    reliability,
    risk_coverage,
)

YES, NO = True, False


def decided(answerable: list[bool], confidence: list[float]) -> Decided:
    known, sure = np.array(answerable), np.array(confidence)
    return Decided(known, sure >= 0.5, sure < 0.5, sure >= 0.5, sure)


def test_the_balanced_score_gives_the_numbers_of_the_paper() -> None:
    assert harmonic(0.901, 24 / 24) == pytest.approx(0.948, abs=5e-4)
    assert harmonic(0.951, 4 / 24) == pytest.approx(0.284, abs=5e-4)
    assert harmonic(0.0, 0.0) == 0.0


def test_balanced_scores_count_answers_and_refusals() -> None:
    answerable = np.array([YES, YES, YES, YES, NO, NO])
    answered = np.array([YES, YES, YES, NO, YES, NO])
    lenient = np.array([YES, NO, NO, NO, NO, NO])
    assert balanced_answered(answerable, answered, ~answered) == pytest.approx(2 * 0.75 * 0.5 / 1.25)
    assert balanced_lenient(answerable, lenient, ~answered) == pytest.approx(2 * 0.25 * 0.5 / 0.75)
    assert math.isnan(balanced_answered(np.array([YES]), np.array([YES]), np.array([NO])))


def test_auroc_is_the_share_of_pairs_in_order() -> None:
    assert auroc(np.array([YES, YES, NO, NO]), np.array([0.9, 0.4, 0.6, 0.1])) == pytest.approx(3 / 4)
    assert math.isnan(auroc(np.array([YES, YES]), np.array([0.1, 0.2])))


def test_auroc_of_many_resamples_is_that_of_each() -> None:
    draw = np.random.default_rng(7)
    answerable, confidence = draw.random((20, 30)) < 0.6, np.round(draw.random((20, 30)), 1)
    answerable[3] = True
    found = auroc_of_many(answerable, confidence)
    assert found == pytest.approx(
        [auroc(one, sure) for one, sure in zip(answerable, confidence, strict=True)], nan_ok=True
    ) and math.isnan(found[3])


def test_the_best_threshold_is_the_lowest_of_equals() -> None:
    one = decided([YES, YES, NO, NO], [0.9, 0.4, 0.3, 0.1])
    assert balanced_at(one, 0.5) == pytest.approx(2 * 0.5 * 1.0 / 1.5)
    assert best_threshold(one) == (0.4, 1.0)


def test_risk_grows_over_coverage_and_equal_confidences_are_covered_together() -> None:
    coverage, risk = risk_coverage(np.array([YES, NO, YES, NO]), np.array([0.9, 0.5, 0.5, 0.1]))
    assert coverage == [0.25, 0.75, 1.0]
    assert risk == [0.0, pytest.approx(1 / 3), 0.5]
    assert area(coverage, risk) == pytest.approx(0.25 * 0 + 0.5 / 3 + 0.25 * 0.5)


def test_reliability_compares_confidence_with_what_is_answerable() -> None:
    found = reliability(np.array([YES, NO, YES]), np.array([0.1, 0.1, 0.95]))
    assert found == {
        "confidence": [pytest.approx(0.1), pytest.approx(0.95)], "answerable": [0.5, 1.0], "n": [2, 1],
        "error": pytest.approx((2 * 0.4 + 1 * 0.05) / 3),
    }  # fmt: skip
