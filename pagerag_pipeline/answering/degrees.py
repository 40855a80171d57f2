"""What adjectives of degree measure: the names under which a text or a table tells the number, and the units that a text tells it in."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.units import AREA, DEGREES, LENGTH, MEMORY, SPEED, TIME, VOLUME, WEIGHT

_MEASURES = {
    "length": "long longer longest short shorter shortest", "height": "high higher highest tall taller tallest low lower lowest",
    "depth": "deep deeper deepest shallow shallower shallowest", "width": "wide wider widest broad broader broadest narrow narrower narrowest",
    "weight": "heavy heavier heaviest lighter lightest", "cost": "costly expensive dear cheap cheaper cheapest",
    "price": "costly expensive dear cheap cheaper cheapest", "temperature": "hot hotter hottest warm warmer warmest cold colder coldest cool cooler coolest",
    "speed": "fast faster fastest slow slower slowest", "distance": "far farther farthest further furthest near nearer nearest",
    "thickness": "thick thicker thickest thin thinner thinnest", "age": "old older oldest young younger youngest",
}  # fmt: skip
_HOW = re.compile(r"\bhow (?P<word>[a-z]+)\b", re.IGNORECASE)
_UNITS = {
    "old": TIME, "tall": LENGTH, "high": rf"{LENGTH}|{DEGREES}|stor(?:y|ies|eys?)", "deep": LENGTH, "far": rf"{LENGTH}|{TIME}", "wide": LENGTH, "broad": LENGTH,
    "thick": LENGTH, "heavy": WEIGHT, "fast": SPEED, **dict.fromkeys(("big", "large"), rf"{AREA}|{VOLUME}|{LENGTH}|{WEIGHT}|{MEMORY}"),
}  # fmt: skip
"""What measures a degree."""
_DEGREE = re.compile(rf"\bhow (?P<word>long|{'|'.join(_UNITS)}|often)\b", re.IGNORECASE)
_AGED = re.compile(r"\b(?:aged?|ages? of|turn(?:ed|s)|at)\s*$", re.IGNORECASE)
_BEING = re.compile(r"\b(?:is|was|were|be|being)\s+(?:only |just |about |then |now |already |barely )?$", re.IGNORECASE)
_OF_AGE = re.compile(r"[\s-]+(?:(?:years?|months?|weeks?|days?)[\s-]+)?(?:old\b|of age\b)", re.IGNORECASE)
_BESIDE_NAME = re.compile(r"[A-Z\u00c0-\u00de][\w.-]+(?:,\s|\s\()$")
_AS_AGE = re.compile(r"\s*(?:$|[.,;)]|(?:when|and|at (?:the|his|her|their))\b)", re.IGNORECASE)
_TELLS_AGE = re.compile(r"\b(?:aged?|ages|born|birth\w*|old|older|younger|turn(?:ed|s)|birthday)\b", re.IGNORECASE)
_LASTING = re.compile(
    r"\b(?:"
    r"wars?|sieges?|reigns?|terms?|tenures?|speech|meetings?|trips?|journeys?|voyages?|flights?|films?|movies?|shows?|episodes?|"
    r"songs?|albums?|concerts?|match|games?|races?|strikes?|courses?|careers?|marriages?|waits?|walks?|rides?|drives?|tours?|"
    r"visits?|stays?|sentences?|leases?|contracts?|breaks?|seasons?|battles?|conferences?|festivals?|trials?|lifespans?|life|"
    r"li[fv]es|days?|nights?|weeks?|months?|years?|winters?|summers?|periods?|processe?s?|procedures?|treatments?|operations?|"
    r"recordings?|broadcasts?|campaigns?|expeditions?|truces?|bans?|sessions?|class(?:es)?|lessons?|shifts?|apprenticeships?|training|"
    r"services?|warrant(?:y|ies)|imprisonment|exile|occupations?|blockades?|rule|regimes?|eras?|phases?|cycles?|intervals?|delays?|"
    r"queues?|half|quarters?|video|music|interviews?|crossings?|holidays?|vacations?"
    r")\b",
    re.IGNORECASE,
)
"""What lasts, so that a stretch of time measures it."""
_TAKES_TIME = re.compile(r"\bhow long\s+(?:do|does|did|has|have|had|can|could|will|would|should|may|might|must)\b(?! be\b)", re.IGNORECASE)
_THING_LONG = re.compile(
    r"\b[Hh]ow long (?:is|was|are|were) (?=(?:the|a|an|this|that|these|those|its|his|her|their|our|your|my)\b|[A-Z\u00c0-\u00de])"
    r"(?:[\w'\u2019.-]+\s+){0,12}?(?P<noun>[\w'\u2019.-]+)"
    r"(?P<behind>\s*(?:\?\s*)?$|\s+(?:of|in|at|on|from|to|over|between|across|that|which|behind|near|by|under|used|called|going|being|been|closed|since|until|before"
    r"|after|when|while|for)\b.*)",
)
_DEED = re.compile(
    r"\b(?:been|being|going|since|until|till|before|after|when|while|in\s+(?:prison|office|power|exile|use|service|charge|force|effect|operation))\b"
    r"|^\s+(?:used|closed)\b",
    re.IGNORECASE,
)
"""What a question says behind `how long is` if it asks how long something was done or held."""
_HOLDER = re.compile(r"\b[Hh]ow long (?:is|was|are|were) (?:[A-Z\u00c0-\u00de][\w.-]*\s+)+(?:[a-z]+\s*\??\s*$|(?:the|an?)\s)")
"""Somebody or something, by name, and what it was (`Victoria queen`, `Warsaw the capital`)."""
_DONE = re.compile(r"\w+(?:ed|own|orn|ept|eld|ught|ing)", re.IGNORECASE)
_EXTENDS = re.compile(r"\bhow long (?:do|does|did)\b.*\b(?:stretch|extend|reach|measure|run|grow|get)\b", re.IGNORECASE)
_LASTS = re.compile(rf"\A(?>.*?\b(?:last(?:s|ed|ing)?|running time|duration)\b).*\b(?:{TIME})\b|\b(?:{TIME})[\s-]+long\b", re.IGNORECASE | re.DOTALL)
_UNTIL = re.compile(r"\b(?:until|till|since|from|between)\b.{0,40}?\d{4}\b", re.IGNORECASE | re.DOTALL)
_SPELLED = (
    r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|hundreds?|thousands?|millions?"
    r"|dozens?|half|several|few|many|some|couple of"
)
_RUNS = re.compile(r"\b(?:last(?:s|ed|ing)?|running time|duration|length)\b[^.;]{0,24}$", re.IGNORECASE)
_LONG_BEHIND = re.compile(r"[\s-]*(?:\w+[\s-]+)?(?:long|in (?:length|duration))\b", re.IGNORECASE)
_ANY_SIZE = ("big", "large")
BESIDE = 60
"""Characters before and behind a number that are read for what it measures; chosen."""
_OTHER = re.compile(r"[\s-]*(?:in\s+)?(?P<word>[a-z]+)\b")
"""The word right behind a measure: `31 metres high`, `31 metres in height`."""
_HELD = re.compile(rf"(?:\d|\b(?:{_SPELLED}))[\s-]*[a-z]{{3,}}s\b", re.IGNORECASE)
"""A count of things: how large what they are part of is."""
_OFTEN = re.compile(r"\b(?:once|twice|thrice|times|daily|weekly|monthly|yearly|annually|every|each)\b", re.IGNORECASE)


def dimensions(word: str) -> tuple[str, ...]:
    """What an adjective of degree measures, as names of fields."""
    return tuple(name for name, words in _MEASURES.items() if word in words.split())


def measured(question: str) -> tuple[str, ...]:
    """What a question for a degree (`how high`) asks to be measured; nothing when it asks for none."""
    return next((names for match in _HOW.finditer(question) if (names := dimensions(match["word"].lower()))), ())


def degree_asked(question: str) -> str:
    """The adjective of which a question asks the degree in units (`how long`, `how often`); empty when it asks for none."""
    match = _DEGREE.search(question)
    return match["word"].lower() if match else ""


def untold_degree(question: str, texts: Sequence[str]) -> str:
    """The age, length or other degree that a question asks for and none of some texts tells in its units; empty where one does, or none is asked for."""
    word = degree_asked(question)
    if word in ("", "often"):
        return ""
    if word == "old":
        return "" if any(_TELLS_AGE.search(text) or _is_age(text) for text in texts) else "an age"
    names = _units_of(question, word)
    units = re.compile(rf"(?:\d|\b(?:{_SPELLED}))[\s-]*(?:[a-z]+[\s-])?(?:{names})(?!\w)", re.IGNORECASE)
    lasts = (_LASTS, *((_UNTIL,) if TIME in names else ())) if word == "long" else (_HELD,) if word in _ANY_SIZE else ()
    return "" if any(pattern.search(text) for text in texts for pattern in (units, *lasts)) else f"how {word} it is"


def _is_age(text: str) -> bool:
    """Whether a number of a text is an age by what stands beside it."""
    return any(measures("how old", "old", text[slice(*m.span())], (text[: m.start()], text[m.end() :])) for m in re.finditer(r"\b\d{1,3}\b", text))


def _unit(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])(?:{names})(?!\w)", re.IGNORECASE)


def _units_of(question: str, degree: str) -> str:
    """What measures a degree of what a question asks about: a thing that is long by units of length, a deed by those of time, what lasts by either."""
    if degree != "long":
        return _UNITS[degree]
    if _TAKES_TIME.search(question) and not _EXTENDS.search(question):
        return TIME
    thing = _THING_LONG.search(question)
    lasts = thing is None or _HOLDER.search(question) or _DEED.search(thing["behind"]) or _LASTING.fullmatch(thing["noun"]) or _DONE.fullmatch(thing["noun"])
    return f"{LENGTH}|{TIME}" if lasts else LENGTH


def measures(question: str, degree: str, own: str, beside: tuple[str, str]) -> bool:
    """Whether a number measures a degree; `beside` is what stands before and behind it."""
    before, after = beside[0][-BESIDE:], beside[1][:BESIDE]
    if degree == "often":
        return bool(_OFTEN.search(own) or _OFTEN.match(after.strip()))
    if degree == "old":
        if _OF_AGE.match(after) or _AGED.search(before):
            return True
        number = re.fullmatch(r"\d{1,3}|[^\W\d_]+(?:[\s-][^\W\d_]+)?", own.strip()) is not None
        return number and bool((_BEING.search(before) and _AS_AGE.match(after)) or (_BESIDE_NAME.search(before) and re.match(r"[,)]", after)))
    if _of_another(degree, after, _units_of(question, degree)):
        return False
    unit = _unit(_units_of(question, degree))
    if unit.search(own) or unit.match(after.strip(" -")):
        return True
    return degree == "long" and bool(_unit(TIME).search(own)) and bool(_LONG_BEHIND.match(after) or _RUNS.search(before))


def _of_another(degree: str, after: str, names: str) -> bool:
    """Whether what stands behind a number says that it measures something else (`31 metres high` is not how far)."""
    unit = re.match(rf"[\s-]?(?:{names})(?!\w)", after, re.IGNORECASE)
    behind = _OTHER.match(after, unit.end() if unit else 0)
    told = {behind["word"]} & _MEASURES.keys() | set(dimensions(behind["word"])) if behind else set()
    return bool(told) and degree not in _ANY_SIZE and not told & set(dimensions(degree))
