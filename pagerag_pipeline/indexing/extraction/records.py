"""Records <e, t, k, v>: what a statement is filed under (EnSI-RAG; systems, section 5.3). Addresses of passages, never evidence."""

import re
from typing import cast

from pagerag_pipeline.indexing.extraction.statements import Statement
from pagerag_pipeline.indexing.ontology import ALIAS, Ontology
from pagerag_pipeline.schema import LITERAL_TYPES, Category, Record, Span

_YEAR = re.compile(r"\b(1\d{3}|20\d\d)\b")
_NUMBER = re.compile(r"(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<unit>%|percent|per cent|million|billion|thousand|[^\W\d_]+)?")
_CURRENCY = re.compile(r"[$\u20ac\u00a3\u00a5]")


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
    match = _NUMBER.search(value)
    if match is None:
        return ()
    found = [("number", match.group("number").replace(",", ""))]
    if currency := _CURRENCY.search(value):
        found.append(("currency", currency.group()))
    if match.group("unit"):
        found.append(("unit", match.group("unit")))
    return tuple(found)
