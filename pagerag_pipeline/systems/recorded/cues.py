"""Words of English that ask for all that matches: counts, degrees, bounds and their numbers. No word of any corpus stands here."""

import re
from dataclasses import dataclass

from pagerag_pipeline.lexical import stem
from pagerag_pipeline.systems.recorded.plan import Relation

COUNT = re.compile(r"\bhow many\b(?: of(?: the)?)?|\bwhat (?:is|was) the number of\b|\bcount (?:the|all)\b", re.IGNORECASE)
LIST = re.compile(r"^\s*(?:which|what|list|name|give|enumerate|tell me)\b", re.IGNORECASE)
ONE = re.compile(r"^\s*what (?:do|does|did|has|have|had|can|could|may|might|will|would) ", re.IGNORECASE)
"""A value of something, not the rows of a kind: `what did the net cost`."""
JOINED = re.compile(r"\bor\b|^of .+\band\b|\bbetween .+\band\b", re.IGNORECASE)
"""Two things to choose from."""
CHOICE = re.compile(r",?\s+(?P<first>[^,?]+?),? or (?P<second>[^,?]+?)\s*\?*\s*$")

_UP = "more most larger largest bigger biggest greater greatest higher highest longer longest taller tallest deeper deepest wider widest broader broadest heavier heaviest older later latest newer newest younger youngest further furthest farther farthest faster fastest hotter hottest warmer warmest stronger strongest last".split()
_DOWN = "less least fewer fewest smaller smallest lower lowest shorter shortest shallower shallowest narrower narrowest lighter lightest earlier earliest older oldest slower slowest colder coldest cooler coolest cheaper cheapest nearer nearest weaker weakest first".split()
HIGH = frozenset(_UP) - {"older", "last"}
LOW = frozenset(_DOWN) - {"first"}
SUPERLATIVES = frozenset(word for word in (*_UP, *_DOWN) if word.endswith("st") or word in ("most", "least")) - {"last", "first"}
COMPARATIVES = frozenset(word for word in (*_UP, *_DOWN) if word.endswith("er") or word in ("more", "less"))

DATED = frozenset("old older oldest new newer newest early earlier earliest late later latest young younger youngest".split())
"""Degrees of a time: they are read from a field of years."""

_BOUNDS: tuple[tuple[str, Relation], ...] = (
    (r"(?:at least|no less than|no fewer than|not less than|since)", ">="),
    (r"(?:at most|no more than|not more than|up to)", "<="),
    (r"(?:more|greater|larger|longer|higher|taller|deeper|wider|heavier|older|later|farther|further) than|over|above|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|after|beyond", ">"),
    (r"(?:less|fewer|smaller|shorter|lower|lighter|earlier|younger|shallower|narrower) than|under|below|before", "<"),
)
_WORDS = {word: number for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_NUMBER = rf"(?P<number>\d[\d,]*(?:\.\d+)?|{'|'.join(_WORDS)})\b"
_BOUND = [(re.compile(rf"\b(?P<cue>{words})\s+{_NUMBER}", re.IGNORECASE), relation) for words, relation in _BOUNDS]
_PLAIN = re.compile(rf"\b(?:exactly\s+)?{_NUMBER}\s+(?P<noun>[a-z][\w-]+)", re.IGNORECASE)
YEAR = re.compile(r"\bin (?:the year )?(?P<year>1\d{3}|20\d\d)\b", re.IGNORECASE)

UNITS = {
    "percent": "%", "per cent": "%", "metres": "m", "meters": "m", "metre": "m", "meter": "m", "kilometres": "km", "kilometers": "km",
    "feet": "ft", "foot": "ft", "kilograms": "kg", "grams": "g", "tonnes": "t", "tons": "t", "litres": "l", "liters": "l", "degrees": "\u00b0",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """A number with its bound in a question, and where both stand."""

    relation: Relation
    number: float
    start: int
    end: int
    cue: str
    """The words of the bound, empty for a plain number."""


def bounds(text: str) -> list[Bound]:
    """The bounded numbers of a question, in order; each number once, by the most particular bound."""
    found: list[Bound] = []
    for pattern, relation in _BOUND:
        for match in pattern.finditer(text):
            if not any(one.start < match.end() and match.start() < one.end for one in found):
                found.append(Bound(relation, number_of(match["number"]), match.start(), match.end(), match["cue"].lower()))
    return sorted(found, key=lambda one: one.start)


def plain_numbers(text: str) -> list[tuple[Bound, str]]:
    """Numbers that stand before a noun without a bound, with the noun."""
    return [(Bound("=", number_of(match["number"]), match.start("number"), match.end(), ""), match["noun"]) for match in _PLAIN.finditer(text)]


def number_of(word: str) -> float:
    """A number in digits or as a word."""
    return float(_WORDS[word.lower()]) if word.lower() in _WORDS else float(word.replace(",", ""))


NEGATIONS = frozenset("not no never without except neither nor none n't other others besides unlike".split())
"""Words that turn around or leave out: a question with one is not understood, unless a bound has it (`no more than`)."""

PLAIN = frozenset(
    "a an the of in on at by for to from with as and under along is are was were be been being am has have had having do does did may can s "
    "there here that which who whom whose what how it its they them their this these those all each every please me us i you we also".split()
)
"""Function words that say no more than the words that they join. Any other (`outside`, `almost`, `formerly`, `than`, `but`) may change what is asked."""

TURNS = frozenset(
    stem(word)
    for word in (
        "lack lacks lacking miss missing exclude excluding omit avoid reject refuse fail deny quit leave leaving left abandon lose losing lost "
        "sell sold stop cease close sink sank sunk burn burnt burned wreck scrap destroy bound increase decrease reduce shrink shrank fall fell "
        "drop raise gain double halve replace change improve"
    ).split()
)
"""Verbs that turn a statement of a table around, or tell of a change, which no row states."""

STATING = frozenset(
    stem(word)
    for word in (
        "have carry hold contain bear give reach stand lie make produce yield take get exist belong locate situate place serve own keep use "
        "run manage operate work lead head test measure count find record report register license list note show "
        "do does did has had held bore gave given stood lay lain made took taken got kept ran led found shown"
    ).split()
)
"""Verbs by which a row states a value: what a thing has, who holds or runs it, and how it came into a table. Any other verb (`paint`, `praise`) must be
akin to the name of a field, or nothing in the rows says it."""

GENERIC = frozenset(
    stem(word)
    for word in (
        "list name give tell count number all every each altogether total there many much one ones thing things kind following same own have "
        "exist be do know find show include mention record state say call"
    ).split()
)
"""Words that ask and say nothing of what is asked about."""
