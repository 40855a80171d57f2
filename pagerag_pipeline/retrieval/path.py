"""The path operator O_p: short chains of governed, bound edges between the entities a question names."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pagerag_pipeline.retrieval.evidence import EntityQuery, Found, count_tokens, edge_words, share, term_set, weighed
from pagerag_pipeline.schema.asking import Evidence, Scope, SourceSpan
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.graph import EdgeRow
from pagerag_pipeline.stores.repository import Repository

_Chains = dict[tuple[str, ...], list[EdgeRow]]


def retrieve_paths(
    query: EntityQuery, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> Found:
    """Evidence of kind `path`, best first, at most `paths`; each edge is bound in scope and none is negated or hypothetical.

    Score = mean log confidence - `path_penalty` x (edges - 1) + likeness to the question (systems, section 2.4). The notes count what the
    search did not follow: pairs of entities, hubs, nodes beyond its frontier, and pairs that may have more paths than were read.
    """
    chains, notes = _search(query.entity_ids, repository, scope, settings)
    bound = repository.bindings(sorted({edge_id for path in chains for edge_id in path}), scope)
    whole = [edges for path, edges in sorted(chains.items()) if all(bound.get(edge_id) for edge_id in path)]
    names = repository.names(sorted({end for edges in whole for edge in edges for end in (edge.head, edge.tail)}))
    ranked, weights = [], weighed(query.terms, query.statistics)
    for edges in whole:
        text, spans = _told(edges, names), tuple(bound[edge.edge_id][0] for edge in edges)
        score = _score(edges, text, spans, weights=weights, penalty=settings.path_penalty)
        ranked.append((score, text, spans))
    best = sorted(ranked, key=lambda one: (-one[0], one[1]))[: settings.paths]
    shown = tuple(Evidence("path", text, score, spans, count_tokens(text, tokenizer)) for score, text, spans in best)
    return Found(shown, left_out=len(ranked) - len(shown), notes=notes)


def _search(entity_ids: Sequence[str], repository: Repository, scope: Scope, settings: RetrieveSettings) -> tuple[_Chains, dict[str, Any]]:
    """Chains between the first `path_pairs` pairs by their edge ids, and notes on what was not followed."""
    pairs = list(itertools.combinations(entity_ids, 2))
    counts = Counter(pairs_left_out=max(0, len(pairs) - settings.path_pairs))
    stopped = ""
    chains: _Chains = {}
    for source, target in pairs[: settings.path_pairs]:
        search = repository.paths(source, target, scope, max_edges=settings.path_edges, limit=settings.path_read)
        counts.update(nodes_left_out=search.cut, hubs_left_out=search.blocked, pairs_with_more=int(len(search.paths) == settings.path_read))
        stopped = stopped or search.stopped
        for edges in search.paths:
            chains.setdefault(tuple(edge.edge_id for edge in edges), edges)
    notes: dict[str, Any] = {name: count for name, count in sorted(counts.items()) if count}
    return chains, {**notes, **({"stopped": stopped} if stopped else {})}


def _told(edges: Sequence[EdgeRow], names: dict[str, str]) -> str:
    return "; ".join(edge_words(edge, names) for edge in edges)


def _score(edges: Sequence[EdgeRow], text: str, spans: Sequence[SourceSpan], *, weights: Mapping[str, float], penalty: float) -> float:
    alike = share(weights, term_set(text).union(*(term_set(span.quote) for span in spans)))
    confidence = sum(math.log(max(edge.confidence, 1e-6)) for edge in edges) / len(edges)
    return round(confidence - penalty * (len(edges) - 1) + alike, 5)
