"""Citations: the exact sentences that claims stand on, and the check that each of them stands in its source."""

from collections.abc import Callable, Sequence

from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.schema import Citation, Claim, SourceSpan

Place = tuple[tuple[str, ...], int | None]
"""Section path and page of a chunk."""


def cite(sentences: Sequence[Sentence], places: Callable[[Sequence[str]], dict[str, Place]]) -> list[Citation]:
    """One citation a sentence, in document order, with the section and page its chunk stands in."""
    ordered = sorted(sentences, key=lambda s: (s.span.document, s.span.start, s.span.end, s.label))
    found = places(sorted({sentence.span.chunk_id for sentence in ordered}))
    return [_citation(sentence.label, sentence.span, found) for sentence in ordered]


def supported(claims: Sequence[Claim], citations: Sequence[Citation], read: Callable[[str, int, int], str]) -> bool:
    """Whether every claim has a label that resolves to a citation whose quote stands word for word in its document."""
    sound = {c.label for c in citations if c.quote and read(c.document, c.start, c.end) == c.quote}
    return bool(claims) and all(claim.labels and set(claim.labels) <= sound for claim in claims)


def _citation(label: str, span: SourceSpan, places: dict[str, Place]) -> Citation:
    section, page = places.get(span.chunk_id, ((), None))
    return Citation(label, span.document, span.chunk_id, span.start, span.end, span.quote, section, page)
