"""Computed answers: a count, a list, a comparison or an extreme that a system worked out over all that matches, with the texts it stands on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked
from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.word_families import relatives
from pagerag_pipeline.lexical import content_terms, terms, words
from pagerag_pipeline.schema.asking import Claim, Evidence, SourceSpan

_COUNTED = re.compile(r"\bhow many ((?:[\w'-]+\s+){0,2}[\w'-]+)", re.IGNORECASE)
_DEGREE = re.compile(r"\b(?:most|least|fewest|more|less|fewer|[a-z]{2,}est)\b", re.IGNORECASE)
_NEAR = 4
"""Words behind a number among which the thing it counts stands; chosen."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What was worked out, or why nothing was: an empty `answer` is a refusal, and `missing` says what it lacks."""

    answer: str
    spans: tuple[SourceSpan, ...]
    """The texts that the answer stands on, each a part of the evidence."""
    confidence: float
    why: str
    missing: str = ""


def decide_computed(computed: Computed, evidence: Sequence[Evidence], question: str) -> Decision:
    """The gate's decision on a computed answer: given when every text it stands on is quoted by the evidence, else refused.

    Whoever computed it has matched every record that qualifies; where that was unsure there is no answer and `missing` tells why.
    """
    trace = ({"step": "computed", "answer": computed.answer, "spans": len(computed.spans), "why": computed.why},)
    if not computed.answer:
        return Decision("refused", None, (), (), (f"{question}: {computed.missing}",), "insufficient", computed.confidence, trace)
    cited = [_quoted(span, evidence) for span in computed.spans]
    known = [sentence for sentence in cited if sentence is not None]
    if not known or len(known) < len(cited):
        lacking = f"{question}: {len(cited) - len(known)} of {len(cited)} texts that the answer stands on are not in the evidence"
        return Decision("refused", None, (), (), (lacking,), "uncited", computed.confidence, trace)
    labels = tuple(dict.fromkeys(sentence.label for sentence in known))
    claim = Claim(computed.answer, labels)
    return Decision("answered", computed.answer, (claim,), tuple(known), (), None, computed.confidence, trace)


def said_whole(decision: Decision, parts: Sequence[Asked], unread: str) -> Decision:
    """The decision on a question over all rows of a table that were not all read: it stands where a sentence of prose says all of the question.

    A count must stand before what it counts. Else it is refused, with `unread` as what is missing.
    """
    answer = decision.answer
    if answer is not None and all(any(_says_all(one, part, answer) for one in decision.cited) for part in parts):
        return decision
    missing = tuple(f"{part.text}: {unread}" for part in parts)
    return replace(decision, status="refused", answer=None, claims=(), cited=(), missing=missing, reason="insufficient", confidence=0.0)


def _says_all(sentence: Sentence, part: Asked, answer: str) -> bool:
    wanted = [term for term in part.terms if term not in ASKING_WORDS]
    degrees = {match.group().lower() for match in _DEGREE.finditer(part.text)}
    if not degrees <= set(words(sentence.text)):
        return False
    if sentence.line or not all(relatives(term).keys() & sentence.terms for term in wanted):
        return False
    counted = _COUNTED.search(part.text)
    if counted is None:
        return True
    _, said, behind = sentence.text.partition(answer.split(":")[0])
    return bool(said) and bool(set(content_terms(counted.group(1))) & set(terms(" ".join(behind.split()[:_NEAR]))))


def _quoted(span: SourceSpan, evidence: Sequence[Evidence]) -> Sentence | None:
    """The span as a sentence of the evidence item that shows it word for word."""
    for place, item in enumerate(evidence):
        for shown in item.spans:
            inside = shown.document == span.document and shown.start <= span.start and span.end <= shown.end
            if inside and shown.quote[span.start - shown.start : span.end - shown.start] == span.quote:
                return Sentence(item.label, item.kind, span, frozenset(), frozenset(), True, place, 1.0)
    return None
