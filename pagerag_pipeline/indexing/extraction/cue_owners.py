"""Whose a noun of relation is: a possessor, what follows "of", the subject of having it, or what a prepositional phrase is said of."""

from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.clause_parts import read_clause
from pagerag_pipeline.indexing.extraction.cue_matches import HAVING, MOST_HOPS, CueFound, naming
from pagerag_pipeline.indexing.extraction.named_ends import subject_end
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES

_OWNING = ("of", "for", "in", "at", "to")


def owners(sentence: Sentence, found: CueFound, value: str) -> Iterator[Phrase]:
    """Whose it is; `value` says what the relation's tail is, so that the 400 of "a population of 400" owns nothing."""
    noun = found.noun
    own = list(_direct_owners(sentence, found, value))
    if own:
        yield from own
        return
    verb = sentence.head(noun)
    token = sentence.tokens[noun]
    lemma = sentence.tokens[verb].lemma.casefold()
    if token.dep in ("dobj", "attr", "nsubj") and lemma in HAVING | {"be"} and sentence.having(verb, "expl"):
        yield from _places_of(sentence, verb)
    elif token.dep == "dobj" and lemma in HAVING:
        yield from _subjects(sentence, verb)
    elif token.dep == "pobj":
        yield from _governed(sentence, verb)
    elif token.dep in ("compound", "nmod", "amod"):
        yield from _owners_of_name(sentence, verb)


def _direct_owners(sentence: Sentence, found: CueFound, value: str) -> Iterator[Phrase]:
    for child in sentence.having(found.noun, "poss"):
        if sentence.tokens[child].text.casefold() == "whose":
            yield from _relative_owner(sentence, found.noun)
        else:
            yield from _ends(sentence, child)
    if naming(sentence, found):
        return
    for prep in sentence.having(found.noun, "prep"):
        for target in sentence.having(prep, "pobj") if sentence.tokens[prep].lemma.casefold() in _OWNING else ():
            if not (value in ("number", "date") and sentence.tokens[target].text[:1].isdigit()):
                yield from _ends(sentence, target)


def _ends(sentence: Sentence, index: int) -> Iterator[Phrase]:
    for one in sentence.conjuncts(index):
        if (phrase := subject_end(sentence, one)) is not None and phrase.type not in LITERAL_TYPES:
            yield phrase


def _relative_owner(sentence: Sentence, noun: int) -> Iterator[Phrase]:
    """Of "X, whose director is Y": X."""
    index = noun
    for _ in range(MOST_HOPS):
        if sentence.tokens[index].dep == "relcl":
            if (phrase := subject_end(sentence, sentence.head(index))) is not None:
                yield phrase
            return
        index = sentence.head(index)


def _subjects(sentence: Sentence, verb: int) -> Iterator[Phrase]:
    clause = read_clause(sentence, verb)
    subjects = clause.subjects
    if not subjects and sentence.tokens[verb].dep == "advcl":
        subjects = read_clause(sentence, sentence.head(verb)).subjects
    for subject in subjects:
        if (phrase := subject_end(sentence, subject)) is not None:
            yield phrase


def _places_of(sentence: Sentence, verb: int) -> Iterator[Phrase]:
    """Of "There are 250 students at X": X."""
    for start in (verb, *sentence.having(verb, "attr", "dobj")):
        for prep in sentence.having(start, "prep"):
            for target in sentence.having(prep, "pobj"):
                if (phrase := sentence.phrase(target)) is not None and phrase.named:
                    yield phrase


def _governed(sentence: Sentence, prep: int) -> Iterator[Phrase]:
    """What a prepositional phrase is said of: the name it hangs on, else the subject of its verb."""
    index = sentence.head(prep)
    for _ in range(MOST_HOPS):
        token = sentence.tokens[index]
        if token.pos in ("VERB", "AUX"):
            yield from _subjects(sentence, index)
            return
        phrase = subject_end(sentence, index)
        if phrase is not None and phrase.named:
            yield phrase
            return
        if sentence.head(index) == index:
            return
        index = sentence.head(index)


def _owners_of_name(sentence: Sentence, name: int) -> Iterator[Phrase]:
    """Whose "director Ann Hale" she is: a possessor of the name, or what follows it."""
    for child in sentence.having(name, "poss"):
        if (phrase := subject_end(sentence, child)) is not None:
            yield phrase
    if sentence.tokens[name].dep == "pobj" and sentence.tokens[sentence.head(name)].lemma.casefold() in ("of", "in", "to", "by", "with"):
        yield from _governed(sentence, sentence.head(name))


def turned(sentence: Sentence, found: CueFound) -> tuple[list[Phrase], list[Phrase]]:
    """Heads and tails of a noun that the tail owns: of "X is a part of Y", X and Y."""
    verb = sentence.head(found.noun)
    token = sentence.tokens[found.noun]
    tails = [p for prep in sentence.having(found.noun, "prep") for t in sentence.having(prep, "pobj") if (p := sentence.phrase(t)) is not None]
    if token.dep == "attr":
        return list(_subjects(sentence, verb)), tails
    if token.dep == "appos":
        phrase = sentence.phrase(verb)
        return [phrase] if phrase is not None else [], tails
    return [], tails
