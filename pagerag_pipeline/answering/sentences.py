"""The sentences of packed evidence, each with its exact place in the sources."""

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import cast

from pagerag_pipeline.answering.leaning import LEANING, begins_with_pronoun, passes_over, points_back
from pagerag_pipeline.answering.rows import Piece, Row, pieces, read_headers
from pagerag_pipeline.lexical import terms
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.protocols import Tagger

TEXT_KINDS = ("passage", "row", "entity")
GRAPH_KINDS = ("edge", "record")
SPANS_READ = 1
"""Spans of an edge or record that are read: what it says, its other spans say again."""
_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u300d\u300f)\]*_]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a source, as evidence shows it."""

    label: str
    kind: str
    span: SourceSpan
    terms: frozenset[str]
    context: frozenset[str]
    """Terms of what it stands under: title and section path."""
    whole: bool
    """Whether it reads like a sentence and not like a heading."""
    item: int
    """Position of its evidence item."""
    score: float
    """Score of its evidence item among all items, 0 (worst) to 1 (best)."""
    line: bool = False
    """Whether it is a line of a table ..."""
    row: Row | None = None
    """... and its cells, where the table's header is known."""
    before: tuple["Sentence", ...] = field(default=(), compare=False, repr=False)
    """Where it begins with a pronoun, the sentences before it in its passage, back to one that does not, in the order of the text."""

    @property
    def text(self) -> str:
        """The sentence word for word."""
        return self.span.quote

    @property
    def read(self) -> str:
        """The sentence with what it cannot be understood without: the header of its table."""
        return f"{self.row.heading}\n{self.text}" if self.row else self.text

    @property
    def leaned(self) -> frozenset[str]:
        """Terms of the sentences before it that are read with it."""
        return frozenset().union(*(one.terms for one in self.before))

    @property
    def in_context(self) -> frozenset[str]:
        """Its terms with those of the sentences that are read with it and of what it stands under."""
        return self.terms | self.leaned | self.context


def evidence_sentences(evidence: Sequence[Evidence], splitter: Tagger, *, pool: Sequence[Evidence] = ()) -> list[Sentence]:
    """Sentences of all spans in the order of the evidence, each line of a table being one; what equal documents show is kept once.

    The headers of tables that begin before a shown passage are read from the rows of the pool, if they were found.
    """
    sources = _sources(evidence)
    headers = read_headers((*evidence, *pool))
    seen: set[tuple[str, int]] = set()
    texts: set[tuple[str, Row | None]] = set()
    sentences: list[Sentence] = []
    relative = _relative_scores(evidence)
    contexts = [_term_set(one.context) for one in evidence]
    for item, span, piece in _split(sources, [pieces(span, headers) for _, span in sources], splitter):
        quote = span.quote[piece.span.start : piece.span.end]
        place = (span.document, span.start + piece.span.start)
        if place in seen or (quote, piece.row) in texts:
            continue
        seen.add(place)
        texts.add((quote, piece.row))
        source = SourceSpan(span.document, span.chunk_id, place[1], span.start + piece.span.end, quote)
        shown = evidence[item]
        own = _term_set(quote)
        whole = not piece.line and is_whole(quote)
        before = _before(sentences, (item, place), quote)
        sentences.append(Sentence(shown.label, shown.kind, source, own, contexts[item], whole, item, relative[item], piece.line, piece.row, before))
    return sentences


def _before(sentences: Sequence[Sentence], place: tuple[int, tuple[str, int]], quote: str) -> tuple[Sentence, ...]:
    """What a sentence that stands there leans on, of those before it."""
    item, (document, start) = place
    found: list[Sentence] = []
    text = quote
    most = 1 if points_back(quote) else LEANING
    for one in reversed(sentences):
        if len(found) == most or not begins_with_pronoun(text) or (one.item, one.span.document) != (item, document) or one.span.start >= start:
            break
        if not passes_over(text, one.text):
            found.insert(0, one)
            text = one.text
    return tuple(found)


def _split(
    sources: Sequence[tuple[int, SourceSpan]], parted: Sequence[Sequence[Piece]], splitter: Tagger
) -> Iterator[tuple[int, SourceSpan, Piece]]:
    """The lines of tables as they are and the prose between them by sentences, in order."""
    for (item, span), own in zip(sources, parted, strict=True):
        for piece in own:
            if piece.line:
                yield item, span, piece
                continue
            for part in _prose_sentences(cast(Hashable, splitter), span.quote[piece.span.start : piece.span.end]):
                yield item, span, Piece(Span(piece.span.start + part.start, piece.span.start + part.end), line=False)


@lru_cache(maxsize=4096)
def _prose_sentences(splitter: Hashable, text: str) -> tuple[Span, ...]:
    """Sentences of a text by a tagger; many questions meet the same passages."""
    return cast(Tagger, splitter).tag([text], "und")[0].sentences


@lru_cache(maxsize=20_000)
def _term_set(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def in_passage_of(sentence: Sentence, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Of some sentences, those of the same passage as one, itself included where it is among them."""
    return [one for one in sentences if one.item == sentence.item and one.span.document == sentence.span.document]


def is_whole(text: str) -> bool:
    """Whether a text reads like a sentence: it ends like one, is no heading or bare row, and has words in lower case."""
    if text.startswith("#") or not _END.search(text):
        return False
    lowered = (word for word in text.split() if word[:1].islower())
    return len(list(islice(lowered, 2))) == 2


def _sources(evidence: Sequence[Evidence]) -> list[tuple[int, SourceSpan]]:
    """Spans with the position of their item; what graph items and summaries quote out of a shown passage is read there alone."""
    texts = [(i, span) for i, item in enumerate(evidence) if item.kind in TEXT_KINDS for span in item.spans]
    places: dict[str, list[SourceSpan]] = {}
    for _, span in texts:
        places.setdefault(span.document, []).append(span)
    others = [
        (i, span)
        for i, item in enumerate(evidence)
        if item.kind not in TEXT_KINDS
        for span in item.spans[: SPANS_READ if item.kind in GRAPH_KINDS else None]
        if not any(shown.start <= span.start and span.end <= shown.end for shown in places.get(span.document, ()))
    ]
    return [*texts, *others]


def _relative_scores(evidence: Sequence[Evidence]) -> list[float]:
    low = min((one.score for one in evidence), default=0.0)
    high = max((one.score for one in evidence), default=0.0)
    return [(one.score - low) / (high - low) if high > low else 1.0 for one in evidence]
