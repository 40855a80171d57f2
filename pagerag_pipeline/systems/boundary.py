"""Boundary sensitivity (eta): how far a question may ask beyond what is in scope, and whether the strict gate holds for it (PAGE-RAG, section 2.4)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pagerag_pipeline.answering.asked import ASKING_WORDS
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.sufficiency import unknown_names
from pagerag_pipeline.answering.years import YEAR
from pagerag_pipeline.systems.gathering import Means, Reading

STRANGER = BEYOND = 0.3
"""What a name that nothing in scope mentions adds to eta, and what asking beyond the boundary of the profiles adds; systems, section 2.4."""

_WORK = r"(?:book|story|novel|novella|tale|narrative|play|report|document|paper|text)"
_AFTER_END = re.compile(
    rf"\b(?:after|following|beyond) (?:the (?:end|ending|close|conclusion) of (?:the|this) {_WORK}|(?:the|this) {_WORK} (?:ends?|ended|closes?|closed)"
    r"|the last (?:chapter|page|scene))\b",
    re.IGNORECASE,
)
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_NUMBER = rf"(?:\d+|[ivxlc]+|{'|'.join(_NUMBERS)})"
_CHAPTER = re.compile(rf"(?P<after>\b(?:after|following|beyond) )?\bchapter (?P<number>{_NUMBER})\b", re.IGNORECASE)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where a question stands to the boundary of what is in scope."""

    eta: float
    """0..1."""
    strict: bool
    """Whether eta reaches `strict_boundary`."""
    beyond: str
    """How it asks beyond the boundary of every profile in scope; empty when it does not."""


def find_boundary(reading: Reading, means: Means) -> Boundary:
    """Eta: share of the distinct asked terms that occur nowhere in scope + 0.3 for an unknown name + 0.3 for asking beyond kappa."""
    unknown = known = 0
    strangers = False
    for part in reading.parts:
        wanted = weigh(part, reading.statistics)
        about = [term for term in part.terms if term not in ASKING_WORDS]
        unknown += sum(term in wanted.unknown for term in about)
        known += sum(term not in wanted.unknown for term in about)
        strangers = strangers or bool(unknown_names(part, wanted))
    share = unknown / (unknown + known) if unknown + known else 0.0
    beyond = asks_beyond(reading.question.text, lambda: means.repository.boundaries(means.scope), reading.statistics.counts)
    eta = round(min(1.0, share + (STRANGER if strangers else 0.0) + (BEYOND if beyond else 0.0)), 4)
    return Boundary(eta, eta >= means.answer.strict_boundary, beyond)


def asks_beyond(question: str, boundaries: Callable[[], Sequence[Mapping[str, str]]], known: Mapping[str, int]) -> str:
    """How a question asks beyond kappa: after the end, for a chapter after the last, for a year outside the years told that no text names.

    Empty when it does not, and when no profile in scope knows of chapters or years. `boundaries` is asked only when it matters.
    """
    if _AFTER_END.search(question):
        return "after the end of the text"
    chapters = [(_number(match["number"]), bool(match["after"])) for match in _CHAPTER.finditer(question)]
    years = [int(year) for year in YEAR.findall(question) if year not in known]
    if not chapters and not years:
        return ""
    facts = boundaries()
    last = max((_last_chapter(one) for one in facts), default=0)
    if last and any(number > last or (number == last and after) for number, after in chapters):
        return f"after chapter {last}, the last one"
    told = [int(year) for one in facts for year in one.get("years", "").split("-") if year]
    outside = [year for year in years if told and not min(told) <= year <= max(told)]
    return f"in {outside[0]}, outside the years {min(told)}-{max(told)}" if outside else ""


def _last_chapter(facts: Mapping[str, str]) -> int:
    """Number of the last chapter: as counted, or as its title says when that is more (an excerpt); 0 for a text without chapters."""
    if "chapters" not in facts:
        return 0
    titled = _CHAPTER.search(facts.get("last_section", ""))
    return max(int(facts["chapters"]), _number(titled["number"]) if titled else 0)


def _number(text: str) -> int:
    """The value of digits, of a number word up to twenty, or of a Roman numeral up to 399."""
    folded = text.casefold()
    if folded.isdigit():
        return int(folded)
    if folded in _NUMBERS:
        return _NUMBERS.index(folded) + 1
    values = [_ROMAN[letter] for letter in folded]
    return sum(-value if any(value < later for later in values[i + 1 :]) else value for i, value in enumerate(values))
