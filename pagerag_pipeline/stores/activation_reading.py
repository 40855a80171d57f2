"""How the entity-passage graph of what is in scope is read: by whole columns, and of names and aliases those alone that something in scope may be called."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagerag_pipeline.lexical import LONGEST_NAME, name_candidates, name_key
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.lookups import ALIASES, NODES, Lookup

PASSAGES = "SELECT c.chunk_id, c.document, c.embed_key FROM data.chunks c WHERE c.kind IN ('passage', 'row') {scope} ORDER BY c.chunk_id"

MENTIONS = """
SELECT b.element_id, c.chunk_id FROM data.bindings b
JOIN data.chunks c ON c.parent_id = b.chunk_id AND c.kind IN ('passage', 'row') AND b.start_at >= c.start_at AND b.start_at < c.end_at
WHERE b.element_kind = 'node' {scope}
"""
"""One row a mention; ordered and counted by who reads them, in half the time (measured: 0.2 s for 0.45 with 344,550 of them)."""

TITLES = "SELECT c.document, c.title FROM data.documents c WHERE c.title <> '' {scope} ORDER BY c.document"


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a graph is read from, in some scope."""

    columns: Callable[[str], pa.Table]
    """Runs one of the statements above."""
    rows: Callable[[Lookup, Sequence[str]], Sequence[tuple[Any, ...]]]
    """Rows by key, of the whole repository."""
    related: Callable[[], pa.Table]
    """Pairs of entities that an edge joins which a path may follow, sorted, each once."""
    vectors: Callable[[Sequence[str]], Mapping[str, np.ndarray]]
    """Of passages by embed key."""


@dataclass(frozen=True, slots=True)
class _Names:
    """What entities are called."""

    keys: dict[str, str]
    """By entity, the key of its name."""
    common: frozenset[str]
    """Entities that are common nouns."""
    proper: dict[str, str]
    """By the key of a name or alias, the entity that it names, common nouns left out."""


@dataclass(frozen=True, slots=True)
class _Title:
    """What a document may be called: its title's keys, and the keys of names inside it."""

    whole: list[str]
    inside: list[str]


@dataclass(frozen=True, slots=True)
class _Edges:
    """Pairs of nodes with the weight of what joins them, each pair once, in the order they are summed in."""

    ones: np.ndarray
    others: np.ndarray
    weights: np.ndarray

    def with_more(self, more: "_Edges", size: int) -> "_Edges":
        """These with the weights of more edges added to them, and those that are new behind them; of a graph of so many nodes."""
        known, wanted = (edges.ones * size + edges.others for edges in (self, more))
        order = np.argsort(known, kind="stable")
        place = np.searchsorted(known, wanted, sorter=order)
        place = np.append(order, -1)[place]
        held = np.append(known, -1)[place] == wanted
        weights = self.weights.copy()
        weights[place[held]] += more.weights[held]
        fresh = (more.ones[~held], more.others[~held], more.weights[~held])
        ones, others, weights = (np.concatenate(pair) for pair in zip((self.ones, self.others, weights), fresh, strict=True))
        return _Edges(ones, others, weights)


def read_activation_graph(sources: Sources, settings: RetrieveSettings) -> ActivationGraph:
    """The graph of mentions (weighted by rarity), titles, governed edges of one weight, and names inside names."""
    placed, met = sources.columns(PASSAGES), sources.columns(MENTIONS)
    entities: list[str] = sorted(met.column(0).unique().to_pylist())
    titles = {document: _read_title(title) for document, title in zip(*sources.columns(TITLES).to_pydict().values(), strict=True)}
    names = _read_names(sources, entities, titles.values())
    passages = tuple(placed.column(0).to_pylist())
    nodes = {node: place for place, node in enumerate(chain(passages, entities))}
    mentions = _mentions(met, (passages, entities), [settings.spread_common if one in names.common else 1.0 for one in entities])
    told = _title_edges(nodes, placed, {document: _title_names(title, names.proper, settings) for document, title in titles.items()})
    bonds = _relations(sources.related(), nodes, settings.relation_weight)
    bonds = bonds.with_more(_inner_names(nodes, names, settings.inner_name_weight, passages=len(passages)), len(nodes))
    common = np.array([node in names.common for node in nodes], dtype=bool)
    links = _links(mentions.with_more(told, len(nodes)), bonds, len(nodes), passages=len(passages))
    return ActivationGraph(passages, nodes, *links, common, _matrix(placed.column(2).to_pylist(), sources.vectors))


def _read_title(title: str) -> _Title:
    key = name_key(title)
    whole = _title_keys(key)
    return _Title(whole, [one for one in name_candidates(key) if one not in whole])


def _title_keys(title: str) -> list[str]:
    """A title's key, and its key without what stands in parentheses at its end."""
    head, _, tail = title.rpartition("(")
    plain = head.strip() if tail.endswith(")") else ""
    return [key for key in dict.fromkeys((title, plain)) if key]


def _read_names(sources: Sources, entities: Sequence[str], titles: Collection[_Title]) -> _Names:
    """Names of these entities, and of those that titles may name; of entities with one alias, the first by id."""
    aliases: dict[str, str] = {}
    for key, entity in sources.rows(ALIASES, sorted({key for title in titles for key in (*title.whole, *title.inside)})):
        aliases[key] = min(entity, aliases.get(key, entity))
    read = sources.rows(NODES, sorted({*entities, *aliases.values()}))
    common = frozenset(entity for entity, name, kind, _, _ in read if kind == "NOUN" or name[:1].islower())
    return _Names({row[0]: row[-1] for row in read}, common, {key: entity for key, entity in aliases.items() if entity not in common})


def _mentions(met: pa.Table, nodes: tuple[Sequence[str], Sequence[str]], weights: Sequence[float]) -> _Edges:
    """From names to the passages that they are met in; of the sorted passages and names of the rows, with what the first mention of each name counts."""
    passages, names = (pc.index_in(met.column(1 - i), value_set=pa.array(some, type=pa.large_string())).to_numpy() for i, some in enumerate(nodes))
    size = len(nodes[0])
    pairs, times = np.unique(names.astype(np.int64) * size + passages, return_counts=True)
    logs = np.array([math.log(max(1, count)) for count in range(times.max(initial=0) + 1)])
    name, passage = np.divmod(pairs, max(1, size))
    return _Edges(name + size, passage, np.array(weights, dtype=np.float64)[name] * (1 + logs[times]))


def _title_edges(nodes: dict[str, int], placed: pa.Table, titles: Mapping[str, Mapping[str, float]]) -> _Edges:
    """A document's title stands for the entity of that name in all its passages, for what a page is about it seldom repeats.

    So do, with less weight, the names inside a title (`History of Mississippi`). A title that is a common noun elsewhere is a node of its own
    (the album `Privilege`). Nodes that are not there yet are added, in the order of the passages.
    """
    documents = placed.column(1).combine_chunks().dictionary_encode()
    called = [titles.get(document, {}) for document in documents.dictionary.to_pylist()]
    names = np.array([nodes.setdefault(name, len(nodes)) for one in called for name in one], dtype=np.int64)
    weights = np.array([weight for one in called for weight in one.values()], dtype=np.float64)
    of, sizes = documents.indices.to_numpy(), np.array(list(map(len, called)), dtype=np.int64)
    passages = np.repeat(np.arange(len(of)), sizes[of])
    # The names of a document stand in a row: from its first one on, as far from there as from the first edge of the passage.
    first, begun = np.cumsum(sizes) - sizes, np.cumsum(sizes[of]) - sizes[of]
    rows = np.arange(len(passages)) + np.repeat(first[of] - begun, sizes[of])
    return _Edges(names[rows], passages, weights[rows])


def _relations(related: pa.Table, nodes: Mapping[str, int], weight: float) -> _Edges:
    """Between entities that an edge joins, where both are nodes."""
    head, tail = (np.array([nodes.get(one, -1) for one in column.to_pylist()], dtype=np.int64) for column in related.columns)
    met = (head >= 0) & (tail >= 0)
    return _Edges(head[met], tail[met], np.full(np.count_nonzero(met), weight))


def _title_names(title: _Title, entities: Mapping[str, str], settings: RetrieveSettings) -> dict[str, float]:
    """Nodes that a title stands for, by entity id or `title:` and key, with their weights."""
    weights = {entities[key]: settings.title_name_weight for key in title.inside if key in entities}
    return {**weights, **{entities.get(key, f"title:{key}"): settings.title_weight for key in title.whole}}


def _inner_names(nodes: Mapping[str, int], names: _Names, weight: float, *, passages: int) -> _Edges:
    """Proper names with the proper names that stand in them (`West Chicago High School` and `West Chicago`), by the share of the longer one's words.

    Names are looked for by their own keys: an alias is too uncertain. Of the nodes, the first are passages.
    """
    first: dict[str, int] = {}
    alike: dict[str, list[int]] = {}
    longest: dict[str, int] = {}
    for node, place in islice(nodes.items(), passages, None):
        key = node.removeprefix("title:") if node.startswith("title:") else names.keys.get(node, "")
        if key and node not in names.common and first.setdefault(key, place) != place:
            alike.setdefault(key, [first[key]]).append(place)
    for key in first:
        word = key.partition(" ")[0]
        longest[word] = max(longest.get(word, 0), key.count(" ") + 1)
    found = [
        (place, first[inner], share)
        for key in first
        for inner, share in (_word_runs(key.split(" "), longest) if " " in key else ())
        if inner in first
        for place in alike.get(key, (first[key],))
    ]
    return _strongest(found, weight, len(nodes))


def _word_runs(words: Sequence[str], longest: Mapping[str, int]) -> Iterator[tuple[str, float]]:
    """Runs of these words, which are two or more, that are shorter than all of them, with their share of the words.

    `longest` holds the words that a run may begin with, and how many words it may have then.
    """
    size = len(words)
    for start, word in enumerate(words):
        bare = word.rstrip(",")
        if bare not in longest:
            continue
        yield bare, 1 / size
        for end in range(start + 2, min(start + min(LONGEST_NAME, max(longest[bare], longest.get(word, 0)), size - 1), size) + 1):
            yield " ".join(words[start:end]).rstrip(","), (end - start) / size


def _strongest(found: Sequence[tuple[int, int, float]], weight: float, size: int) -> _Edges:
    """Of two nodes and a share, each pair of nodes once, the lower one first, with the largest of its shares times a weight, in the order they were found."""
    one, other, shares = np.array(found, dtype=np.float64).reshape(-1, 3).T
    pairs = (np.minimum(one, other) * size + np.maximum(one, other)).astype(np.int64)
    known, first, place = np.unique(pairs, return_index=True, return_inverse=True)
    most = np.zeros(len(known))
    np.maximum.at(most, place, shares)
    order = np.argsort(first)
    low, high = np.divmod(known[order], size)
    return _Edges(low, high, weight * most[order])


def _matrix(embed_keys: Sequence[str], vectors: Callable[[Sequence[str]], Mapping[str, np.ndarray]]) -> np.ndarray:
    """The vectors of passages as rows, float32."""
    found = vectors(sorted(set(embed_keys)))
    dimension = len(next(iter(found.values()))) if found else 0
    nothing = np.zeros(dimension, dtype=np.float32)
    return np.array([found.get(key, nothing) for key in embed_keys], dtype=np.float32).reshape(len(embed_keys), dimension)


def _links(mentions: _Edges, bonds: _Edges, size: int, *, passages: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Starts, ends and shares of all edges, and the rarity of all nodes.

    A passage passes on to a name only as much as leads away from it: weight x (1 - the share that the name gives back to that passage).
    """
    frequency = np.bincount(mentions.ones, minlength=size).astype(np.float64)
    rarity = np.log1p((passages - np.minimum(frequency, passages) + 0.5) / (frequency + 0.5))
    rarity[:passages] = 1.0
    sources = np.concatenate([mentions.ones, mentions.others, bonds.ones, bonds.others])
    ends = np.concatenate([mentions.others, mentions.ones, bonds.others, bonds.ones])
    weights = mentions.weights * rarity[mentions.ones]
    count = len(weights)
    weights = np.concatenate([weights, weights, bonds.weights, bonds.weights])
    weights[count : 2 * count] *= 1 - _shares(sources, weights, size)[:count]
    shares = _shares(sources, weights, size)
    order = np.argsort(sources * size + ends, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=size))])
    return starts.astype(np.int32), ends[order].astype(np.int32), shares[order], rarity


def _shares(sources: np.ndarray, weights: np.ndarray, size: int) -> np.ndarray:
    totals = np.bincount(sources, weights=weights, minlength=size)
    return np.asarray(weights / np.where(totals > 0, totals, 1.0)[sources])
