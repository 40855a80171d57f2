"""Relations to places that an ontology names: "located in Hale, Norland", "Hale, Norland", and countries by an adjective of nationality."""

from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.clause_parts import bearer, clause_of, read_clause
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.lexicon import countries, nationalities, place_words

_IN = frozenset({"in", "at", "on", "within"})
_PLACE_TYPES = frozenset({"GPE", "LOC", "FAC", "PROPN", "MISC"})
_MOST_CHAIN = 4


def place_statements(gathering: Gathering) -> None:
    """Add where things are, by the kinds of place that the ontology tells apart, and what is of a country."""
    sentence, lexicon = gathering.sentence, gathering.ontology.lexicon
    if lexicon.places:
        verbs = place_words("verbs")
        for index, token in enumerate(sentence.tokens):
            if token.lemma.casefold() in verbs and token.pos in ("VERB", "AUX") and token.dep not in ("aux", "auxpass"):
                _located(gathering, index)
        _chains(gathering)
    if lexicon.nationality:
        _nationalities(gathering)


def _located(gathering: Gathering, verb: int) -> None:
    """"X is located in A, B": X with A, and with B where B is a country."""
    sentence = gathering.sentence
    clause = clause_of(sentence, verb)
    for prep in sentence.having(verb, "prep"):
        if sentence.tokens[prep].lemma.casefold() not in _IN:
            continue
        for target in sentence.having(prep, "pobj"):
            chain = list(_chain(sentence, target))
            for subject in clause.subjects:
                owner = bearer(sentence, subject)
                if owner is not None and owner.named:
                    _place(gathering, owner, chain, clause.modality)


def _place(gathering: Gathering, owner: Phrase, chain: list[Phrase], modality: str) -> None:
    for number, place in enumerate(chain):
        predicate = _kind(gathering, place, number == 0, len(chain))
        if predicate is not None:
            gathering.add("cued", owner, predicate, place, modality=modality)


def _kind(gathering: Gathering, place: Phrase, first: bool, length: int) -> str | None:
    """The relation to a place: of a country when it is one; else the one kind that the ontology has, or that its first place has."""
    places = gathering.ontology.lexicon.places
    if place.surface.casefold() in countries():
        return places.get("country") or (places.get("location") if first else None)
    if not first:
        return None
    if "location" in places:
        return places["location"]
    if "city" in places and length > 1:
        return places["city"]
    return None


def _chain(sentence: Sentence, target: int) -> Iterator[Phrase]:
    """The places of "Hale, Marlshire, Norland" from a token on."""
    seen = 0
    pending: list[int] = [target]
    while pending and seen < _MOST_CHAIN:
        one = pending.pop(0)
        phrase = sentence.phrase(one)
        if phrase is None or phrase.type not in _PLACE_TYPES or not phrase.named:
            return
        yield phrase
        seen += 1
        pending.extend(sentence.having(one, "appos"))


def _chains(gathering: Gathering) -> None:
    """"Hale, Norland": Hale is part of Norland, or of its country; only between names of places."""
    sentence, places = gathering.sentence, gathering.ontology.lexicon.places
    for left, right in zip(sentence.names, sentence.names[1:], strict=False):
        between = sentence.text[left.end : right.start]
        if between != ", " or left.label not in ("GPE", "LOC") or right.label not in ("GPE", "LOC"):
            continue
        predicate = places.get("country") if right.surface.casefold() in countries() else places.get("part")
        if predicate is not None:
            head, tail = (Phrase(" ".join(n.surface.split()), n.label, n.start, n.end) for n in (left, right))
            gathering.add("chain", head, predicate, tail)


def _nationalities(gathering: Gathering) -> None:
    """"X is an Italian sauce", "X, an Italian sauce": X is of Italy."""
    sentence = gathering.sentence
    for index, token in enumerate(sentence.tokens):
        country = nationalities().get(token.text)
        if country is None or token.dep not in ("amod", "compound", "nmod"):
            continue
        noun = sentence.head(index)
        owner = bearer(sentence, noun)
        if owner is None or not owner.named or owner.start <= token.start < owner.end:
            continue
        for predicate in gathering.ontology.lexicon.nationality:
            known = gathering.ontology.predicates[predicate]
            if gathering.ontology.fits(known.head, owner.type):
                modality = read_clause(sentence, sentence.head(noun)).modality if sentence.tokens[noun].dep == "attr" else "asserted"
                gathering.add("cued", owner, predicate, Phrase(country, "GPE", token.start, token.end), modality=modality)
