"""Which names of a question the evidence writes as names: a name may consist of common words (`the Time Traveller`), and be misspelled."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.lexical import content_terms
from pagerag_pipeline.schema.asking import Evidence

LONG = 5
"""Letters from which a word that differs by one is the same word misspelled; in shorter ones another letter makes another name (chosen)."""

_CAPITALIZED = re.compile(r"(?<!\w)[A-Z\u00c0-\u00de][\w'\u2019.-]*")


def lost_names(asked: Asked, evidence: Sequence[Evidence]) -> float:
    """Share of the question's names, 0..1, that the evidence and its headings never write with a capital, word by word; 0 for a question without names."""
    names = [own for name in asked.names if (own := _capitalized(name))]
    if not names:
        return 0.0
    written = frozenset().union(*(_capitalized(f"{item.context} {item.text}") for item in evidence))
    said = [sum(_is_written(term, written) for term in sorted(name)) / len(name) for name in names]
    return round(1 - sum(said) / len(said), 4)


def _capitalized(text: str) -> frozenset[str]:
    """Terms of the words that a text writes with a capital."""
    return frozenset(content_terms(" ".join(_CAPITALIZED.findall(text))))


def _is_written(term: str, written: frozenset[str]) -> bool:
    return term in written or (len(term) >= LONG and any(len(other) >= LONG and _one_edit(term, other) for other in written))


def _one_edit(one: str, other: str) -> bool:
    """Whether two different words become equal by one letter more, less or exchanged."""
    if abs(len(one) - len(other)) > 1:
        return False
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[place:], other[place:]
    return rest[1:] == others[1:] or rest[1:] == others or rest == others[1:]
