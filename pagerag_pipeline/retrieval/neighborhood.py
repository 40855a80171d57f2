"""The neighborhood O_n: governed edges at the question's entities, ranked, with the spans they are bound to."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.retrieval.evidence import count_tokens
from pagerag_pipeline.schema import Evidence, Scope, TermStatistics, Tokenizer
from pagerag_pipeline.settings import RetrieveSettings
from pagerag_pipeline.stores.graph import EdgeRow
from pagerag_pipeline.stores.repository import Repository

FETCHED = 10
"""Edges fetched per edge shown: ranking and scope come after the engine's limit."""
SPANS = 3
"""Bound spans shown per edge."""
FEW_EDGES = 3
"""Fewer edges than this at one hop open the second hop."""


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """A question as the graph operators read it."""

    entity_ids: tuple[str, ...]
    terms: tuple[str, ...]
    statistics: TermStatistics


def retrieve_neighborhood(
    query: GraphQuery, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> list[Evidence]:
    """Evidence of kind `edge`, best first: 0.5 likeness to the question + 0.3 confidence + 0.2 log-scaled support (systems, section 2.4).

    Within `neighbor_nodes` entities and `neighbor_edges` edges; only edges bound to text in scope.
    """
    limit = settings.neighbor_edges * FETCHED
    edges = repository.neighbors(query.entity_ids, limit=limit)
    if 0 < len(edges) < FEW_EDGES:
        ends = sorted({end for edge in edges for end in (edge.head, edge.tail)} - set(query.entity_ids))
        known = {edge.edge_id for edge in edges}
        edges = [*edges, *(edge for edge in repository.neighbors(ends, limit=limit) if edge.edge_id not in known)]
    bound = repository.bindings([edge.edge_id for edge in edges], scope)
    edges = [edge for edge in edges if bound.get(edge.edge_id)]
    names = repository.names(sorted({end for edge in edges for end in (edge.head, edge.tail)}))
    found = []
    for edge in edges:
        text = edge_text(edge, names)
        spans = tuple(bound[edge.edge_id][:SPANS])
        score = _score(edge, " ".join([text, *(span.quote for span in spans)]), query)
        found.append((edge, Evidence("edge", text, score, spans, count_tokens(text, tokenizer))))
    found.sort(key=lambda pair: (-pair[1].score, pair[0].edge_id))
    return [evidence for _, evidence in _within(found, query.entity_ids, settings)]


def edge_text(edge: EdgeRow, names: dict[str, str]) -> str:
    """An edge in words: head, predicate, tail, and its modality unless it is asserted."""
    mark = "" if edge.modality == "asserted" else f" ({edge.modality})"
    return f"{names.get(edge.head, edge.head)} | {edge.predicate.replace('_', ' ')} | {names.get(edge.tail, edge.tail)}{mark}"


def _score(edge: EdgeRow, text: str, query: GraphQuery) -> float:
    found = set(terms(text))
    total = sum(query.statistics.weight(term) for term in sorted(set(query.terms))) or 1.0
    likeness = sum(query.statistics.weight(term) for term in sorted(set(query.terms)) if term in found) / total
    support = min(1.0, math.log1p(edge.weight) / math.log(11))
    return round(0.5 * likeness + 0.3 * edge.confidence + 0.2 * support, 5)


def _within(
    found: Sequence[tuple[EdgeRow, Evidence]], entity_ids: Sequence[str], settings: RetrieveSettings
) -> list[tuple[EdgeRow, Evidence]]:
    nodes = set(entity_ids)
    kept: list[tuple[EdgeRow, Evidence]] = []
    for edge, evidence in found:
        wider = nodes | {edge.head, edge.tail}
        if len(wider) - len(entity_ids) <= settings.neighbor_nodes and len(kept) < settings.neighbor_edges:
            nodes = wider
            kept.append((edge, evidence))
    return kept
