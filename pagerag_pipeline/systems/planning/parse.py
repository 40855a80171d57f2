"""A question as its dependency parse shows it: tokens with their neighbors, and the runs of words that belong together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.schema.knowledge import Tagged, Token

_LINKS = frozenset("of the de von van la le for from in and to a an with on".split())
_SUPERLATIVE = re.compile(r"(?:most|least|first|last|\w{2,}est)$")
_MARKS = frozenset("- ' \u2019 \" . : ! ) 's \u2019s".split())
BE = frozenset("is are was were".split())


@dataclass(frozen=True, slots=True)
class Parse:
    """One question's tokens and what each governs."""

    text: str
    tokens: tuple[Token, ...]
    children: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int], ...]
    """Of each token, the first and the last token of what it governs, itself included."""

    def below(self, one: int, *labels: str) -> Iterator[int]:
        """The tokens that this one governs directly under one of these labels, in order."""
        return (child for child in self.children[one] if self.tokens[child].dep in labels)

    def lower(self, one: int) -> str:
        """A token in lower case; empty before the first and behind the last."""
        return self.tokens[one].text.casefold() if 0 <= one < len(self.tokens) else ""

    def pos(self, one: int) -> str:
        """A token's part of speech; empty outside the question."""
        return self.tokens[one].pos if 0 <= one < len(self.tokens) else ""

    def words(self, first: int, last: int) -> str:
        """The text from one token to another, both included; empty when it runs backwards."""
        return self.text[self.tokens[first].start : self.tokens[last].end] if 0 <= first <= last < len(self.tokens) else ""

    def named(self, first: int, last: int) -> bool:
        """Whether a name, a title in quotes or a number stands in a run: something that a search can hold on to."""
        return any(self.is_name(one) or self.tokens[one].text[:1].isdigit() or self.tokens[one].text in "\"\u201c" for one in range(first, last + 1))

    def is_name(self, one: int) -> bool:
        """Whether a token is written as a name: with a capital inside the question, or tagged as a name at its start."""
        token = self.tokens[one]
        opens = one == 0 or self.tokens[one - 1].text in ".?!"
        return token.text[:1].isupper() and (token.pos == "PROPN" or not opens and token.text != "I")

    def superlative(self, first: int, last: int) -> bool:
        """Whether a run picks one out of many by degree or order."""
        return any(_SUPERLATIVE.match(self.lower(one)) and self.pos(one) in ("ADJ", "ADV") for one in range(first, last + 1))

    def run_of_name(self, first: int) -> int:
        """The last token of the name that begins here, with the small words inside it; `first` - 1 when none does."""
        last = first - 1
        for one in range(first, len(self.tokens)):
            token = self.tokens[one]
            if self.is_name(one) or one > first and (token.text[:1].isdigit() or self.hyphened(one)):
                last = one
            elif one > first and not (self.lower(one) in _LINKS or token.text in _MARKS) or one == first and self.lower(one) not in ("the", "a", "an"):
                break
        return last

    def hyphened(self, one: int) -> bool:
        """Whether a token hangs on the one before by a hyphen."""
        before = self.tokens[one - 1] if one else None
        return before is not None and before.text in ("-", "\u2010", "\u2011") and before.end == self.tokens[one].start


def parse_of(text: str, tagged: Tagged) -> Parse | None:
    """The parse of a question; None where no parser read it."""
    tokens = tagged.tokens
    if not tokens or any(token.head < 0 for token in tokens):
        return None
    children: list[list[int]] = [[] for _ in tokens]
    for one, token in enumerate(tokens):
        if token.head != one:
            children[token.head].append(one)
    return Parse(text, tokens, tuple(map(tuple, children)), tuple(_edges(one, children) for one in range(len(tokens))))


def _edges(top: int, children: Sequence[Sequence[int]]) -> tuple[int, int]:
    first = last = top
    waiting = [top]
    while waiting:
        one = waiting.pop()
        first, last = min(first, one), max(last, one)
        waiting += children[one]
    return first, last
