"""The sentences of packed evidence, each with its exact place in the sources."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.schema import Evidence, SourceSpan, Tagger

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

    @property
    def text(self) -> str:
        """The sentence word for word."""
        return self.span.quote


def evidence_sentences(evidence: Sequence[Evidence], splitter: Tagger) -> list[Sentence]:
    """Sentences of all spans in the order of the evidence; one that several items or equal documents show is kept once."""
    sources = _sources(evidence)
    seen: set[tuple[str, int]] = set()
    texts: set[str] = set()
    sentences: list[Sentence] = []
    relative = _relative_scores(evidence)
    contexts = [frozenset(terms(one.context)) for one in evidence]
    tagged = splitter.tag([span.quote for _, span in sources], "und")
    for (item, span), found in zip(sources, tagged, strict=True):
        for part in found.sentences:
            quote = span.quote[part.start : part.end]
            place = (span.document, span.start + part.start)
            if place in seen or quote in texts:
                continue
            seen.add(place)
            texts.add(quote)
            source = SourceSpan(span.document, span.chunk_id, place[1], span.start + part.end, quote)
            shown = evidence[item]
            own = frozenset(terms(quote))
            sentences.append(Sentence(shown.label, shown.kind, source, own, contexts[item], is_whole(quote), item, relative[item]))
    return sentences


def is_whole(text: str) -> bool:
    """Whether a text reads like a sentence: it ends like one, is no heading or bare row, and has words in lower case."""
    lowered = [word for word in text.split() if word[:1].islower()]
    return bool(_END.search(text)) and not text.startswith("#") and len(lowered) >= 2


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
