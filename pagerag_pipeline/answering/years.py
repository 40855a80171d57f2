"""Questions that are answered by the difference of two dated quotes."""

import re
from dataclasses import dataclass

_ASKS = re.compile(
    r"\bhow (?:many years|much|long)\b.*?\b(?P<relation>older|younger|between|after|before|passed|elapsed|apart|earlier|later|separate\w*|from)\b",
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


@dataclass(frozen=True, slots=True)
class YearsAsked:
    """The two things whose years are to be subtracted; the second is empty when the question leaves it open."""

    first: str
    second: str


def years_asked(question: str) -> YearsAsked | None:
    """The two sides of a question for a number of years, or None when it asks for something else."""
    text = question.strip(" ?.")
    if not _ASKS.search(text):
        return None
    for split in _SPLITS:
        match = split.search(text)
        if match:
            return YearsAsked(match["first"].strip(), match["second"].strip())
    return None


def year_near(sentence: str, position: int) -> tuple[int, int, int] | None:
    """(year, start, end) of the year that belongs to what stands at a position: the next one after it, else the last one before it."""
    years = [(int(match.group()), match.start(), match.end()) for match in YEAR.finditer(sentence)]
    after = [year for year in years if year[1] >= position]
    return after[0] if after else (years[-1] if years else None)
