"""The record operator: records <entity, type, field, value> of the question's entities, as addresses of the text they came from."""

from collections.abc import Sequence

from pagerag_pipeline.lexical import content_terms
from pagerag_pipeline.retrieval.evidence import count_tokens
from pagerag_pipeline.schema import Evidence, Scope, TermStatistics, Tokenizer
from pagerag_pipeline.stores.repository import Repository

FETCHED = 400
SHOWN = 10
LEAST = 0.2
"""A record that shares less than this weighted part of the question's other terms is about something else."""


def retrieve_records(
    entity_keys: Sequence[str], repository: Repository, *, asked: tuple[Sequence[str], TermStatistics], scope: Scope, tokenizer: Tokenizer
) -> list[Evidence]:
    """Evidence of kind `record`, best first by the weighted share of the question's terms that the record and its quote hold."""
    wanted, statistics = asked
    own = {term for key in entity_keys for term in content_terms(key)}
    rest = sorted(set(wanted) - own)
    total = sum(statistics.weight(term) for term in rest)
    found: list[tuple[float, str, Evidence]] = []
    for record in repository.records(entity_keys, scope, limit=FETCHED):
        shown = set(content_terms(f"{record.text} {record.spans[0].quote}"))
        share = sum(statistics.weight(term) for term in rest if term in shown) / total if total else 0.0
        if share >= LEAST:
            evidence = Evidence("record", record.text, round(share, 5), record.spans, count_tokens(record.text, tokenizer))
            found.append((-evidence.score, record.key, evidence))
    return [evidence for _, _, evidence in sorted(found, key=lambda one: one[:2])][:SHOWN]
