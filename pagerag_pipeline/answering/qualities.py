"""Qualities that exclude each other: colors, materials, sides, old and new; a quote on the thing of another one does not answer for the one asked about."""

import re
from functools import lru_cache

from pagerag_pipeline.lexical import STOP_WORDS, stem

_COLORS = (
    "red,crimson,scarlet orange yellow green blue purple,violet pink brown black white gray,grey golden,gold,gilded silver turquoise indigo ochre beige ivory"
)
COLORS = tuple(_COLORS.replace(",", " ").split())
"""Words for colors, those that mean the same one behind the other."""
_MATERIALS = (
    "wooden,wood,timber,oak,pine,oaken stone,granite,limestone,sandstone,marble brick,bricks iron steel copper bronze brass tin "
    "metal,iron,steel,copper,bronze,brass,tin glass leather silk woollen,wool,woolen cotton,linen plastic concrete clay paper golden,gold silver"
)
_PLAIN = (
    "old,older,former new,newer", "left right", "upper,top lower,bottom", "northern,north southern,south eastern,east western,west", "inner outer", "male female",
)  # fmt: skip
"""Of these only another one beside the same noun speaks against a quote: texts seldom repeat them."""
_PHRASE = re.compile(r"(?<![\w-])(?P<quality>[a-z]+)\s+(?P<noun>[a-z][\w-]*)")


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[tuple[frozenset[str], ...], bool], ...]:
    """Families of qualities, each a tuple of sets of words that mean the same, with whether a quote must say the one asked about."""
    told = [(_COLORS, True), (_MATERIALS, True), *((group, False) for group in _PLAIN)]
    return tuple((tuple(frozenset(one.split(",")) for one in group.split()), must) for group, must in told)


def qualities_asked(question: str) -> list[tuple[str, str]]:
    """The qualities that a question says before nouns in lower case (`the red paint`), each with the noun; a name is none (`the Red Lion`)."""
    known = {word for family, _ in _groups() for one in family for word in one}
    return [(m["quality"], m["noun"]) for m in _pairs(question) if m["quality"] in known and m["noun"] not in STOP_WORDS and m["noun"] not in known]


def lacks_quality(asked: tuple[str, str], quote: str, around: str) -> bool:
    """Whether a quote leaves a quality unsaid: it says another one before the same noun, or none where the text around it says none of it either."""
    quality, noun = asked
    lacking = False
    for family, must in _groups():
        same = [one for one in family if quality in one]
        if not same:
            continue
        means = frozenset().union(*same)
        if _words(quote) & means:
            return False
        others = frozenset().union(*family) - means
        if any(m["quality"] in others and stem(m["noun"].lower()) == stem(noun) for m in _pairs(quote.lower())):
            lacking = True
        elif must:
            lacking = lacking or not _words(around) & means
    return lacking


def _pairs(text: str) -> list[re.Match[str]]:
    """Each word with the next one."""
    return [match for start in (m.start() for m in re.finditer(r"(?<![\w-])[a-z]", text)) if (match := _PHRASE.match(text, start))]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text.lower()))
