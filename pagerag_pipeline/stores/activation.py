"""The entity-passage graph of a generation as arrays: what spreading activation runs over."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pagerag_pipeline.lexical import LONGEST_NAME, name_candidates, name_key
from pagerag_pipeline.settings_asking import RetrieveSettings

PASSAGES = "SELECT c.chunk_id, c.document, c.embed_key FROM data.chunks c WHERE c.kind IN ('passage', 'row') {scope} ORDER BY c.chunk_id"

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

NAMES = "SELECT entity_id, key, name, type FROM data.nodes ORDER BY entity_id"


_FEW = 0.01
"""Share of the nodes below which only the edges of those that hold something are read (measured: 0.6 ms for 1.5 with 185 of 75,000)."""


@dataclass(frozen=True)
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
    """Of each edge, the share of its node's activation that goes along it; sums to 1 over a node, to 0 over one that nothing leads away from."""
    rarity: np.ndarray
    """Of each node, its inverse passage frequency; 1 for a passage."""
    common: np.ndarray
    """Of each node, whether it is a common noun and no proper name."""
    vectors: np.ndarray
    """Of each passage, the unit vector of its text; zeros where it has none."""

    def passed_on(self, activation: np.ndarray) -> np.ndarray:
        """What each node gets when every node passes all that it holds along its edges, by their shares."""
        holding = np.flatnonzero(activation)
        if len(holding) < _FEW * len(activation):
            return np.asarray(self._links[holding].T @ activation[holding])
        return np.asarray(self._into @ activation)

    @cached_property
    def _into(self) -> Any:
        """The shares as a matrix, to node by node."""
        return self._links.T

    @cached_property
    def _links(self) -> Any:
        """The shares as a matrix, from node by node, in single precision: half the time (measured on random edges, 462,018 of 54,287 nodes: 1.1 ms for 2.0)."""
        # 0.2 s at the start of every process, and many a question spreads nothing.
        from scipy import sparse

        size = len(self.starts) - 1
        return sparse.csr_array((self.shares.astype(np.float32), self.ends, self.starts), shape=(size, size))


_Rows = Callable[[str], Sequence[tuple[Any, ...]]]
"""Runs one of the statements above in some scope."""
_Vectors = Callable[[Sequence[str]], Mapping[str, np.ndarray]]
_Weights = dict[tuple[int, int], float]
"""Weights of edges by the nodes that they join."""


@dataclass(frozen=True, slots=True)
class _Names:
    """What entities are called."""

    keys: dict[str, str]
    """By entity, the key of its name."""
    common: frozenset[str]
    """Entities that are common nouns."""
    proper: dict[str, str]
    """By the key of a name or alias, the entity that it names, common nouns left out."""


def read_activation_graph(rows: _Rows, vectors: _Vectors, settings: RetrieveSettings) -> ActivationGraph:
    """The graph of mentions (weighted by rarity), titles, governed edges of one weight, and names inside names; `vectors` gives those of embed keys."""
    placed = rows(PASSAGES)
    nodes = {str(row[0]): i for i, row in enumerate(placed)}
    passages = tuple(nodes)
    names = _read_names(rows)
    mentions: _Weights = {}
    for entity, chunk, times in rows(MENTIONS):
        weight = settings.spread_common if entity in names.common else 1.0
        mentions[(nodes.setdefault(entity, len(nodes)), nodes[chunk])] = weight * (1 + math.log(times))
    _add_titles(mentions, nodes, (rows, names), settings)
    bonds = {(nodes[head], nodes[tail]): settings.relation_weight for head, tail in rows(RELATIONS) if head in nodes and tail in nodes}
    for pair, share in _inner_names(nodes, names).items():
        bonds[pair] = bonds.get(pair, 0.0) + settings.inner_name_weight * share
    common = np.array([node in names.common for node in nodes], dtype=bool)
    links = _links(mentions, bonds, nodes, passages=len(passages))
    return ActivationGraph(passages, nodes, *links, common, _matrix([row[2] for row in placed], vectors))


def _read_names(rows: _Rows) -> _Names:
    read = rows(NAMES)
    common = frozenset(entity for entity, _, name, kind in read if kind == "NOUN" or name[:1].islower())
    proper = {key: entity for key, entity in rows(ALIASES) if entity not in common}
    return _Names({entity: key for entity, key, _, _ in read}, common, proper)


def _add_titles(mentions: _Weights, nodes: dict[str, int], read: tuple[_Rows, _Names], settings: RetrieveSettings) -> None:
    """A document's title stands for the entity of that name in all its passages, for what a page is about it seldom repeats.

    So do, with less weight, the names inside a title (`History of Mississippi`). A title that is a common noun elsewhere is a node of its own
    (the album `Privilege`).
    """
    rows, names = read
    titles = {document: _title_names(name_key(title), names.proper, settings) for document, title in rows(TITLES)}
    for chunk, document, _ in rows(PASSAGES):
        for name, weight in titles.get(document, {}).items():
            node = nodes.setdefault(name, len(nodes))
            mentions[(node, nodes[chunk])] = mentions.get((node, nodes[chunk]), 0.0) + weight


def _title_names(title: str, entities: Mapping[str, str], settings: RetrieveSettings) -> dict[str, float]:
    """Nodes that a title stands for, by entity id or `title:` and key, with their weights."""
    whole = _title_keys(title)
    inside = [key for key in name_candidates(title) if key in entities and key not in whole]
    weights = {entities[key]: settings.title_name_weight for key in inside}
    return {**weights, **{entities.get(key, f"title:{key}"): settings.title_weight for key in whole}}


def _title_keys(title: str) -> list[str]:
    """A title's key, and its key without what stands in parentheses at its end."""
    head, _, tail = title.rpartition("(")
    plain = head.strip() if tail.endswith(")") else ""
    return [key for key in dict.fromkeys((title, plain)) if key]


def _inner_names(nodes: Mapping[str, int], names: _Names) -> _Weights:
    """Proper names with the proper names that stand in them (`West Chicago High School` and `West Chicago`), and the share of the longer one's words.

    Names are looked for by their own keys: an alias is too uncertain.
    """
    called: dict[str, list[int]] = {}
    for node, place in nodes.items():
        key = node.removeprefix("title:") if node.startswith("title:") else names.keys.get(node, "")
        if key and node not in names.common:
            called.setdefault(key, []).append(place)
    begin = {key.partition(" ")[0] for key in called}
    found: _Weights = {}
    for key, places in called.items():
        for inner, share in _word_runs(key.split(" "), begin):
            if inner not in called:
                continue
            other = called[inner][0]
            for place in places:
                pair = (min(place, other), max(place, other))
                found[pair] = max(found.get(pair, 0.0), share)
    return found


def _word_runs(words: Sequence[str], begin: Collection[str]) -> Iterator[tuple[str, float]]:
    """Runs of these words, shorter than all of them, that begin with one of some words, with their share of the words."""
    size = len(words)
    for start in range(size):
        if words[start].rstrip(",") in begin:
            for end in range(start + 1, min(start + LONGEST_NAME, size) + 1):
                if end - start < size:
                    yield " ".join(words[start:end]).rstrip(","), (end - start) / size


def _matrix(embed_keys: Sequence[str], vectors: _Vectors) -> np.ndarray:
    """The vectors of passages as rows, float32."""
    found = vectors(sorted(set(embed_keys)))
    dimension = len(next(iter(found.values()))) if found else 0
    nothing = np.zeros(dimension, dtype=np.float32)
    return np.array([found.get(key, nothing) for key in embed_keys], dtype=np.float32).reshape(len(embed_keys), dimension)


def _links(mentions: _Weights, bonds: _Weights, nodes: Mapping[str, int], *, passages: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Starts, ends and shares of all edges, and the rarity of all nodes.

    A passage passes on to a name only as much as leads away from it: weight x (1 - the share that the name gives back to that passage).
    """
    size = len(nodes)
    pairs = np.array(list(mentions), dtype=np.int64).reshape(-1, 2)
    strength = np.array(list(mentions.values()), dtype=np.float64)
    frequency = np.bincount(pairs[:, 0], minlength=size).astype(np.float64)
    rarity = np.log1p((passages - np.minimum(frequency, passages) + 0.5) / (frequency + 0.5))
    rarity[:passages] = 1.0
    joined = np.array(list(bonds), dtype=np.int64).reshape(-1, 2)
    held = np.array(list(bonds.values()), dtype=np.float64)
    sources = np.concatenate([pairs[:, 0], pairs[:, 1], joined[:, 0], joined[:, 1]])
    ends = np.concatenate([pairs[:, 1], pairs[:, 0], joined[:, 1], joined[:, 0]])
    weights = strength * rarity[pairs[:, 0]]
    weights = np.concatenate([weights, weights, held, held])
    back = _shares(sources, weights, size)[: len(pairs)]
    weights[len(pairs) : 2 * len(pairs)] *= 1 - back
    shares = _shares(sources, weights, size)
    order = np.lexsort((ends, sources))
    starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=size))])
    return starts.astype(np.int32), ends[order].astype(np.int32), shares[order], rarity


def _shares(sources: np.ndarray, weights: np.ndarray, size: int) -> np.ndarray:
    totals = np.bincount(sources, weights=weights, minlength=size)
    return np.asarray(weights / np.where(totals > 0, totals, 1.0)[sources])
