"""Likeness in meaning of a question's words and the index's handles: vectors of handles as they are stored, of other words on demand."""

from collections.abc import Sequence

import numpy as np

from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.stores.handles import said
from pagerag_pipeline.systems.gathering import Means


class Meanings:
    """Cosines for one question; words are embedded once, at most `value_reads` of them, and what is beyond is counted."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._vectors: dict[str, np.ndarray] = {}
        self.embedded = 0
        self.left_out = 0

    def cosine(self, kind: str, asked: str, known: str) -> float:
        """How alike two names are as handles of a kind, -1..1; 0 where a word was left out."""
        pair = said(kind, asked), said(kind, known)
        self._load(pair)
        if any(words not in self._vectors for words in pair):
            return 0.0
        return round(float(self._vectors[pair[0]] @ self._vectors[pair[1]]), 5)

    def nearest(self, phrase: str, names: Sequence[str]) -> str:
        """The name that a phrase means at least `field_cosine` much, ties by name; empty when none."""
        self._load([said("field", phrase), *(said("field", name) for name in names)])
        ranked = sorted(((-self.cosine("field", phrase, name), name) for name in names), key=lambda one: one)
        return ranked[0][1] if ranked and -ranked[0][0] >= self._means.ensi.field_cosine else ""

    def _load(self, wanted: Sequence[str]) -> None:
        lacking = sorted({words for words in wanted if words and words not in self._vectors})
        if not lacking:
            return
        stored = self._means.repository.vectors("handles", [content_id(words) for words in lacking])
        self._vectors |= {words: stored[content_id(words)] for words in lacking if content_id(words) in stored}
        new = [words for words in lacking if words not in self._vectors]
        room = max(0, self._means.ensi.value_reads - self.embedded)
        self.left_out += len(new[room:])
        if new[:room]:
            self.embedded += len(new[:room])
            self._vectors |= dict(zip(new[:room], self._means.embedder.encode(new[:room]), strict=True))
