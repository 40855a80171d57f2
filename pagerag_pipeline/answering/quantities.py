"""Whether a number, a sum, a date or a color may stand alone as the answer: it must count, measure or date what the question asks for."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.degrees import degree_asked, measures, untold_degree
from pagerag_pipeline.answering.units import SIGNS
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.lexical import MONTHS, STOP_WORDS, stem, words

RUN = 5
"""Words behind a number that are read for the noun it counts; chosen."""

_HOW_MANY = re.compile(r"\bhow many (?:more |fewer )?(?P<noun>[\w'\u2019-]+(?:\s+(?!of\b|in\b|on\b|at\b|to\b|for\b|from\b|with\b)[\w'\u2019-]+){0,3})", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|that|which|who|there|than)\b.*$", re.IGNORECASE | re.DOTALL
)
_COMPARATIVE = (
    r"more|less|fewer|older|younger|longer|shorter|higher|lower|heavier|lighter|larger|bigger|smaller|taller|deeper|wider|faster|slower|cheaper|dearer"
    r"|greater|later|earlier|further|farther|nearer|colder|warmer|hotter|cooler|stronger|weaker|broader|narrower|richer|poorer"
)
_DIFFERENCE = re.compile(
    rf"\bby how (?:much|many|far)\b|\bhow (?:much|many) (?:\w+ )?(?:{_COMPARATIVE})\b|\bhow (?:much|many)\b.*\b(?:differ\w*|exceed\w*|(?:{_COMPARATIVE}) than)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    rf"^\s*(?:of\s+[\w-]+\s+)?(?:too\s+\w+|{_COMPARATIVE}|above|below|over|under|short|beyond|apart|difference|in excess|heavy|light|long|high|low|wide|narrow"
    r"|deep|late|early|fast|slow|thick|thin|out|off|behind|ahead)\b",
    re.IGNORECASE,
)
_BY = re.compile(r"(?:\bby|\bdifference (?:of|is|was)|\bonly|\bexceed\w*(?: \w+){0,2} by)\s+(?:about |only |some |nearly |almost |at least )?$", re.IGNORECASE)
_RISE = re.compile(r"\b(?:ris|rose|fell|fall|drop|grow|grew|increas|decreas|shr[aiu]nk|low|rais|cut|reduc|differ|exceed|surpass|outnumber|short|lengthen|widen|gain|lost|los)\w*", re.IGNORECASE)
_SHARE = re.compile(r"%|per ?cent|\b(?:half|third|quarter|fifth|tenth|two-thirds|percent)\b", re.IGNORECASE)
_SHARE_ASKED = re.compile(r"\bwhat (?:\w+ )?(?:percentage|percent|share|proportion|fraction)\b|\bhow many per ?cent\b", re.IGNORECASE)
_SINGLE = frozenset({"one"})
PEOPLE = frozenset(stem(w) for w in "people person inhabitant resident men women man woman citizen soul population individual".split())

_MONTH = rf"(?:{'|'.join(month.capitalize() for month in MONTHS)})"
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth"
    r"|nineteenth|twentieth|twenty-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirtieth|thirty-first)"
)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})"
_DATE = re.compile(
    rf"\b(?:{_WEEKDAY},?\s+)?(?:the\s+)?{_DAY}\s+(?:day\s+)?(?:of\s+)?{_MONTH}(?:,?\s+(?:in\s+(?:the\s+year\s+)?)?\d{{4}})?\b"
    rf"|\b(?:{_WEEKDAY},?\s+)?{_MONTH}\s+(?:the\s+)?{_DAY}(?:,?\s+\d{{4}})?\b"
)
_DAYS = re.compile(rf"\b{_WEEKDAY}s?(?:(?:\s*,\s*|\s+(?:and|to|through|till|until|or)\s+|,\s+and\s+|\s*[\u2013-]\s*)(?:on\s+)?{_WEEKDAY}s?)*\b")
_YEAR = re.compile(r"\b\d{3,4}\b")
_FROM_TO = re.compile(r"\b(?:from|between)\s+(?P<range>(?:\w+\s+)?\d{4}\s+(?:to|until|till|and|through)\s+(?:\w+\s+)?\d{4})\b")
_ONE_END = re.compile(r"\b(?:born|birth|di(?:e|ed)|death|begin|began|begun|start\w*|end(?:ed)?|found\w*|built|establish\w*|become|became|open\w*|close[ds]?|first|last)\b", re.IGNORECASE)
_TIME_ASKED = re.compile(r"\b(?:what|which)\s+(?:\w+\s+)?(?P<unit>years?|dates?|days?|months?|centur(?:y|ies)|decades?|time)\b", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}[:.]\d{2}|\b(?:midnight|noon|dawn|dusk|o['\u2019]clock|[ap]\.?m)\b", re.IGNORECASE)
_NAMED_DAY = r"\b(?:Christmas|Easter|Whitsun|Michaelmas|Midsummer|New Year|[A-Z]\w+ (?:Day|Eve)|Good Friday|Ash Wednesday)\b"
_DIGITS = r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
_TIME_HELD = {
    "year": _YEAR, "month": re.compile(rf"\b{_MONTH}\b|\d{{4}}-\d{{2}}"), "time": _CLOCK,
    "date": re.compile(rf"{_DATE.pattern}|{_DIGITS}"), "day": re.compile(rf"{_WEEKDAY}|{_DATE.pattern}|{_DIGITS}|{_NAMED_DAY}"),
    "century": re.compile(r"centur|\d\d00s", re.IGNORECASE), "decade": re.compile(r"\d0s|decade", re.IGNORECASE),
}  # fmt: skip


def counts(asked: Asked, sentence: str, span: tuple[int, int], *, alone: bool | None = None) -> bool:
    """Whether a number counts or measures what is asked: the noun asked for stands behind it, its unit measures the degree, a difference is one.

    `alone` tells whether it stands without a noun, where a parse can tell.
    """
    start, end = span
    own, before, after = sentence[start:end], sentence[:start], sentence[end:]
    if _DIFFERENCE.search(asked.text):
        return bool(_COMPARED.search(after) or (_BY.search(before) and _RISE.search(before)))
    if _SHARE_ASKED.search(asked.text):
        return bool(_SHARE.search(own) or re.match(r"\s*(?:%|per ?cent\b)", after))
    if degree := degree_asked(asked.text):
        return measures(asked.text, degree, own, (before, after))
    noun = counted_noun(asked.text)
    return not noun or _counts_noun(noun, sentence, span, alone)


def counted_noun(question: str) -> frozenset[str]:
    """Terms of the noun that a question wants counted; empty where it asks for no count."""
    match = _HOW_MANY.search(question)
    if match is None:
        return frozenset()
    phrase = _AUXILIARY.sub("", match["noun"])
    named = [stem(word) for word in words(phrase) if word not in STOP_WORDS]
    # Without an auxiliary behind it, nothing tells where the noun ends and the verb begins.
    return frozenset(named[-1:] if phrase != match["noun"] else named[:2])


def whole_time(question: str, sentence: str, start: int, end: int) -> tuple[int, int]:
    """The date or run of weekdays that a span is a part of, the years from which to which something lasted, else the span itself."""
    for match in _FROM_TO.finditer(sentence):
        if match.start("range") <= start and end <= match.end() + 1 and not _ONE_END.search(question):
            return match.span("range")
    for pattern in (_DATE, _DAYS):
        for match in pattern.finditer(sentence):
            if match.start() <= start and end <= match.end():
                return match.span()
    return start, end


def in_stretch(sentence: str, start: int, end: int) -> bool:
    """Whether a span is one of the two ends of a stretch of years."""
    return any(match.start("range") <= start and end <= match.end("range") for match in _FROM_TO.finditer(sentence))


def weekday_runs(text: str) -> list[str]:
    """Runs of two weekdays or more, and single ones in the plural (`Mondays`), as a text writes them."""
    return [run for match in _DAYS.finditer(text) if (run := match.group()).count("day") > 1 or run.endswith("s")]


def dates(asked: Asked, span: str) -> bool:
    """Whether a span tells the unit of time that is asked for: a question for a date is not met by a month."""
    match = _TIME_ASKED.search(asked.text)
    held = _TIME_HELD.get(re.sub(r"ies$", "y", match["unit"].lower()).rstrip("s")) if match else None
    return held is None or bool(held.search(span))


def missing_measure(asked: Asked, texts: Sequence[str]) -> str:
    """What of a day, a date or a month, an age, a length or another degree is asked for and stands in none of some texts; empty where one holds it."""
    unit = _TIME_ASKED.search(asked.text) if asked.kind == "time" else None
    if unit:
        name = unit["unit"].lower().rstrip("s")
        return f"a {name}" if name in ("day", "date", "month") and not any(_TIME_HELD[name].search(text) for text in texts) else ""
    return untold_degree(asked.text, texts) if asked.kind == "number" and not _DIFFERENCE.search(asked.text) else ""


def _counts_noun(noun: frozenset[str], sentence: str, span: tuple[int, int], alone: bool | None) -> bool:
    """Whether one of the next content words is the noun, or nothing is counted aloud beside words that name it, or in place of people."""
    start, end = span
    known = {other for term in noun for other in relatives(term)} | (PEOPLE if noun & PEOPLE else set())
    own = {stem(word) for word in words(sentence[start:end])}
    run = _run(sentence[end:])
    if re.match(SIGNS, sentence[start:end]):
        return False
    if (own | run) & known and not alone:
        return True
    if re.match(r"\s+of\b", sentence[end:]) or own <= _SINGLE or not (alone or (alone is None and not run)):
        return False
    first = max(sentence.rfind(sign, 0, start) for sign in ";\u2014.") + 1
    rest = re.split(r"[;\u2014]", sentence[end:])[0]
    return bool(noun & PEOPLE) or bool(known & {stem(word) for word in words(sentence[first:start] + " " + rest)})


def _run(after: str) -> set[str]:
    """Terms of the content words right behind a number, also behind `of the`; none where a function word or a mark follows at once."""
    opened = re.match(r"\s+of\s+(?:the|these|those|its|his|her|their|our|all)\s+", after)
    rest = after[opened.end() :] if opened else after
    found: set[str] = set()
    for match in list(re.finditer(r"(?P<gap>[\s-]*)(?P<word>[^\W_][\w'\u2019]*)|(?P<mark>[^\w\s-])", rest))[:RUN]:
        if match["mark"] or match["word"].lower() in STOP_WORDS:
            break
        found |= {stem(word) for word in words(match["word"])}
    return found
