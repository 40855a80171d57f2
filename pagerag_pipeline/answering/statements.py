"""The statement that a question contains: who does what, read from its words alone."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from os.path import commonprefix

from pagerag_pipeline.answering.word_families import derivations
from pagerag_pipeline.lexical import STOP_WORDS, stem

ALIKE, ENDING = 5, 3
"""Fewest letters that two words of one deed begin with, and most letters behind those; chosen."""
NAME = r"(?:[A-Z\u00c0-\u00de][\w.\u2019'-]*)(?:\s+(?:(?:of|the|de|von|van)\s+)*[A-Z\u00c0-\u00de][\w.\u2019'-]*)*"
_SUBJECT, _LONG_SUBJECT = (
    rf"(?P<subject>(?:(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|[Tt]h(?:at|is|[eo]se))\s+)?"
    rf"(?:{NAME}|(?!(?:the|an?|his|her|its|their|th(?:at|is|[eo]se))\b)[a-z-]+{more}(?:\s+(?:(?:of|at|in)\s+(?:the\s+)?)?{NAME})?))"
    for more in ("", r"(?:\s+[a-z-]+){0,2}?")
)
"""A name or a noun with one behind it; up to two nouns more where the form of the verb shows where they end."""
_ACTIVE = re.compile(rf"\b(?:did|do|does|that|which|whom)\s+{_SUBJECT}\s+(?:ever\s+)?(?P<verb>[a-z]+)\b(?P<rest>[^?]*)")
_ACTIVE_ASKED = re.compile(r"\b(?:did|do|does)\b[^?]*")
_PASSIVE = re.compile(
    rf"\b(?:was|were|is|are)\s+{_LONG_SUBJECT}\s+(?<!\bthe\s)(?<!\ba\s)(?<!\ban\s)(?<!\bof\s)(?P<verb>[a-z]+(?:ed|en|t|n|d|ght))\b(?P<rest>[^?]*)"
)
"""No noun behind an article or `of` is a verb (`who was the master of the packet`)."""
DOER_ASKED = re.compile(r"^\W*who\s+(?P<verb>[a-z]+)\s+(?P<rest>[^?]+)", re.IGNORECASE)
"""Who did something is asked."""
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a question takes for granted: that a subject does something, with what stands behind the verb."""

    subject: str
    verb: str
    """Its stem."""
    rest: str
    passive: bool


def read_statement(question: str) -> Statement | None:
    """The statement that a question contains (`did S V O`, `was S V-ed`, `that S V`); None when its words show none."""
    match = _ACTIVE.search(question)
    passive = match is None
    match = match or _PASSIVE.search(question)
    if match is None or match["verb"] in STOP_WORDS:
        return None
    return Statement(match["subject"], stem(match["verb"]), match["rest"], passive)


def deed_asked(question: str) -> str:
    """Stem of the verb of which a question asks who did it, when, where or why (`who designed X`, `when was X closed`); empty when its words show none."""
    doer = DOER_ASKED.match(question)
    if doer and doer["verb"].lower() not in STOP_WORDS:
        return stem(doer["verb"].lower())
    match = _ACTIVE_ASKED.search(question)
    said = read_statement(match.group() if match else question)
    return said.verb if said is not None and (match is not None or said.passive) else ""


def names_deed(deed: str, terms: Collection[str]) -> bool:
    """Whether some of these terms are forms of a verb, derived from it, or begin like it."""
    forms = derivations(deed)
    return any(term in forms or alike(deed, term) for term in terms)


def said_at(verb: str, text: str) -> Iterator[re.Match[str]]:
    """Where a text says a verb, given by its stem, or a derivation of it."""
    forms = derivations(verb)
    return (match for match in _LETTERS.finditer(text) if stem(match.group().lower()) in forms)


def alike(one: str, other: str) -> bool:
    """Whether two stems differ by their last letters alone: `abolition` and `abolish`, `licence` and `license`, `discovery` and `discover`."""
    common = len(commonprefix((one, other)))
    return common >= max(ALIKE, max(len(one), len(other)) - ENDING)
