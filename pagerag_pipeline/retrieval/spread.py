"""Spreading activation O_s: personalized PageRank from the question's entities and best passages over the entity-passage graph.

It finds the second hop: a passage that shares no word with the question but an entity with a passage that does.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.settings import RetrieveSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.repository import Repository

LEAST = 3e-5
"""Activation below this is not passed on, which keeps a step to the neighborhood of the seeds (same rankings as 1e-7, a third of the time)."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The passages that activation reached, by chunk id, the strongest first, and how many more it reached."""

    activation: Mapping[str, float] = field(default_factory=dict)
    left_out: int = 0

    def step(self) -> dict[str, Any]:
        """The operator's step in the trace of an outcome."""
        return {"step": "spread", "found": len(self.activation), "left_out": self.left_out}


def spread_activation(
    entity_ids: Sequence[str], pool: Sequence[Evidence], repository: Repository, *, scope: Scope, settings: RetrieveSettings
) -> Reached:
    """At most `pool` passages in scope with their activation.

    The reset gives `spread_text` to the best `spread_passages` of the pool, by exp(score), and the rest to the entities, by rarity.
    """
    graph = repository.activation_graph(scope)
    seeds = _seeds(graph, entity_ids, pool[: settings.spread_passages], settings.spread_text)
    if not seeds:
        return Reached()
    activation = personalized_pagerank(graph, seeds, damping=settings.spread_damping, steps=settings.spread_steps)[: len(graph.passages)]
    order = np.lexsort((np.arange(len(activation)), -np.round(activation, 9)))[: settings.pool]
    strongest = {graph.passages[i]: float(activation[i]) for i in order if activation[i] > 0}
    return Reached(strongest, int(np.count_nonzero(activation > 0)) - len(strongest))


def order_by_activation(ranked: Sequence[Evidence], activation: Mapping[str, float]) -> list[Evidence]:
    """Passages that were reached, strongest first with their activation over the strongest as score; then the rest in their order, below 0."""
    top = max(activation.values(), default=0.0)
    scored = []
    for position, item in enumerate(ranked):
        own = max((activation.get(span.chunk_id, 0.0) for span in item.spans), default=0.0)
        score = round(own / top, 6) if own > 0 else -float(position + 1) / (len(ranked) + 1)
        scored.append(replace(item, score=round(score, 6), scores=(*item.scores, ("text", item.score))))
    return sorted(scored, key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))


def personalized_pagerank(graph: ActivationGraph, seeds: Mapping[int, float], *, damping: float, steps: int) -> np.ndarray:
    """X = damping x W^T + (1 - damping) seeds, iterated so many steps; one value a node."""
    size = len(graph.starts) - 1
    reset = np.zeros(size)
    for node, weight in seeds.items():
        reset[node] = weight
    reset /= reset.sum()
    activation = reset.copy()
    for _ in range(steps):
        activation = damping * _step(graph, activation, size) + (1 - damping) * reset
    return activation


def _step(graph: ActivationGraph, activation: np.ndarray, size: int) -> np.ndarray:
    active = np.flatnonzero(activation > LEAST)
    counts = graph.starts[active + 1] - graph.starts[active]
    first = np.repeat(graph.starts[active] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
    edges = first + np.arange(counts.sum())
    return np.bincount(graph.ends[edges], weights=np.repeat(activation[active], counts) * graph.shares[edges], minlength=size)


def _seeds(graph: ActivationGraph, entity_ids: Sequence[str], best: Sequence[Evidence], text_share: float) -> dict[int, float]:
    entities = {graph.nodes[one]: float(graph.rarity[graph.nodes[one]]) for one in entity_ids if one in graph.nodes}
    top = max((item.score for item in best), default=0.0)
    passages: dict[int, float] = {}
    for item in best:
        for span in item.spans:
            if span.chunk_id in graph.nodes:
                passages[graph.nodes[span.chunk_id]] = math.exp(item.score - top) / len(item.spans)
    shares = (1 - text_share, text_share) if entities and passages else (1.0, 1.0)
    return {**_scaled(entities, shares[0]), **_scaled(passages, shares[1])}


def _scaled(weights: Mapping[int, float], share: float) -> dict[int, float]:
    total = sum(weights.values())
    return {node: share * weight / total for node, weight in weights.items()} if total > 0 else {}
