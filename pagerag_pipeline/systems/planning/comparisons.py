"""Comparisons and what is asked of two at once: one hop for each side, side by side, then the question itself."""

import re

from pagerag_pipeline.answering.asked import answer_type
from pagerag_pipeline.answering.pairs import ALTERNATIVES, DEGREE
from pagerag_pipeline.systems.planning.hops import FINAL, Hop, HopPlan
from pagerag_pipeline.systems.planning.parse import Parse
from pagerag_pipeline.systems.planning.scopes import scope_of

_OR_BARE = re.compile(rf"^(?P<lead>(?i:which|who|what)\b[^,]*?\b{DEGREE}\b)\s+(?P<first>(?:the\s+\w+ing of\s+|the birth of\s+)?(?:the\s+)?[A-Z\"\u201c].*?)\s+or\s+(?P<second>.+?)\s*\?*$")
_OR_BETWEEN = re.compile(r"^(?P<lead>(?:between|of|out of|from)?)\s*(?P<first>[A-Z\"\u201c][^,]*?)\s+(?:and|or)\s+(?P<second>[A-Z\"\u201c][^,]*?),\s*(?P<rest>(?:which|who|what)\b.+)$", re.IGNORECASE)
_BORN = re.compile(r"\b(?:older|oldest|younger|youngest|born)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|lived longer|die)\b", re.IGNORECASE)
_TIME = re.compile(r"\b(?:first|earlier|later|earliest|latest|last|before|after|recently|newer|newest)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?P<verb>released?|founded|formed|established|started|published|opened|built|created|launched|premiered|debuted|came out|come out|begin|began)\b", re.IGNORECASE)
_GRADE = re.compile(r"\b(?P<grade>larger|largest|bigger|biggest|taller|tallest|longer|longest|higher|highest|deeper|deepest|smaller|smallest|shorter|shortest|heavier|wider)\b", re.IGNORECASE)
_GRADES = {"larg": "large", "bigg": "big", "tall": "tall", "long": "long", "high": "high", "deep": "deep", "smal": "small", "shor": "short", "heav": "heavy", "wide": "wide"}
_PAIR_CUES = re.compile(r"\b(?:both|same|each other|respective(?:ly)?|either|in common|alike|connected|related|difference)\b", re.IGNORECASE)
_SAME = re.compile(r"\b(?:the )?same (?P<noun>[\w-]+(?: [\w-]+)?)(?P<end>\s*\?*)$", re.IGNORECASE)
_OPENERS = frozenset("are were is was do does did both have has can could what which who whose where when how the in of at on".split())
_AUXILIARY = re.compile(r"^(?:are|were|is|was|do|does|did|have|has|can|could)\b", re.IGNORECASE)


def compared(parse: Parse) -> HopPlan | None:
    """The plan of a comparison or of a question about two; None when it is neither."""
    text = parse.text
    for form in (ALTERNATIVES, _OR_BARE):
        match = form.match(text)
        if match is not None and _is_choice(match["lead"]) and match["first"].strip() != match["second"].strip():
            lead, sides = match["lead"], (match["first"].strip(), match["second"].strip())
            return _plan(text, sides, [_side_of_choice(lead, side) for side in sides], "comparison")
    match = _OR_BETWEEN.match(text)
    if match is not None:
        sides = (match["first"].strip(), match["second"].strip())
        return _plan(text, sides, [_side_of_choice(match["rest"], side) for side in sides], "comparison")
    return _of_both(parse)


def _is_choice(lead: str) -> bool:
    """Whether what stands before two alternatives asks which of them it is."""
    return bool(re.search(r"\b(?:which|who|what|whose|where|when)\b", lead, re.IGNORECASE)) or bool(_AUXILIARY.match(lead))


def _plan(text: str, sides: tuple[str, str], asked: list[str], kind: str) -> HopPlan:
    hops = tuple(Hop(f"{number}-1", query, (), scope_of(query), side) for number, (query, side) in enumerate(zip(asked, sides, strict=True), start=1))
    why = f"{kind}: {sides[0]} and {sides[1]} are looked up side by side"
    return HopPlan(text, hops, Hop(FINAL, text, ("1-1", "2-1"), scope_of(text)), (why,))


def _side_of_choice(lead: str, side: str) -> str:
    """What is asked of one side: the measure that the choice goes by."""
    event = re.match(r"(?:the )?(?P<event>\w+ing|birth|death) of (?P<side>.+)$", side)
    if event:
        return f"When was the {event['event']} of {event['side']}?"
    if _BORN.search(lead):
        return f"When was {side} born?"
    if _DIED.search(lead):
        return f"When did {side} die?"
    since = _SINCE.search(lead)
    if since and _TIME.search(lead):
        verb = since["verb"].casefold()
        return f"When was {side} released?" if verb in ("came out", "come out", "release") else f"When was {side} {verb}?"
    grade = _GRADE.search(lead)
    if grade:
        return f"How {_GRADES.get(grade['grade'].casefold()[:4], grade['grade'])} is {side}?"
    if _TIME.search(lead):
        return f"When was {side}?"
    rest = re.sub(r"^(?:which|who|what)(?: (?:one|of (?:the|these) \w+))?\s*", "", lead, flags=re.IGNORECASE).strip(" ,:")
    return f"{side} {rest}?"


def _of_both(parse: Parse) -> HopPlan | None:
    """One hop for each of two names that are asked about together, in the words of the question."""
    pair = _pair(parse)
    if pair is None or not (_PAIR_CUES.search(parse.text) or _AUXILIARY.match(parse.text)):
        return None
    first, middle, last = pair
    sides = (_bare(parse.words(first, middle - 1)), parse.words(middle + 1, last))
    before, after = parse.words(0, first - 1), parse.words(last + 1, len(parse.tokens) - 1)
    return _plan(parse.text, sides, [_side_of_both(before, side, after) for side in sides], "conjunction")


def _pair(parse: Parse) -> tuple[int, int, int] | None:
    """First token, `and`, and last token of two names side by side; a note between commas behind the first is skipped."""
    for middle in range(1, len(parse.tokens) - 1):
        if parse.lower(middle) not in ("and", "&") or parse.lower(middle + 1) in ("and",):
            continue
        last = parse.run_of_name(middle + 1)
        first = next((one for one in range(middle) if parse.is_name(one) and _reaches(parse, one, middle)), -1)
        if last > middle and first >= 0:
            return _opened(parse, first), middle, last
    return None


def _opened(parse: Parse, first: int) -> int:
    """The first token of a name that a parser read in part: capitals before it, but for the words that open a question."""
    while first > 0 and parse.tokens[first - 1].text[:1].isupper() and parse.lower(first - 1) not in _OPENERS:
        first -= 1
    return first


def _reaches(parse: Parse, first: int, middle: int) -> bool:
    """Whether a name that begins here goes up to `and`, or to a note between commas that does."""
    if parse.lower(first) in _OPENERS:
        return False
    run = parse.words(first, middle - 1)
    end = parse.run_of_name(first)
    return end >= middle - 1 or (end < middle - 1 and parse.tokens[end + 1].text == "," and run.endswith(","))


def _bare(side: str) -> str:
    return side.split(",")[0].strip()


def _side_of_both(before: str, side: str, after: str) -> str:
    """The question with one name in the place of two."""
    rest = re.sub(r"\s+", " ", re.sub(r"\b(?:both|respective|each)\b", "", after, flags=re.IGNORECASE)).strip(" ,")
    lead = re.sub(r"\s+", " ", re.sub(r"\b(?:both|between)\b(?: \w+,)?", "", before, flags=re.IGNORECASE)).strip(" ,")
    same = _SAME.search(rest)
    if same and _AUXILIARY.match(lead or ""):
        middle = rest[: same.start()].strip()
        return f"{side} is {middle} which {same['noun']}?".replace("  ", " ")
    lead = re.sub(r"^(?:are|were)\b", lambda found: "Is" if found.group().casefold() == "are" else "Was", lead, flags=re.IGNORECASE)
    query = f"{lead} {side} {rest}".strip()
    return query if query.endswith("?") or answer_type(query) == "theme" else f"{query}?"
