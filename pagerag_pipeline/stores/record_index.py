"""The index of records (EnSI-RAG; systems, section 5.3): set-valued, in both directions, over entity, type, category, field and value."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.stores import reading
from pagerag_pipeline.stores.generations import GenerationError
from pagerag_pipeline.stores.repository import Repository

Granularity = Literal["fine", "broad"]

STATEMENT = """
SELECT c.record_id, c.document, c.start_at, c.end_at, c.entity, c.entity_key, c.entity_type, c.category, c.field, c.broad, c.value, c.value_key,
       c.value_is_entity, c.number, coalesce(c.unit, ''), coalesce(c.period, ''), coalesce(c.passage_id, ''), coalesce(p.kind, ''),
       coalesce(p.context, ''), c.chunk_id, c.quote
FROM data.records c LEFT JOIN data.chunks p ON p.chunk_id = c.passage_id
WHERE c.modality = 'asserted' {scope} ORDER BY c.document, c.start_at, c.end_at, c.record_id
"""
"""Asserted records in scope, in document order: what is negated, planned or reported is no fact (systems, section 5.3)."""

OF_ROWS = STATEMENT.replace("LEFT JOIN data.chunks p ON p.chunk_id = c.passage_id", "JOIN data.chunks p ON p.chunk_id = c.passage_id AND p.kind = 'row'")
"""Those of table rows alone."""

NAMED = "SELECT 1 FROM data.records WHERE field <> '' UNION ALL SELECT 1 FROM data.nodes LIMIT 1"

UNREAD = """
SELECT c.document, coalesce(c.context, ''), count(*) FROM data.chunks c
WHERE c.kind = 'row' AND NOT EXISTS (SELECT 1 FROM data.records r WHERE r.passage_id = c.chunk_id) {scope} GROUP BY 1, 2 ORDER BY 1, 2
"""
"""Rows in scope that gave no record (other columns than the header, no name, no cell but the name), by the table they stand in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record as the index knows it: an address of the passage it stands in."""

    record_id: str
    document: str
    start: int
    end: int
    entity: str
    entity_key: str
    entity_type: str
    category: str
    field: str
    broad: str
    value: str
    value_key: str
    value_is_entity: bool
    number: float | None
    unit: str
    period: str
    passage_id: str
    """The row or the entity-centered passage whose address it is."""
    passage_kind: str
    context: str
    """What the passage stands under: title, section, caption."""
    chunk_id: str
    quote: str

    @property
    def in_row(self) -> bool:
        """Whether it is a cell of a table's row."""
        return self.passage_kind == "row"


@dataclass(slots=True)
class RecordIndex:
    """Records by every path that a question may come from; each path leads to a set, in document order, and nothing is folded into one value.

    Fields are named by the granularity that the index was made with, and what looks them up must use the same (`field_of`).
    """

    granularity: Granularity
    entries: tuple[Entry, ...]
    by_entity: dict[str, list[Entry]] = field(default_factory=dict)
    by_type: dict[str, list[Entry]] = field(default_factory=dict)
    by_field: dict[str, list[Entry]] = field(default_factory=dict)
    by_type_field: dict[tuple[str, str], list[Entry]] = field(default_factory=dict)
    by_value: dict[str, list[Entry]] = field(default_factory=dict)
    by_key: dict[tuple[str, str, str, str, str], list[Entry]] = field(default_factory=dict)
    unread: dict[tuple[str, str], int] = field(default_factory=dict)
    """Rows that no record tells of, by document and what their table stands under: over such a table nothing is sure."""

    def field_of(self, entry: Entry) -> str:
        """An entry's field by this index's granularity."""
        return entry.field if self.granularity == "fine" else entry.broad

    def passages(self, entity_key: str, entity_type: str, category: str, name: str, value_key: str) -> list[str]:
        """The passages of one key <entity, type, category:field = value>, each once, in document order."""
        found = self.by_key.get((entity_key, entity_type, category, name, value_key), [])
        return list(dict.fromkeys(entry.passage_id for entry in found))


def make_index(entries: Iterable[Entry], granularity: Granularity) -> RecordIndex:
    """The index over these entries, in their order."""
    index = RecordIndex(granularity, tuple(entries))
    for entry in index.entries:
        name = index.field_of(entry)
        index.by_entity.setdefault(entry.entity_key, []).append(entry)
        index.by_type.setdefault(entry.entity_type, []).append(entry)
        index.by_field.setdefault(name, []).append(entry)
        index.by_type_field.setdefault((entry.entity_type, name), []).append(entry)
        index.by_value.setdefault(entry.value_key, []).append(entry)
        index.by_key.setdefault((entry.entity_key, entry.entity_type, entry.category, name, entry.value_key), []).append(entry)
    return index


def record_index(repository: Repository, scope: Scope, granularity: Granularity) -> RecordIndex:
    """The index of the records in scope; built when first asked for. Raises GenerationError for a generation without vectors of handles."""
    return repository.held(_fine if granularity == "fine" else _broad, scope)


def has_handles(repository: Repository) -> bool:
    """Whether a generation has vectors of handles; not where nothing has a name. Raises GenerationError where they were not made for what has."""
    if "handles" in repository.manifest.vectors:
        return True
    if repository.rows(NAMED):
        raise GenerationError(f"Generation {repository.generation} was written by an earlier version, without vectors of handles: refresh.")
    return False


def row_index(repository: Repository, scope: Scope) -> RecordIndex:
    """The index of the records of table rows in scope alone, which needs no vectors; built when first asked for."""
    return repository.held(_rows, scope)


def _rows(repository: Repository, scope: Scope) -> RecordIndex:
    return _filled(repository, scope, "fine", OF_ROWS)


def _fine(repository: Repository, scope: Scope) -> RecordIndex:
    return _read(repository, scope, "fine")


def _broad(repository: Repository, scope: Scope) -> RecordIndex:
    return _read(repository, scope, "broad")


def _read(repository: Repository, scope: Scope, granularity: Granularity) -> RecordIndex:
    has_handles(repository)
    return _filled(repository, scope, granularity, STATEMENT)


def _filled(repository: Repository, scope: Scope, granularity: Granularity, statement: str) -> RecordIndex:
    index = make_index((Entry(*row) for row in repository.rows(*reading.scoped(statement, "c.document", scope))), granularity)
    index.unread.update({(document, context): rows for document, context, rows in repository.rows(*reading.scoped(UNREAD, "c.document", scope))})
    return index
