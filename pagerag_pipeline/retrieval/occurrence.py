"""The occurrence operator: nodes of the collapsed tree nearest to a question, ordered by how often they name what it asks about (E2GraphRAG)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagerag_pipeline.settings_asking import E2Settings
from pagerag_pipeline.stores.term_graph import TermGraph
from pagerag_pipeline.stores.tree_nodes import TreeNodes


@dataclass(frozen=True, slots=True)
class Ranked:
    """Nodes of the tree, best first, and how they came."""

    nodes: tuple[int, ...]
    step: dict[str, Any]
    """For the trace."""


def dense_order(cosines: np.ndarray, limit: int) -> np.ndarray:
    """The nodes with the best cosines, at most `limit` and no more than there are; ties by number."""
    order = np.argsort(-cosines, kind="stable")
    best: np.ndarray = order[cosines[order] > -1.0][:limit]
    return best


def nearest_nodes(cosines: np.ndarray, settings: E2Settings) -> Ranked:
    """The k nearest nodes of any level."""
    best = dense_order(cosines, settings.chunks)
    return Ranked(tuple(int(node) for node in best), {"candidates": len(best)})


def occurrence_order(cosines: np.ndarray, weights: np.ndarray, settings: E2Settings) -> Ranked:
    """Of the 2k nearest nodes the k that name most of what is asked about, ties by nearness; the k nearest when none names any (systems, section 3.4).

    Nodes that name nothing are left out unless `fill_to_k`.
    """
    pool = dense_order(cosines, 2 * settings.chunks)
    own = weights[pool]
    order = pool[np.argsort(-own, kind="stable")]
    naming = int((own > 0).sum())
    fills = settings.fill_to_k or not naming
    best = order[: settings.chunks] if fills else order[: min(naming, settings.chunks)]
    filled = max(0, len(best) - naming) if naming else 0
    step = {"candidates": len(pool), "naming": naming, "all_zero": not naming, "filled": filled, "left_out": len(pool) - len(best)}
    return Ranked(tuple(int(node) for node in best), step)


def node_weights(graph: TermGraph, tree: TreeNodes, entities: Sequence[int], settings: E2Settings) -> np.ndarray:
    """In how many sentences of each node's leaves the entities are named, each entity counted for itself; a summary by sum, or by mean of its leaves."""
    leaves = np.zeros(len(tree.windows.chunk_ids))
    summaries = np.zeros(len(tree.summaries))
    for term in entities:
        low, high = graph.held.starts[term], graph.held.starts[term + 1]
        leaves[graph.held.ends[low:high]] += graph.counts[low:high]
        places = graph.starts[graph.sentences.of(term)]
        summaries += np.searchsorted(places, tree.below[:, 1]) - np.searchsorted(places, tree.below[:, 0])
    if settings.summary_weight == "mean":
        summaries = summaries / np.maximum(tree.leaves, 1)
    return np.concatenate([leaves, summaries])
