"""Parts of a clause: its verb with subjects and objects, its prepositional phrases, and what its nouns speak of."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pagerag_pipeline.indexing.extraction.modality import clause_modality
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.schema.knowledge import Modality

_RELATIVE = frozenset({"who", "whom", "which", "that"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with its ends, as token indexes; a passive's subjects are its patients."""

    verb: int
    lemma: str
    subjects: tuple[int, ...]
    objects: tuple[int, ...]
    passive: bool
    modality: Modality


def read_clause(sentence: Sentence, verb: int) -> Clause:
    """The clause of a verb."""
    passive = _is_passive(sentence, verb)
    subjects = tuple(_subjects(sentence, verb))
    objects = [o for o in sentence.having(verb, "dobj", "obj") if not _relative(sentence, o)]
    if sentence.tokens[verb].dep == "relcl" and any(_relative(sentence, o) for o in sentence.having(verb, "dobj", "obj")):
        objects.append(sentence.head(verb))
    lemma = sentence.tokens[verb].lemma.casefold()
    if particles := sentence.having(verb, "prt"):
        lemma = f"{lemma}_{sentence.tokens[particles[0]].lemma}"
    expanded = tuple(one for o in objects for one in sentence.conjuncts(o))
    return Clause(verb, lemma, subjects, expanded, passive, clause_modality(sentence, verb))


def clause_of(sentence: Sentence, index: int) -> Clause:
    """The clause of a verb, or of a participle that opens a sentence ("Located in Hale, the mill ...") or follows a form of be."""
    clause = read_clause(sentence, index)
    token, head = sentence.tokens[index], sentence.head(index)
    if clause.subjects or head == index:
        return clause
    if token.pos == "ADJ" and token.dep == "acomp":
        above = read_clause(sentence, head)
        return replace(clause, subjects=above.subjects, passive=True)
    if token.dep == "advcl" and not sentence.having(index, "mark"):
        above = read_clause(sentence, head)
        return replace(clause, subjects=above.subjects, passive=not token.text.endswith("ing"))
    return clause


def _is_passive(sentence: Sentence, verb: int) -> bool:
    """A coordinated verb without subject, object and auxiliary of its own is passive when the verb before it is."""
    while not sentence.having(verb, "nsubjpass", "auxpass"):
        token = sentence.tokens[verb]
        if token.dep == "acl":
            return not token.text.endswith("ing") and not sentence.having(verb, "aux")
        if token.dep != "conj" or sentence.having(verb, "nsubj", "aux", "dobj") or sentence.head(verb) == verb:
            return False
        verb = sentence.head(verb)
    return True


def _subjects(sentence: Sentence, verb: int) -> Iterator[int]:
    """Indexes of the subjects: its own, those of the verb it is coordinated with or controlled by, or the noun a clause hangs on."""
    own = sentence.having(verb, "nsubj", "nsubjpass")
    while not own and sentence.tokens[verb].dep in ("conj", "xcomp") and sentence.tokens[sentence.head(verb)].pos in ("VERB", "AUX"):
        if sentence.head(verb) == verb:
            return
        verb = sentence.head(verb)
        own = sentence.having(verb, "nsubj", "nsubjpass")
    token = sentence.tokens[verb]
    if own and _relative(sentence, own[0]) and token.dep == "relcl":
        yield from sentence.conjuncts(sentence.head(verb))[:1]
    elif own:
        yield from (one for subject in own for one in sentence.conjuncts(subject))
    elif token.dep == "acl" and not any(sentence.tokens[a].lemma == "to" for a in sentence.having(verb, "aux")):
        yield sentence.head(verb)


def _relative(sentence: Sentence, index: int) -> bool:
    return sentence.tokens[index].lemma.casefold() in _RELATIVE and sentence.tokens[index].pos in ("PRON", "DET", "SCONJ")


def prepositions(sentence: Sentence, verb: int) -> Iterator[tuple[str, int]]:
    """Each preposition of a verb with each of its objects ("in Hale and Larkhope" gives two)."""
    for prep in sentence.having(verb, "prep", "dative"):
        for target in sentence.having(prep, "pobj"):
            for one in sentence.conjuncts(target):
                yield sentence.tokens[prep].lemma.casefold(), one


def bearer(sentence: Sentence, index: int) -> Phrase | None:
    """What a noun speaks of: the name it is said of ("X is a film directed by ...", "X, a baker who ..."), else its own phrase."""
    phrase = sentence.phrase(index)
    if phrase is None or phrase.named or sentence.tokens[index].pos != "NOUN":
        return phrase
    for apposed in sentence.having(index, "appos"):
        name = sentence.phrase(apposed)
        if name is not None and name.named and definite(sentence, index):
            return name
    top = index
    while sentence.tokens[top].dep == "conj" and sentence.head(top) != top:
        top = sentence.head(top)
    head = sentence.head(top)
    if sentence.tokens[top].dep == "appos":
        name = sentence.phrase(head)
        return name if name is not None and name.named else phrase
    if sentence.tokens[top].dep == "attr" and sentence.tokens[head].lemma == "be" and clause_modality(sentence, head) == "asserted":
        names = [name for s in _subjects(sentence, head) if (name := bearer(sentence, s)) and name.named]
        return names[0] if len(names) == 1 else phrase
    return phrase


def definite(sentence: Sentence, noun: int) -> bool:
    """Whether a noun has a definite article or a possessor."""
    return any(sentence.tokens[d].lemma.casefold() == "the" for d in sentence.having(noun, "det")) or bool(sentence.having(noun, "poss"))
