"""Questions for yes or no that tell a year or a number, and quotes that say all the rest of it with another one."""

import re
from collections.abc import Collection, Iterator, Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.statements import said_at
from pagerag_pipeline.answering.told_numbers import NUMBER_WORDS, Kind, counted_as, spans_year, told_numbers
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.lexical import content_terms, stem

YEAR_NEAR = 60
"""Characters behind a verb in which its year stands; chosen."""

_FIGURES = frozenset(stem(word) for word in NUMBER_WORDS)
_LIMIT = r"(?:over|under|above|below|more than|less than|fewer than|at least|at most|up to|about|around|roughly|approximately|some|nearly|almost|between)"
_LIMITED = re.compile(rf"\b(?:{_LIMIT}|more|less|fewer|exceed\w*)\b", re.IGNORECASE)
_NUMBER_LIMITED = re.compile(rf"\b{_LIMIT}\s+[$\u00a3\u20ac]?\d", re.IGNORECASE)
_RANGE = re.compile(r"\b(?:after|before|since|until|till|between|from|by|ago)\b", re.IGNORECASE)


def other_year(asked: Asked, wanted: Wanted, told: Sequence[Sentence], deeds: Collection[str]) -> tuple[str, Sentence] | None:
    """The year in which a sentence says that the deed of the question was done, and the sentence; None when another tells it of the year asked about.

    `deeds` are stems of verbs of what is done once.
    """
    years = YEAR.findall(asked.text)
    verbs = [term for term in asked.distinctive if term in deeds]
    if len(years) != 1 or not verbs or _RANGE.search(asked.text):
        return None
    found: list[tuple[str, Sentence]] = []
    for sentence in holding(asked, wanted, told, leaving=years):
        if years[0] in sentence.text or spans_year(sentence.text, int(years[0])):
            return None
        near = [year for verb in said_at(verbs[0], sentence.text) for year in YEAR.findall(sentence.text[verb.end() : verb.end() + YEAR_NEAR])[:1]]
        found += [(near[0], sentence)] if near else []
    return found[0] if found else None


def other_count(asked: Asked, wanted: Wanted, told: Sequence[Sentence]) -> tuple[float, float, Sentence] | None:
    """The number that a sentence tells, the one that the question tells of the same, and the sentence; None when another tells the question's."""
    if _LIMITED.search(asked.text):
        return None
    own = {kind: numbers for kind, numbers in told_numbers(asked.text).items() if kind[0] == "count"}
    figures = [term for term in asked.terms if term in _FIGURES or (term[:1].isdigit() and not YEAR.fullmatch(term))]
    nouns = [term for term in asked.terms if counted_as(term) in {noun for _, noun in own}]
    found: list[tuple[float, float, Sentence]] = []
    for sentence in holding(asked, wanted, told, leaving=[*figures, *nouns]) if own else ():
        numbers = told_numbers(sentence.text)
        kind = _closest(own, numbers)
        if kind is None:
            continue
        if own[kind] & numbers[kind]:
            return None
        if not _NUMBER_LIMITED.search(sentence.text):
            found.append((min(numbers[kind]), min(own[kind]), sentence))
    return found[0] if found else None


def holding(asked: Asked, wanted: Wanted, told: Sequence[Sentence], *, leaving: Collection[str]) -> Iterator[Sentence]:
    """Sentences that say all that a question says but some terms, of its names the last word, with what they stand under and lean on."""
    named = {term for name in asked.names for term in content_terms(name)}
    lasts = {content_terms(name)[-1] for name in asked.names if content_terms(name)}
    rest = [term for term in asked.distinctive if term not in named and term not in leaving]
    for sentence in told if rest or lasts else ():
        said = sentence.in_context
        if lasts <= said and set(rest) <= wanted.covered(said).keys():
            yield sentence


def _closest(own: Collection[Kind], numbers: Collection[Kind]) -> Kind | None:
    """The kind that both tell: of `300 metres long` and `212 metres long and 14 metres wide` what is long, not what is told in metres."""
    shared = [kind for kind in own if kind in numbers]
    return shared[-1] if shared else None
