"""Values in a sentence as phrases: calendar dates however a tagger cut them, numbers with their unit, and texts between quotation marks."""

import re
from collections.abc import Iterator

from pagerag_pipeline.indexing.extraction.reading import Phrase, Sentence

_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|"
    r"Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = re.compile(
    rf"\b(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{4}}|{_MONTH} {_DAY},? ?\d{{3,4}}|(?:the )?{_DAY} (?:of )?{_MONTH},? (?:in )?\d{{3,4}}|"
    rf"{_MONTH},? (?:of )?\d{{4}}|(?<![\d,.])(?:1\d{{3}}|20\d\d)(?![\d,.]*\d))"
)
_NUMBER = re.compile(
    r"(?<![\w.])[-\u2212+~$\u20ac\u00a3]?\d[\d,]*(?:\.\d+)*(?: ?(?:%|percent|per cent|million|billion|trillion|thousand|hundred))?"
    r"(?: ?(?:[a-z]{1,3}\b[\u00b2\u00b3]?|square [a-z]+|cubic [a-z]+|metres?|meters?|feet|foot|inches|kilometres?|kilometers?|miles?|acres?|hectares?|grams?|tonnes?|years?|minutes?|"
    r"seconds?|hours?|degrees|dollars|euros|pounds))?"
)
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{2,120}?)[,.]?[\"\u201d]")
_SMALL = frozenset("a an and as at but by for from in into is it its of on or that the then there they this to was which who with has had have are".split())


def dates(sentence: Sentence) -> list[Phrase]:
    """Calendar dates of a sentence, in order."""
    found = DATE.finditer(sentence.text, sentence.start, sentence.end)
    return [Phrase(match.group().removeprefix("the "), "DATE", match.start(), match.end()) for match in found]


def date_at(sentence: Sentence, index: int) -> Phrase | None:
    """The date that a token is part of."""
    token = sentence.tokens[index]
    return next((date for date in dates(sentence) if date.start <= token.start < date.end), None)


def number_at(sentence: Sentence, index: int) -> Phrase | None:
    """The number, with its unit, that a token is part of; a date is none."""
    token = sentence.tokens[index]
    for match in _NUMBER.finditer(sentence.text, max(sentence.start, token.start - 24), sentence.end):
        if match.start() > token.end:
            break
        if match.start() <= token.start < match.end() or match.start() < token.end <= match.end():
            words = match.group().split(" ")
            surface = " ".join(words[:-1] if len(words) > 1 and words[-1] in _SMALL else words)
            return Phrase(surface, "QUANTITY" if " " in surface else "CARDINAL", match.start(), match.start() + len(surface))
    return None


def quoted_after(sentence: Sentence, place: int, most: int = 24) -> Phrase | None:
    """The text between quotation marks that opens soon after a place."""
    match = _QUOTED.search(sentence.text, place, min(len(sentence.text), sentence.end + 1))
    if match is None or match.start() - place > most:
        return None
    return Phrase(match.group(1), "ATTRIBUTE", match.start(1), match.end(1))


def numbers_below(sentence: Sentence, index: int) -> Iterator[Phrase]:
    """Numbers in the subtree of a token, nearest first: its own, its numeral modifiers, then what hangs on "of" and "about"."""
    token = sentence.tokens[index]
    if token.pos == "NUM" or token.text[:1].isdigit():
        own = number_at(sentence, index)
        if own is not None:
            yield own
    for child in sentence.having(index, "nummod", "appos", "npadvmod", "quantmod", "compound", "attr"):
        yield from numbers_below(sentence, child)
    for prep in sentence.having(index, "prep"):
        if sentence.tokens[prep].lemma in ("of", "at", "about", "around", "over", "to"):
            for target in sentence.having(prep, "pobj"):
                yield from numbers_below(sentence, target)
