"""The text floor O_t: BM25 and dense search, pooled by reciprocal ranks, ordered by the sum of their z-scores."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pagerag_pipeline.retrieval.evidence import Found, by_content, passage_evidence, share, weighed
from pagerag_pipeline.schema.asking import Evidence, Scope, TermStatistics
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.found import Passage
from pagerag_pipeline.stores.hits import K1, B
from pagerag_pipeline.stores.repository import Repository

ROUNDING = 5
"""Decimals kept of scores before they decide: the same text in another batch differs by about 1e-7."""


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A question as the text operator reads it."""

    terms: tuple[str, ...]
    vector: np.ndarray
    statistics: TermStatistics
    tokenizer: Tokenizer
    """Counts what a row is shown with."""


def retrieve_text(
    query: TextQuery, repository: Repository, *, scope: Scope, settings: RetrieveSettings, extra: Sequence[Passage] = ()
) -> Found:
    """The pooled passages and rows, best first, with `extra` ones that other operators point at. Ties go to the document and place that sort first.

    Score = z(BM25) + `dense_weight` x z(cosine) over the pool, both exact for every pooled passage whichever list brought it. Left out are the texts of the two
    lists for which the pool has no room.
    """
    lexical = repository.match(query.terms, limit=settings.pool, scope=scope)
    dense = repository.nearest("passages", query.vector, limit=settings.pool, scope=scope)
    fused = reciprocal_ranks([[key for key, _ in lexical], [key for key, _ in dense]], settings.rrf_constant)
    keys = fused[: settings.pool]
    pooled = {passage.chunk_id: passage for passage in [*repository.passages(keys, scope), *extra]}
    scored = score_passages(list(pooled.values()), query, repository, known=dict(dense), dense_weight=settings.dense_weight)
    return Found(tuple(scored), left_out=len(fused) - len(keys))


def score_passages(passages: Sequence[Passage], query: TextQuery, repository: Repository, *, known: Mapping[str, float], dense_weight: float) -> list[Evidence]:
    """Evidence of these passages, best first; `known` cosines by embed key are not computed again."""
    groups = list(by_content(passages).values())
    lacking = sorted({group[0].embed_key for group in groups} - set(known))
    vectors = repository.vectors("passages", lacking) if lacking else {}
    cosines = {**known, **{key: float(vector @ query.vector) for key, vector in vectors.items()}}
    dense = [round(max(cosines.get(p.embed_key, 0.0) for p in group), ROUNDING) for group in groups]
    weights, held = weighed(query.terms, query.statistics), [[p.terms.split(" ") for p in group] for group in groups]
    lexical = [round(max(bm25(weights, terms, query.statistics.mean_terms) for terms in group), ROUNDING) for group in held]
    covered = [round(max(share(weights, frozenset(terms)) for terms in group), ROUNDING) for group in held]
    fused = [a + dense_weight * b for a, b in zip(z_scores(lexical), z_scores(dense), strict=True)]
    found = [
        passage_evidence(group, round(score, ROUNDING), (("bm25", b), ("dense", d), ("coverage", c)), tokenizer=query.tokenizer)
        for group, score, b, d, c in zip(groups, fused, lexical, dense, covered, strict=True)
    ]
    return sorted(found, key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))


def bm25(weights: Mapping[str, float], terms: Sequence[str], mean_terms: float) -> float:
    """BM25 of one passage: sum over weighed query terms of weight x tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))."""
    held = frozenset(terms)
    norm = K1 * (1 - B + B * len(terms) / mean_terms)
    counts = ((weight, terms.count(term)) for term, weight in weights.items() if term in held)
    return sum(weight * count * (K1 + 1) / (count + norm) for weight, count in counts)


def reciprocal_ranks(lists: Sequence[Sequence[str]], constant: int) -> list[str]:
    """Keys of several rankings, best first by the sum of 1 / (constant + rank); ties by key."""
    scores: dict[str, float] = {}
    for ranking in lists:
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (constant + rank)
    return sorted(scores, key=lambda key: (-scores[key], key))


def z_scores(values: Sequence[float]) -> list[float]:
    """Each value's distance from the mean in standard deviations; zeros when all are equal."""
    if not values:
        return []
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / deviation if deviation > 1e-9 else 0.0 for value in values]
