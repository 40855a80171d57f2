"""Sentences that begin with a pronoun, and those before them that say for what it stands."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.sentences import Sentence

LEANING = 2
"""Sentences before one that begins with a pronoun that are read with it; chosen."""

_PRONOUN = re.compile(r"\W*(?:he|she|it|they|his|her|its|their|this|these|those|that|both|one)\b", re.IGNORECASE)
_LEANING = re.compile(
    r"\W*(?:he|she|it|they|his|her|its|their|him|them|this|these|those|that)\b"
    r"(?!\s+(?:is|was|took|takes|has been|seems?|appears?)\b.{0,60}\b(?:that|to)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""A pronoun at the start of a sentence; the `it` of `it was in 1901 that` and `it took three years to` stands for nothing."""


def leans(text: str) -> bool:
    """Whether a sentence begins with a pronoun that stands for something, so that it is not quoted without the one before it."""
    return _LEANING.match(text) is not None


def leaned_on(sentence: Sentence, told: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences before one in its passage that are read with it, in the order of the text: where it begins with a pronoun, back to one that does not."""
    found: list[Sentence] = []
    if not _PRONOUN.match(sentence.text):
        return ()
    before = [one for one in told if (one.span.document, one.item) == (sentence.span.document, sentence.item) and one.span.start < sentence.span.start]
    for one in sorted(before, key=lambda one: -one.span.start)[:LEANING]:
        found.insert(0, one)
        if not _PRONOUN.match(one.text):
            break
    return tuple(found)
