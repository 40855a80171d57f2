"""Which column of a table names what its rows are about, and which only say when or where the others hold."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.tabular.headings import Heading
from pagerag_pipeline.indexing.tabular.quantities import is_figure, is_period
from pagerag_pipeline.lexical import words

MOST_ROWS = 2_000
"""Rows that are looked at; what they show decides for the rest of the table."""
_MOSTLY = 0.6
_TELLING = 0.8
"""Least share of rows that differ in the key and the columns beside it ..."""
_FEW = 0.25
"""... where fewer than this share differ in the key alone; else a table says of its entities several things."""
_LONG_NAME = 60
"""Characters; a column whose cells are longer on average holds remarks, not names."""
_NAMES = frozenset("name title entity".split())
_NUMBERS = frozenset("id no nr number code key index ref passengerid".split())
_TIMES = frozenset("year date quarter period season month week day fiscal_year financial_year half year_ended".split())
_BY = re.compile(r"\b(?:by|per|(?:for|of) (?:each|every))\s+((?:[\w'-]+\s*){1,5})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Roles:
    """Columns by what they do, as indexes: `key` is -1 when none names the rows; `dimensions` qualify what the others say."""

    key: int
    dimensions: tuple[int, ...]


def column_roles(headings: Sequence[Heading], rows: Sequence[Sequence[str]], caption: str) -> Roles:
    """The roles of a table's columns, from its headings, its caption ("Yields by village") and its cells.

    The key is the column that the caption names, else one called a name, else the first of words (before it, where its values come again and again
    beside figures, the next whose values never do), else one of numbers that are called so. Where its values come again, columns of periods and of words say which row is meant; where
    even they do not, it names nothing.
    """
    columns = [[row[place] for row in rows[:MOST_ROWS] if row[place]] for place in range(len(headings))]
    kinds = [_kind(heading, cells) for heading, cells in zip(headings, columns, strict=True)]
    wordy = [place for place, kind in enumerate(kinds) if kind == "words"]
    key = _key(headings, columns, kinds, caption)
    if key < 0:
        return Roles(-1, tuple(place for place, kind in enumerate(kinds) if kind == "period")[:1])
    if _distinct(columns[key]):
        return Roles(key, ())
    times = [place for place, kind in enumerate(kinds) if kind == "period" and place != key]
    short = [place for place in wordy if place != key and _length(columns[place]) <= _LONG_NAME]
    told = _telling(rows[:MOST_ROWS], key, [*times, *short])
    looked = len(rows[:MOST_ROWS])
    few = _apart(rows[:MOST_ROWS], [key]) < _FEW * looked and _apart(rows[:MOST_ROWS], [key, *told]) < _TELLING * looked
    return Roles(-1, tuple(times[:1])) if few else Roles(key, tuple(sorted(told)))


def _telling(rows: Sequence[Sequence[str]], key: int, places: Sequence[int]) -> list[int]:
    """Those of some columns, tried in order, that tell rows of one entity apart; no more than it takes."""
    told: list[int] = []
    most, now = _apart(rows, [key, *places]), _apart(rows, [key])
    for place in places:
        if now == most:
            break
        if (more := _apart(rows, [key, *told, place])) > now:
            told, now = [*told, place], more
    return told


def _apart(rows: Sequence[Sequence[str]], places: Sequence[int]) -> int:
    return len({tuple(row[place].casefold() for place in places) for row in rows})


def _key(headings: Sequence[Heading], columns: Sequence[Sequence[str]], kinds: Sequence[str], caption: str) -> int:
    wordy = [place for place, kind in enumerate(kinds) if kind == "words"]
    measured = "amounts" in kinds
    told = {_one(word) for match in _BY.finditer(caption) for word in words(match.group(1))}
    called = [place for place in wordy if told & {_one(word) for word in headings[place].field.split("_")}]
    named = [place for place in wordy if headings[place].field.rpartition("_")[2] in _NAMES]
    apart = [place for place in wordy[1:] if measured and _distinct(columns[place]) and _length(columns[place]) <= _LONG_NAME]
    first = wordy[:1] if not apart or 2 * len({cell.casefold() for cell in columns[wordy[0]]}) > len(columns[wordy[0]]) else apart
    numbered = [place for place, heading in enumerate(headings) if columns[place] and heading.field.rpartition("_")[2] in _NUMBERS]
    return next((some[0] for some in (called, named, first, numbered) if some), -1)


def _one(word: str) -> str:
    """A word of a caption or heading, whether it speaks of one or of many."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _kind(heading: Heading, cells: Sequence[str]) -> str:
    if not cells:
        return "empty"
    periods = sum(map(is_period, cells))
    amounts = sum(1 for cell in cells if is_figure(cell))
    years = sum(1 for cell in cells if len(cell) == 4 and is_period(cell))
    if periods >= _MOSTLY * len(cells) and (heading.field in _TIMES or periods > amounts or years == len(cells)):
        return "period"
    return "amounts" if amounts >= _MOSTLY * len(cells) else "words"


def _distinct(cells: Sequence[str]) -> bool:
    return len({cell.casefold() for cell in cells}) == len(cells)


def _length(cells: Sequence[str]) -> float:
    return sum(map(len, cells)) / max(1, len(cells))
