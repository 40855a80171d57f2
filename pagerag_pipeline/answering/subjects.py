"""Of what a sentence tells a deed: the founding of one town is not that of another."""

from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.lexical import content_terms


def without_other_subjects(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Sentences without those that tell the deed asked for and hold no name of the question, where another tells it of all its names.

    Only where a date, a name or a place is asked for, of which each deed has its own. Where no sentence tells the deed of the names, one that says
    `the town` for them may.
    """
    lasts = {own[-1] for name in asked.names if (own := content_terms(name))}
    if not lasts or asked.kind not in ("time", "person", "place"):
        return list(sentences)
    telling = {id(one) for one in sentences if wanted.deed in wanted.covered(one.terms)}
    if not any(id(one) in telling and lasts <= one.terms | one.leaned for one in sentences):
        return list(sentences)
    return [one for one in sentences if id(one) not in telling or lasts & one.in_context]
