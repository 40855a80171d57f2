"""The record operator: records <entity, type, field, value> of the question's entities, as addresses of the text they came from."""

from pagerag_pipeline.lexical import content_terms
from pagerag_pipeline.retrieval.evidence import EntityQuery, Found, count_tokens, share, weighed
from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.found import Quoted
from pagerag_pipeline.stores.repository import Repository


def retrieve_records(
    query: EntityQuery, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> Found:
    """Evidence of kind `record`, best first by the weighted share of the question's other terms that the record and its quote hold.

    Of more than `record_read` records in scope those are ranked that hold most of the terms as written. Left out is every other record of
    the entities, whether it found no room or is about something else.
    """
    own = {term for key in query.entity_keys for term in content_terms(key)}
    rest = sorted(set(query.terms) - own)
    records, total = repository.records(query.entity_keys, scope, terms=rest, limit=settings.record_read)
    weights = weighed(rest, query.statistics)
    ranked: list[tuple[float, str, Quoted]] = []
    for record in records:
        alike = share(weights, set(content_terms(f"{record.text} {record.spans[0].quote}")))
        if alike >= settings.record_likeness:
            ranked.append((-round(alike, 5), record.key, record))
    best = sorted(ranked, key=lambda one: one[:2])[: settings.records]
    shown = tuple(Evidence("record", one.text, -negative, one.spans, count_tokens(one.text, tokenizer)) for negative, _, one in best)
    return Found(shown, left_out=total - len(shown), cut=total - len(records))
