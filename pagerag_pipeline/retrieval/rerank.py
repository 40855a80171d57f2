"""Reranking O_r without a model: the text score, how much of what is asked an item covers, and whether the graph points at it."""

from collections.abc import Mapping, Sequence

from pagerag_pipeline.retrieval.evidence import rescored
from pagerag_pipeline.schema.asking import Evidence
from pagerag_pipeline.settings_asking import RetrieveSettings


def rerank(pool: Sequence[Evidence], settings: RetrieveSettings, *, pointed: Mapping[tuple[str, int], float]) -> list[Evidence]:
    """The pool, best first: text score + `rerank_coverage` x coverage of the question's terms (0..1) + `rerank_graph` x what the graph adds.

    `pointed` gives, for (document, start) of a passage, how strongly a graph operator points at it (0..1).
    """
    scored = []
    for item in pool:
        graph = max((pointed.get((span.document, span.start), 0.0) for span in item.spans), default=0.0)
        score = item.score + settings.rerank_coverage * dict(item.scores).get("coverage", 0.0) + settings.rerank_graph * graph
        scored.append(rescored(item, round(score, 5), ("graph", round(graph, 5))))
    return sorted(scored, key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))
