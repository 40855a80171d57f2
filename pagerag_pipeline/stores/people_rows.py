"""What alignment of people reads of the corpus: names by document, the text around them, and the terms they stand with; after `knowledge.stage_units`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from pagerag_pipeline.stores.tables import Tables

_NAMES = """
SELECT document, key, first(name ORDER BY n DESC, name) AS surface, label, sum(n)::BIGINT AS n FROM (
    SELECT document, key, name, label, count(*) AS n FROM term_mentions WHERE label NOT IN ('NOUN', 'NAME') GROUP BY ALL
) GROUP BY document, key, label ORDER BY document, key, label
"""
_MENTIONS = """
SELECT m.document, c.start_at + m.start_at AS start_at, c.start_at + m.end_at AS end_at, m.key
FROM term_mentions m JOIN live_chunks c ON c.document = m.document AND c.chunk_id = m.chunk_id
WHERE m.document IN (SELECT unnest(?::VARCHAR[])) AND m.label NOT IN ('NOUN', 'NAME') ORDER BY ALL
"""
_TEXTS = """
SELECT d.document, t.text FROM live_documents d JOIN texts t ON t.text_id = d.text_id
WHERE d.document IN (SELECT unnest(?::VARCHAR[])) ORDER BY d.document
"""
COMMON_SHARE = 0.1
"""A noun of more documents than this share of the corpus, and than three, says nothing of whom it stands with; ours."""

_CONTEXTS = f"""
WITH named AS (SELECT DISTINCT m.document, m.chunk_id, m.key FROM term_mentions m JOIN {{keys}} USING (document, key)),
common AS (
    SELECT key FROM term_mentions WHERE label = 'NOUN' GROUP BY key
    HAVING count(DISTINCT document) > greatest(3, {COMMON_SHARE} * (SELECT count(DISTINCT document) FROM term_mentions))
)
SELECT DISTINCT n.document, n.key, m.key FROM named n JOIN term_mentions m ON m.document = n.document AND m.chunk_id = n.chunk_id
WHERE m.label <> 'NAME' AND m.key <> n.key AND (m.label <> 'NOUN' OR m.key NOT IN (FROM common)) ORDER BY ALL
"""
"""The names in the chunks of a name, and the nouns that are not everywhere."""
_YEARS = """
SELECT DISTINCT document, head AS key, predicate AS field, tail_name AS value FROM finals
WHERE literal AND act <> 'reject' AND modality = 'asserted' AND list_contains(?, predicate) ORDER BY ALL
"""
_CAUSES = """
SELECT DISTINCT document, head, tail FROM finals WHERE list_contains(?, predicate) AND act <> 'reject' AND NOT literal ORDER BY ALL
"""


class Reading(NamedTuple):
    """A document's text, and where it names what, in order."""

    document: str
    text: str
    mentions: list[tuple[int, int, str]]


def document_names(tables: Tables) -> pl.DataFrame:
    """document, key, surface, label, n: every name of every document as it is written most often, with each label it was tagged as."""
    return tables.frame(_NAMES)


def readings(tables: Tables, documents: Sequence[str]) -> Iterator[Reading]:
    """Texts of some documents with their mentions of names, in order of documents."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for document, start, end, key in tables.rows(_MENTIONS, [list(documents)]):
        found.setdefault(document, []).append((start, end, key))
    for document, text in tables.rows(_TEXTS, [list(documents)]):
        yield Reading(document, text, found.get(document, []))


def contexts(tables: Tables, units: Sequence[tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """The terms that names stand with, by document and key."""
    frame = pl.DataFrame(list(units), schema={"document": pl.String, "key": pl.String}, orient="row")
    found: dict[tuple[str, str], set[str]] = {}
    with tables.staged("context_units", frame) as keys:
        for document, key, term in tables.rows(_CONTEXTS.format(keys=keys)):
            found.setdefault((document, key), set()).add(term)
    return found


def stated_years(tables: Tables, fields: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """(document, key, field, value) of what is stated with a date."""
    return tables.rows(_YEARS, [list(fields)])  # type: ignore[return-value]


def stated_causes(tables: Tables, causal: Sequence[str]) -> list[tuple[str, str, str]]:
    """(document, cause, effect) of every stated cause."""
    return tables.rows(_CAUSES, [list(causal)])  # type: ignore[return-value]
