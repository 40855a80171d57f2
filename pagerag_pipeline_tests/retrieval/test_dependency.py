"""Dependency-aware reranking: the vector of the specification, its edges, and what stays as it was."""

import numpy as np
import pytest

from pagerag_pipeline.retrieval.dependency import combined, likeness_to, min_max, order_by, rerank_by_answers
from pagerag_pipeline.schema.asking import Evidence, SourceSpan

R, M = (0.9, 0.6, 0.3), (0.1, 0.8, 0.5)


@pytest.mark.parametrize(("alpha", "scores", "order"), [(0.60, [0.58, 0.68, 0.38], [2, 1, 3]), (0.75, [0.70, 0.65, 0.35], [1, 2, 3])])
def test_the_order_flips_between_the_two_weights(alpha: float, scores: list[float], order: list[int]) -> None:
    found = combined(R, M, alpha=alpha, beta=1 - alpha)
    assert found == pytest.approx(scores) and [place + 1 for place in order_by(found)] == order


def item(name: str, score: float) -> Evidence:
    return Evidence("passage", name, score, (SourceSpan(f"{name}.txt", name, 0, len(name), name),), 1)


POOL = [item("a", 3.0), item("b", 2.0), item("c", 1.0)]
ANSWER = np.array([1.0, 0.0])
VECTORS = {"a": np.array([0.0, 1.0]), "b": np.array([0.0, -1.0]), "c": np.array([1.0, 0.0])}


def test_without_a_known_answer_the_order_stays() -> None:
    assert rerank_by_answers(POOL, [], VECTORS, alpha=0.6, beta=0.4) == POOL
    assert rerank_by_answers([], [ANSWER], VECTORS, alpha=0.6, beta=0.4) == []


def test_what_is_like_an_earlier_answer_rises() -> None:
    found = rerank_by_answers(POOL, [ANSWER], VECTORS, alpha=0.4, beta=0.6)
    assert [(one.text, one.score) for one in found] == [("c", 0.6), ("a", 0.4), ("b", 0.2)]
    assert [dict(one.scores)["answers"] for one in found] == [1.0, 0.0, 0.0]


def test_of_several_answers_the_likest_counts_and_opposites_count_nothing() -> None:
    assert likeness_to([ANSWER, -ANSWER], [VECTORS["c"], VECTORS["a"], None]) == [1.0, 0.0, 0.0]
    assert likeness_to([-ANSWER], [VECTORS["c"]]) == [0.0]


def test_scores_are_scaled_over_the_candidates() -> None:
    assert min_max([2.0, 4.0, 3.0]) == [0.0, 1.0, 0.5] and min_max([7.0]) == [1.0] and min_max([2.0, 2.0]) == [1.0, 1.0] and min_max([]) == []


def test_ties_keep_their_order() -> None:
    assert order_by([0.5, 0.7, 0.5, 0.7]) == [1, 3, 0, 2]
