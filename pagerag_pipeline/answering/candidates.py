"""Spans of a sentence that have the type of answer a question calls for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pagerag_pipeline.answering import units
from pagerag_pipeline.answering.asked import WHOLE_SENTENCE, AnswerType, Asked
from pagerag_pipeline.answering.qualities import COLORS
from pagerag_pipeline.answering.told_numbers import NUMBER_WORDS
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.lexical import STOP_WORDS, name_key, stem, terms, words
from pagerag_pipeline.schema.knowledge import Tagged, Token

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_TIME = re.compile(
    rf"\b(?:(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+(?:the\s+)?)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{3,4}})?|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{3,4}})?"
    rf"|{_MONTH}(?:\s+(?:of\s+)?\d{{4}})|\d{{4}}-\d{{2}}-\d{{2}}|(?:early|mid|late)?[- ]?\d{{4}}s|\d{{1,2}}(?:st|nd|rd|th) century|\d{{1,2}}[:.]\d{{2}}"
    rf"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|{_MONTH}|midnight|noon|dawn|dusk)\b",
)
_NUMBER_WORD = rf"(?:{'|'.join(NUMBER_WORDS)}|half|once|twice)"
_NUMBER = re.compile(rf"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:\s?%)?|\b{_NUMBER_WORD}(?:[ -](?:and )?{_NUMBER_WORD})*\b", re.IGNORECASE)
_MONEY = re.compile(
    rf"{units.SIGNS}\s?\d(?:[\d,.]{{0,24}}\d)?(?:\s(?:million|billion|thousand))?"
    rf"|\b(?:\d[\d,.]{{0,24}}+(?:\s(?:hundred|thousand|million|billion))?|{_NUMBER_WORD}(?:[ -]{_NUMBER_WORD}){{0,12}}+)"
    rf"\s{units.CURRENCY}\b"
    r"(?:,? (?:and )?\d{1,2} (?:cents?|pence|pennies|shillings?)\b)?",
    re.IGNORECASE,
)
_UNIT = re.compile(rf"(?:[\s-](?:and a half )?|(?<=\d))(?:{units.ANY})(?!\w)")
_MEASURED = re.compile(rf"{_UNIT.pattern}|\s(?:{units.CURRENCY}|people|inhabitants|men)\b")
"""Behind what looks like a year and is a count."""
_COLOR = re.compile(rf"\b(?:(?:dark|light|pale|bright|deep)[- ])?(?:{'|'.join(COLORS)})\b", re.IGNORECASE)
_RUN = re.compile(r"[A-Z\u00c0-\u00de][\w'\u2019-]*(?:\s+(?:(?:of|the|de|von|van|la|le)\s+)?[A-Z\u00c0-\u00de][\w'\u2019-]*)*")
_PLACE_BEFORE = re.compile(r"\b(?:in|at|on|near|from|to|into|outside|inside|along|beside|behind|under|of|through|toward|towards|by)\s+(?:the\s+)?$", re.IGNORECASE)
_INSIDE = re.compile(r"\b(?:in|at|on|near|into|outside|inside|behind|beside)\s+(?:the\s+)?$", re.IGNORECASE)
"""Before what is rather a place than somebody."""
_PLACE_PHRASE = re.compile(r"\b(?:in|at|on|near|behind|under|beside|inside|outside|along|above|below)\s+(?:the|a|an|his|her|its|their)\s+[a-z][\w-]*(?:\s+(?:of\s+)?[a-z][\w-]+)?")
_NO_PERSON = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday "
    "sunday christmas easter midsummer michaelmas christian note chapter part section table figure".split()
)
_POSSESSIVE = re.compile(r"(?:['\u2019]s?)?$")
_NEAR = 24
"""Characters behind a number in which the thing it counts is looked for."""
_NEAR_CHIEF, _NEAR_OTHERS = 0.4, 0.3
"""What nearness to the relation asked for, or where none is said to what else is asked about, adds to a candidate; chosen."""
_PERSON_LABELS = frozenset({"PERSON", "ORG", "NORP", "MISC"})
_PLACE_LABELS = frozenset({"GPE", "LOC", "FAC"})
_LABELED = ("person", "place")
_PATTERNS: dict[AnswerType, tuple[re.Pattern[str], ...]] = {
    "time": (_TIME, YEAR),
    "number": (_MONEY, _NUMBER),
    "money": (_MONEY,),
    "color": (_COLOR,),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer inside a sentence, offsets relative to it."""

    start: int
    end: int
    text: str
    rank: float
    """Higher is likelier by its kind and place alone."""


def has_type(sentence: str, asked: Asked) -> bool:
    """Whether a sentence holds anything of the type asked for beyond the question's own names; by patterns alone, so it is cheap."""
    return asked.kind in WHOLE_SENTENCE or bool(_by_pattern(sentence, asked))


def may_hold(sentence: str, asked: Asked) -> bool:
    """Whether `candidates` may find any: names are what a tagger labels so, all else is found by patterns, and then tagged only to be ranked."""
    return asked.kind in _LABELED or has_type(sentence, asked)


def has_number(text: str) -> bool:
    """Whether a text holds a number, in digits or words, or a time."""
    return any(c.isdigit() for c in text) or bool(_NUMBER.search(text) or _TIME.search(text))


def candidates(sentence: str, tagged: Tagged, asked: Asked) -> list[Candidate]:
    """Spans that could answer, best first; ties by place."""
    found = _by_pattern(sentence, asked)
    if asked.kind in _LABELED:
        found = _by_label(tagged, sentence, asked) or found
    ranked = [Candidate(c.start, c.end, c.text, c.rank + _fit(c, tagged, asked)) for c in found]
    return sorted(ranked, key=lambda c: (-c.rank, c.start))


def _by_pattern(sentence: str, asked: Asked) -> list[Candidate]:
    own = _terms_of(asked.text)
    if asked.kind in _PATTERNS:
        matches = [m for pattern in _PATTERNS[asked.kind] for m in pattern.finditer(sentence)]
        spans = _widest([m.span() for m in matches if not _said(m.group(), asked.text)])
        if asked.kind == "number":
            dates = [m.span() for m in _TIME.finditer(sentence)]
            spans = [span for span in spans if not YEAR.fullmatch(sentence, *span) and not any(d[0] <= span[0] < d[1] for d in dates)]
            numbers = [_number(sentence, start, end, asked) for start, end in spans]
            return [one for one in numbers if not any(other.start < one.start < other.end for other in numbers)]
        if asked.kind == "time":
            spans = [span for span in spans if not (YEAR.fullmatch(sentence, *span) and _MEASURED.match(sentence, span[1]))]
        return [Candidate(start, end, sentence[start:end], 0.0) for start, end in spans]
    runs = [_trimmed(m) for m in _RUN.finditer(sentence)]
    names = [(start, end) for start, end in runs if end > start and not _inside(sentence[start:end], own)]
    names = [(start, end) for start, end in names if not _opener(sentence, start, end)]
    if asked.kind == "person":
        return [Candidate(start, end, sentence[start:end], 0.0) for start, end in names]
    if asked.kind == "place":
        after = [(start, end) for start, end in names if _PLACE_BEFORE.search(sentence[:start])]
        phrases = [m.span() for m in _PLACE_PHRASE.finditer(sentence)] if not after else []
        return [Candidate(start, end, sentence[start:end], 0.0) for start, end in [*after, *phrases]]
    return []


def _number(sentence: str, start: int, end: int, asked: Asked) -> Candidate:
    """A number with its unit; likelier when it counts what the question counts; measures of one length that follow one another are one number."""
    unit = _UNIT.match(sentence, end)
    behind = {stem(word) for word in words(sentence[end : end + _NEAR])}
    counted = 1.0 if behind & set(asked.terms) else 0.0
    vague = -0.3 if sentence[start:end].casefold() in ("one", "once", "half") else 0.0
    end = unit.end() if unit else end
    while unit and (more := _NUMBER.match(sentence, end + 1)) and (unit := _UNIT.match(sentence, more.end())):
        end = unit.end()
    return Candidate(start, end, sentence[start:end], counted + vague + (0.3 if unit else 0.0))


def _said(text: str, question: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", question, re.IGNORECASE) is not None


def _opener(sentence: str, start: int, end: int) -> bool:
    """Whether a capitalized run may be no name: one word that opens the sentence or names a time."""
    text = sentence[start:end]
    return " " not in text and (text.casefold() in _NO_PERSON or not sentence[:start].strip(" \"'\u201c\u2018#*_"))


def _by_label(tagged: Tagged, sentence: str, asked: Asked) -> list[Candidate]:
    wanted = _PERSON_LABELS if asked.kind == "person" else _PLACE_LABELS
    best = "PERSON" if asked.kind == "person" else "GPE"
    own = _terms_of(asked.text)
    found: list[Candidate] = []
    for name in tagged.names:
        start = name.start
        text = sentence[start : name.end]
        if text.lower().startswith("the "):
            start += 4
        text = sentence[start : name.end]
        unsure = name.label == "MISC" and asked.kind == "place" and _PLACE_BEFORE.search(sentence[:start])
        if (name.label in wanted or unsure) and not _inside(text, own) and text.casefold() not in _NO_PERSON:
            start, end = _widened(sentence, start, name.end)
            placed = asked.kind == "person" and name.label != best and _INSIDE.search(sentence[:start])
            found.append(Candidate(start, end, sentence[start:end], 0.2 if name.label == best else -0.3 if placed else 0.0))
    return found


def _widened(sentence: str, start: int, end: int) -> tuple[int, int]:
    """A name with the capitalized words that it stands among, function words and a possessive ending apart: a tagger may see a part of a name."""
    for run in _RUN.finditer(sentence):
        first, last = _trimmed(run)
        last = first + len(_POSSESSIVE.sub("", sentence[first:last]))
        if first <= start and end <= last and "\n" not in sentence[first:last]:
            return first, last
    return start, end


def _fit(candidate: Candidate, tagged: Tagged, asked: Asked) -> float:
    """How well a candidate's place in the sentence fits the question: by its grammar where there is a parse, else by nearness."""
    anchors = [tagged.tokens[place] for place in saying(tagged.tokens, (asked.chief,))]
    if not anchors:
        about = [tagged.tokens[place] for place in saying(tagged.tokens, asked.distinctive)]
        return _NEAR_OTHERS * _nearness(candidate, about) if about else 0.0
    if asked.kind == "person":
        role = _role(candidate, tagged.tokens, anchors)
        if role:
            subject = role == "subject"
            return 1.0 if subject != asked.object_asked else -0.2
        if anchors[0].dep == "" and not asked.object_asked:
            return 0.5 if candidate.end <= anchors[0].start else 0.0
    return _NEAR_CHIEF * _nearness(candidate, anchors)


def _nearness(candidate: Candidate, anchors: Sequence[Token]) -> float:
    """1 beside an anchor, 1/2 at 20 characters from it."""
    return 1 / (1 + min(min(abs(candidate.start - token.end), abs(token.start - candidate.end)) for token in anchors) / 20)


def saying(tokens: Sequence[Token], wanted: Sequence[str]) -> list[int]:
    """Places of the tokens that say one of some terms, themselves or by a relative."""
    known = {other for term in wanted if term for other in relatives(term)}
    return [place for place, token in enumerate(tokens) if not known.isdisjoint(_terms_of(token.text))] if known else []


def _role(candidate: Candidate, tokens: Sequence[Token], anchors: Sequence[Token]) -> str:
    """`subject` or `object` of a verb that says what is asked, else empty."""
    verbs = {tokens.index(token) for token in anchors}
    for token in tokens:
        if not (candidate.start <= token.start < candidate.end) or token.head < 0:
            continue
        head = tokens[token.head]
        if candidate.start <= head.start < candidate.end and head is not token:
            continue
        if token.dep in ("nsubj",) and token.head in verbs:
            return "subject"
        if token.dep == "pobj" and head.dep == "agent" and head.head in verbs:
            return "subject"
        if token.dep in ("dobj", "obj", "nsubjpass", "dative", "pobj") and (token.head in verbs or head.head in verbs):
            return "object"
    return ""


@lru_cache(maxsize=4096)
def _terms_of(text: str) -> frozenset[str]:
    """Terms of a question, or of a token, which are looked at once for each candidate."""
    return frozenset(terms(text))


def _inside(name: str, own: frozenset[str]) -> bool:
    parts = [stem(word) for word in words(name) if word not in STOP_WORDS]
    return not parts or all(part in own for part in parts) or name_key(name) in STOP_WORDS


def _trimmed(match: re.Match[str]) -> tuple[int, int]:
    """A capitalized run without function words at its start (`The Harbour` gives `Harbour`)."""
    start, end = match.span()
    while start < end:
        first = match.string[start:end].split(None, 1)[0]
        if first.casefold().rstrip(",") not in STOP_WORDS:
            break
        rest = match.string[start + len(first) : end]
        start += len(first) + len(rest) - len(rest.lstrip())
    return start, end


def _widest(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(set(spans), key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept
