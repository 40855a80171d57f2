"""Sentences that begin with a pronoun, so that those before them say for what it stands."""

import re

LEANING = 2
"""Most sentences that are read with one that begins with a pronoun; chosen."""
LEANED_SHARE = 0.7
"""How much of a question's word a sentence covers by one that it leans on, as by a word of its family; chosen, and the estimate was fitted on it."""

_SOMEBODY = "he|she|his|her"
_ANY = rf"{_SOMEBODY}|it|they|its|their|this|these|those|that"
_PERSON = re.compile(rf"\W*(?:{_SOMEBODY})\b", re.IGNORECASE)
_DEMONSTRATIVE = re.compile(r"\W*(?:this|these|those|that)\b", re.IGNORECASE)
_PRONOUN = re.compile(rf"\W*(?:{_ANY}|both|one)\b", re.IGNORECASE)
_LEANING = re.compile(
    rf"\W*(?:{_ANY}|him|them)\b(?!\s+(?:is|was|took|takes|has been|seems?|appears?)\b.{{0,60}}\b(?:that|to)\b)", re.IGNORECASE | re.DOTALL
)
"""A pronoun at the start of a sentence; the `it` of `it was in 1901 that` and `it took three years to` stands for nothing."""


def begins_with_pronoun(text: str) -> bool:
    """Whether a sentence begins with a pronoun, so that it is read with the one before it."""
    return _PRONOUN.match(text) is not None


def points_back(text: str) -> bool:
    """Whether a sentence begins with a word that stands for what the one before it named last, and for nothing further back."""
    return _DEMONSTRATIVE.match(text) is not None


def passes_over(text: str, before: str) -> bool:
    """Whether a sentence of a person leans on none that begins with the pronoun of a thing, but on what stands before that."""
    return _PERSON.match(text) is not None and begins_with_pronoun(before) and _PERSON.match(before) is None


def leans(text: str) -> bool:
    """Whether a sentence begins with a pronoun that stands for something, so that it is not quoted without the one before it."""
    return _LEANING.match(text) is not None
