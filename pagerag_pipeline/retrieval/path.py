"""The path operator O_p: short chains of governed, bound edges between the entities a question names."""

import itertools
import math
from collections.abc import Sequence

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.retrieval.evidence import count_tokens
from pagerag_pipeline.schema import Evidence, Scope, SourceSpan, TermStatistics, Tokenizer
from pagerag_pipeline.settings import RetrieveSettings
from pagerag_pipeline.stores.graph import EdgeRow
from pagerag_pipeline.stores.repository import Repository

PAIRS = 3
"""Pairs of entities tried, in the order given."""
FETCHED = 4
"""Paths fetched per path shown."""
LENGTH_PENALTY = 0.15


def retrieve_paths(
    entity_ids: Sequence[str], repository: Repository, *, asked: tuple[Sequence[str], TermStatistics], scope: Scope,
    settings: tuple[RetrieveSettings, Tokenizer],
) -> list[Evidence]:
    """Evidence of kind `path`, best first, at most `paths`; each edge is bound in scope and none is negated or hypothetical.

    Score = mean log confidence - 0.15 x (edges - 1) + likeness to the question (systems, section 2.4).
    """
    knobs, tokenizer = settings
    found: dict[tuple[str, ...], list[EdgeRow]] = {}
    for source, target in list(itertools.combinations(entity_ids, 2))[:PAIRS]:
        for edges in repository.paths(source, target, max_edges=knobs.path_edges, limit=knobs.paths * FETCHED):
            found.setdefault(tuple(edge.edge_id for edge in edges), edges)
    bound = repository.bindings(sorted({edge_id for path in found for edge_id in path}), scope)
    whole = [edges for path, edges in sorted(found.items()) if all(bound.get(edge_id) for edge_id in path)]
    names = repository.names(sorted({end for edges in whole for edge in edges for end in (edge.head, edge.tail)}))
    evidence = [_evidence(edges, bound, names, asked=asked, tokenizer=tokenizer) for edges in whole]
    return sorted(evidence, key=lambda one: (-one.score, one.text))[: knobs.paths]


def _evidence(
    edges: Sequence[EdgeRow], bound: dict[str, list[SourceSpan]], names: dict[str, str], *, asked: tuple[Sequence[str], TermStatistics],
    tokenizer: Tokenizer,
) -> Evidence:
    steps = [f"{names.get(e.head, e.head)} | {e.predicate.replace('_', ' ')} | {names.get(e.tail, e.tail)}" for e in edges]
    text = "; ".join(steps)
    spans = tuple(bound[edge.edge_id][0] for edge in edges)
    wanted, statistics = asked
    shown = set(terms(" ".join([text, *(span.quote for span in spans)])))
    total = sum(statistics.weight(term) for term in sorted(set(wanted))) or 1.0
    likeness = sum(statistics.weight(term) for term in sorted(set(wanted)) if term in shown) / total
    confidence = sum(math.log(max(edge.confidence, 1e-6)) for edge in edges) / len(edges)
    score = confidence - LENGTH_PENALTY * (len(edges) - 1) + likeness
    return Evidence("path", text, round(score, 5), spans, count_tokens(text, tokenizer))
