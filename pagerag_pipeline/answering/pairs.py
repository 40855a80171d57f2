"""Questions which of two: only a quote that names one of them can answer."""

import re

from pagerag_pipeline.lexical import content_terms

DEGREE = r"(?:first|last|more|most|fewer|less|earlier|later|earliest|latest|better|best|recently|\w{3,}er|\w{3,}est)"
"""Words that compare."""
ALTERNATIVES = re.compile(r"^(?P<lead>.+?[^,:]),?\s*[,:]\s*(?:either\s+)?(?P<first>[^,]+?),?\s+or\s+(?P<second>[^,]+?)\s*\?*$")
"""Two things that stand at the end of a question, and what it says before them."""
_COMPARES = re.compile(rf"\bwhich\b|\b(?:who|what)\b.*\b(?:{DEGREE}|least)\b", re.IGNORECASE)
"""What a question says before its two things if it wants a choice between them."""
_NO_THING = re.compile(
    r"(?:in|on|at|of|by|for|with|without|from|to|when|where|while|if|that|who|which|as|because|and|or|before|after|during|since|until|under|over)\b", re.IGNORECASE
)


def asked_pair(question: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The terms of the two things between which a question wants a choice; None where it offers none, or both in the same words."""
    match = ALTERNATIVES.match(question.strip())
    if match is None or not _COMPARES.search(match["lead"]) or _NO_THING.match(match["first"]):
        return None
    first, second = frozenset(content_terms(match["first"])), frozenset(content_terms(match["second"]))
    return (first, second) if first and second and first != second else None


def names_one(pair: tuple[frozenset[str], frozenset[str]] | None, terms: frozenset[str]) -> bool:
    """Whether terms hold all of one of the two; true where nothing is to be chosen."""
    return pair is None or any(side <= terms for side in pair)


def is_one_of(pair: tuple[frozenset[str], frozenset[str]] | None, terms: frozenset[str]) -> bool:
    """Whether a name of these terms means one of the two and not the other, by all of its words or all of theirs; true where nothing is to be chosen."""
    return pair is None or sum(bool(terms) and (terms <= side or side <= terms) for side in pair) == 1
