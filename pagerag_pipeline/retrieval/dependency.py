"""Dependency-aware reranking (PankRAG, section 4.5): passages that are like what earlier hops found come first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pagerag_pipeline.schema.asking import Evidence

DIGITS = 6
"""Decimals kept of scores before they decide: vectors of the same text in another batch differ by about 1e-7."""


def combined(own: Sequence[float], likeness: Sequence[float], *, alpha: float, beta: float) -> list[float]:
    """Alpha x R + beta x M of each candidate; both are 0..1, and alpha + beta = 1."""
    return [round(alpha * r + beta * m, DIGITS) for r, m in zip(own, likeness, strict=True)]


def min_max(scores: Sequence[float]) -> list[float]:
    """Scores between 0 (the least) and 1 (the most); 1 for one alone and where all are equal."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [round((score - low) / (high - low), DIGITS) if high > low else 1.0 for score in scores]


def order_by(scores: Sequence[float]) -> list[int]:
    """Places of candidates, best first; ties keep their order."""
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))


def likeness_to(answers: Sequence[np.ndarray], vectors: Sequence[np.ndarray | None]) -> list[float]:
    """M of each candidate: its best cosine with an answer, between 0 and 1; 0 for one without a vector."""
    best = [0.0 if vector is None else max(float(vector @ answer) for answer in answers) for vector in vectors]
    return [round(min(1.0, max(0.0, value)), DIGITS) for value in best]


def rerank_by_answers(
    pool: Sequence[Evidence], answers: Sequence[np.ndarray], vectors: Mapping[str, np.ndarray], *, alpha: float, beta: float
) -> list[Evidence]:
    """The whole pool by alpha x R + beta x M, R being its scores scaled to 0..1 and `vectors` those of its chunks; unchanged without an answer."""
    if not answers or not pool:
        return list(pool)
    own = min_max([item.score for item in pool])
    near = likeness_to(answers, [next((vectors[span.chunk_id] for span in item.spans if span.chunk_id in vectors), None) for item in pool])
    scores = combined(own, near, alpha=alpha, beta=beta)
    return [replace(pool[place], score=scores[place], scores=(*pool[place].scores, ("answers", near[place]))) for place in order_by(scores)]
