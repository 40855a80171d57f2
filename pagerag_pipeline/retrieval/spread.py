"""Spreading activation O_s: personalized PageRank from the question's entities and best passages over the entity-passage graph.

It finds the second hop: a passage that shares no word with the question but an entity with a passage that does. Of the passages that an entity
leads to, those that are like the question get more.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.repository import Repository

COSINE_DIGITS = 5
ACTIVATION_DIGITS = 9
"""Decimals kept before they decide: vectors of the same text in another batch differ by about 1e-7."""


@dataclass(frozen=True, slots=True)
class Start:
    """What activation starts from, and what it is drawn to."""

    names: Mapping[str, str]
    """Keys of the names in the question to the ids of their entities; empty for one that may yet be a document's title."""
    pool: tuple[Evidence, ...]
    """Passages as text search ranks them."""
    vectors: tuple[np.ndarray, ...] = ()
    """The question's unit vectors: of its text, and of its text without names, which is what a second hop is like."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The passages that activation reached, by chunk id, the strongest first, and how many more it reached."""

    activation: Mapping[str, float] = field(default_factory=dict)
    left_out: int = 0

    def step(self) -> dict[str, Any]:
        """The operator's step in the trace of an outcome."""
        return {"step": "spread", "found": len(self.activation), "left_out": self.left_out}


def spread_activation(start: Start, repository: Repository, *, scope: Scope, settings: RetrieveSettings) -> Reached:
    """At most `pool` passages in scope with their activation.

    The walk does not go back to the names that the question gives. The reset gives `spread_text` to the best `spread_passages` of the pool, by
    e^(sharpness x score), and the rest to the entities, by rarity.
    """
    graph = repository.activation_graph(scope)
    seeds = _seeds(graph, start, settings)
    if not seeds:
        return Reached()
    pull = np.exp(settings.spread_likeness * likeness(graph.vectors, start.vectors))
    walk = Walk(pull, tuple(_named(graph, start.names)), settings.spread_damping, settings.spread_steps)
    activation = np.round(personalized_pagerank(graph, seeds, walk)[: len(graph.passages)], ACTIVATION_DIGITS)
    order = np.lexsort((np.arange(len(activation)), -activation))[: settings.pool]
    strongest = {graph.passages[i]: float(activation[i]) for i in order if activation[i] > 0}
    return Reached(strongest, int(np.count_nonzero(activation)) - len(strongest))


def order_by_activation(ranked: Sequence[Evidence], activation: Mapping[str, float], settings: RetrieveSettings) -> list[Evidence]:
    """Passages that were reached, best first; then the rest in their order, below 0.

    Score, 0..1 = (activation over the strongest + `spread_order_text` x e^(sharpness x (text score - the best))) / (1 + `spread_order_text`).
    """
    top = max(activation.values(), default=0.0)
    best = max((item.score for item in ranked), default=0.0)
    weight = settings.spread_order_text
    scored = []
    for position, item in enumerate(ranked):
        own = max((activation.get(span.chunk_id, 0.0) for span in item.spans), default=0.0)
        both = own / top + weight * _beside_best(item.score, best, settings) if own > 0 else 0.0
        score = both / (1 + weight) if own > 0 else -float(position + 1) / (len(ranked) + 1)
        scored.append(replace(item, score=round(score, 6), scores=(*item.scores, ("text", item.score))))
    return sorted(scored, key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))


def likeness(passages: np.ndarray, questions: Sequence[np.ndarray]) -> np.ndarray:
    """How like each passage is to the nearest of the question's vectors, in standard deviations above the mean of all passages."""
    if not questions or not passages.size:
        return np.zeros(len(passages))
    cosines = np.round(np.ascontiguousarray((passages @ np.array(questions).T).T), COSINE_DIGITS)
    scores = (cosines - cosines.mean(axis=1, keepdims=True)) / np.maximum(cosines.std(axis=1, keepdims=True), 1e-9)
    return np.asarray(scores.max(axis=0))


@dataclass(frozen=True, slots=True)
class Walk:
    """How activation goes from node to node."""

    pull: np.ndarray
    """Of each passage, how much of what leads to it it gets beside others."""
    closed: tuple[int, ...]
    """Nodes that no activation comes back to: what would, starts anew."""
    damping: float
    steps: int


def personalized_pagerank(graph: ActivationGraph, seeds: Mapping[int, float], walk: Walk) -> np.ndarray:
    """X = damping x C P(W^T X) + the rest to 1 by the seeds, iterated so many steps; one value a node, 1 in all.

    P multiplies what passages get by their pull and scales the whole back to 1, C takes what came to closed nodes; with a pull of 1 everywhere and
    no node closed this is plain PageRank. Where no edge leads away from the seeds all stays with them.
    """
    places = np.array(sorted(seeds))
    reset = np.array([seeds[place] for place in places.tolist()])
    reset /= reset.sum()
    activation = np.zeros(len(graph.starts) - 1, dtype=np.float32)
    activation[places] = reset
    for _ in range(walk.steps):
        passed = graph.passed_on(activation)
        passed[: len(walk.pull)] *= walk.pull
        total = float(passed.sum())
        passed *= walk.damping / total if total > 0 else 0.0
        passed[list(walk.closed)] = 0.0
        passed[places] += (1 - float(passed.sum())) * reset
        activation = passed
    return activation


def _seeds(graph: ActivationGraph, start: Start, settings: RetrieveSettings) -> dict[int, float]:
    entities = {node: float(graph.rarity[node]) * (settings.spread_common if graph.common[node] else 1.0) for node in _named(graph, start.names)}
    best = start.pool[: settings.spread_passages]
    top = max((item.score for item in best), default=0.0)
    passages: dict[int, float] = {}
    for item in best:
        for span in item.spans:
            if span.chunk_id in graph.nodes:
                passages[graph.nodes[span.chunk_id]] = _beside_best(item.score, top, settings) / len(item.spans)
    shares = (1 - settings.spread_text, settings.spread_text) if entities and passages else (1.0, 1.0)
    return {**_scaled(entities, shares[0]), **_scaled(passages, shares[1])}


def _beside_best(score: float, best: float, settings: RetrieveSettings) -> float:
    """What a text score counts beside the best one, 0..1."""
    return math.exp(settings.spread_sharpness * (score - best))


def _named(graph: ActivationGraph, names: Mapping[str, str]) -> list[int]:
    """The nodes of titles and entities that the question names; a name inside a longer one is left out (`Glory` in `Jump for Glory`).

    A title is a node of its own only where no proper name is its key, so it comes before the common noun that is.
    """
    nodes = {key: graph.nodes.get(f"title:{key}", graph.nodes.get(entity, -1)) for key, entity in names.items()}
    found = {key: node for key, node in nodes.items() if node >= 0}
    return sorted({node for key, node in found.items() if not any(f" {key} " in f" {other} " for other in found if other != key)})


def _scaled(weights: Mapping[int, float], share: float) -> dict[int, float]:
    total = sum(weights.values())
    return {node: share * weight / total for node, weight in weights.items()} if total > 0 else {}
