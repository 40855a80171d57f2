"""Local search O_l (PankRAG, section 4.4): entities near a question, and around them reports, relations and the passages that name them."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.retrieval.evidence import count_tokens, edge_text, fitting
from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.stores.surroundings import degrees, reports_of

EDGES_READ = 200
"""Edges at the entities, and records of them, that are ranked, the heaviest and likest first; as `retrieve.neighbor_read`."""


@dataclass(frozen=True, slots=True)
class Near:
    """An entity, or a title that stands for one, by its node in the activation graph, and how near it is to the question."""

    node: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around the entities: scores of chunks, best first, and evidence of the other tables."""

    chunks: Mapping[str, float] = field(default_factory=dict)
    """Raw R by chunk id, in the order (entity rank, shared neighbors)."""
    reports: tuple[Evidence, ...] = ()
    relations: tuple[Evidence, ...] = ()
    entities: tuple[Evidence, ...] = ()
    """What a record states of each, in place of a description."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """What found no room in the budget of its table."""

    def notes(self) -> dict[str, Any]:
        """The tables' sizes for a trace."""
        told = {"reports": len(self.reports), "relations": len(self.relations), "entities_told": len(self.entities)}
        return {**told, "texts": len(self.chunks), **self.left_out}

    def in_turn(self) -> tuple[Evidence, ...]:
        """The items of the tables beside the texts, one of each in turn, so that none takes all the room of the others."""
        turns = itertools.chain.from_iterable(itertools.zip_longest(self.relations, self.reports, self.entities))
        return tuple(item for item in turns if item is not None)


@dataclass(frozen=True, slots=True)
class Looking:
    """What a local search is made with: its budgets, what counts tokens, and the terms that are asked for."""

    settings: PankSettings
    tokenizer: Tokenizer
    terms: tuple[str, ...] = ()


def nearest_entities(named: Mapping[str, float], graph: ActivationGraph, settings: PankSettings) -> list[Near]:
    """At most `entities` nodes of at least `entity_similarity`, nearest first; ties go to the rarer one, then by id."""
    near = [Near(node, round(value, 5)) for node, value in named.items() if node in graph.nodes and value >= settings.entity_similarity]
    return sorted(near, key=lambda one: (-one.similarity, -round(float(graph.rarity[graph.nodes[one.node]]), 6), one.node))[: settings.entities]


def entities_of(passages: Mapping[str, float], graph: ActivationGraph) -> dict[str, float]:
    """The nodes that passages are bound to, each with the best score of one of them."""
    names = list(graph.nodes)
    found: dict[str, float] = {}
    for chunk, score in passages.items():
        for end in _ends(graph, graph.nodes[chunk]) if chunk in graph.nodes else ():
            found[names[end]] = max(found.get(names[end], 0.0), score)
    return found


def chunks_around(near: Sequence[Near], graph: ActivationGraph) -> dict[str, float]:
    """Raw R of the chunks that entities are bound to: the most that one of them gives by similarity x (1 + ln(1 + shared neighbors)).

    In the order of the local search: by the rank of the first entity they are of, then by the neighbors of that entity they share.
    """
    scores: dict[str, float] = {}
    places: dict[str, tuple[int, int]] = {}
    neighbors_of: dict[int, frozenset[int]] = {}
    for rank, one in enumerate(near):
        ends = _ends(graph, graph.nodes[one.node])
        around = frozenset(end for end in ends if end >= len(graph.passages))
        for end in ends:
            if end >= len(graph.passages):
                continue
            own = neighbors_of.setdefault(end, frozenset(_ends(graph, end)))
            chunk, shared = graph.passages[end], len(around & own)
            scores[chunk] = max(scores.get(chunk, 0.0), round(one.similarity * (1 + math.log1p(shared)), 6))
            places.setdefault(chunk, (rank, -shared))
    return {chunk: scores[chunk] for chunk in sorted(scores, key=lambda chunk: (*places[chunk], chunk))}


def look_around(near: Sequence[Near], repository: Repository, graph: ActivationGraph, *, scope: Scope, looking: Looking) -> Around:
    """The tables around entities, each within its budget; without entities nothing."""
    settings, tokenizer = looking.settings, looking.tokenizer
    ids = [one.node for one in near if not one.node.startswith("title:")]
    reports, reports_out = _reports(ids, repository, scope, settings, tokenizer)
    relations, relations_out = _relations(ids, repository, scope, settings, tokenizer)
    entities, entities_out = fitting(_entities(near, repository, scope, looking), settings.entity_tokens)
    counts = {"reports_left_out": reports_out, "relations_left_out": relations_out, "entities_left_out": entities_out}
    left = {name: count for name, count in {**counts, "entities_unstated": len(ids) - len(entities) - entities_out}.items() if count}
    return Around(chunks_around(near, graph), tuple(reports), tuple(relations), tuple(entities), left)


def _entities(near: Sequence[Near], repository: Repository, scope: Scope, looking: Looking) -> list[Evidence]:
    """Of each entity, nearest first, the record that holds most of what is asked for; one of which no record states anything has no line."""
    names = repository.names([one.node for one in near])
    keys = {name_key(names[one.node]): one.similarity for one in reversed(near) if one.node in names}
    records, _ = repository.records(list(keys), scope, terms=looking.terms, limit=EDGES_READ) if keys else ([], 0)
    first: dict[str, Evidence] = {}
    for record in records:
        key = name_key(record.text.split(" | ", 1)[0])
        tokens = count_tokens(record.text, looking.tokenizer)
        first.setdefault(key, Evidence("record", record.text, keys.get(key, 0.0), record.spans, tokens))
    return [first[key] for key in reversed(keys) if key in first]


def _reports(ids: Sequence[str], repository: Repository, scope: Scope, settings: PankSettings, tokenizer: Tokenizer) -> tuple[list[Evidence], int]:
    """Reports of the entities' communities by (entities in them, occurrence); no rating is made of extractive reports, so none decides."""
    if not ids:
        return [], 0
    seen = reports_of(repository, ids, scope, level=settings.report_level)
    most = max((one.chunks for one in seen), default=1) or 1
    by_key = {one.embed_key: one for one in reversed(seen)}
    told = repository.reports(list(dict.fromkeys(one.embed_key for one in seen)), scope)
    items = [
        Evidence("report", one.text, round(by_key[one.key].members / len(ids), 5), one.spans, count_tokens(one.text, tokenizer), scores=(("occurrence", round(by_key[one.key].chunks / most, 5)),))
        for one in told
    ]
    return fitting(items, settings.report_tokens)


def _relations(ids: Sequence[str], repository: Repository, scope: Scope, settings: PankSettings, tokenizer: Tokenizer) -> tuple[list[Evidence], int]:
    """Edges at the entities, each once, by (edges at both ends, weight), with the spans in scope that they are bound to."""
    edges = repository.neighbors(ids, scope, limit=EDGES_READ) if ids else []
    bound = repository.bindings([edge.edge_id for edge in edges], scope)
    edges = [edge for edge in edges if bound.get(edge.edge_id)]
    ends = sorted({end for edge in edges for end in (edge.head, edge.tail)})
    joined, names = degrees(repository, ends, scope), repository.names(ends)
    ranked = sorted(edges, key=lambda e: (-(joined.get(e.head, 0) + joined.get(e.tail, 0)), -e.weight, e.edge_id))
    items = []
    for edge in ranked:
        text = edge_text(edge, names)
        items.append(Evidence("edge", text, round(edge.confidence, 5), (bound[edge.edge_id][0],), count_tokens(text, tokenizer)))
    return fitting(items, settings.relation_tokens)


def _ends(graph: ActivationGraph, node: int) -> list[int]:
    return [int(end) for end in graph.ends[graph.starts[node] : graph.starts[node + 1]]]
