"""Numbers that texts give to things: the years they name, and counts, sums and places in an order under one key a kind, so that two texts compare."""

import re
from collections.abc import Iterator

from pagerag_pipeline.answering.units import UNIT
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.lexical import MONTHS, STOP_WORDS, stem

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"hundred": 100.0, "thousand": 1000.0, "million": 1e6, "billion": 1e9}
_VALUES = {word: float(n) for n, word in enumerate(_ONES)} | {word: 10.0 * n for n, word in enumerate(_TENS, start=2)} | {"dozen": 12.0}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth "
    "nineteenth twentieth"
).split()
NUMBER_WORDS = (*_VALUES, *_SCALES)
"""Words that say a number, or the scale of one."""
_WORD = "|".join(NUMBER_WORDS)
_NUMBER = (
    rf"(?<![\w.,/:\u2013-])(?P<number>\d[\d,]*(?:\.\d+)?(?:\s(?:{'|'.join(_SCALES)}))?"
    rf"|\b(?!one\b)(?:{_WORD})(?:[\s-](?:(?<=hundred\s)and\s|(?<=thousand\s)and\s)?(?:{_WORD}))*)(?![\d%])"
)
_COUNT = re.compile(rf"(?P<sign>[$\u00a3\u20ac])\s?(?P<sum>\d[\d,]*(?:\.\d+)?)|{_NUMBER}[\s-]+(?P<noun>[^\W\d_]+)(?:\s+(?P<next>[^\W\d_]+))?", re.IGNORECASE)
_PLACE = re.compile(rf"\b(?P<place>\d{{1,3}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)})[\s-]+(?P<noun>[^\W\d_]+)", re.IGNORECASE)
_PERIOD = re.compile(r"\b(?:(?P<letter>[QH])(?P<behind>[1-4])|(?P<before>[1-4])(?P<last>[QH])(?:\d{2})?)\b", re.IGNORECASE)
_NAMED = re.compile(rf"\b(?!(?:{'|'.join(sorted(STOP_WORDS))})\b)(?-i:[A-Z])[a-z]+ (?:[Nn]o\. ?)?$", re.IGNORECASE)
"""Before a number that tells which of its kind is meant, and counts nothing (`Apollo 11 landed`)."""
_NAME_CHARACTERS = 40
"""Characters before a number in which such a name begins; longer than any."""
_PERIODS = {"q": "quarter", "h": "half"}
_SIGNS = {"$": "dollar", "\u00a3": "pound", "\u20ac": "euro"}
_SPELLINGS = {
    "metre": "meter", "kilometre": "kilometer", "km": "kilometer", "ft": "foot", "feet": "foot", "kg": "kilogram", "lb": "pound",
    "penny": "penc", "penni": "penc",
}  # fmt: skip
_UNITS = frozenset(
    stem(word)
    for word in (*_SIGNS.values(), *"shilling franc crown guinea meter metre foot feet mile yard kilometer kilometre acre ton gallon liter litre".split())
)
_SEASON = re.compile(r"\b(?P<century>1\d|20)(?P<year>\d{2})\s?[-\u2013/]\s?(?P<next>\d{2})\b(?!\d)")
_STRETCH = re.compile(
    r"\b(?P<between>between\s+(?:[^\W\d]+\s){0,2}?)?(?P<first>1\d{3}|20\d{2})\s?(?:[-\u2013\u2014]|to|until|till|through|(?(between)and|(?!)))\s?"
    r"(?:[^\W\d]+\s){0,2}?(?P<last>1\d{3}|20\d{2})\b"
)
_ONWARD = re.compile(r"\b(?:since|from)\s+(?:[^\W\d]+\s){0,2}?(?P<first>1\d{3}|20\d{2})\b(?!\s?(?:[-\u2013\u2014]|to|until|till|through)\b)")

_COMPOUND = re.compile(
    r"(?<![\d.,])(?P<whole>\d[\d,]*)\s(?P<unit>dollars?|euros?|pounds?)\s(?:and\s)?(?P<part>\d{1,2})\s(?:cents?|pence|pennies)\b", re.IGNORECASE
)
"""A sum that is told in two units."""
_NUMERAL = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")

Kind = tuple[str, str]
"""`count` or `place` (in an order), and the stem of the noun."""


def numerals(text: str) -> set[str]:
    """The numbers that stand in digits, whatever they count, without the marks of thousands."""
    return {found.replace(",", "") for found in _NUMERAL.findall(text)}


def years_in(text: str) -> set[int]:
    """Years in digits, both of a season that spans two (`2020-21`)."""
    found = {int(year) for year in YEAR.findall(text)}
    for match in _SEASON.finditer(text):
        if int(match["next"]) == (int(match["year"]) + 1) % 100:
            found |= {int(match["century"] + match["year"]), int(match["century"] + match["year"]) + 1}
    return found


def spans_year(text: str, year: int) -> bool:
    """Whether a text tells of a stretch of years that holds one: from a year to another, or since one."""
    stretches = [(int(match["first"]), int(match["last"])) for match in _STRETCH.finditer(text)]
    return any(first <= year <= last for first, last in stretches) or any(int(match["first"]) <= year for match in _ONWARD.finditer(text))


def told_numbers(text: str) -> dict[Kind, set[float]]:
    """The numbers that a text gives to things, by kind; those of months and years are no numbers of things."""
    found: dict[Kind, set[float]] = {}
    text = _COMPOUND.sub(lambda match: f"{match['whole']}.{int(match['part']):02d} {match['unit']}", text)
    for kind, value in (*_counts(text), *_places(text)):
        found.setdefault(kind, set()).add(value)
    return found


def _counts(text: str) -> Iterator[tuple[Kind, float]]:
    for match in _COUNT.finditer(text):
        if match["sign"]:
            yield ("count", stem(_SIGNS[match["sign"]])), float(match["sum"].rstrip(",").replace(",", ""))
            continue
        start = match.start("number")
        if _NAMED.search(text, max(0, start - _NAME_CHARACTERS), start) and not UNIT.fullmatch(match["noun"]):
            continue
        value = _value(match["number"])
        nouns = [match["noun"].lower(), (match["next"] or "").lower()]
        if (YEAR.fullmatch(match["number"]) and value > 999 and stem(nouns[0]) not in _UNITS) or nouns[0] in STOP_WORDS or nouns[0] in MONTHS:
            continue
        for noun in nouns[: 1 if nouns[1] in STOP_WORDS or not nouns[1] else 2]:
            yield ("count", counted_as(stem(noun))), value


def counted_as(noun: str) -> str:
    """The stem under which what a noun counts or measures is kept, by that of the noun as written."""
    return _SPELLINGS.get(noun, noun)


def _places(text: str) -> Iterator[tuple[Kind, float]]:
    for match in _PLACE.finditer(text):
        noun, place = match["noun"].lower(), match["place"].lower()
        named = match["noun"][0].isupper() and re.match(r"\s+[A-Z]", text[match.end() :]) is not None
        if noun not in STOP_WORDS and noun not in MONTHS and not named:
            yield ("place", stem(noun)), float(_ORDINALS.index(place) + 1 if place in _ORDINALS else place[:-2])
    for match in _PERIOD.finditer(text):
        yield ("place", stem(_PERIODS[(match["letter"] or match["last"]).lower()])), float(match["behind"] or match["before"])


def _value(text: str) -> float:
    """What a number says, in digits or in words."""
    total = part = 0.0
    for word in re.split(r"[\s-]+", text.lower()):
        if word in _SCALES:
            part = (part or 1.0) * _SCALES[word]
            total, part = (total + part, 0.0) if word != "hundred" else (total, part)
        elif word in _VALUES:
            part += _VALUES[word]
        elif word != "and":
            part += float(word.rstrip(",").replace(",", ""))
    return total + part
