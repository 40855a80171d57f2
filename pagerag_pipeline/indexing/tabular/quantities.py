"""Amounts and periods as they are written: a number with its unit or currency, and the time that something holds for."""

import re

Qualifiers = tuple[tuple[str, str], ...]
"""Pairs of a name and a value, in order."""

_CURRENCY = r"(?:US|A|C|NZ|HK)?[$\u20ac\u00a3\u00a5\u20b9\u20a9]|(?:USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|SEK|NOK|DKK)\b"
_GROUPED = r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:[\u00a0\u2009\u202f' ]\d{3})+(?:[.,]\d+)?|[1-9]\d{0,2}(?:\.\d{3})+,\d+"
_NUMBER = rf"{_GROUPED}|\d+(?:[.,]\d+)?|[.,]\d+"
_UNIT = r"per\s?cent|[%\u2030\u2032\u2033]|\u00b0\s?[CFK]?|[^\W\d_]{1,16}(?:/[^\W\d_]{1,12})?"
_AMOUNT = re.compile(
    rf"(?P<open>\()?\s*(?P<minus>[-\u2212\u2013])?\+?\s*(?P<before>{_CURRENCY})?\s*(?P<less>[-\u2212\u2013])?(?P<number>{_NUMBER})"
    rf"\s*(?P<after>{_CURRENCY})?\s*(?P<unit>{_UNIT})?\s*\)?(?:\s*(?:[*\u2020\u2021\u00a7]+|\[\w{{1,3}}\]))*"
)
_LIMIT = re.compile(r"^(?:max|min|about|approx|ca|circa|over|under|up to|below|above)\b\.?\s*|^[<>\u2264\u2265~\u2248\u00b1]\s*", re.IGNORECASE)
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_SHORT_YEAR = rf"(?:(?:FY|CY)\s?)?(?:{_YEAR}|['\u2019]?\d\d)"
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
_PART = r"(?:[QHT][1-4]|[1-4][QH]|(?:first|second|third|fourth|1st|2nd|3rd|4th) (?:quarter|half))"
_LEAD = r"(?:(?:as (?:of|at)|at|in|for|(?:the )?(?:fiscal |financial |calendar )?years?|(?:\w+ (?:months|weeks) )?end(?:ed|ing)|year end(?:ed|ing)?|season) )*"
_SPAN = rf"(?:FY|CY|AY)?\s?{_YEAR}(?:\s?[-\u2013/]\s?(?:{_YEAR}|\d\d))?[AEFP]?"
_DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\s+)?{_MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\s+{_SHORT_YEAR})?"
_PERIODS = (
    rf"{_MONTH}\s?[-\u2013]\s?{_DATE}|(?:FY|CY)\s?['\u2019]?\d\d(?!\d)|{_SPAN}|{_YEAR}-\d\d(?:-\d\d)?"
    rf"|{_PART}(?:(?:\s(?:of\s)?|[-/,]\s?)?{_SHORT_YEAR})?|{_SPAN}[\s/-]?{_PART}|{_DATE}|(?:week|day|month|year|round|wave)\s\d{{1,3}}"
)
_SCALE = re.compile(
    rf"\b(?:amounts\s+)?in\s+(?P<unit>(?:(?:{_CURRENCY})\s?)?(?:thousand|million|billion|'?000)s?(?:\s+of\s+[\w.]+(?:\s+dollars)?|\s+\w+)?|{_CURRENCY})"
    rf"|^(?P<bare>(?:{_CURRENCY})\s?(?:thousand|million|billion|m|bn|k)?s?)$",
    re.IGNORECASE,
)
_PERIOD = re.compile(rf"{_LEAD}(?:{_PERIODS})", re.IGNORECASE)
_AT_END = re.compile(rf"(?P<rest>.*?[^\s,;:(\u2013-])(?:[\s,;:]+|\s*\(){_LEAD}(?P<period>{_PERIODS})\)?", re.IGNORECASE | re.DOTALL)
_AT_START = re.compile(rf"{_LEAD}(?P<period>{_PERIODS})[\s,:]+(?P<rest>\S.*)", re.IGNORECASE | re.DOTALL)


def read_amount(text: str) -> Qualifiers:
    """Number, currency and unit of a text that is one amount, such as `(1,234)`, `$4.1bn`, `12 %` or `3.20 crowns`; empty for any other."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return ()
    closed = match["open"] and ")" in match.group()
    return _parts(match, negative=bool(match["minus"] or match["less"] or closed))


def is_figure(text: str) -> bool:
    """Whether a cell holds a measure rather than a name: an amount, a range, a limit such as `max 0.025`, a score; not a date in words."""
    bare = re.sub(r"\bto\b", "", _LIMIT.sub("", text.strip()))
    return any(c.isdigit() for c in bare) and (not any(c.isalpha() for c in bare) or bool(read_amount(bare)))


def find_amount(text: str) -> Qualifiers:
    """Number, currency and unit of the first amount in a text, whatever stands before it; empty when there is none."""
    match = _AMOUNT.search(text)
    return _parts(match, negative=False) if match else ()


def _parts(match: re.Match[str], *, negative: bool) -> Qualifiers:
    number = _plain(match["number"])
    found = [("number", f"-{number}" if negative else number)]
    if currency := match["before"] or match["after"]:
        found.append(("currency", currency))
    if match["unit"]:
        found.append(("unit", match["unit"]))
    return tuple(found)


def _plain(number: str) -> str:
    """Digits with a point: a comma or point before three digits groups them, one before fewer or more marks the fraction."""
    spaceless = re.sub(r"[\s']", "", number)
    if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+", spaceless):
        return spaceless.replace(".", "").replace(",", ".")
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", spaceless):
        return spaceless.replace(",", "")
    plain = spaceless.replace(",", ".")
    return f"0{plain}" if plain.startswith(".") else plain


def read_unit(text: str) -> Qualifiers:
    """Currency and unit that a heading names, such as `$m`, `%`, `in millions of CHF` or `L per m2`."""
    folded = re.sub(r"^in\s+", "", " ".join(text.split()), flags=re.IGNORECASE)
    match = re.match(_CURRENCY, folded)
    found = [("currency", match.group())] if match else []
    rest = folded[match.end() :].strip() if match else folded
    if rest:
        found.append(("unit", rest))
    return tuple(found)


def scale_of(text: str) -> Qualifiers:
    """Currency and unit that a caption or the heading over the names gives all columns: `(in millions of CHF)`, `$ thousands`; empty when none."""
    match = _SCALE.search(text.strip(" ()[]").partition(",")[0])
    return read_unit(match["unit"] or match["bare"]) if match else ()


def is_period(text: str) -> bool:
    """Whether a text is a year, a quarter, a month, a date or a span of those, and nothing else."""
    return _PERIOD.fullmatch(text.strip()) is not None


def split_period(text: str) -> tuple[str, str]:
    """What a heading says besides a period, and the period: ("Revenue", "Q3 2023") of `Revenue, Q3 2023`; an empty period when there is none."""
    folded = " ".join(text.split())
    if is_period(folded):
        return "", folded
    for pattern in (_AT_END, _AT_START):
        if (match := pattern.fullmatch(folded)) is not None and re.search(r"\d", match["period"]):
            return match["rest"].strip(" ,;:"), match["period"].strip()
    return folded, ""
