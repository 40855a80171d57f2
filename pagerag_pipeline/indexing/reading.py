"""A sentence as the rules of extraction read it: tokens with their dependents, cleaned names, and the phrases they head."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.name_types import retyped
from pagerag_pipeline.lexical import STOP_WORDS
from pagerag_pipeline.schema import LITERAL_TYPES, NamedSpan, Tagged, Token

_SPACES = re.compile(r"\s+")
_LEADING = re.compile(r"(?:(?:the|a|an|this|that|le|la|les|un|une|l['\u2019])\s+)", re.I)
_TRAILING = re.compile(r"(?:['\u2019]s?|\s*[.,;:!?\"\u201d\u2019')\]]+)$")
_INITIAL = re.compile(r"(?:\b[A-Z]|\b(?:Jr|Sr|Inc|Ltd|Co|Corp))\.$")
_EMPTY_NOUNS = frozenset(
    "thing things one ones something anything nothing everything lot lots way ways kind sort bit moment time times fact case "
    "side part parts number couple deal rest end matter reason sense course point example instance manner self own people".split()
)
_MODIFIERS = frozenset({"amod", "compound", "nmod", "poss", "quantmod", "npadvmod"})
_MOST_WORDS = 7


@dataclass(frozen=True, slots=True)
class Name:
    """A cleaned name: half-open token range inside its sentence, its exact text, and its type."""

    first: int
    last: int
    start: int
    end: int
    surface: str
    label: str

    @property
    def literal(self) -> bool:
        """Whether it names a value: a date, an amount, a count."""
        return self.label in LITERAL_TYPES


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase without its determiner: `surface` with single spaces, character offsets into the segment."""

    surface: str
    type: str
    start: int
    end: int
    vague: bool = False
    """Whose reference hangs on a pronoun ("his house")."""

    @property
    def named(self) -> bool:
        """Whether it is a name, of known type or not."""
        return self.type != "NOUN" and self.type not in LITERAL_TYPES


class Sentence:
    """One sentence of a segment. `text` is the whole segment; `start` and `end` delimit the sentence in it."""

    __slots__ = ("children", "end", "first", "name_at", "names", "parsed", "start", "text", "tokens")

    def __init__(self, text: str, tokens: Sequence[Token], names: Sequence[NamedSpan], bounds: tuple[int, int, int]) -> None:
        self.text = text
        self.tokens = tokens
        self.start, self.end, self.first = bounds
        self.parsed = bool(tokens) and tokens[0].head >= 0
        self.children: list[list[int]] = [[] for _ in tokens]
        if self.parsed:
            for index, token in enumerate(tokens):
                if (head := self.head(index)) != index:
                    self.children[head].append(index)
        self.names = _clean_names(text, tokens, names)
        self.name_at: dict[int, Name] = {i: name for name in self.names for i in range(name.first, name.last)}

    def head(self, index: int) -> int:
        """Local index of a token's head; itself for a root."""
        head = self.tokens[index].head - self.first
        return head if 0 <= head < len(self.tokens) else index

    def having(self, index: int, *deps: str) -> list[int]:
        """Dependents of a token by relation, in order."""
        return [child for child in self.children[index] if self.tokens[child].dep in deps]

    def conjuncts(self, index: int) -> list[int]:
        """The token and what is coordinated with it, in order."""
        found = [index]
        for one in found:
            found.extend(self.having(one, "conj"))
            found.extend(child for child in self.having(one, "appos") if self._continues_list(one, child))
        return sorted(set(found))

    def _continues_list(self, index: int, child: int) -> bool:
        """A small parser reads "a Red Room, a Blue Room and an Attic" as an apposition with a conjunct: that is a list."""
        if not self.having(child, "conj") or not self.having(index, "punct"):
            return False
        ours, theirs = self.having(index, "det"), self.having(child, "det")
        if bool(ours) == bool(theirs) and (not ours or self.tokens[ours[0]].lemma == self.tokens[theirs[0]].lemma):
            return self.tokens[index].pos == self.tokens[child].pos
        return False

    def phrase(self, index: int) -> Phrase | None:
        """The phrase a token heads; None for a pronoun and for a noun that says nothing."""
        token = self.tokens[index]
        name = self.name_at.get(index)
        if name is not None:
            return Phrase(_SPACES.sub(" ", name.surface), name.label, name.start, name.end)
        if token.pos == "NUM":
            return Phrase(token.text, "CARDINAL", token.start, token.end)
        if token.pos not in ("NOUN", "PROPN") or token.lemma.casefold() in _EMPTY_NOUNS or not token.text[0].isalpha():
            return None
        return self._noun_phrase(index)

    def _noun_phrase(self, index: int) -> Phrase | None:
        token = self.tokens[index]
        first = index
        vague = False
        for child in reversed([c for c in self.children[index] if c < index]):
            if self.tokens[child].dep == "poss" and self.tokens[child].pos == "PRON":
                vague = True
            if self.tokens[child].dep not in _MODIFIERS or self.tokens[child].pos in ("PRON", "DET", "NUM"):
                continue
            left = self.leftmost(child)
            if self._gap(child, first) or first - left > _MOST_WORDS:
                break
            first = left
        while first < index and self.tokens[first].pos in ("DET", "PUNCT", "PRON", "NUM"):
            first += 1
        last = self._of_phrase(index)
        start, end = self.tokens[first].start, self.tokens[last].end
        surface = _SPACES.sub(" ", self.text[start:end])
        if last - first >= _MOST_WORDS or any(mark in surface for mark in '",;:()[]\u201c\u201d|'):
            start, end, surface = token.start, token.end, token.text
        kind = "NOUN" if token.pos == "NOUN" and not _all_capitalized(surface) else retyped(surface, "PROPN")
        return Phrase(surface, kind, start, end, vague)

    def _gap(self, child: int, first: int) -> bool:
        """Whether something other than a possessive mark stands between a modifier and what is gathered so far."""
        return any(self.tokens[i].dep not in (*_MODIFIERS, "case", "nummod", "punct") for i in range(child + 1, first))

    def _of_phrase(self, index: int) -> int:
        """Index of the last token when "of ..." follows at once and is short; else the token itself."""
        for prep in self.having(index, "prep"):
            objects = self.having(prep, "pobj")
            if prep == index + 1 and self.tokens[prep].lemma == "of" and objects and objects[0] - index <= 4:
                target = objects[0]
                if self.tokens[target].pos in ("NOUN", "PROPN") and target not in self.having(prep, "punct"):
                    name = self.name_at.get(target)
                    return max(target, name.last - 1) if name else target
        return index

    def leftmost(self, index: int) -> int:
        """Index of the first token of the subtree."""
        first = index
        for child in self.children[index]:
            if child < first:
                first = min(first, self.leftmost(child))
        return first

    def rightmost(self, index: int) -> int:
        """Index of the last token of the subtree."""
        last = index
        for child in self.children[index]:
            if child > last:
                last = max(last, self.rightmost(child))
        return last


def read_sentences(tagged: Tagged, text: str) -> Iterator[Sentence]:
    """The sentences of one tagged segment."""
    tokens, names = tagged.tokens, tagged.names
    position = at_name = 0
    for ordinal, span in enumerate(tagged.sentences):
        first = position
        while position < len(tokens) and tokens[position].sentence == ordinal:
            position += 1
        own: list[NamedSpan] = []
        while at_name < len(names) and names[at_name].start < span.end:
            own.append(names[at_name])
            at_name += 1
        yield Sentence(text, tokens[first:position], own, (span.start, span.end, first))


def _clean_names(text: str, tokens: Sequence[Token], names: Sequence[NamedSpan]) -> list[Name]:
    cleaned: list[Name] = []
    for name in names:
        start, end = _stripped(text, name)
        surface = text[start:end]
        if start >= end or not _nameable(surface, name.label):
            continue
        inside = [i for i, token in enumerate(tokens) if token.start < end and token.end > start]
        if inside:
            label = name.label if name.label in LITERAL_TYPES else retyped(surface, name.label)
            cleaned.append(Name(inside[0], inside[-1] + 1, start, end, surface, label))
    return cleaned


def _stripped(text: str, name: NamedSpan) -> tuple[int, int]:
    """The span without outer white space, determiner, possessive ending and stray marks; a final initial keeps its stop."""
    start, end = name.start, name.end
    while start < end and not text[start].isalnum():
        start += 1
    if name.label not in LITERAL_TYPES and (match := _LEADING.match(text, start, end)):
        start = match.end()
    while (match := _TRAILING.search(text[start:end])) and not _INITIAL.search(text[start:end]):
        end = start + match.start()
    return start, start + len(text[start:end].rstrip())


def _nameable(surface: str, label: str) -> bool:
    """A name has a capital (in scripts that have them), a letter, and is no mere function word."""
    if label in LITERAL_TYPES:
        return any(character.isalnum() for character in surface)
    letters = [character for character in surface if character.isalpha()]
    if len(surface) < 2 or not letters or surface.casefold() in STOP_WORDS:
        return False
    return any(not character.islower() for character in letters) and len(surface) <= 100


def _all_capitalized(surface: str) -> bool:
    words = surface.split()
    return len(words) > 1 and all(word[0].isupper() or word in ("of", "the", "and", "de", "du", "la") for word in words)
