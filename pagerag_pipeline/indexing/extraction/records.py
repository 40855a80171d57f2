"""Records <e, t, k, v>: what a statement is filed under (EnSI-RAG; systems, section 5.3). Addresses of passages, never evidence."""

import re
from collections.abc import Iterable
from typing import cast

from pagerag_pipeline.indexing.extraction.statements import Statement
from pagerag_pipeline.indexing.ontology import ALIAS, Ontology
from pagerag_pipeline.indexing.tabular.quantities import find_amount
from pagerag_pipeline.lexical import words
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, Category, Record

_YEAR = re.compile(r"\b(1\d{3}|20\d\d)\b")


def record_of(statement: Statement, span: Span, quote: str, ontology: Ontology) -> list[Record]:
    """The records of one statement: a property or aspect of its head, or a relation from both ends (the inverse only for what is stated)."""
    qualifiers = (*statement.qualifiers, *_measured(statement))
    head, tail = statement.head, statement.tail
    literal = tail.type in LITERAL_TYPES
    category = cast(Category, statement.category if literal or statement.predicate != "is_a" else "property")
    records = [
        Record(
            entity=head.surface, entity_type=head.type, category=category, field=statement.predicate, value=tail.surface,
            value_is_entity=not literal, modality=statement.modality, qualifiers=qualifiers, start=span.start, end=span.end, quote=quote,
        )
    ]  # fmt: skip
    if not literal and statement.predicate not in ("is_a", "has_attribute"):
        inverse = ALIAS if statement.predicate == ALIAS else ontology.inverse(statement.predicate)
        records.append(
            Record(
                entity=tail.surface, entity_type=tail.type, category="relation", field=inverse, value=head.surface,
                value_is_entity=True, modality=statement.modality, qualifiers=qualifiers, start=span.start, end=span.end, quote=quote,
            )
        )  # fmt: skip
    return records


def _measured(statement: Statement) -> tuple[tuple[str, str], ...]:
    """Parsed parts of a value: the number, its unit or currency, the year of a date. The value itself stays as written."""
    value, kind = statement.tail.surface, statement.tail.type
    if kind == "DATE":
        year = _YEAR.search(value)
        return (("year", year.group(1)),) if year else ()
    if kind not in ("CARDINAL", "QUANTITY", "MONEY", "PERCENT"):
        return ()
    return find_amount(value)


def bound_records(text: str, records: Iterable[Record]) -> tuple[list[Record], int]:
    """The records that stand on their evidence, and how many were dropped because they do not (EnSI-RAG, EN-5).

    The quote must be the exact slice of `text` and say something; a property's value must stand in it, or all words of it.
    """
    given = list(records)
    kept = [record for record in given if text[record.start : record.end] == record.quote and record.quote.strip() and _says(record)]
    return kept, len(given) - len(kept)


def _says(record: Record) -> bool:
    if record.category != "property" or record.value_is_entity or record.value in record.quote:
        return True
    return set(words(record.value)) <= set(words(record.quote))
