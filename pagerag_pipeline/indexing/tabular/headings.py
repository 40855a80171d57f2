"""What the heading of a column says: the field, its unit, and the period that its values hold for."""

import re
from dataclasses import dataclass

from pagerag_pipeline.fields import field_name
from pagerag_pipeline.indexing.tabular.cells import plain_cell
from pagerag_pipeline.indexing.tabular.quantities import Qualifiers, is_period, read_unit, split_period

_BRACKETS = re.compile(r"(?P<rest>.*?)\s*[(\[](?P<inside>[^()\[\]]{1,60})[)\]]\s*(?P<more>.*)", re.DOTALL)
_REMARK = re.compile(r"\d+|[a-fi-k]|[ivx]+|note.*|see .*|unaudited|restated|audited", re.IGNORECASE)
_IN_UNIT = re.compile(r"(?P<rest>.+?),?\s+in\s+(?P<unit>(?:[$\u20ac\u00a3\u00a5%]\s?\w*|(?:USD|EUR|GBP|JPY|CHF)\b.*|(?:thousands?|millions?|billions?|per ?cent)\b.*))", re.IGNORECASE)
_LAST_UNIT = re.compile(r"(?P<rest>.*\w),?\s+(?P<unit>[%\u2030]|[$\u20ac\u00a3\u00a5]\s?(?:m|bn|k|mn|million|billion|thousand)?)")
_ONLY_UNIT = re.compile(r"[%\u2030]|(?:US)?[$\u20ac\u00a3\u00a5]\s?(?:m|bn|k|mn|millions?|billions?|thousands?|'?000s?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading: `raw` as written, `field` in snake case (empty when it only names a period or a unit)."""

    raw: str
    field: str
    period: str = ""
    unit: Qualifiers = ()


def read_heading(cell: str) -> Heading:
    """What a heading says; a bracket holds a unit, a period, or a remark that is no part of the field."""
    raw = plain_cell(cell)
    rest, unit, period = raw, Qualifiers(), ""
    while (match := _BRACKETS.fullmatch(rest)) is not None:
        inside = match["inside"].strip()
        if is_period(inside):
            period = period or inside
        elif not unit and not _REMARK.fullmatch(inside) and not match["rest"].endswith("/"):
            unit = read_unit(inside)
        rest = " ".join(f"{match['rest']} {match['more']}".split())
    if not unit and _ONLY_UNIT.fullmatch(rest):
        unit, rest = read_unit(rest), ""
    for pattern in (_IN_UNIT, _LAST_UNIT):
        if not unit and (match := pattern.fullmatch(rest)) is not None:
            unit, rest = read_unit(match["unit"]), match["rest"]
    rest, own = split_period(rest)
    return Heading(raw, field_name(rest), period or own, unit)
