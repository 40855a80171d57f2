"""Numbers as headings write them: Roman, Arabic, spelled out in English, French, German, and Chinese."""

import re
from functools import lru_cache

_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,4})(?:xc|xl|l?x{0,4})(?:ix|iv|v?i{0,4})")
_UNITS = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
    "en_ordinal": (
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth "
        "eighteenth nineteenth"
    ).split(),
    "fr": "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split(),
    "fr_ordinal": (
        "premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième treizième quatorzième quinzième "
        "seizième"
    ).split(),
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(),
    "de_ordinal": (
        "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte dreizehnte vierzehnte fünfzehnte sechzehnte siebzehnte "
        "achtzehnte neunzehnte"
    ).split(),
}
_MORE = {"première": 1, "premiere": 1, "seconde": 2, "second": 2, "siebente": 7, "erster": 1, "erstes": 1, "zwanzig": 20, "zwanzigste": 20, "vingt": 20}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_CHINESE = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
CHINESE_DIGITS = "零〇一二三四五六七八九十百千两兩\\d０-９"


def number_of(text: str) -> int | None:
    """The number that a numeral states, at least 1; None for anything else. The word `last` gives no number."""
    word = text.strip().strip(".").casefold()
    word = word.removeprefix("the ")
    if word.isdecimal():
        return (int(word) or None) if len(word) <= 4 else None
    return _spelled().get(word) or _compound(word) or roman(word) or _ordinal_digits(word) or _chinese(word)


def roman(word: str) -> int | None:
    """Value of a Roman numeral in any case; None when it is none."""
    word = word.casefold()
    if not word or len(word) > 15 or not _ROMAN.fullmatch(word):
        return None
    values = [_ROMAN_VALUES[c] for c in word]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True)) or None


@lru_cache(maxsize=1)
def _spelled() -> dict[str, int]:
    table = {word: n for words in _UNITS.values() for n, word in enumerate(words, start=1)} | _MORE | _TENS
    for word, n in list(table.items()):
        if word.endswith("te") and word in _UNITS["de_ordinal"] or word == "siebente":
            table.update({word + ending: n for ending in ("r", "s", "n")})
    table.update({ten[:-1] + "ieth": n for ten, n in _TENS.items()})
    return table


def _compound(word: str) -> int | None:
    """Twenty-one, twenty first, fifty-second, one hundred and one."""
    tens, _, unit = word.replace(" ", "-").partition("-")
    if tens in _TENS and unit:
        for words in (_UNITS["en"], _UNITS["en_ordinal"]):
            if unit in words[:9]:
                return _TENS[tens] + words.index(unit) + 1
    return None


def _ordinal_digits(word: str) -> int | None:
    found = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th|er|re|e|ème)", word)
    return int(found.group(1)) if found else None


def _chinese(word: str) -> int | None:
    if not word or any(c not in _CHINESE and c not in "十百千" for c in word):
        return None
    total, current = 0, 0
    for c in word:
        if c in _CHINESE:
            current = _CHINESE[c]
        else:
            total += (current or 1) * {"十": 10, "百": 100, "千": 1000}[c]
            current = 0
    return total + current or None
