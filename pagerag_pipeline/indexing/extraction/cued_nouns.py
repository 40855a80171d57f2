"""Relations said by nouns: "X's director is Y", "the director of X, Y", "Y is the director of X", "X has a population of 400", "250 students"."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pagerag_pipeline.indexing.extraction import values
from pagerag_pipeline.indexing.extraction.clause_parts import read_clause
from pagerag_pipeline.indexing.extraction.named_ends import object_end, subject_end, suits
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.lexicon import NounCue
from pagerag_pipeline.schema import LITERAL_TYPES, Token

_OWNING = ("of", "for", "in", "at", "to")
_NAMING = frozenset({"of", "in", "from", "at", "by", "to", "within", "near"})
"""Prepositions before "the city of Hale": what they hang on stands in the relation to Hale."""
_HAVING = frozenset({"have", "include", "feature", "boast", "possess", "offer", "contain", "hold", "use"})
_CLASSIFYING = frozenset("type kind class form sort variety version example instance part member".split())
"""Of "X is a kind of Y", X is nobody's kind."""
_MOST_HOPS = 5
_MOST_BEFORE = 3


@dataclass(slots=True)
class _Found:
    """A cue in a sentence: token range, its head, and the ends it joins, as token indexes or phrases."""

    cue: NounCue
    first: int
    last: int
    noun: int


def noun_statements(gathering: Gathering) -> None:
    """Add what the nouns of the ontology's lexicon say."""
    sentence = gathering.sentence
    for found in _matches(gathering):
        known = gathering.ontology.predicates[found.cue.predicate]
        owners = list(_owners(sentence, found, known.value))
        tails = list(_values(gathering, found, known.value))
        if found.cue.form == "reversed":
            owners, tails = _reversed(sentence, found)
        for owner in owners:
            for tail in tails:
                if suits(gathering, found.cue.predicate, "head", owner) and suits(gathering, found.cue.predicate, "tail", tail):
                    gathering.add("cued", owner, found.cue.predicate, tail, modality=_modality(sentence, found.noun), rank=3 * found.cue.literal)


def work_statements(gathering: Gathering) -> None:
    """Add whom a work is by: "X is a novel by Y", "X, a film by Y"."""
    sentence, works = gathering.sentence, gathering.ontology.lexicon.works_by
    for index, token in enumerate(sentence.tokens):
        predicate = works.get(token.lemma.casefold())
        if predicate is None:
            continue
        owner = subject_end(sentence, index)
        for prep in sentence.having(index, "prep"):
            if sentence.tokens[prep].lemma.casefold() != "by" or owner is None or not owner.named:
                continue
            for target in (one for t in sentence.having(prep, "pobj") for one in sentence.conjuncts(t)):
                tail = object_end(sentence, target)
                if tail is not None and suits(gathering, predicate, "head", owner) and suits(gathering, predicate, "tail", tail):
                    gathering.add("cued", owner, predicate, tail, modality=_modality(sentence, index))


def _modality(sentence: Sentence, noun: int) -> str:
    for _ in range(_MOST_HOPS):
        if sentence.tokens[noun].pos in ("VERB", "AUX"):
            return read_clause(sentence, noun).modality
        noun = sentence.head(noun)
    return "asserted"


def _matches(gathering: Gathering) -> Iterator[_Found]:
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
                    yield _Found(cue, index, last, noun)
                    yield from (_Found(o, index, last, noun) for o in _starting(nouns, token) if o.words == cue.words and o != cue)
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


def _owners(sentence: Sentence, found: _Found, value: str) -> Iterator[Phrase]:
    """Whose it is: a possessor, what follows "of", or the subject of having it."""
    noun = found.noun
    own = list(_direct_owners(sentence, found, value))
    if own:
        yield from own
        return
    verb = sentence.head(noun)
    token = sentence.tokens[noun]
    lemma = sentence.tokens[verb].lemma.casefold()
    if token.dep in ("dobj", "attr", "nsubj") and lemma in _HAVING | {"be"} and sentence.having(verb, "expl"):
        yield from _places_of(sentence, verb)
    elif token.dep == "dobj" and lemma in _HAVING:
        yield from _subjects(sentence, verb)
    elif token.dep == "pobj":
        yield from _governed(sentence, verb)
    elif token.dep in ("compound", "nmod", "amod"):
        yield from _owners_of_name(sentence, verb)
    elif token.dep == "appos":
        yield from ()


def _direct_owners(sentence: Sentence, found: _Found, value: str) -> Iterator[Phrase]:
    for child in sentence.having(found.noun, "poss"):
        token = sentence.tokens[child]
        if token.text.casefold() == "whose":
            yield from _relative_owner(sentence, found.noun)
            continue
        for one in sentence.conjuncts(child):
            if (phrase := subject_end(sentence, one)) is not None:
                yield phrase
    for prep in sentence.having(found.noun, "prep"):
        if sentence.tokens[prep].lemma.casefold() not in _OWNING:
            continue
        for target in sentence.having(prep, "pobj"):
            if value in ("number", "date") and sentence.tokens[target].text[:1].isdigit():
                continue
            if _naming(sentence, found):
                continue
            for one in sentence.conjuncts(target):
                if (phrase := subject_end(sentence, one)) is not None and phrase.type not in LITERAL_TYPES:
                    yield phrase


def _naming(sentence: Sentence, found: _Found) -> bool:
    """Whether "the city of Hale" names its value, as after a preposition or a verb: then Hale is no owner."""
    token = sentence.tokens[found.noun]
    if token.dep == "pobj":
        return sentence.tokens[sentence.head(found.noun)].lemma.casefold() in _NAMING
    return token.dep == "dobj" and sentence.tokens[sentence.head(found.noun)].lemma.casefold() in _HAVING


def _relative_owner(sentence: Sentence, noun: int) -> Iterator[Phrase]:
    """Of "X, whose director is Y": X."""
    index = noun
    for _ in range(_MOST_HOPS):
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
    for _ in range(_MOST_HOPS):
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


def _values(gathering: Gathering, found: _Found, value: str) -> Iterator[Phrase]:
    sentence = gathering.sentence
    if value == "number":
        yield from _number(sentence, found)
    elif value == "date":
        yield from _date(sentence, found)
    elif value == "text":
        yield from _text(sentence, found)
    else:
        named = [phrase for index in dict.fromkeys(_named_by(sentence, found)) if (phrase := _whole(sentence, index)) is not None]
        yield from named or _modified(sentence, found)


def _modified(sentence: Sentence, found: _Found) -> Iterator[Phrase]:
    """Of "has a V8 engine" the V8 engine itself; of "in the reggae genre" what stands before the noun."""
    noun = found.noun
    lemma = sentence.tokens[sentence.head(noun)].lemma.casefold()
    if sentence.tokens[noun].dep == "dobj" and lemma in _HAVING:
        phrase = sentence.phrase(noun)
        if phrase is not None and phrase.start < sentence.tokens[found.first].start and not sentence.having(noun, "prep", "acl", "relcl"):
            yield phrase
    elif sentence.tokens[noun].dep == "pobj" and lemma in _NAMING:
        before = [c for c in sentence.having(noun, "compound", "nmod") if c < found.first and sentence.tokens[c].pos in ("NOUN", "PROPN")]
        if before and found.first - sentence.leftmost(before[0]) <= _MOST_BEFORE:
            start, end = sentence.tokens[sentence.leftmost(before[0])].start, sentence.tokens[found.first - 1].end
            yield Phrase(" ".join(sentence.text[start:end].split()), "NOUN", start, end)


def _whole(sentence: Sentence, index: int) -> Phrase | None:
    phrase = object_end(sentence, index)
    return phrase if phrase is not None and phrase.type not in LITERAL_TYPES else None


def _number(sentence: Sentence, found: _Found) -> Iterator[Phrase]:
    direct = list(values.numbers_below(sentence, found.noun))
    if not direct and found.cue.form == "noun":
        for target in _named_by(sentence, found, numbers=True):
            direct = list(values.numbers_below(sentence, target))
            if direct:
                break
    yield from direct[:1]


def _date(sentence: Sentence, found: _Found) -> Iterator[Phrase]:
    for target in _named_by(sentence, found, numbers=True):
        if (date := values.date_at(sentence, target)) is not None:
            yield date
            return


def _text(sentence: Sentence, found: _Found) -> Iterator[Phrase]:
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


def _named_by(sentence: Sentence, found: _Found, *, numbers: bool = False) -> Iterator[int]:
    """Token indexes of what the noun stands for: across a copula, in apposition, after "of" or "called", or the name it precedes."""
    noun = found.noun
    verb = sentence.head(noun)
    token = sentence.tokens[noun]
    lemma = sentence.tokens[verb].lemma.casefold()
    if not numbers and (before := [c for c in sentence.having(noun, "compound", "nmod") if c < found.first and c in sentence.name_at]):
        yield from before[:1]
        return
    if token.dep in ("nsubj", "nsubjpass") and lemma in ("be", "become", "include"):
        for target in sentence.having(verb, "attr", "dobj", "oprd", *(("acomp", "npadvmod") if numbers else ())):
            yield from sentence.conjuncts(target)
        if numbers:
            yield from (t for p in sentence.having(verb, "prep") for t in sentence.having(p, "pobj"))
    elif token.dep == "attr" and lemma in ("be", "become") and not numbers and token.lemma.casefold() not in _CLASSIFYING:
        yield from read_clause(sentence, verb).subjects
    elif token.dep == "pobj" and lemma == "as":
        yield from (one for target in sentence.having(sentence.head(verb), "dobj") for one in sentence.conjuncts(target))
    elif token.dep == "appos" and not numbers:
        yield verb
    elif token.dep in ("compound", "nmod", "amod"):
        yield verb
    for prep in (*sentence.having(noun, "prep"), *(sentence.having(verb, "prep") if token.dep == "nsubj" and lemma == "be" else ())):
        if sentence.tokens[prep].lemma.casefold() == "by" and not numbers:
            yield from (one for target in sentence.having(prep, "pobj") for one in sentence.conjuncts(target))
    yield from sentence.having(noun, "appos")
    for child in sentence.having(noun, "acl"):
        if sentence.tokens[child].lemma.casefold() in ("call", "name", "know"):
            yield from sentence.having(child, "oprd", "dobj")
    if numbers or _naming(sentence, found):
        for prep in sentence.having(noun, "prep"):
            if sentence.tokens[prep].lemma.casefold() == "of":
                yield from (one for target in sentence.having(prep, "pobj") for one in sentence.conjuncts(target))


def _reversed(sentence: Sentence, found: _Found) -> tuple[list[Phrase], list[Phrase]]:
    """Of "X is a part of Y": X and Y."""
    verb = sentence.head(found.noun)
    token = sentence.tokens[found.noun]
    tails = [p for prep in sentence.having(found.noun, "prep") for t in sentence.having(prep, "pobj") if (p := sentence.phrase(t)) is not None]
    if token.dep == "attr":
        return list(_subjects(sentence, verb)), tails
    if token.dep == "appos":
        phrase = sentence.phrase(verb)
        return [phrase] if phrase is not None else [], tails
    return [], tails
