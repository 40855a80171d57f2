"""Reranking O_r without a model: the text score, how much of what is asked an item covers, and whether the graph points at it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.schema import Evidence, TermStatistics

COVERAGE = 1.0
GRAPH = 0.6
"""Weights beside the text score, which is a sum of two z-scores; chosen small, so that text leads."""


def rerank(
    pool: Sequence[Evidence], *, asked: tuple[Sequence[str], TermStatistics], pointed: Mapping[tuple[str, int], float]
) -> list[Evidence]:
    """The pool, best first: text score + coverage of the content terms (0..1) + what the graph adds.

    `pointed` gives, for (document, start) of a passage, how strongly a graph operator points at it (0..1).
    """
    wanted, statistics = asked
    weights = {term: statistics.weight(term) for term in wanted}
    total = sum(weights.values()) or 1.0
    scored = []
    for item in pool:
        found = set(terms(item.text))
        coverage = sum(weight for term, weight in weights.items() if term in found) / total
        graph = max((pointed.get((span.document, span.start), 0.0) for span in item.spans), default=0.0)
        score = round(item.score + COVERAGE * coverage + GRAPH * graph, 5)
        scored.append(replace(item, score=score, scores=(*item.scores, ("coverage", round(coverage, 5)), ("graph", round(graph, 5)))))
    return sorted(scored, key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))
