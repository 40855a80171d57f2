"""Statements around nouns: appositions, possessives of kin, and explicit causes (a dependency parse is needed)."""

import re

from pagerag_pipeline.indexing.extraction.clause_parts import definite
from pagerag_pipeline.indexing.extraction.copulas import described
from pagerag_pipeline.indexing.extraction.modality import clause_modality, inside_quotation
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.ontology import CAUSES

_KIN = frozenset(
    "father mother son daughter brother sister wife husband uncle aunt cousin nephew niece grandfather grandmother grandson granddaughter widow "
    "widower fiancee friend partner assistant servant teacher pupil master employer neighbor neighbour rival".split()
)
_OWN_PARTS = frozenset(
    "hand eye face voice head arm leg mouth lip hair heart body foot knee shoulder back finger cheek brow tear glance look smile expression mind "
    "attention tone word breath name life death return arrival absence presence opinion view age day year way turn part sake face ear side "
    "request suggestion remark question answer".split()
)
"""What everybody has: saying so states nothing."""
_CAUSE_PREPOSITIONS = frozenset({"because", "due", "owing", "thanks"})
_DASH = re.compile("[\u2014\u2013]|--")
_MOST_CAUSE_CHARACTERS = 90


def nominal_statements(gathering: Gathering) -> None:
    """Add what appositions, possessives and causal connectives of the sentence state."""
    sentence = gathering.sentence
    for index, token in enumerate(sentence.tokens):
        if token.dep == "appos" and sentence.having(sentence.head(index), "punct"):
            _apposition(gathering, sentence.head(index), index)
        elif token.dep == "poss":
            _kin(gathering, index)
        elif token.dep == "advcl":
            _because(gathering, index)
        elif token.dep in ("prep", "pcomp", "amod", "advmod") and token.lemma.casefold() in _CAUSE_PREPOSITIONS:
            _because_of(gathering, index)


def _apposition(gathering: Gathering, noun: int, apposed: int) -> None:
    sentence = gathering.sentence
    if apposed in sentence.conjuncts(noun):
        return
    head, other = sentence.phrase(noun), sentence.phrase(apposed)
    if head is None or other is None or _DASH.search(sentence.text, head.end, max(head.end, other.start)):
        return
    spoken = inside_quotation(sentence, sentence.tokens[apposed].start)
    told = bool(sentence.having(apposed, "det", "poss")) or (not spoken and not sentence.having(apposed, "amod"))
    if (head.named and told and not other.named) or (not head.named and other.named and definite(sentence, noun)):
        described(gathering, (noun, head), apposed, "apposition", "reported" if spoken else "asserted")


def _kin(gathering: Gathering, owner_at: int) -> None:
    """"Mara's brother Odo" and "Odo's brother, Jan Fenn": brother_of."""
    sentence = gathering.sentence
    noun = sentence.head(owner_at)
    owner = sentence.phrase(owner_at)
    role = sentence.tokens[noun]
    if owner is None or not owner.named:
        return
    possessed = sentence.phrase(noun) if role.pos == "NOUN" and noun not in sentence.name_at else None
    if possessed is not None and role.lemma.casefold() not in (_KIN | _OWN_PARTS):
        thing = Phrase(role.text, "NOUN", role.start, role.end)
        gathering.add("possessive", owner, "has", thing)
    if role.lemma.casefold() in _KIN:
        for apposed in sentence.having(noun, "appos"):
            name = sentence.phrase(apposed)
            if name is not None and name.named:
                gathering.add("role", name, f"{role.lemma.casefold()}_of", owner)
    elif noun in sentence.name_at:
        for child in sentence.having(noun, "compound", "nmod"):
            word = sentence.tokens[child]
            if word.lemma.casefold() in _KIN and child > owner_at and child not in sentence.name_at:
                gathering.add("role", sentence.phrase(noun), f"{word.lemma.casefold()}_of", owner)


def _because(gathering: Gathering, clause: int) -> None:
    """"The mill closed because the river flooded": the second event causes the first; a clause about a pronoun is left out."""
    sentence = gathering.sentence
    marks = {sentence.tokens[child].lemma.casefold() for child in sentence.having(clause, "mark")}
    if "because" not in marks:
        return
    main = sentence.head(clause)
    cause, effect = _event(sentence, clause), _event(sentence, main)
    gathering.add("cause", cause, CAUSES, effect, kind="event", modality=clause_modality(sentence, main))


def _because_of(gathering: Gathering, word: int) -> None:
    """"closed because of the flood", "due to the flood": the noun causes the event."""
    sentence = gathering.sentence
    targets = [t for p in (word, *sentence.having(word, "prep", "pcomp")) for t in sentence.having(p, "pobj")]
    main = sentence.head(word)
    while sentence.tokens[main].pos not in ("VERB", "AUX") and sentence.head(main) != main:
        main = sentence.head(main)
    if not targets or sentence.tokens[main].pos not in ("VERB", "AUX"):
        return
    for target in targets:
        gathering.add("cause", sentence.phrase(target), CAUSES, _event(sentence, main), kind="event", modality=clause_modality(sentence, main))


def _event(sentence: Sentence, verb: int) -> Phrase | None:
    """A clause as the name of an event: from its subject to its verb and object, if its subject is no pronoun and it is short."""
    subjects = sentence.having(verb, "nsubj", "nsubjpass")
    subject = sentence.phrase(subjects[0]) if subjects else None
    if subject is None:
        return None
    ends = sentence.having(verb, "dobj", "attr", "acomp", "oprd")
    last = max([verb, *(sentence.rightmost(end) for end in ends)])
    start, end = subject.start, sentence.tokens[last].end
    if end <= start or end - start > _MOST_CAUSE_CHARACTERS or "," in sentence.text[start:end]:
        return None
    return Phrase(" ".join(sentence.text[start:end].split()), "EVENT", start, end)
