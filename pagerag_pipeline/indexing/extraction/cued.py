"""Statements of relations that an ontology only names, read by the cues of its lexicon: verbs with the roles of both ends, and measures."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pagerag_pipeline.indexing.extraction.clause_parts import Clause, clause_of, prepositions
from pagerag_pipeline.indexing.extraction.cued_nouns import noun_statements, work_statements
from pagerag_pipeline.indexing.extraction.cued_places import place_statements
from pagerag_pipeline.indexing.extraction.named_ends import object_end, subject_end, suits
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering, Statement
from pagerag_pipeline.indexing.extraction.values import dates, number_at, quoted_after
from pagerag_pipeline.indexing.lexicon import AGENT, DATE, PATIENT, PLACE, SECOND, VerbCue
from pagerag_pipeline.indexing.word_families import verb_lemmas

_WHERE = ("in", "at", "near", "on")
_MOST_HOPS = 6
_READ = frozenset({"cued", "place", "chain"})
_SINGLE = frozenset({"DATE", "QUANTITY", "CARDINAL"})
"""Values, each of which is said of one thing."""


def cued_statements(gathering: Gathering) -> None:
    """Add what the sentence says of relations that the ontology names without verbs; a question states nothing."""
    lexicon, sentence = gathering.ontology.lexicon, gathering.sentence
    if lexicon.empty or not sentence.parsed or sentence.text[: sentence.end].rstrip("\"\u201d'\u2019) ").endswith("?"):
        return
    for index, token in enumerate(sentence.tokens):
        if token.pos in ("VERB", "AUX", "ADJ") and token.dep not in ("aux", "auxpass"):
            for lemma in _lemmas(token.lemma.casefold(), token.text.casefold()):
                if lemma in lexicon.verbs:
                    _verb(gathering, clause_of(sentence, index), lexicon.verbs[lemma])
                    break
    noun_statements(gathering)
    if lexicon.works_by:
        work_statements(gathering)
    _measures(gathering)
    place_statements(gathering)
    _one_for_a_slot(gathering)


def _one_for_a_slot(gathering: Gathering) -> None:
    """Of several relations read between the same two ends, either way, or of several readings of one value, the most literal one stands.

    Where two are as literal, all of them are doubtful.
    """
    slots: dict[frozenset[object], list[Statement]] = {}
    for statement in gathering.statements:
        if statement.rule in _READ:
            slots.setdefault(frozenset((statement.head.surface.casefold(), statement.tail.surface.casefold())), []).append(statement)
            if statement.tail.type in _SINGLE:
                slots.setdefault(frozenset((statement.tail.start, -1)), []).append(statement)
    dropped: set[int] = set()
    doubtful: set[int] = set()
    for read in slots.values():
        best = max(one.rank for one in read)
        dropped.update(id(one) for one in read if one.rank < best)
        if len({(one.predicate, one.head.surface) for one in read if one.rank == best}) > 1:
            doubtful.update(id(one) for one in read)
    kept = [one for one in gathering.statements if id(one) not in dropped]
    gathering.statements[:] = [replace(one, rule="doubtful") if id(one) in doubtful else one for one in kept]


def _lemmas(lemma: str, text: str) -> list[str]:
    return [lemma, *(one for one in verb_lemmas(text) if one != lemma and text.endswith("ed"))]


def _verb(gathering: Gathering, clause: Clause, cues: Iterable[VerbCue]) -> None:
    sentence = gathering.sentence
    words = {token.text.casefold() for token in sentence.tokens}
    for cue in cues:
        if not cue.requires <= words:
            continue
        for head in ends(gathering, clause, cue.head, cue.predicate, "head"):
            for tail in ends(gathering, clause, cue.tail, cue.predicate, "tail"):
                if cue.kind != "year" or tail.type != "DATE" or tail.surface.isdigit():
                    rank = 2 * cue.literal + (cue.kind in words)
                    gathering.add("cued" if rank or _told_apart(gathering, cue) else "doubtful", head, cue.predicate, tail, modality=clause.modality, rank=rank)


def _told_apart(gathering: Gathering, cue: VerbCue) -> bool:
    """Whether the ontology says of either end what it is; without that, a verb that is only like the name says too little."""
    known = gathering.ontology.predicates[cue.predicate]
    return known.head != "any" or known.tail != "any"


def ends(gathering: Gathering, clause: Clause, role: str, predicate: str, end: str) -> Iterator[Phrase]:
    """What stands in a role of a clause and may be that end of the relation."""
    sentence = gathering.sentence
    known = gathering.ontology.predicates[predicate]
    if role == DATE:
        yield from dated(sentence, clause.verb)
        return
    for index in _in_role(sentence, clause, role):
        if end == "tail" and known.value != "entity":
            phrase = _value(sentence, index, known.value)
        else:
            phrase = (subject_end if role in (AGENT, PATIENT, SECOND) else object_end)(sentence, index)
        if phrase is not None and suits(gathering, predicate, end, phrase):
            yield phrase


def _in_role(sentence: Sentence, clause: Clause, role: str) -> list[int]:
    agents = [a for b in sentence.having(clause.verb, "agent") for p in sentence.having(b, "pobj") for a in sentence.conjuncts(p)]
    if role == AGENT:
        return agents if clause.passive else list(clause.subjects)
    if role == PATIENT:
        return list(clause.subjects) if clause.passive else list(clause.objects)
    if role == SECOND:
        return [*clause.objects, *sentence.having(clause.verb, "oprd", "attr")] if clause.passive else sentence.having(clause.verb, "oprd")
    if role == PLACE:
        return [at for prep, at in prepositions(sentence, clause.verb) if prep in _WHERE]
    return [at for prep, at in prepositions(sentence, clause.verb) if prep == role]


def _value(sentence: Sentence, index: int, kind: str) -> Phrase | None:
    if kind == "number":
        return number_at(sentence, index)
    if kind == "text":
        phrase = sentence.phrase(index)
        return quoted_after(sentence, sentence.tokens[index].start - 2) or (replace(phrase, type="ATTRIBUTE") if phrase else None)
    return None


def dated(sentence: Sentence, verb: int) -> list[Phrase]:
    """The dates that hang on a verb, not on another verb below it."""
    found: list[Phrase] = []
    for date in dates(sentence):
        inside = [i for i, token in enumerate(sentence.tokens) if date.start <= token.start < date.end]
        if inside and _governor(sentence, inside[0], verb) == verb:
            found.append(date)
    return found[:1]


def _governor(sentence: Sentence, index: int, verb: int) -> int:
    for _ in range(_MOST_HOPS):
        head = sentence.head(index)
        if head == verb or head == index or sentence.tokens[head].pos in ("VERB", "AUX"):
            return head
        index = head
    return index


def _measures(gathering: Gathering) -> None:
    """"is 546 metres above sea level": the number before the phrase, of the subject of its clause."""
    sentence = gathering.sentence
    text = sentence.text
    for phrase, predicate in gathering.ontology.lexicon.measures:
        for match in re.finditer(rf"\b{re.escape(phrase)}\b", text[: sentence.end]):
            if match.start() < sentence.start:
                continue
            before = [i for i, t in enumerate(sentence.tokens) if t.end <= match.start() and t.text[:1].isdigit() and match.start() - t.end <= 24]
            value = number_at(sentence, before[-1]) if before else None
            if value is None:
                continue
            for owner in subjects_above(sentence, before[-1]):
                if suits(gathering, predicate, "head", owner):
                    gathering.add("cued", owner, predicate, value)


def subjects_above(sentence: Sentence, index: int) -> list[Phrase]:
    """The subject of the nearest verb above a token that has one, or the noun that its clause hangs on."""
    for _ in range(_MOST_HOPS):
        head = sentence.head(index)
        token = sentence.tokens[head]
        if token.pos in ("VERB", "AUX"):
            subjects = [phrase for s in clause_of(sentence, head).subjects[:1] if (phrase := subject_end(sentence, s))]
            if subjects or clause_of(sentence, head).subjects:
                return subjects
        elif head != index and head in sentence.name_at and not sentence.name_at[head].literal:
            phrase = object_end(sentence, head)
            return [phrase] if phrase is not None else []
        if head == index:
            return []
        index = head
    return []
