"""A sentence as the rules of extraction read it: tokens with their dependents, cleaned names, and the phrases they head."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from pagerag_pipeline.indexing.extraction.name_types import PERSON_TITLES, retyped
from pagerag_pipeline.indexing.extraction.names import INITIAL, Name, clean_names
from pagerag_pipeline.lexical import EMPTY_NOUNS
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, NamedSpan, Tagged, Token

_SPACES = re.compile(r"\s+")
WORD = re.compile(r"[^\W\d_][\w'\u2019`&.\-]*")
_VAGUE_WORDS = frozenset({"same", "such", "other", "another", "own", "certain", "different", "further", "more", "former", "latter"})
_INDEFINITE = frozenset({"certain", "different"})
_TITLE_WORDS = frozenset("of the a an and in on at to for from with by or & ! ' \u2019s 's , - : vs de la le".split())
_SINGULAR = frozenset({"is", "was", "has", "does"})
_MODIFIERS = frozenset({"amod", "compound", "nmod", "poss", "quantmod", "npadvmod"})
_MOST_WORDS = 7
MOST_CONJUNCTS = 200
"""A longer enumeration is a table in disguise: its pairs would grow with the square of its length."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase without its determiner: `surface` with single spaces, character offsets into the segment."""

    surface: str
    type: str
    start: int
    end: int
    vague: bool = False
    """Whose reference hangs on a pronoun ("his house") or on what was said before ("such a house")."""
    hangs_on: str = ""
    """The word that alone makes it vague, where that refers to nothing said before: a possessive pronoun, or one of "certain" and "different"."""
    bare: bool = False
    """A noun in the singular without determiner and modifier: after a preposition, mostly a figure of speech ("in danger")."""
    how: str = ""
    """How a pronoun or a definite noun was resolved to this; empty for what stands there itself."""
    since: int = -1
    """Of a resolved one, where the sentence begins that names it ..."""
    until: int = -1
    """... and where the sentence ends that does, when it stands after."""

    @property
    def named(self) -> bool:
        """Whether it is a name, of known type or not."""
        return self.type != "NOUN" and self.type not in LITERAL_TYPES


class Sentence:
    """One sentence of a segment. `text` is the whole segment; `start` and `end` delimit the sentence in it."""

    __slots__ = ("before", "children", "end", "first", "name_at", "names", "parsed", "proper", "resolved", "speaker", "spoken", "start", "text", "title", "tokens")

    def __init__(self, text: str, tokens: Sequence[Token], names: Sequence[NamedSpan], bounds: tuple[int, int, int], proper: Set[str]) -> None:
        self.text = text
        self.proper = proper
        self.tokens = tokens
        self.start, self.end, self.first = bounds
        self.parsed = bool(tokens) and tokens[0].head >= 0
        self.children: list[list[int]] = [[] for _ in tokens]
        if self.parsed:
            for index, token in enumerate(tokens):
                if (head := self.head(index)) != index:
                    self.children[head].append(index)
        self.names = clean_names(text, tokens, names)
        self.name_at: dict[int, Name] = {i: name for name in self.names for i in range(name.first, name.last)}
        self.title = self._title() if self.parsed else None
        self.before: Sentence | None = None
        self.resolved: dict[int, Phrase] = {}
        self.spoken: Sequence[Span] = ()
        self.speaker: Phrase | None = None

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
        return sorted(set(found))[:MOST_CONJUNCTS]

    def _continues_list(self, index: int, child: int) -> bool:
        """A small parser reads "a Red Room, a Blue Room and an Attic" as an apposition with a conjunct: that is a list."""
        if not self.having(child, "conj") or not self.having(index, "punct"):
            return False
        ours, theirs = self.having(index, "det"), self.having(child, "det")
        if bool(ours) == bool(theirs) and (not ours or self.tokens[ours[0]].lemma == self.tokens[theirs[0]].lemma):
            return self.tokens[index].pos == self.tokens[child].pos
        return False

    def phrase(self, index: int) -> Phrase | None:
        """The phrase a token heads; None for a pronoun that is not resolved and for a noun that says nothing."""
        if index in self.resolved:
            return self.resolved[index]
        token = self.tokens[index]
        name = self.name_at.get(index)
        if self.title is not None and self.title[0] <= index < self.title[1]:
            return self._title_phrase()
        if name is not None:
            return Phrase(_SPACES.sub(" ", name.surface), name.label, name.start, name.end)
        if token.pos == "NUM":
            return Phrase(token.text, "CARDINAL", token.start, token.end)
        if token.pos in ("NOUN", "PROPN") and (measure := self._measure(index)) is not None:
            return measure
        if token.pos not in ("NOUN", "PROPN") or token.lemma.casefold() in EMPTY_NOUNS or not WORD.fullmatch(token.text) or len(token.text.rstrip(".")) < 2:
            return None
        if token.text[0].isupper() and token.text.casefold() in PERSON_TITLES and not self.children[index]:
            return None
        return self._noun_phrase(index)

    def _title(self) -> tuple[int, int] | None:
        """Token range of a title that opens the sentence: "Girl from Hong Kong is a film"; two capitals at least, before a form of be."""
        last = 0
        capitals = 0
        for index, token in enumerate(self.tokens):
            if token.lemma == "be" and index == last and capitals > 1:
                first = 1 if self.tokens[0].pos == "DET" else 0
                return (first, last) if not any(n.first <= first and n.last == last for n in self.names) else None
            if token.text[0].isupper() and (index or token.pos in ("NOUN", "PROPN", "ADJ", "DET", "NUM")):
                capitals += 1
                last = index + 1
            elif index == 0 or token.text not in _TITLE_WORDS:
                return None
        return None

    def _title_phrase(self) -> Phrase:
        assert self.title is not None
        first, last = self.title
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        surface = _SPACES.sub(" ", self.text[start:end])
        named = {self.name_at[i].label for i in range(first, last) if i in self.name_at}
        return Phrase(surface, "WORK_OF_ART" if "WORK_OF_ART" in named else retyped(surface, "PROPN"), start, end)

    def _measure(self, index: int) -> Phrase | None:
        """A noun counted by digits is a value: "410,000 crowns"."""
        token = self.tokens[index]
        for number in self.having(index, "nummod"):
            counted = self.tokens[number]
            plural = token.lemma.casefold() != token.text.casefold() or token.text.casefold() in ("percent", "percentage")
            if plural and counted.text[0].isdigit() and number < index and token.start - counted.end <= 12:
                start = counted.start - (1 if counted.start and self.text[counted.start - 1] in "$\u20ac\u00a3" else 0)
                return Phrase(_SPACES.sub(" ", self.text[start : token.end]), "QUANTITY", start, token.end)
        return None

    def proper_noun(self, index: int) -> bool:
        """Whether a token is written as a name: a capitalized proper noun, or a capitalized noun that is a name elsewhere or by its verb."""
        token = self.tokens[index]
        if not token.text[0].isupper() or token.pos not in ("PROPN", "NOUN"):
            return False
        return token.pos == "PROPN" or token.text.casefold() in self.proper or self._singular_by_verb(index)

    def _singular_by_verb(self, index: int) -> bool:
        """"Tinworks has a bell": what looks like a plural with the verb of a singular is a name."""
        token = self.tokens[index]
        if token.dep not in ("nsubj", "nsubjpass") or token.lemma.casefold() == token.text.casefold() or self.having(index, "det", "conj"):
            return False
        verb = self.head(index)
        forms = [self.tokens[one] for one in (verb, *self.having(verb, "aux", "auxpass"))]
        return any(form.text in _SINGULAR or (form.pos == "VERB" and form.text == f"{form.lemma}s") for form in forms)

    def _noun_phrase(self, index: int) -> Phrase | None:
        token = self.tokens[index]
        first = index
        hangs_on = self._owner(index)
        vague = bool(hangs_on)
        for child in reversed([c for c in self.children[index] if c < index]):
            if (word := self.tokens[child].lemma.casefold()) in _VAGUE_WORDS:
                hangs_on = hangs_on if word == "own" else word if word in _INDEFINITE and not vague else ""
                vague = True
            if self.tokens[child].dep not in _MODIFIERS or self.tokens[child].pos in ("PRON", "DET", "NUM"):
                continue
            left = self.leftmost(child)
            if self._gap(child, first) or first - left > _MOST_WORDS:
                break
            first = left
        while first < index and self.tokens[first].pos in ("DET", "PUNCT", "PRON", "NUM", "SPACE"):
            first += 1
        last = self._of_phrase(index)
        start, end = self.tokens[first].start, self._without_stop(last)
        surface = _SPACES.sub(" ", self.text[start:end])
        if last - first >= _MOST_WORDS or any(mark in surface for mark in '",;:()[]\u201c\u201d|'):
            start, end = token.start, self._without_stop(index)
            surface = self.text[start:end]
        kind = retyped(surface, "PROPN") if self.proper_noun(index) or _all_capitalized(surface) else "NOUN"
        bare = token.lemma.casefold() == token.text.casefold() and not self.having(index, "det", "predet", "nummod", *_MODIFIERS)
        return Phrase(surface, kind, start, end, vague, hangs_on, bare)

    def _owner(self, index: int) -> str:
        """The possessive pronoun before a noun, if any."""
        owners = [self.tokens[child] for child in self.having(index, "poss") if child < index and self.tokens[child].pos == "PRON"]
        return owners[0].text.casefold() if owners else ""

    def _without_stop(self, index: int) -> int:
        """Where a token ends, without the stop of the sentence that a tokenizer took for its own ("killed Jan.")."""
        token = self.tokens[index]
        final = token.text.endswith(".") and token.end >= len(self.text[: self.end].rstrip()) and not INITIAL.search(token.text)
        return token.end - 1 if final else token.end

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
        pending = [index]
        while pending:
            one = pending.pop()
            first = min(first, one)
            pending.extend(child for child in self.children[one] if child < one)
        return first

    def rightmost(self, index: int) -> int:
        """Index of the last token of the subtree."""
        last = index
        pending = [index]
        while pending:
            one = pending.pop()
            last = max(last, one)
            pending.extend(child for child in self.children[one] if child > one)
        return last


def read_sentences(tagged: Tagged, text: str, proper: Set[str] = frozenset()) -> Iterator[Sentence]:
    """The sentences of one tagged segment; `proper` are words that its chunk writes as names."""
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
        yield Sentence(text, tokens[first:position], own, (span.start, span.end, first), proper)


def _all_capitalized(surface: str) -> bool:
    words = surface.split()
    return len(words) > 1 and all(word[0].isupper() or word in ("of", "the", "and", "de", "du", "la") for word in words)
