"""What a noun of relation stands for: across a copula, in apposition, after "of" or "called", the name it precedes, its number."""

from collections.abc import Iterator
from dataclasses import replace

from pagerag_pipeline.indexing.extraction import values
from pagerag_pipeline.indexing.extraction.clause_parts import read_clause
from pagerag_pipeline.indexing.extraction.cue_matches import HAVING, NAMING, CueFound, naming
from pagerag_pipeline.indexing.extraction.named_ends import object_end
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES

_CLASSIFYING = frozenset("type kind class form sort variety version example instance part member".split())
"""Of "X is a kind of Y", X is nobody's kind."""
_CALLING = frozenset({"call", "name", "know"})
_MOST_BEFORE = 3


def tails(sentence: Sentence, found: CueFound, value: str) -> Iterator[Phrase]:
    """The tails a cue gives, by what the relation's tail is: entity, number, date or text."""
    if value == "number":
        yield from _number(sentence, found)
    elif value == "date":
        yield from _date(sentence, found)
    elif value == "text":
        yield from _text(sentence, found)
    else:
        named = [phrase for index in dict.fromkeys(_named_by(sentence, found)) if (phrase := _whole(sentence, index)) is not None]
        yield from named or _modified(sentence, found)


def _modified(sentence: Sentence, found: CueFound) -> Iterator[Phrase]:
    """Of "has a V8 engine" the V8 engine itself; of "in the reggae genre" what stands before the noun."""
    noun = found.noun
    lemma = sentence.tokens[sentence.head(noun)].lemma.casefold()
    if sentence.tokens[noun].dep == "dobj" and lemma in HAVING:
        phrase = sentence.phrase(noun)
        if phrase is not None and phrase.start < sentence.tokens[found.first].start and not sentence.having(noun, "prep", "acl", "relcl"):
            yield phrase
    elif sentence.tokens[noun].dep == "pobj" and lemma in NAMING:
        before = [c for c in sentence.having(noun, "compound", "nmod") if c < found.first and sentence.tokens[c].pos in ("NOUN", "PROPN")]
        if before and found.first - sentence.leftmost(before[0]) <= _MOST_BEFORE:
            start, end = sentence.tokens[sentence.leftmost(before[0])].start, sentence.tokens[found.first - 1].end
            yield Phrase(" ".join(sentence.text[start:end].split()), "NOUN", start, end)


def _whole(sentence: Sentence, index: int) -> Phrase | None:
    phrase = object_end(sentence, index)
    return phrase if phrase is not None and phrase.type not in LITERAL_TYPES else None


def _number(sentence: Sentence, found: CueFound) -> Iterator[Phrase]:
    direct = list(values.numbers_below(sentence, found.noun))
    if not direct and found.cue.form == "noun":
        for target in _named_by(sentence, found, numbers=True):
            direct = list(values.numbers_below(sentence, target))
            if direct:
                break
    yield from direct[:1]


def _date(sentence: Sentence, found: CueFound) -> Iterator[Phrase]:
    for target in _named_by(sentence, found, numbers=True):
        if (date := values.date_at(sentence, target)) is not None:
            yield date
            return


def _text(sentence: Sentence, found: CueFound) -> Iterator[Phrase]:
    quoted = values.quoted_after(sentence, sentence.tokens[found.last].end)
    if quoted is not None:
        yield quoted
        return
    for target in _named_by(sentence, found, numbers=True):
        phrase = sentence.phrase(target)
        token = sentence.tokens[target]
        if phrase is not None and token.text != sentence.tokens[found.noun].text:
            yield replace(phrase, type="ATTRIBUTE")
        elif token.text[:1].isalnum() and token.pos in ("NUM", "PROPN", "NOUN", "X"):
            yield Phrase(token.text, "ATTRIBUTE", token.start, token.end)
        else:
            continue
        return


def _named_by(sentence: Sentence, found: CueFound, *, numbers: bool = False) -> Iterator[int]:
    """Token indexes of what the noun stands for; with `numbers` also what may hold a value."""
    noun = found.noun
    if not numbers and (before := [c for c in sentence.having(noun, "compound", "nmod") if c < found.first and c in sentence.name_at]):
        yield from before[:1]
        return
    yield from _across(sentence, noun) if numbers else _said_of(sentence, noun)
    yield from sentence.having(noun, "appos")
    for child in sentence.having(noun, "acl"):
        if sentence.tokens[child].lemma.casefold() in _CALLING:
            yield from sentence.having(child, "oprd", "dobj")
    wanted = {"of"} if numbers or naming(sentence, found) else set()
    yield from _objects(sentence, sentence.having(noun, "prep"), wanted if numbers else {*wanted, "by"})


def _across(sentence: Sentence, noun: int) -> Iterator[int]:
    """Of "the length is 400 m": what the subject is said to be, and where a value may hide."""
    verb = sentence.head(noun)
    if sentence.tokens[noun].dep in ("nsubj", "nsubjpass") and sentence.tokens[verb].lemma.casefold() in ("be", "become", "include"):
        for target in sentence.having(verb, "attr", "dobj", "oprd", "acomp", "npadvmod"):
            yield from sentence.conjuncts(target)
        yield from (target for prep in sentence.having(verb, "prep") for target in sentence.having(prep, "pobj"))
    elif sentence.tokens[noun].dep in ("compound", "nmod", "amod"):
        yield verb


def _said_of(sentence: Sentence, noun: int) -> Iterator[int]:
    """Names that a noun is said of by its place in the clause."""
    verb = sentence.head(noun)
    token = sentence.tokens[noun]
    lemma = sentence.tokens[verb].lemma.casefold()
    if token.dep in ("nsubj", "nsubjpass") and lemma in ("be", "become", "include"):
        yield from (one for target in sentence.having(verb, "attr", "dobj", "oprd") for one in sentence.conjuncts(target))
        yield from _objects(sentence, sentence.having(verb, "prep"), {"by"})
    elif token.dep == "attr" and lemma in ("be", "become") and token.lemma.casefold() not in _CLASSIFYING:
        yield from read_clause(sentence, verb).subjects
    elif token.dep == "pobj" and lemma == "as":
        yield from (one for target in sentence.having(sentence.head(verb), "dobj") for one in sentence.conjuncts(target))
    elif token.dep in ("appos", "compound", "nmod", "amod"):
        yield verb


def _objects(sentence: Sentence, prepositions: list[int], wanted: set[str]) -> Iterator[int]:
    for prep in prepositions:
        if sentence.tokens[prep].lemma.casefold() in wanted:
            yield from (one for target in sentence.having(prep, "pobj") for one in sentence.conjuncts(target))
