"""Relations to places that an ontology names: "located in Hale, Norland", "Hale, Norland", and countries by an adjective of nationality."""

from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.clause_parts import clause_of, read_clause
from pagerag_pipeline.indexing.extraction.named_ends import object_end, subject_end, suits
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.word_families import countries, nationalities, place_words

_IN = frozenset({"in", "at", "on", "within"})
_PLACE_TYPES = frozenset({"GPE", "LOC", "FAC", "PROPN", "MISC"})
_MOST_CHAIN = 4


def place_statements(gathering: Gathering) -> None:
    """Add where things are, by the kinds of place that the ontology tells apart, and what is of a country."""
    sentence, lexicon = gathering.sentence, gathering.ontology.lexicon
    if lexicon.places:
        verbs = place_words("verbs") | place_words("origin")
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
    lemma = sentence.tokens[verb].lemma.casefold()
    if sentence.having(verb, "attr", "acomp", "dobj"):
        return
    for prep in sentence.having(verb, "prep"):
        word = sentence.tokens[prep].lemma.casefold()
        if not (word in _IN and lemma in place_words("verbs")) and not (word == "from" and lemma in place_words("origin")):
            continue
        for target in sentence.having(prep, "pobj"):
            chain = list(_chain(sentence, target, also=("ORG",) if lemma in ("locate", "situate") else ()))
            for subject in clause.subjects:
                owner = subject_end(sentence, subject)
                if owner is not None and owner.named:
                    _place(gathering, owner, [place for place in chain if word != "from" or place.surface.casefold() in countries()], clause.modality)


def _place(gathering: Gathering, owner: Phrase, chain: list[Phrase], modality: str) -> None:
    for number, place in enumerate(chain):
        predicate = _kind(gathering, owner, place, first=number == 0, length=len(chain))
        if predicate is not None and suits(gathering, predicate, "head", owner) and suits(gathering, predicate, "tail", place):
            gathering.add("cued" if _plain(gathering, predicate) else "place", owner, predicate, place, modality=modality)


def _plain(gathering: Gathering, predicate: str) -> bool:
    """Whether the ontology tells apart no other kind of place that is meant as likely: a country is one, and a location without cities."""
    places = gathering.ontology.lexicon.places
    return predicate == places.get("country") or not {"city", "state", "county"} & set(places)


def _kind(gathering: Gathering, owner: Phrase, place: Phrase, *, first: bool, length: int) -> str | None:
    """The relation to a place: of a country when it is one (for what is itself no place, and has a location, only at the end of "Hale, Norland")."""
    places = gathering.ontology.lexicon.places
    if place.surface.casefold() in countries() and (not first or "location" not in places or owner.type in ("GPE", "LOC")):
        return places.get("country")
    if not first:
        return None
    if "location" in places:
        return places["location"]
    if "city" in places and length > 1:
        return places["city"]
    return None


def _chain(sentence: Sentence, target: int, *, also: tuple[str, ...] = ()) -> Iterator[Phrase]:
    """The places of "Hale, Marlshire, Norland" from a token on; the first may be of other types too."""
    seen = 0
    pending: list[int] = [target]
    while pending and seen < _MOST_CHAIN:
        one = pending.pop(0)
        phrase = object_end(sentence, one)
        if phrase is None or phrase.type not in (_PLACE_TYPES if seen else {*_PLACE_TYPES, *also}) or not phrase.named:
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
    """"X is an Italian sauce", "X, an Italian sauce", "an American citizen": X is of that country."""
    sentence = gathering.sentence
    for index, token in enumerate(sentence.tokens):
        country = nationalities().get(token.text)
        if country is None or token.dep not in ("amod", "compound", "nmod"):
            continue
        noun = sentence.head(index)
        owner = subject_end(sentence, noun)
        if owner is None or not owner.named or owner.start <= token.start < owner.end:
            continue
        tail = Phrase(country, "GPE", token.start, token.end)
        predicate = _of_country(gathering, owner, sentence.tokens[noun].lemma.casefold())
        if predicate is not None and suits(gathering, predicate, "head", owner):
            modality = read_clause(sentence, sentence.head(noun)).modality if sentence.tokens[noun].dep == "attr" else "asserted"
            gathering.add("cued", owner, predicate, tail, modality=modality)


def _of_country(gathering: Gathering, owner: Phrase, noun: str) -> str | None:
    """Which of the ontology's relations to a country is meant: the one that the noun names, else nationality for people and country for things."""
    known = gathering.ontology.lexicon.nationality
    told = [name for name in known if noun in ("citizen", "national", "native", "nationality") and noun[:6] in name.casefold()]
    kinds = ("nationality", "citizenship") if owner.type == "PERSON" else ("country", "origin")
    return next((name for kind in kinds for name in (*told, *known) if kind in name.casefold() or name in told), None)
