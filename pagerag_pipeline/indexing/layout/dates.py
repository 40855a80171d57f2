"""Entries of diaries and logs in plain text: paragraphs that begin with a date, and when they are the structure of a text."""

import re
import statistics
from collections.abc import Sequence

from pagerag_pipeline.indexing.layout.headings import Heading
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph
from pagerag_pipeline.lexical import MONTHS

LEAST_ENTRIES = 5
LEAST_ENTRY = 150
"""Dates that follow each other more closely (median, characters) are lines of a table or of a calendar."""
LEAST_COVER = 0.5
"""Entries reach from the first date to the end: so large a share of the text at least."""
LONGEST_LINE = 200
LEAST_FORWARD = 0.8
"""So large a share of the steps from entry to entry goes forward in the calendar."""

_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|{'|'.join(name[:3] for name in MONTHS)}|sept)\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\w)"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|thurs|fri|sat|sun)\.),?\s+"
_AFTER = r"(?:,?\s+(?P<year>1\d\d\d|20\d\d))?(?:\s*\([^()\n]{1,40}\))?\s*(?:$|[.:;—–]|--)"
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"_?(?:{_WEEKDAY})?{_MONTH}\s+(?:the\s+)?{_DAY}{_AFTER}",
        rf"_?(?:{_WEEKDAY})?(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_AFTER}",
        r"(?P<year>1\d\d\d|20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?!\w)\s*(?:$|[.:;—–]|--)?",
    )
)
_BARE = re.compile(
    rf"_?(?:{_WEEKDAY})?(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b(?:(?:,| and|, and) \w{{3,4}})*(?:\s*\([^()\n]{{1,40}}\))?\s*(?:$|[.:;—–]|--)",
    re.IGNORECASE,
)
_EDGE = " _.:;—–-"


def dated_headings(text: str, paragraphs: Sequence[Paragraph]) -> list[Heading]:
    """The dated entries of a text when they are what it is made of, else none; a day alone is read with the month before it."""
    found: list[Heading] = []
    days: list[tuple[int, int]] = []
    month = ""
    for index, paragraph in enumerate(paragraphs):
        line = " ".join(text[paragraph.start : paragraph.end][:LONGEST_LINE].split("\n")[0].split())
        full = next((match for pattern in _DATES if (match := pattern.match(line))), None)
        match = full or (_BARE.match(line) if month else None)
        if not match or not 0 < int(match["day"]) <= 31:
            continue
        if full is None and int(match["day"]) <= days[-1][1]:
            continue
        month = full["month"] if full else month
        title = match.group().strip(_EDGE)
        days.append((_number(month), int(match["day"])))
        found.append(Heading(index, paragraph.start, paragraph.end, "dated", None, title if full else f"{month} {title}"))
    return found if _are_structure(found, days, len(text)) else []


def _number(month: str) -> int:
    return int(month) if month.isdigit() else [name[:3] for name in MONTHS].index(month[:3].casefold()) + 1


def _are_structure(entries: Sequence[Heading], days: Sequence[tuple[int, int]], length: int) -> bool:
    if len(entries) < LEAST_ENTRIES or length - entries[0].start < LEAST_COVER * length:
        return False
    forward = [after >= before or after[0] < before[0] - 6 for before, after in zip(days, days[1:], strict=False)]
    apart = [after.start - before.start for before, after in zip(entries, entries[1:], strict=False)]
    return sum(forward) >= LEAST_FORWARD * len(forward) and statistics.median(apart) >= LEAST_ENTRY
