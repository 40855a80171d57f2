"""The neighborhood O_n: governed edges at the question's entities, ranked, with the spans they are bound to."""

import math
from collections.abc import Mapping, Sequence

from pagerag_pipeline.retrieval.evidence import EntityQuery, Found, count_tokens, edge_text, share, term_set, weighed
from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.graph import EdgeRow
from pagerag_pipeline.stores.repository import Repository


def retrieve_neighborhood(
    query: EntityQuery, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> Found:
    """Evidence of kind `edge`, best first: 0.5 likeness to the question + 0.3 confidence + 0.2 log-scaled support (systems, section 2.4).

    Within `neighbor_nodes` entities and `neighbor_edges` edges; only edges bound to text in scope. Of more than `neighbor_read` edges the
    heaviest are ranked. The notes count the spans of shown edges beyond `neighbor_spans`.
    """
    edges, cut = _read(query.entity_ids, repository, scope, settings.neighbor_read)
    if 0 < len(edges) < settings.neighbor_few:
        ends = sorted({end for edge in edges for end in (edge.head, edge.tail)} - set(query.entity_ids))
        known = {edge.edge_id for edge in edges}
        further, cut = _read(ends, repository, scope, settings.neighbor_read)
        edges = [*edges, *(edge for edge in further if edge.edge_id not in known)]
    bound = repository.bindings([edge.edge_id for edge in edges], scope)
    edges = [edge for edge in edges if bound.get(edge.edge_id)]
    names = repository.names(sorted({end for edge in edges for end in (edge.head, edge.tail)}))
    ranked, weights = [], weighed(query.terms, query.statistics)
    for edge in edges:
        spans = tuple(bound[edge.edge_id][: settings.neighbor_spans])
        score = _score(edge, [edge_text(edge, names), *(span.quote for span in spans)], weights)
        ranked.append((-score, edge.edge_id, edge, spans))
    shown = _within([edge for _, _, edge, _ in sorted(ranked)], query.entity_ids, settings)
    found = {edge: (-negative, spans) for negative, _, edge, spans in ranked}
    evidence = []
    for edge in shown:
        text = edge_text(edge, names)
        score, spans = found[edge]
        evidence.append(Evidence("edge", text, score, spans, count_tokens(text, tokenizer)))
    spare = sum(max(0, len(bound[edge.edge_id]) - settings.neighbor_spans) for edge in shown)
    notes = {"spans_left_out": spare} if spare else {}
    return Found(tuple(evidence), left_out=len(edges) - len(shown) + cut, cut=cut, notes=notes)


def _read(entity_ids: Sequence[str], repository: Repository, scope: Scope, limit: int) -> tuple[list[EdgeRow], int]:
    """Up to `limit` edges in scope at these entities, and how many more there are."""
    edges = repository.neighbors(entity_ids, scope, limit=limit)
    more = repository.count_neighbors(entity_ids, scope) - len(edges) if len(edges) == limit else 0
    return edges, more


def _score(edge: EdgeRow, texts: Sequence[str], weights: Mapping[str, float]) -> float:
    alike = share(weights, frozenset[str]().union(*map(term_set, texts)))
    support = min(1.0, math.log1p(edge.weight) / math.log(11))
    return round(0.5 * alike + 0.3 * edge.confidence + 0.2 * support, 5)


def _within(ranked: Sequence[EdgeRow], entity_ids: Sequence[str], settings: RetrieveSettings) -> list[EdgeRow]:
    nodes = set(entity_ids)
    kept: list[EdgeRow] = []
    for edge in ranked:
        wider = nodes | {edge.head, edge.tail}
        if len(wider) - len(entity_ids) <= settings.neighbor_nodes and len(kept) < settings.neighbor_edges:
            nodes = wider
            kept.append(edge)
    return kept
