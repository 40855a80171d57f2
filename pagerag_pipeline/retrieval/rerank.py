"""Reranking O_r without a model: the text score, how much of what is asked an item covers, and whether the graph points at it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pagerag_pipeline.schema import Evidence

COVERAGE = 0.3
GRAPH = 0.6
"""Weights beside the text score, which is a sum of two z-scores: small, so that text leads (coverage above 1 was measured to hurt)."""


def rerank(pool: Sequence[Evidence], *, pointed: Mapping[tuple[str, int], float]) -> list[Evidence]:
    """The pool, best first: text score + coverage of the question's terms (0..1) + what the graph adds.

    `pointed` gives, for (document, start) of a passage, how strongly a graph operator points at it (0..1).
    """
    scored = []
    for item in pool:
        graph = max((pointed.get((span.document, span.start), 0.0) for span in item.spans), default=0.0)
        score = item.score + COVERAGE * dict(item.scores).get("coverage", 0.0) + GRAPH * graph
        scored.append(replace(item, score=round(score, 5), scores=(*item.scores, ("graph", round(graph, 5)))))
    return sorted(scored, key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))
