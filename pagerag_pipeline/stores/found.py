"""What reading a generation gives: passages, places, linked entities and quoted accounts, as values."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pagerag_pipeline.schema.asking import SourceSpan


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage or row where it stands: `text` is the slice [start, end) of the document."""

    document: str
    chunk_id: str
    kind: str
    parent_id: str
    start: int
    end: int
    text: str
    context: str
    content_id: str
    embed_key: str
    tokens: int
    terms: str

    @property
    def span(self) -> SourceSpan:
        """Its place in the sources."""
        return SourceSpan(self.document, self.chunk_id, self.start, self.end, self.text)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands, for a reader and for the check of quotes."""

    section: tuple[str, ...]
    page: int | None
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Linked:
    """An entity that a question names."""

    entity_id: str
    name: str
    type: str
    mentions: int
    alias_key: str


@dataclass(frozen=True, slots=True)
class Handle:
    """What records or nodes may be called: the name key of an entity, a type or a field (`kind`)."""

    embed_key: str
    kind: str
    handle: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A report, summary or record with the spans it stands on."""

    key: str
    text: str
    spans: tuple[SourceSpan, ...]


def spans_by_owner(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[SourceSpan]]:
    """The spans of rows (owner, then the fields of a span) by owner, in the order of the rows."""
    groups: dict[str, list[SourceSpan]] = {}
    for owner, *span in rows:
        groups.setdefault(owner, []).append(SourceSpan(*span))
    return groups
