"""Of what a sentence tells a deed: the founding of one town is not that of another."""

import re
from collections.abc import Collection, Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.statements import NAME
from pagerag_pipeline.answering.word_families import derivations
from pagerag_pipeline.lexical import content_terms, stem

_DONE_TO = re.compile(rf"(?P<name>{NAME})\s+(?:was|were|is|are|(?:has|have|had) been)\s+(?:\w+ly\s+)?(?P<verb>[a-z]+)\b")


def without_other_subjects(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Sentences without those that tell the deed asked for as done to another name, where one tells it of all names of the question.

    Only where a date, a name or a place is asked for, of which each deed has its own.
    """
    lasts = {own[-1] for name in asked.names if (own := content_terms(name))}
    if not wanted.deed or not lasts or asked.kind not in ("time", "person", "place"):
        return list(sentences)
    if not any(wanted.deed in wanted.covered(one.terms) and lasts <= one.terms | one.leaned for one in sentences):
        return list(sentences)
    return [one for one in sentences if not _is_done_to_another(one.text, wanted.deed, lasts)]


def _is_done_to_another(text: str, deed: str, lasts: Collection[str]) -> bool:
    """Whether a text says that a deed was done to a name, and to none that ends with one of these words."""
    forms = derivations(deed)
    names = [set(content_terms(match["name"])) for match in _DONE_TO.finditer(text) if stem(match["verb"]) in forms]
    return any(names) and not any(own & set(lasts) for own in names)
