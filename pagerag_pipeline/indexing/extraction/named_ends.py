"""The ends of relations that an ontology names: names behind nouns of kind, nouns that a name opens, countries by their full name."""

from dataclasses import replace

from pagerag_pipeline.indexing.extraction.clause_parts import bearer, definite
from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence
from pagerag_pipeline.indexing.extraction.statements import Gathering
from pagerag_pipeline.indexing.word_families import country_name, kind_words, type_labels
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES

_NO_BEARERS = frozenset({"NORP", "LANGUAGE"})
"""Types of which an ontology speaks only when it says so."""


def subject_end(sentence: Sentence, index: int) -> Phrase | None:
    """What a noun speaks of, as a name where there is one: what stands across a copula or in apposition counts too."""
    phrase = _whole(sentence, index, bearer(sentence, index))
    if phrase is not None and phrase.type == "NOUN" and not phrase.how and definite(sentence, index):
        # A definite noun stands for something that is named elsewhere.
        return replace(phrase, vague=True)
    return phrase


def object_end(sentence: Sentence, index: int) -> Phrase | None:
    """What a noun names: "Hale" for "the city of Hale", "Afonso Pena airport" as a name."""
    return _whole(sentence, index, sentence.phrase(index))


def _whole(sentence: Sentence, index: int, phrase: Phrase | None) -> Phrase | None:
    if phrase is None or phrase.type in LITERAL_TYPES:
        return phrase
    if phrase.type == "NOUN" and (named := _of_a_kind(sentence, index) or _opened_by_name(sentence, index, phrase)):
        phrase = named
    return replace(phrase, surface=country_name(phrase.surface)) if phrase.named else phrase


def _of_a_kind(sentence: Sentence, index: int) -> Phrase | None:
    """"The city of Hale", "the state Kerala": the name, of the type that the noun says."""
    kind = sentence.tokens[index].lemma.casefold()
    if kind not in kind_words():
        return None
    targets = [t for p in sentence.having(index, "prep") if sentence.tokens[p].lemma == "of" for t in sentence.having(p, "pobj")]
    for target in (*targets, *sentence.having(index, "appos")):
        found = sentence.phrase(target)
        if found is not None and found.named and not found.vague:
            labels = type_labels(kind) or frozenset()
            return found if found.type in labels else replace(found, type="GPE" if "GPE" in labels and "PERSON" not in labels else found.type)
    return None


def _opened_by_name(sentence: Sentence, index: int, phrase: Phrase) -> Phrase | None:
    """"Amatriciana sauce", "Afonso Pena International airport": a name and what it is, without an indefinite article."""
    if any(sentence.tokens[d].lemma.casefold() in ("a", "an", "some", "any") for d in sentence.having(index, "det")) or phrase.vague:
        return None
    first = next((i for i, token in enumerate(sentence.tokens) if token.start == phrase.start), index)
    if first == index or first not in sentence.name_at or sentence.tokens[first].dep not in ("compound", "nmod", "amod"):
        return None
    name = sentence.name_at[first]
    following = sentence.tokens[index + 1].text if index + 1 < len(sentence.tokens) else ""
    if name.literal or name.label in ("NORP", "LANGUAGE", "PERSON") or name.start != phrase.start or name.last > index or following[:1].isupper():
        return None
    if sentence.tokens[index].lemma.casefold() in kind_words() and name.last == index:
        return Phrase(" ".join(name.surface.split()), name.label, name.start, name.end)
    return replace(phrase, type="PROPN")


def is_cue(gathering: Gathering, phrase: Phrase) -> bool:
    """Whether a phrase is itself a noun that names a relation: "leader" is nobody's currency."""
    return phrase.type == "NOUN" and any(cue.words == tuple(phrase.surface.casefold().split()) for cue in gathering.ontology.lexicon.nouns.get(phrase.surface.split()[0].casefold(), ()))


def suits(gathering: Gathering, predicate: str, end: str, phrase: Phrase) -> bool:
    """Whether a phrase may be an end of a relation: its type fits, and where a class is asked for, it is a name."""
    known = gathering.ontology.predicates[predicate]
    kind = known.head if end == "head" else known.tail
    if phrase.vague or is_cue(gathering, phrase):
        return False
    if end == "tail" and known.value != "entity":
        return phrase.type in LITERAL_TYPES
    if end == "head" and kind == "any" and phrase.type in _NO_BEARERS:
        return False
    return gathering.ontology.fits(kind, phrase.type) and (kind == "any" or phrase.named)
