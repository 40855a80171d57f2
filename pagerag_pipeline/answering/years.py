"""Questions that are answered by the difference of two dated quotes."""

import re
from dataclasses import dataclass

from pagerag_pipeline.lexical import STOP_WORDS, words

_ASKS = re.compile(
    r"\bhow (?:many years|long|much(?= (?:time|older|younger|earlier|later)\b))\b.*?\b(?P<relation>older|younger|between|after|before|passed|elapsed|apart|earlier|later|separate\w*|from)\b",
    re.IGNORECASE,
)
_SPLITS = (
    re.compile(r"\b(?:older|younger) (?:is|was|are|were) (?P<first>.+?) than (?P<second>.+)$", re.IGNORECASE),
    re.compile(r"\b(?:older|younger) than (?P<second>.+?) (?:is|was|are|were) (?P<first>.+)$", re.IGNORECASE),
    re.compile(r"\b(?:is|was) (?P<first>.+?) (?:older|younger) than (?P<second>.+)$", re.IGNORECASE),
    re.compile(r"\b(?:older|younger) (?:is|was|are|were) (?P<first>.+)(?P<second>)$", re.IGNORECASE),
    re.compile(r"\bbetween (?P<first>.+?) and (?P<second>.+)$", re.IGNORECASE),
    re.compile(r"\bfrom (?P<first>.+?) (?:to|until|till) (?P<second>.+)$", re.IGNORECASE),
    re.compile(r"\b(?:did|was|were|is|does|do|had) (?P<first>.+?) (?:before|after|earlier than|later than) (?P<second>.+)$", re.IGNORECASE),
    re.compile(r"\b(?:after|before) (?P<first>.+?) (?:did|was|were|does|do) (?P<second>.+)$", re.IGNORECASE),
)
YEAR = re.compile(r"(?<![\d.,/$\u00a3\u20ac])(?:1\d{3}|20\d{2}|[5-9]\d{2})(?![\d,.%]\d|\d|%)\b")
"""A year from 500 to 2099 in digits."""
_BARE = re.compile(r"[\d\s.,]+")
"""No thing that has a year, but a number: of prices between two years no years are asked."""
_CAPITALIZED = re.compile(r"\b[^\W\d_a-z]\w*")


@dataclass(frozen=True, slots=True)
class YearsAsked:
    """The two things whose years are to be subtracted; the second is empty when the question leaves it open."""

    first: str
    second: str
    order: int = 0
    """Which side the question says is the earlier: 1 the first, -1 the second, 0 where it does not say."""


def years_asked(question: str) -> YearsAsked | None:
    """The two sides of a question for a number of years, or None when it asks for something else."""
    text = question.strip(" ?.")
    if not _ASKS.search(text):
        return None
    for split in _SPLITS:
        match = split.search(text)
        if match and _BARE.fullmatch(match["first"]) is None:
            return YearsAsked(match["first"].strip(), match["second"].strip(), _order(match))
    return None


def _order(split: re.Match[str]) -> int:
    said = split.group().lower()
    if said.startswith(("between", "from")):
        return 0
    if said.startswith(("after", "older")):
        return 1
    if said.startswith(("before", "younger")):
        return -1
    between = said[: said.rindex(split["second"].lower())] if split["second"] else ""
    return 1 if re.search(r"\b(?:before|older|earlier)\b", between) else -1 if re.search(r"\b(?:after|younger|later)\b", between) else 0


def year_near(sentence: str, position: int) -> tuple[int, int, int] | None:
    """(year, start, end) of the year that belongs to what stands at a position: the next one after it, else the last one before it."""
    years = _years_in(sentence)
    after = [year for year in years if year[1] >= position]
    return after[0] if after else (years[-1] if years else None)


def years_of_both(sentence: str, first: str, second: str) -> tuple[int, int] | None:
    """The years of two things that one sentence names: in the order of the names where one year would fall to both though there are two.

    None for a sentence without a year.
    """
    places = place_of(first, sentence), place_of(second, sentence)
    years, near = _years_in(sentence), [year_near(sentence, place) for place in places]
    if near[0] is None or near[1] is None:
        return None
    if near[0] == near[1] and len(years) == 2 and places[0] != places[1]:
        ordered = (years[0][0], years[1][0])
        return ordered if places[0] < places[1] else (ordered[1], ordered[0])
    return near[0][0], near[1][0]


def other_year(sentence: str, name: str) -> int | None:
    """The year of something else of which the sentence says the same: 988 for Aldric in "Aldric was born in 986, Berta in 988".

    None unless there are two years, another name beside the one that is not his, and no new word between them.
    """
    years = _years_in(sentence)
    if len(years) != 2:
        return None
    before, between = sentence[: years[0][1]], sentence[years[0][2] : years[1][1]]
    known = set(words(before)) | STOP_WORDS
    leads = place_of(name, sentence) < years[0][1]
    others = [word for word in _CAPITALIZED.findall(between if leads else before) if word not in name.split()]
    names = {word.casefold() for word in _CAPITALIZED.findall(between)}
    if not others or any(word not in known | names for word in words(between)):
        return None
    return years[1 if leads else 0][0]


def place_of(side: str, text: str) -> int:
    """Where the last word of a side stands that the text holds as a word, as written rather than in another case; 0 when it holds none."""
    named = [word for word in side.split() if word.casefold() not in STOP_WORDS] or side.split()
    places = [0]
    for word in named:
        pattern = rf"(?<!\w){re.escape(word)}(?!\w)"
        found = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE)
        places += [found.start()] if found else []
    return max(places)


def _years_in(text: str) -> list[tuple[int, int, int]]:
    return [(int(match.group()), match.start(), match.end()) for match in YEAR.finditer(text)]
