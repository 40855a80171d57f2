"""The tokens of passages as they were read when they were embedded, so that every sentence of the evidence can be compared and none is encoded again.

Of each token's vector the signs are kept. A sum over the tokens of a sentence evens out what they lose: the cosine of the nearest
sentence parts questions that can be answered from others as well as by full vectors (measured: AUROC 0.898 and 0.900 on clapnq).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np

from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.schema.documents import embed_text
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.schema.protocols import Tokenizer


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one evidence item."""

    item: int
    """Its place in the evidence."""
    offsets: np.ndarray
    """Character ranges in the text that was embedded, int32 of shape (n, 2)."""
    signs: np.ndarray
    """Packed signs of their vectors, uint8 of shape (n, bytes a token)."""
    before: int
    """Characters of the embedded text before the item's own: its title and section path."""
    spans: tuple[SourceSpan, ...]
    """Where the item's own text stands in documents."""

    def within(self, sentence: Sentence) -> list[tuple[int, int]]:
        """The range of tokens that lie wholly in a sentence; none for one that stands elsewhere."""
        for span in self.spans:
            if span.document == sentence.span.document and span.start <= sentence.span.start and sentence.span.end <= span.end:
                begin = int(np.searchsorted(self.offsets[:, 0], sentence.span.start - span.start + self.before))
                end = int(np.searchsorted(self.offsets[:, 1], sentence.span.end - span.start + self.before, side="right"))
                return [(begin, end)] if begin < end else []
        return []


def embedded_text(item: Evidence) -> str:
    """The text by which a passage or row was embedded; a row shows it whole."""
    return item.text if item.kind == "row" else embed_text(item.context, item.text)


def embed_keys(evidence: Sequence[Evidence]) -> list[str]:
    """The keys of the passages and rows among the evidence, each once."""
    return list(dict.fromkeys(content_id(embedded_text(item)) for item in evidence if item.kind in ("passage", "row")))


def kept_tokens(evidence: Sequence[Evidence], signs: Mapping[str, np.ndarray], tokenizer: Tokenizer) -> list[Tokens]:
    """The tokens of those items whose signs are there; an item that was embedded in several pieces is cut into other tokens than its text, and left out."""
    found = []
    for place, item in enumerate(evidence):
        text = embedded_text(item) if item.kind in ("passage", "row") else ""
        own = signs.get(content_id(text)) if text else None
        offsets = _offsets(cast(Hashable, tokenizer), text) if own is not None and len(own) else None
        if own is not None and offsets is not None and len(offsets) == len(own):
            found.append(Tokens(place, offsets, own, len(text) - len(item.spans[0].quote), item.spans))
    return found


@lru_cache(maxsize=2048)
def _offsets(tokenizer: Hashable, text: str) -> np.ndarray:
    """Where the tokens of a passage stand; many questions meet the same passages."""
    return cast(Tokenizer, tokenizer).offsets(text)


def cosines_in_place(question: np.ndarray, sentences: Sequence[Sentence], passages: Sequence[Tokens]) -> dict[int, float]:
    """By its place, the cosine of a question's vector with each sentence that stands in one of these passages: the mean of its tokens there.

    One that leans on those before it is read alone and with them, and the nearer counts.
    """
    known = {one.item: one for one in passages}
    above = {one.item: np.unpackbits(one.signs, axis=1, count=len(question)) for one in passages}
    sums: dict[tuple[int, int], np.ndarray] = {}
    for place, sentence in enumerate(sentences):
        for joined, one in enumerate((sentence, *sentence.before)):
            for begin, end in known[one.item].within(one) if one.item in known else ():
                # +1 for a sign above zero, -1 for one below.
                own = 2 * above[one.item][begin:end].sum(axis=0, dtype=np.int32) - (end - begin)
                sums[place, joined] = own + sums.get((place, joined - 1), 0)
    if not sums:
        return {}
    rows = np.stack(list(sums.values())).astype(np.float32)
    cosines = rows @ question / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
    nearest: dict[int, float] = {}
    for (place, _), cosine in zip(sums, cosines, strict=True):
        nearest[place] = max(nearest.get(place, -1.0), round(float(cosine), 4))
    return nearest
