"""Statements around verbs: subject, verb, object, passives, copulas, prepositional objects, coordination (a dependency parse is needed)."""

from collections.abc import Iterator
from dataclasses import dataclass

from pagerag_pipeline.indexing.modality import clause_modality
from pagerag_pipeline.indexing.reading import Phrase, Sentence
from pagerag_pipeline.indexing.statements import Gathering
from pagerag_pipeline.schema import Modality

_RELATIVE = frozenset({"who", "whom", "which", "that"})
_PLACE_PREPOSITIONS = frozenset({"in", "at", "on", "near", "beside", "by", "inside", "outside", "behind", "under", "above", "opposite"})
_PLACE_TYPES = frozenset({"GPE", "LOC", "FAC"})
_COPULAS = frozenset({"be", "become", "remain"})
_UNSAID = frozenset({"say", "think", "do", "let", "try", "seem", "appear", "go", "come", "turn", "look"})
"""Verbs that state nothing without their complement."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with its ends, as token indexes; a passive's subjects are its patients."""

    verb: int
    lemma: str
    subjects: tuple[int, ...]
    objects: tuple[int, ...]
    passive: bool
    modality: Modality


def clause_statements(gathering: Gathering) -> None:
    """Add what the verbs of the sentence state; a question states nothing."""
    sentence = gathering.sentence
    if sentence.text[: sentence.end].rstrip("\"\u201d'\u2019) ").endswith("?"):
        return
    for index, token in enumerate(sentence.tokens):
        if token.pos in ("VERB", "AUX") and token.dep not in ("aux", "auxpass"):
            clause = _clause(sentence, index)
            if clause.lemma in _COPULAS and not clause.passive:
                _copula(gathering, clause)
            elif clause.subjects or clause.passive:
                _verb(gathering, clause)


def _clause(sentence: Sentence, verb: int) -> Clause:
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


def _is_passive(sentence: Sentence, verb: int) -> bool:
    if sentence.having(verb, "nsubjpass", "auxpass"):
        return True
    token = sentence.tokens[verb]
    if token.dep == "acl":
        return not token.text.endswith("ing") and not sentence.having(verb, "aux")
    bare = not sentence.having(verb, "nsubj", "aux", "dobj")
    return token.dep == "conj" and bare and sentence.head(verb) != verb and _is_passive(sentence, sentence.head(verb))


def _subjects(sentence: Sentence, verb: int) -> Iterator[int]:
    """Indexes of the subjects: its own, those of the verb it is coordinated with or controlled by, or the noun a clause hangs on."""
    token = sentence.tokens[verb]
    own = sentence.having(verb, "nsubj", "nsubjpass")
    if own and _relative(sentence, own[0]) and token.dep == "relcl":
        yield from sentence.conjuncts(sentence.head(verb))[:1]
    elif own:
        yield from (one for subject in own for one in sentence.conjuncts(subject))
    elif token.dep == "acl":
        yield sentence.head(verb)
    elif token.dep in ("conj", "xcomp") and sentence.head(verb) != verb and sentence.tokens[sentence.head(verb)].pos in ("VERB", "AUX"):
        yield from _subjects(sentence, sentence.head(verb))


def _relative(sentence: Sentence, index: int) -> bool:
    return sentence.tokens[index].lemma.casefold() in _RELATIVE and sentence.tokens[index].pos in ("PRON", "DET", "SCONJ")


def _prepositions(sentence: Sentence, verb: int) -> Iterator[tuple[str, int]]:
    """Each preposition of a verb with each of its objects ("in Hale and Larkhope" gives two)."""
    for prep in sentence.having(verb, "prep", "dative"):
        for target in sentence.having(prep, "pobj"):
            for one in sentence.conjuncts(target):
                yield sentence.tokens[prep].lemma.casefold(), one


def _dates(sentence: Sentence, verb: int) -> list[Phrase]:
    places = [target for _, target in _prepositions(sentence, verb)] + sentence.having(verb, "npadvmod")
    phrases = [sentence.phrase(target) for target in places if target in sentence.name_at and sentence.name_at[target].label == "DATE"]
    return [phrase for phrase in phrases if phrase is not None]


def _verb(gathering: Gathering, clause: Clause) -> None:
    sentence, ontology = gathering.sentence, gathering.ontology
    predicate = ontology.verbs.get(clause.lemma, clause.lemma)
    dates = _dates(sentence, clause.verb)
    qualifiers = tuple(("time", date.surface) for date in dates)
    subjects = [phrase for s in clause.subjects if (phrase := sentence.phrase(s))]
    objects = [phrase for o in clause.objects if (phrase := sentence.phrase(o))]
    more = {"modality": clause.modality, "qualifiers": qualifiers}
    if clause.passive:
        agents = [sentence.phrase(a) for b in sentence.having(clause.verb, "agent") for p in sentence.having(b, "pobj") for a in sentence.conjuncts(p)]
        for agent in agents:
            for patient in subjects:
                gathering.add("verb", agent, predicate, patient, **more)
    elif clause.lemma not in _UNSAID:
        for subject in subjects:
            for one in objects:
                gathering.add("verb", subject, predicate, one, **more)
    _symmetric(gathering, clause, subjects, objects, predicate)
    _dated(gathering, clause, (subjects if clause.passive else objects or subjects), dates)
    for subject in subjects:
        _prepositional(gathering, clause, subject, bool(objects), more)


def _symmetric(gathering: Gathering, clause: Clause, subjects: list[Phrase], objects: list[Phrase], predicate: str) -> None:
    """"Ann and Bob married": each pair of subjects."""
    known = gathering.ontology.predicates.get(predicate)
    if known is not None and known.symmetric and not objects and len(subjects) == 2 and not clause.passive:
        gathering.add("verb", subjects[0], predicate, subjects[1], modality=clause.modality)


def _dated(gathering: Gathering, clause: Clause, whom: list[Phrase], dates: list[Phrase]) -> None:
    """The date of an event is an attribute of what it happened to: `founded_date`, `born_date`."""
    predicate = {"bear": "born", "die": "died"}.get(clause.lemma) or gathering.ontology.verbs.get(clause.lemma, "")
    known = gathering.ontology.predicates.get(predicate)
    if clause.lemma in ("bear", "die") or (known is not None and known.event):
        for phrase in whom:
            for date in dates:
                gathering.add("attribute", phrase, f"{predicate}_date", date, modality=clause.modality)


def _prepositional(gathering: Gathering, clause: Clause, subject: Phrase, has_object: bool, more: dict[str, object]) -> None:
    sentence, ontology = gathering.sentence, gathering.ontology
    for preposition, target in _prepositions(sentence, clause.verb):
        tail = sentence.phrase(target)
        if tail is None or tail.type in ("DATE", "TIME"):
            continue
        known = ontology.verbs.get(f"{clause.lemma}_{preposition}")
        if known is not None:
            gathering.add("preposition", subject, known, tail, **more)
        elif preposition in _PLACE_PREPOSITIONS and _is_place(tail) and subject.named:
            gathering.add("present", subject, "present_at", tail, **more)
        elif not has_object and not clause.passive and tail.named and clause.lemma not in _UNSAID:
            gathering.add("preposition", subject, f"{clause.lemma}_{preposition}", tail, **more)


def _is_place(phrase: Phrase) -> bool:
    return phrase.type in _PLACE_TYPES


def _copula(gathering: Gathering, clause: Clause) -> None:
    sentence = gathering.sentence
    subjects = [phrase for s in clause.subjects if (phrase := sentence.phrase(s))]
    for subject_at in clause.subjects:
        if (subject := sentence.phrase(subject_at)) is None:
            continue
        for attribute in sentence.having(clause.verb, "attr"):
            for one in sentence.conjuncts(attribute):
                described(gathering, (subject_at, subject), one, "copula", clause.modality)
        for adjective in sentence.having(clause.verb, "acomp"):
            _adjective(gathering, subject, adjective, clause.modality)
    if not sentence.having(clause.verb, "attr", "acomp"):
        for subject in subjects:
            _prepositional(gathering, clause, subject, False, {"modality": clause.modality})
    elif sentence.having(clause.verb, "expl"):
        _existence(gathering, clause)


def _adjective(gathering: Gathering, subject: Phrase, adjective: int, modality: Modality) -> None:
    """"is old" gives an attribute; "is 30 metres tall" one named by the adjective."""
    sentence = gathering.sentence
    token = sentence.tokens[adjective]
    for measure in sentence.having(adjective, "npadvmod"):
        if measure in sentence.name_at and (value := sentence.phrase(measure)):
            gathering.add("attribute", subject, token.lemma.casefold(), value, modality=modality)
            return
    for one in sentence.conjuncts(adjective):
        quality = sentence.tokens[one]
        if quality.pos == "ADJ" and subject.named:
            value = Phrase(quality.text, "ATTRIBUTE", quality.start, quality.end)
            gathering.add("attribute", subject, "has_attribute", value, modality=modality, category="aspect")


def _existence(gathering: Gathering, clause: Clause) -> None:
    """"There is a bell in the tower": the bell is located at the tower."""
    sentence = gathering.sentence
    for attribute in sentence.having(clause.verb, "attr"):
        for place in (clause.verb, attribute):
            for preposition, target in _prepositions(sentence, place):
                if preposition in _PLACE_PREPOSITIONS:
                    for one in sentence.conjuncts(attribute):
                        gathering.add("preposition", sentence.phrase(one), "located_at", sentence.phrase(target), modality=clause.modality)


def described(gathering: Gathering, subject: tuple[int, Phrase], noun: int, rule: str, modality: Modality) -> None:
    """What a noun after a copula or in apposition says of its subject: a role of something, a kind, a value, or another name."""
    sentence = gathering.sentence
    subject_at, head = subject
    token = sentence.tokens[noun]
    phrase = sentence.phrase(noun)
    if phrase is None:
        return
    if phrase.type in ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "DATE", "TIME", "ORDINAL"):
        _valued(gathering, subject, phrase, modality)
    elif token.pos == "NOUN" and noun not in sentence.name_at:
        for owner in _owners(sentence, noun):
            gathering.add("role", head, f"{token.lemma.casefold()}_of", owner, modality=modality)
        kind = "definition" if head.type == "NOUN" else "relation"
        gathering.add(rule, head, "is_a", phrase, modality=modality, kind=kind)
    elif head.type == "NOUN":
        owners = list(_owners(sentence, subject_at))
        for owner in owners:
            gathering.add("role", phrase, f"{sentence.tokens[subject_at].lemma.casefold()}_of", owner, modality=modality)
        if not owners and rule == "apposition":
            gathering.add(rule, phrase, "is_a", head, modality=modality)
    elif rule == "copula":
        gathering.add("present", head, "is", phrase, modality=modality)


def _valued(gathering: Gathering, subject: tuple[int, Phrase], value: Phrase, modality: Modality) -> None:
    """"The population of Hale is 4,000": the property `population` of Hale."""
    sentence = gathering.sentence
    for owner in _owners(sentence, subject[0]):
        gathering.add("attribute", owner, sentence.tokens[subject[0]].lemma.casefold(), value, modality=modality)


def _owners(sentence: Sentence, noun: int) -> Iterator[Phrase]:
    """Names that a noun belongs to: "owner of Tinworks", "Mara's brother"."""
    if sentence.tokens[noun].pos != "NOUN":
        return
    targets = [t for p in sentence.having(noun, "prep") if sentence.tokens[p].lemma == "of" for t in sentence.having(p, "pobj")]
    for target in [*targets, *sentence.having(noun, "poss")]:
        for one in sentence.conjuncts(target):
            phrase = sentence.phrase(one)
            if phrase is not None and phrase.named:
                yield phrase
