"""Where the nouns of an ontology's lexicon stand in a sentence."""

from collections.abc import Iterator
from dataclasses import dataclass

from pagerag_pipeline.indexing.extraction.reading import Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.lexicon import NounCue
from pagerag_pipeline.schema.knowledge import Token

NAMING = frozenset({"of", "in", "from", "at", "by", "to", "within", "near"})
"""Prepositions before "the city of Hale": what they hang on stands in the relation to Hale."""
HAVING = frozenset({"have", "include", "feature", "boast", "possess", "offer", "contain", "hold", "use"})
MOST_HOPS = 5


@dataclass(frozen=True, slots=True)
class CueFound:
    """A cue in a sentence: the first and last token of its range, and the token of it that hangs on something outside."""

    cue: NounCue
    first: int
    last: int
    noun: int


def cue_matches(gathering: Gathering) -> Iterator[CueFound]:
    """The cues of a sentence from left to right, the longest first where several begin; relations that share one follow each other."""
    sentence, nouns = gathering.sentence, gathering.ontology.lexicon.nouns
    taken = -1
    for index, token in enumerate(sentence.tokens):
        if index <= taken:
            continue
        for cue in _starting(nouns, token):
            last = index + len(cue.words) - 1
            if last < len(sentence.tokens) and all(_is(sentence.tokens[index + i], word) for i, word in enumerate(cue.words)):
                noun = _head_of(sentence, index, last)
                if _usable(sentence, index, last, noun):
                    taken = last
                    yield CueFound(cue, index, last, noun)
                    yield from (CueFound(o, index, last, noun) for o in _starting(nouns, token) if o.words == cue.words and o != cue)
                    break


def _starting(nouns: dict[str, list[NounCue]], token: Token) -> list[NounCue]:
    text, lemma = token.text.casefold(), token.lemma.casefold()
    return [*nouns.get(text, ()), *(nouns.get(lemma, ()) if lemma != text else ())]


def _is(token: Token, word: str) -> bool:
    return word in (token.text.casefold(), token.lemma.casefold())


def _head_of(sentence: Sentence, first: int, last: int) -> int:
    """The token of a range that hangs on something outside it."""
    for index in range(first, last + 1):
        head = sentence.head(index)
        if not first <= head <= last or head == index:
            return index
    return last


def _usable(sentence: Sentence, first: int, last: int, noun: int) -> bool:
    """A cue is no part of a name, and is not the modifier of another noun unless that is a name ("leader Ann Hale")."""
    token = sentence.tokens[noun]
    if any(index in sentence.name_at and sentence.name_at[index].last - sentence.name_at[index].first > last - first + 1 for index in range(first, last + 1)):
        return False
    if token.dep in ("compound", "amod", "nmod") and first == last:
        return sentence.head(noun) > noun and (sentence.head(noun) in sentence.name_at or sentence.proper_noun(sentence.head(noun)))
    return token.pos in ("NOUN", "PROPN", "ADJ", "VERB", "NUM")


def naming(sentence: Sentence, found: CueFound) -> bool:
    """Whether "the city of Hale" names its value, as after a preposition or a verb: then Hale is no owner."""
    token = sentence.tokens[found.noun]
    if token.dep == "pobj":
        return sentence.tokens[sentence.head(found.noun)].lemma.casefold() in NAMING
    return token.dep == "dobj" and sentence.tokens[sentence.head(found.noun)].lemma.casefold() in HAVING
