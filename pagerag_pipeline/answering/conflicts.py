"""Sources that contradict each other: two quotes that say the same of the same thing and give it different values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.candidates import candidates
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.extractive import Extract
from pagerag_pipeline.answering.inventory import asks_several
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.lexical import content_terms, words
from pagerag_pipeline.schema.protocols import Tagger

SAME = 0.75
"""Two sentences say the same when they share this much of what either says, their values apart (terms in common over all of them); chosen."""
SINGLE = ("time", "number", "money", "color", "person", "place")
"""Types of which a fact has one value; items of an inventory are no contradiction."""

_DENIED = re.compile(r"\b(?:not|never|no|\w+n['\u2019]t)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two values of what is asked, each with the sentence that gives it; the answer's own comes first."""

    values: tuple[str, str]
    sentences: tuple[Sentence, Sentence]

    @property
    def why(self) -> str:
        """What the sources leave open, in words."""
        told = [f"{one.label} says \u201c{' '.join(one.text.split())}\u201d" for one in self.sentences]
        return f"the sources contradict each other: {told[0]}, {told[1]}"


def find_conflict(asked: Asked, wanted: Wanted, extract: Extract, sentences: Sequence[Sentence], *, tagger: Tagger) -> Conflict | None:
    """The first sentence of another place that says of another value what the answer's own sentence says of the answer; None when there is none.

    All else that both say must be alike: who bought a thing in one year and who bought it in another do not contradict each other.
    """
    answer = extract.answer
    own = next((sentence for sentence in extract.quoted if answer and answer in sentence.text), None)
    if asked.kind not in SINGLE or own is None or asks_several(asked.text):
        return None
    about = wanted.covered(own.terms).keys()
    rest = set(content_terms(own.text)) - set(content_terms(answer))
    others = [
        one for one in sentences if one.span != own.span and one.line == own.line and about <= wanted.covered(one.terms).keys() and _may_be_alike(rest, one)
    ]
    for other, tagged in zip(others, tagger.tag([one.text for one in others], "en") if others else (), strict=True):
        for value in [candidate.text for candidate in candidates(other.text, tagged, asked)][:1]:
            if _differ(answer, value) and _alike(rest, set(content_terms(other.text)) - set(content_terms(value))):
                if bool(_DENIED.search(own.text)) == bool(_DENIED.search(other.text)):
                    return Conflict((answer, value), (own, other))
    return None


def _differ(one: str, other: str) -> bool:
    """Whether two values differ and neither is a part of the other ("Quill", "Mara Quill"; "1901", "in May 1901")."""
    own, others = set(words(one)), set(words(other))
    return not own <= others and not others <= own


def _may_be_alike(rest: set[str], sentence: Sentence) -> bool:
    """Whether a sentence says enough of the rest to be alike whatever value it tells, so that it pays to tag it."""
    return bool(rest) and len(rest & set(content_terms(sentence.text))) >= SAME * len(rest)


def _alike(one: set[str], other: set[str]) -> bool:
    return bool(one) and len(one & other) >= SAME * len(one | other)
