"""The entity-passage graph of a generation as arrays: what spreading activation runs over."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagerag_pipeline.lexical import name_key

PASSAGES = "SELECT c.chunk_id, c.document FROM data.chunks c WHERE c.kind IN ('passage', 'row') {scope} ORDER BY c.chunk_id"

MENTIONS = """
SELECT b.element_id, c.chunk_id, count(*) FROM data.bindings b
JOIN data.chunks c ON c.parent_id = b.chunk_id AND c.kind IN ('passage', 'row') AND b.start_at >= c.start_at AND b.start_at < c.end_at
WHERE b.element_kind = 'node' {scope} GROUP BY b.element_id, c.chunk_id ORDER BY b.element_id, c.chunk_id
"""

RELATIONS = """
SELECT DISTINCT least(e.head, e.tail), greatest(e.head, e.tail) FROM data.edges e
JOIN (SELECT DISTINCT element_id FROM data.bindings c WHERE c.element_kind = 'edge' {scope}) bound ON bound.element_id = e.edge_id
WHERE e.head <> e.tail AND e.modality NOT IN ('negated', 'hypothetical') ORDER BY 1, 2
"""

TITLES = "SELECT c.document, c.title FROM data.documents c WHERE c.title <> '' {scope} ORDER BY c.document"

ALIASES = "SELECT alias_key, min(entity_id) FROM data.aliases GROUP BY alias_key ORDER BY alias_key"


@dataclass(frozen=True, slots=True)
class ActivationGraph:
    """An undirected weighted graph; nodes 0..passages-1 are passages, the rest entities and titles."""

    passages: tuple[str, ...]
    """Chunk ids, sorted."""
    nodes: dict[str, int]
    """Position of a chunk id or an entity id."""
    starts: np.ndarray
    """Of each node, where its edges begin; one longer than the number of nodes."""
    ends: np.ndarray
    """Of each edge, the node it leads to."""
    shares: np.ndarray
    """Of each edge, the share of its node's activation that goes along it; sums to 1 over a node."""
    rarity: np.ndarray
    """Of each node, its inverse passage frequency; 1 for a passage."""


def read_activation_graph(rows: Callable[[str], Sequence[tuple[Any, ...]]], *, relation_weight: float) -> ActivationGraph:
    """The graph of mentions (weighted by rarity), titles and governed edges of one weight; `rows` runs one of the statements above in some scope."""
    placed = rows(PASSAGES)
    nodes = {str(row[0]): i for i, row in enumerate(placed)}
    passages = tuple(nodes)
    mentions: dict[tuple[int, int], float] = {}
    for entity, chunk, times in rows(MENTIONS):
        mentions[(nodes.setdefault(entity, len(nodes)), nodes[chunk])] = 1 + math.log(times)
    _add_titles(mentions, nodes, rows, placed)
    relations = [(nodes[head], nodes[tail]) for head, tail in rows(RELATIONS) if head in nodes and tail in nodes]
    return _arrays(mentions, relations, nodes, passages, relation_weight)


def _add_titles(
    mentions: dict[tuple[int, int], float], nodes: dict[str, int], rows: Callable[[str], Sequence[tuple[Any, ...]]], placed: Sequence[Any]
) -> None:
    """A document's title stands for the entity of that name in all its passages: what a page is about it seldom repeats."""
    entities = dict(rows(ALIASES))
    titles = {document: name_key(title) for document, title in rows(TITLES)}
    for chunk, document in placed:
        for key in _title_keys(titles.get(document, "")):
            node = nodes.setdefault(entities.get(key, f"title:{key}"), len(nodes))
            mentions[(node, nodes[chunk])] = mentions.get((node, nodes[chunk]), 0.0) + 1.0


def _title_keys(title: str) -> list[str]:
    """A title's key, and its key without what stands in parentheses at its end."""
    head, _, tail = title.rpartition("(")
    plain = head.strip() if tail.endswith(")") else ""
    return [key for key in dict.fromkeys((title, plain)) if key]


def _arrays(
    mentions: dict[tuple[int, int], float], relations: Sequence[tuple[int, int]], nodes: dict[str, int], passages: tuple[str, ...],
    relation_weight: float,
) -> ActivationGraph:
    count = len(passages)
    size = len(nodes)
    pairs = np.array(list(mentions), dtype=np.int64).reshape(-1, 2)
    strength = np.array(list(mentions.values()), dtype=np.float64)
    frequency = np.bincount(pairs[:, 0], minlength=size).astype(np.float64)
    rarity = np.log1p((count - np.minimum(frequency, count) + 0.5) / (frequency + 0.5))
    rarity[:count] = 1.0
    joined = np.array(relations, dtype=np.int64).reshape(-1, 2)
    sources = np.concatenate([pairs[:, 0], pairs[:, 1], joined[:, 0], joined[:, 1]])
    ends = np.concatenate([pairs[:, 1], pairs[:, 0], joined[:, 1], joined[:, 0]])
    weights = strength * rarity[pairs[:, 0]]
    weights = np.concatenate([weights, weights, np.full(2 * len(joined), relation_weight)])
    order = np.lexsort((ends, sources))
    totals = np.bincount(sources, weights=weights, minlength=size)
    shares = weights / np.where(totals > 0, totals, 1.0)[sources]
    starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=size))])
    return ActivationGraph(passages, nodes, starts, ends[order], shares[order], rarity)
