"""Statements around verbs: subject, verb, object, passives, copulas, prepositional objects, coordination (a dependency parse is needed)."""

import re

from pagerag_pipeline.indexing.extraction.attachments import UNSAID, prepositional_statements
from pagerag_pipeline.indexing.extraction.clause_parts import Clause, bearer, prepositions, read_clause
from pagerag_pipeline.indexing.extraction.copulas import copula_statements
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES

_CALENDAR = re.compile(r"\b\d{3,4}\b|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)")
"""What makes a date one on a calendar, not "that year"."""
_MOST_PAIRS = 400
_PEOPLE = frozenset({"PERSON", "PROPN", "MISC"})
_LIGHT = frozenset("rise way place birth vent notice ear heed part care account advantage effect".split())
"""Objects that make one verb of themselves and a verb before them."""
_COPULAS = frozenset({"be", "become", "remain"})
def clause_statements(gathering: Gathering) -> None:
    """Add what the verbs of the sentence state; a question states nothing."""
    sentence = gathering.sentence
    if sentence.text[: sentence.end].rstrip("\"\u201d'\u2019) ").endswith("?"):
        return
    for index, token in enumerate(sentence.tokens):
        if token.pos in ("VERB", "AUX") and token.dep not in ("aux", "auxpass"):
            clause = read_clause(sentence, index)
            if clause.lemma in _COPULAS and not clause.passive:
                copula_statements(gathering, clause)
            elif clause.subjects or clause.passive:
                _verb(gathering, clause)


def _dates(sentence: Sentence, verb: int) -> list[Phrase]:
    places = [target for _, target in prepositions(sentence, verb)] + sentence.having(verb, "npadvmod")
    phrases = [sentence.phrase(target) for target in places if target in sentence.name_at and sentence.name_at[target].label == "DATE"]
    return [phrase for phrase in phrases if phrase is not None]


def _scenes(sentence: Sentence, verb: int) -> list[Phrase]:
    """Named places where what a verb says happens."""
    found = [sentence.phrase(at) for preposition, at in prepositions(sentence, verb) if preposition in ("in", "at", "near")]
    return [phrase for phrase in found if phrase is not None and phrase.type in ("GPE", "LOC", "FAC")]


def _verb(gathering: Gathering, clause: Clause) -> None:
    sentence = gathering.sentence
    predicate = _predicate(gathering, clause)
    dates = _dates(sentence, clause.verb)
    places = [("place", place.surface) for place in _scenes(sentence, clause.verb)]
    qualifiers = (*(("time", date.surface) for date in dates), *places)
    subjects = [phrase for s in clause.subjects if (phrase := bearer(sentence, s))]
    objects = [phrase for o in clause.objects if (phrase := bearer(sentence, o))]
    more = {"modality": clause.modality, "qualifiers": qualifiers}
    if clause.passive:
        agents = [sentence.phrase(a) for b in sentence.having(clause.verb, "agent") for p in sentence.having(b, "pobj") for a in sentence.conjuncts(p)]
        for agent in agents:
            for patient in subjects:
                gathering.add("verb", agent, predicate, patient, **more)
    elif clause.lemma not in UNSAID:
        for subject in subjects[: max(1, _MOST_PAIRS // max(1, len(objects)))]:
            for one in objects:
                if predicate != "has" or one.type not in LITERAL_TYPES:
                    gathering.add("verb", subject, predicate, one, **more)
    _symmetric(gathering, clause, subjects, objects, predicate)
    _together(gathering, clause)
    _dated(gathering, clause, (subjects if clause.passive else objects or subjects), dates)
    for subject in subjects:
        prepositional_statements(gathering, clause, subject, objects, more)


def _predicate(gathering: Gathering, clause: Clause) -> str:
    """What the verb says, or the verb itself where that is unknown; with an object that makes one verb of both ("give rise"), what it says everywhere."""
    ontology = gathering.ontology
    said = ontology.said_by(clause.lemma, gathering.mode)
    if said is not None and ontology.predicates[said].modes and any(gathering.sentence.tokens[o].lemma.casefold() in _LIGHT for o in clause.objects):
        return ontology.verbs[clause.lemma] if not ontology.predicates[ontology.verbs[clause.lemma]].modes else clause.lemma
    return said or clause.lemma


def _symmetric(gathering: Gathering, clause: Clause, subjects: list[Phrase], objects: list[Phrase], predicate: str) -> None:
    """"Ann and Bob married": each pair of subjects."""
    known = gathering.ontology.predicates.get(predicate)
    if known is not None and known.symmetric and not objects and len(subjects) == 2 and not clause.passive:
        gathering.add("verb", subjects[0], predicate, subjects[1], modality=clause.modality)


def _together(gathering: Gathering, clause: Clause) -> None:
    """People who do something as one subject ("Tom and Daisy"), or one with the other, act together."""
    sentence = gathering.sentence
    joined = clause.subjects if any(sentence.having(s, "cc") for s in clause.subjects) else clause.subjects[:1]
    people = [phrase for s in joined if (phrase := bearer(sentence, s)) and phrase.type in _PEOPLE]
    others = [p for prep, at in prepositions(sentence, clause.verb) if prep == "with" and (p := sentence.phrase(at)) and p.type in _PEOPLE]
    if not clause.passive and clause.modality in ("asserted", "reported"):
        for left, right in [*zip(people, people[1:], strict=False), *((people[0], other) for other in others if people)]:
            gathering.add("together", left, "acts_with", right, modality=clause.modality)


def _dated(gathering: Gathering, clause: Clause, whom: list[Phrase], dates: list[Phrase]) -> None:
    """The date of an event is an attribute of what it happened to: `founded_date`, `born_date`. Two dates of one verb date nothing."""
    predicate = {"bear": "born", "die": "died"}.get(clause.lemma) or gathering.ontology.verbs.get(clause.lemma, "")
    known = gathering.ontology.predicates.get(predicate)
    if clause.lemma in ("bear", "die") or (known is not None and known.event):
        exact = [date for date in dates if _CALENDAR.search(date.surface)]
        for phrase in whom if len(exact) == 1 else ():
            gathering.add("attribute", phrase, f"{predicate}_date", exact[0], modality=clause.modality)
