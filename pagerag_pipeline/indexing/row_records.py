"""Records of table rows: headings are fields, the key column names the entity, each cell a value, bound to its row (EnSI-RAG; systems, 5.3)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pagerag_pipeline.fields import field_name
from pagerag_pipeline.indexing.extraction.records import bound_records
from pagerag_pipeline.indexing.ontology import Ontology
from pagerag_pipeline.indexing.tabular.cells import aligned, plain_cell, split_cells
from pagerag_pipeline.indexing.tabular.headings import Heading, read_heading
from pagerag_pipeline.indexing.tabular.quantities import Qualifiers, is_period, read_amount, scale_of
from pagerag_pipeline.schema.knowledge import Record, TableRow

VERSION = "row_records/1"

OTHER = "other"
"""Type of an entity that no heading names."""
_UNTELLING = frozenset("name title entity item label id no nr number code key index ref description type kind".split())
_NAME = re.compile(r"(?:[^\W\d_a-z][\w'\u2019.&-]*|of|the|and|de|du|la|le|von|van|der|den|al|bin|&)(?:[ -](?:[^\W\d_a-z][\w'\u2019.&-]*|of|the|and|de|du|la|le|von|van|der|den|al|bin|&))*")
_ENTITY_FIELDS = frozenset(
    "owner author writer director founder maker painter composer editor publisher manufacturer supplier customer client employer company "
    "firm bank parent subsidiary country city town village place location region county state capital birthplace home school university "
    "husband wife spouse father mother son daughter brother sister partner teacher member chair chairman president leader team club "
    "party court judge plaintiff defendant museum species genus river".split()
)
"""Headings whose cells name something."""
_MEASURE = re.compile(r"(?:(?:table|tab\.|exhibit|schedule)\s*[\w.]*?[.:]\s*)?(?P<measure>[^,.;:()]+?)(?:\s+(?:by|per|for|in|of|at|from|over|and)\b.*|[,.;:(].*)?", re.IGNORECASE | re.DOTALL)
_LONGEST_MEASURE = 4


@dataclass(frozen=True, slots=True)
class RowReading:
    """Records of the rows of one chunk, and how many rows gave none: `ragged` (other columns than the header), `unnamed` (no entity)."""

    records: tuple[Record, ...]
    rows: int
    ragged: int
    unnamed: int
    unbound: int
    """Records dropped because their row does not hold what they say."""


def row_records(text: str, rows: Sequence[TableRow], ontology: Ontology) -> RowReading:
    """The records of a chunk's rows, in order; `text` is the chunk, and every record stands on the exact slice of its row.

    A period in a heading, or in another column where the key comes again, is a qualifier, never part of the field; so are number, unit,
    currency and the caption. Empty cells give nothing; a relation is stated from both ends.
    """
    found: list[Record] = []
    ragged = unnamed = 0
    for row in rows:
        line = text[row.start : row.end]
        cells = aligned([plain_cell(cell) for cell in split_cells(line, row.form)], len(row.header), row.form)
        if cells is None:
            ragged += 1
            continue
        stated = list(_stated(row, cells, line, ontology))
        unnamed += not stated and any(cell for place, cell in enumerate(cells) if place != row.key)
        found.extend(dict.fromkeys(stated))
    kept, unbound = bound_records(text, found)
    return RowReading(tuple(kept), len(rows), ragged, unnamed, unbound)


def _stated(row: TableRow, cells: Sequence[str], line: str, ontology: Ontology) -> Iterator[Record]:
    headings = _headings(row.header)
    named = row.key >= 0
    entity = cells[row.key] if named else row.caption or row.subject
    if not entity:
        return
    entity_type = _type(headings[row.key].field) if named else OTHER
    scale = scale_of(row.header[row.key] if named else "") or scale_of(row.caption)
    beside = {place: (_dimension(headings[place], cells[place])) for place in row.dimensions if cells[place]}
    for place, (heading, cell) in enumerate(zip(headings, cells, strict=True)):
        field = heading.field or _measure(row.caption, heading)
        if place == row.key or not cell or not field or (place in beside and beside[place][0] == "period"):
            continue
        around = tuple(pair for other, pair in beside.items() if other != place)
        for value in _values(cell):
            qualifiers = (*_measured(value, heading.unit or scale), *_period(heading, around), *_remarks(row, heading, field))
            yield from _both_ways(Record(
                entity=entity, entity_type=entity_type, category="property", field=field, value=value, value_is_entity=_names(value, field),
                modality="asserted", qualifiers=qualifiers, start=row.start, end=row.end, quote=line,
            ), ontology)  # fmt: skip


def _both_ways(record: Record, ontology: Ontology) -> Iterator[Record]:
    """The record; of one whose value is an entity, the relation and its inverse."""
    if not record.value_is_entity:
        yield record
        return
    quote, place = record.quote, (record.start, record.end)
    for entity, kind, field, value in (
        (record.entity, record.entity_type, record.field, record.value),
        (record.value, _type(record.field), _inverse(record.field, ontology), record.entity),
    ):
        yield Record(entity, kind, "relation", field, value, True, record.modality, record.qualifiers, *place, quote)


def _inverse(field: str, ontology: Ontology) -> str:
    """The field read from its value: the ontology's own name, also where the heading is an inverse ("founded_by")."""
    if field in ontology.predicates:
        return ontology.predicates[field].inverse
    stated = sorted(name for name, predicate in ontology.predicates.items() if predicate.inverse == field)
    return stated[0] if stated else f"inverse_of:{field}"


@lru_cache(maxsize=256)
def _headings(header: tuple[str, ...]) -> tuple[Heading, ...]:
    return tuple(read_heading(cell) for cell in header)


def _type(field: str) -> str:
    return field if field and field not in _UNTELLING and not field.startswith("in_") else OTHER


def _dimension(heading: Heading, cell: str) -> tuple[str, str]:
    return ("period" if is_period(cell) else heading.field or "group", cell)


def _values(cell: str) -> list[str]:
    """The cell, or its parts where semicolons set names apart: a set of values is never one."""
    parts = [part.strip() for part in cell.split(";")]
    return [part for part in parts if part] if len(parts) > 1 and all(len(part) <= 60 for part in parts) else [cell]


def _measured(value: str, unit: Qualifiers) -> Qualifiers:
    """The parts of an amount; what the cell does not say of unit and currency, its heading or its table does."""
    own = read_amount(value)
    said = {name for name, _ in own}
    return (*own, *(pair for pair in unit if pair[0] not in said)) if own else ()


def _period(heading: Heading, around: Qualifiers) -> Qualifiers:
    own = (("period", heading.period),) if heading.period else ()
    return (*own, *(pair for pair in around if not (own and pair[0] == "period")))


def _remarks(row: TableRow, heading: Heading, field: str) -> Qualifiers:
    table = (("table", row.caption),) if row.caption else ()
    return (*table, *((("heading", heading.raw),) if field_name(heading.raw) != field else ()))


def _measure(caption: str, heading: Heading) -> str:
    """The field of a column whose heading only names a period or a unit: what the caption says is measured, else `value`."""
    if not (heading.period or heading.unit):
        return ""
    match = _MEASURE.fullmatch(caption.strip())
    measure = match["measure"].strip() if match else ""
    return field_name(measure) if 0 < len(measure.split()) <= _LONGEST_MEASURE else "value"


def _names(value: str, field: str) -> bool:
    """Whether a cell names an entity: written as a name, of several words or under a heading of names."""
    if len(value) > 60 or _NAME.fullmatch(value) is None:
        return False
    capitals = sum(word[0].isupper() for word in value.split())
    words = field.split("_")
    return capitals > 1 or (capitals == 1 and (words[-1] in _ENTITY_FIELDS or (len(words) > 1 and words[-1] in ("by", "in", "at", "of", "from"))))
