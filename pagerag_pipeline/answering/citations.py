"""Citations: the exact sentences that claims stand on, and the check that each of them stands in its source."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.schema.asking import Citation, Claim


class Place(Protocol):
    """A chunk as its source has it."""

    @property
    def section(self) -> tuple[str, ...]:
        """Titles from the outermost section to its own."""
    @property
    def page(self) -> int | None:
        """Its page, where the format has pages."""
    @property
    def start(self) -> int:
        """Where it begins in its document."""
    @property
    def text(self) -> str:
        """The slice of the document that it is."""


def cite(sentences: Sequence[Sentence], places: Mapping[str, Place]) -> list[Citation]:
    """One citation a sentence, in document order, with the section and page its chunk stands in; one whose chunk is unknown is left out."""
    ordered = sorted(sentences, key=lambda s: (s.span.document, s.span.start, s.span.end, s.label))
    return [_citation(s, places[s.span.chunk_id]) for s in ordered if s.span.chunk_id in places]


def supported(claims: Sequence[Claim], citations: Sequence[Citation], places: Mapping[str, Place]) -> bool:
    """Whether every claim has a label, and each of its labels resolves to a citation whose quote stands word for word in its source."""
    sound = {citation.label for citation in citations if _is_exact(citation, places[citation.chunk_id])}
    return bool(claims) and all(claim.labels and set(claim.labels) <= sound for claim in claims)


def _is_exact(citation: Citation, place: Place) -> bool:
    start, end = citation.start - place.start, citation.end - place.start
    return 0 <= start < end and place.text[start:end] == citation.quote


def _citation(sentence: Sentence, place: Place) -> Citation:
    span = sentence.span
    return Citation(sentence.label, span.document, span.chunk_id, span.start, span.end, span.quote, place.section, place.page)
