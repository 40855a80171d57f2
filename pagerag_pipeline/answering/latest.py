"""Questions for what holds now: of the sentences that answer alike, the one whose source is dated last."""

import re
from collections.abc import Sequence

from pagerag_pipeline.answering.asked import Asked
from pagerag_pipeline.answering.candidates import has_type
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence, in_passage_of
from pagerag_pipeline.lexical import MONTHS

ALIKE = 0.8
"""A later sentence answers alike when it and its heading cover this share of what the best one's do; chosen."""

_NOW = re.compile(r"\b(?:now|today|nowadays|currently|at present|these days|latest|newest|current|most recent)\b", re.IGNORECASE)
_IN_PATH = re.compile(r"(?<!\d)(1\d{3}|20\d{2})[-_.](0[1-9]|1[0-2])(?:[-_.]([0-2]\d|3[01]))?(?!\d)")
_IN_TEXT = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({'|'.join(MONTHS)}),?\s+(1\d{{3}}|20\d{{2}})\b", re.IGNORECASE)
_AFTER = re.compile(rf"\b(?:after|since)\s+(?:\d{{1,2}}\s+)?(?:(?P<month>{'|'.join(MONTHS)}),?\s+)?(?P<year>1\d{{3}}|20\d{{2}})\b", re.IGNORECASE)


def asks_latest(text: str) -> bool:
    """Whether a question asks for what holds now."""
    return bool(_NOW.search(text))


def find_latest(asked: Asked, wanted: Wanted, chosen: Sequence[Sentence], sentences: Sequence[Sentence]) -> Sentence | None:
    """The whole sentence of the last dated source that answers like the best one; None unless the question asks for it and sources are dated.

    A source is dated by its path (`2020-10-05`), else by the first full date in the passage. Ties go to the one that covers more.
    """
    if not asks_latest(asked.text):
        return None
    alike: list[tuple[tuple[int, int, int], float, Sentence]] = []
    least = ALIKE * wanted.share(wanted.covered(chosen[0].terms | chosen[0].context))
    for sentence in sentences:
        share = wanted.share(wanted.covered(sentence.terms | sentence.context))
        said = not asked.chief or asked.chief in wanted.covered(sentence.terms)
        dated = date_of(sentence, sentences) if sentence.whole and said and share >= least and has_type(sentence.text, asked) else None
        if dated is not None:
            alike.append((dated, round(share, 6), sentence))
    return max(alike, key=lambda one: one[:2])[2] if len({dated for dated, _, _ in alike}) > 1 else None


def told_before(question: str, sentence: Sentence, sentences: Sequence[Sentence]) -> bool:
    """Whether a source is dated before the time after which a question asks what holds."""
    match = _AFTER.search(question)
    dated = date_of(sentence, sentences) if match else None
    if match is None or dated is None:
        return False
    month = MONTHS.index(match["month"].lower()) + 1 if match["month"] else 0
    return dated[:2] < (int(match["year"]), month)


def date_of(sentence: Sentence, sentences: Sequence[Sentence]) -> tuple[int, int, int] | None:
    """Year, month and day (0 where unsaid) of a sentence's source; None when it shows no date."""
    path = _IN_PATH.search(sentence.span.document)
    if path:
        return int(path[1]), int(path[2]), int(path[3] or 0)
    beside = in_passage_of(sentence, sentences)
    for one in sorted(beside, key=lambda one: one.span.start):
        told = _IN_TEXT.search(one.text)
        if told:
            return int(told[3]), MONTHS.index(told[2].lower()) + 1, int(told[1])
    return None
