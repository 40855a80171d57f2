"""When a stated triple is a gold one: ends compared as names, numbers or dates, relations by name."""

import re
import unicodedata

_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_REVERSED = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})")
_YEAR = re.compile(r"(?<!\d)\d{3,4}(?!\d)")
_DAY = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?!\d)")
_NUMBER = re.compile(r"[-\u2212]?\d[\d,]*(?:\.\d+)?")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")
_ARTICLES = frozenset({"the", "a", "an"})


def normalized(end: str) -> str:
    """An end without underscores, outer quotation marks, a parenthetical qualifier at its end, accents, case and articles."""
    plain = _QUALIFIER.sub("", end.replace("_", " ").strip().strip('"\u201c\u201d').strip())
    folded = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c)).casefold()
    words = re.findall(r"[^\W_]+", folded)
    return " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)


def date_of(end: str) -> tuple[int, int, int] | None:
    """Year, month and day (0 where not told) of a date; None for what is none. Of 01-02-1900 either reading of day and month is tried by `same_date`."""
    if match := _ISO.search(end):
        year, month, day = (int(part) for part in match.groups())
        return year, month, day
    if match := _REVERSED.search(end):
        return int(match.group(3)), int(match.group(1)), int(match.group(2))
    folded = end.casefold()
    month = next((number for name, number in _MONTHS.items() if re.search(rf"\b{name}", folded)), 0)
    year = _YEAR.search(folded)
    if year is None or (not month and not re.fullmatch(r"\D*\d{3,4}\D*", folded)):
        return None
    rest = folded[: year.start()] + " " + folded[year.end() :]
    day = _DAY.search(rest) if month else None
    return int(year.group()), month, int(day.group(1)) if day else 0


def same_date(left: str, right: str) -> bool:
    """Whether two dates have one year, and one month and day as far as both tell them; day and month of a numeric date may stand either way."""
    ours, theirs = date_of(left), date_of(right)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return False
    return any(all(a == b or not a or not b for a, b in zip(ours[1:], other, strict=True)) for other in (theirs[1:], theirs[:0:-1]))


def number_of(end: str) -> float | None:
    """The value of the first number, with the word of a scale after it."""
    match = _NUMBER.search(end)
    if match is None:
        return None
    value = float(match.group().replace(",", "").replace("\u2212", "-"))
    word = re.match(r"\s*([a-z]+)", end[match.end() :].casefold())
    return value * _SCALES.get(word.group(1), 1.0) if word else value


def _numeric(end: str) -> bool:
    return re.fullmatch(r"[-\u2212~$\u20ac\u00a3]?\d[\d,]*(?:\.\d+)?(?:E\d+)?", end.strip().strip('"').strip("~")) is not None


def same_end(stated: str, gold: str) -> bool:
    """Whether a stated end is a gold one: a gold date by value, a gold number by value, else one name holding the other as whole words."""
    if _ISO.fullmatch(gold.strip('"')):
        return same_date(stated, gold)
    if _numeric(gold):
        ours, theirs = number_of(stated), number_of(gold.strip('"').strip("~"))
        return ours is not None and theirs is not None and abs(ours - theirs) <= 1e-6 * max(abs(ours), abs(theirs), 1.0)
    ours_name, theirs_name = normalized(stated), normalized(gold)
    if not ours_name or not theirs_name:
        return False
    return f" {ours_name} " in f" {theirs_name} " or f" {theirs_name} " in f" {ours_name} "
