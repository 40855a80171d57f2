"""Names as the rules read them: what a tagger found, cleaned at both ends, typed by its words, and without what is no name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.extraction.name_types import retyped
from pagerag_pipeline.indexing.extraction.titled import with_titles
from pagerag_pipeline.lexical import STOP_WORDS
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, NamedSpan, Tagged, Token

_LONGEST = 100
"""Characters of a name; what is longer is a tagger's mistake."""
_LEADING = re.compile(r"(?:(?:the|a|an|this|that|le|la|les|un|une|l['\u2019])\s+)", re.I)
_DANGLING = re.compile(r"(?:\s+(?:of|and|the|in|or|for|at|by|to|with|a|an|de|von))+$")
_TRAILING = re.compile(r"(?:['\u2019]s?|\s*[.,;:!?\"\u201d\u2019')\]]+)$")
INITIAL = re.compile(r"(?:\b[A-Z]|\b(?:Jr|Sr|Inc|Ltd|Co|Corp))\.$")
_TIME_WORD = re.compile(
    r"\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|\w*day|\w*days|week|weeks|month|months|year|"
    r"years|century|centuries|decade|decades|spring|summer|autumn|fall|winter|night|nights|morning|evening|noon|midnight|\w*night|hour|hours|minute|"
    r"minutes|second|seconds|ago|now|christmas|easter|\w*time|season|eve|midsummer|\w+ties)\b",
    re.I,
)
_NUMBER_WORD = re.compile(
    r"\d|\b(?:half|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|hundreds?|thousands?|millions?|billions?|dozens?|"
    r"first|second|third|\w+th|once|twice|\w+ty-\w+|score)\b",
    re.I,
)
_BRACKET = re.compile(r" \(([A-Z][\w'\u2019-]*)\)")
_BRACKETED = frozenset({"ORG", "WORK_OF_ART", "PRODUCT", "EVENT", "FAC", "MISC"})
"""Types whose names are told apart by a word in brackets; after people and places a bracket says something else."""


@dataclass(frozen=True, slots=True)
class Name:
    """A cleaned name: half-open token range inside its sentence, its exact text, and its type."""

    first: int
    last: int
    start: int
    end: int
    surface: str
    label: str

    @property
    def literal(self) -> bool:
        """Whether it names a value: a date, an amount, a count."""
        return self.label in LITERAL_TYPES


def clean_names(text: str, tokens: Sequence[Token], names: Sequence[NamedSpan]) -> list[Name]:
    """The names of a sentence in order, without overlaps; token indexes are those of `tokens`."""
    cleaned: list[Name] = []
    for name in with_titles(text, Span(tokens[0].start, tokens[-1].end), names) if tokens else []:
        if name.end - name.start > _LONGEST:
            continue
        start, end = _stripped(text, name)
        end = _with_bracket(text, start, end, name.label)
        surface = text[start:end]
        inside_last = bool(cleaned) and start < cleaned[-1].end
        if start >= end or inside_last or not _nameable(surface, name.label):
            continue
        inside = [i for i, token in enumerate(tokens) if token.start < end and token.end > start]
        if inside:
            label = name.label if name.label in LITERAL_TYPES else retyped(surface, name.label)
            cleaned.append(Name(inside[0], inside[-1] + 1, start, end, surface, label))
    return cleaned


def _with_bracket(text: str, start: int, end: int, label: str) -> int:
    """The end of a name with the capitalized word in brackets that belongs to it: "Sky Game (Wasteland)"; an abbreviation does not."""
    if label not in _BRACKETED:
        return end
    match = _BRACKET.match(text, end)
    initials = "".join(word[0] for word in text[start:end].split())
    return match.end() if match and match.group(1) != initials and not match.group(1).isupper() else end


def _stripped(text: str, name: NamedSpan) -> tuple[int, int]:
    """The span without outer white space, determiner, possessive ending and stray marks; a final initial keeps its stop."""
    start, end = name.start, name.end
    while start < end and not text[start].isalnum():
        start += 1
    opened = text.find("(", start, end)
    if opened > start and ")" not in text[opened:end]:
        end = opened
    if name.label not in LITERAL_TYPES and (match := _LEADING.match(text, start, end)):
        start = match.end()
    while (match := _TRAILING.search(text[start:end])) and not INITIAL.search(text[start:end]):
        end = start + match.start()
    if name.label not in LITERAL_TYPES and (match := _DANGLING.search(text[start:end])):
        end = start + match.start()
    return start, start + len(text[start:end].rstrip())


def _nameable(surface: str, label: str) -> bool:
    """A name has a capital (in scripts that have them), a letter, and is no mere function word."""
    if label in LITERAL_TYPES:
        return (_TIME_WORD if label in ("DATE", "TIME") else _NUMBER_WORD).search(surface) is not None
    letters = [character for character in surface if character.isalpha()]
    if len(surface) < 2 or not letters or surface.casefold() in STOP_WORDS:
        return False
    return any(not character.islower() for character in letters)


def proper_words(tagged: Tagged, text: str) -> set[str]:
    """Case-folded words of a segment that are written with a capital inside a sentence: names, whatever a tagger says at its start."""
    starts = {span.start for span in tagged.sentences}
    found = {t.text.casefold() for t in tagged.tokens if t.pos == "PROPN" and t.text[0].isupper() and t.start not in starts}
    return found | {word.casefold() for name in tagged.names if name.label not in LITERAL_TYPES for word in text[name.start : name.end].split() if word[0].isupper()}
