"""Whether claims bear on what is asked: what a source says and a citation shows may still be beside the question."""

import re
from collections.abc import Collection, Sequence

from pagerag_pipeline.answering.asked import read_question, split_question
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.support import is_english
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.lexical import content_terms, terms, words
from pagerag_pipeline.schema.asking import Evidence, Question

_NEIGHBORS = 1
"""Sentences before and behind a cited one that are read with it: stories name whom they tell of once, then say `he` (chosen)."""
_NUMBERS = (
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?|hundreds?|thousands?|millions?|billions?|dozens?|half|"
    r"quarter|third|once|twice|thrice|both|none?|nobody|all|every|several|many|few|single|pair|couple|score)\b"
)
_TIMES = (
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|\w+day|days?|weeks?|months?|years?|hours?|minutes?|decades?|"
    r"century|centuries|spring|summer|autumn|fall|winter|dawn|noon|evening|night|midnight|morning|afternoon|after|before|during|when|while|until|till|since|"
    r"upon|once|then|later|earlier|ago|first|last|next|never|always|yesterday|tomorrow|now|age|childhood|youth|war)\b"
)
_HELD = {"number": re.compile(_NUMBERS, re.IGNORECASE), "money": re.compile(_NUMBERS, re.IGNORECASE), "time": re.compile(f"{_TIMES}|{_NUMBERS}", re.IGNORECASE)}
"""What an answer of a type says somewhere, read leniently; of other types nothing so plain can be asked for."""


def beside_the_point(question: Question, claims: Sequence[str], cited: Sequence[Sentence], sentences: Sequence[Sentence]) -> str:
    """Why claims do not bear on a question; empty where one of them may.

    Something that is asked about (its terms or their relatives, those of earlier turns too) must stand in a claim, in the sentences it cites, in
    those next to them, or in their titles; a question that names nothing, and claims in another language than the question's, are not judged.
    """
    said = " ".join(claims)
    asked = _asked_about(question)
    if not asked or is_english(question.text) != is_english(said):
        return ""
    held = {*terms(said), *(term for one in _around(cited, sentences) for term in one.terms | one.context)}
    if any(_holds(held, term) for term in asked):
        return ""
    return f"the claims say nothing of {', '.join(_told(question))}"


def untyped(question: Question, said: str) -> str:
    """What an answer in English to a question of one part lacks that its type must have: a number or a time; empty when nothing."""
    parts = split_question(question.text)
    if len(parts) != 1 or not parts[0].english or not is_english(said):
        return ""
    pattern = _HELD.get(parts[0].kind)
    return f"no {parts[0].kind} is claimed" if pattern is not None and not pattern.search(said) else ""


def item_bears(question: Question, item: Evidence) -> bool:
    """Whether a piece of evidence is about what is asked about: one of the question's names, whole, or any of its terms where it names nothing."""
    asked = read_question(question.text)
    held = set(terms(f"{item.context} {item.text}"))
    names = [own for name in asked.names if (own := terms(name))]
    if names:
        return any(all(_holds(held, term) for term in name) for name in names)
    about = _asked_about(question)
    return not about or any(_holds(held, term) for term in about)


def _asked_about(question: Question) -> list[str]:
    """Terms that say what a question, and what was said before it, is about."""
    asked = read_question(question.text)
    earlier = [term for turn in question.history for term in content_terms(turn.text)]
    return list(dict.fromkeys([*asked.distinctive, *earlier]))


def _told(question: Question) -> list[str]:
    """The words of a question that say what it is about, as it writes them."""
    about = set(read_question(question.text).distinctive)
    return [word for word in dict.fromkeys(words(question.text)) if set(terms(word)) & about]


def _around(cited: Sequence[Sentence], sentences: Sequence[Sentence]) -> list[Sentence]:
    """Cited sentences with their neighbors in the same piece of evidence."""
    ordered = sorted(sentences, key=lambda one: (one.item, one.span.document, one.span.start))
    places = {(one.item, one.span.document, one.span.start): place for place, one in enumerate(ordered)}
    found: list[Sentence] = []
    for one in cited:
        place = places.get((one.item, one.span.document, one.span.start))
        near = ordered[max(0, place - _NEIGHBORS) : place + _NEIGHBORS + 1] if place is not None else [one]
        found += [other for other in near if other.item == one.item]
    return found


def _holds(held: Collection[str], term: str) -> bool:
    return any(other in held for other in relatives(term))
