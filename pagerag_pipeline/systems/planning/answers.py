"""A hop's answer without a model: the best supported span of its own evidence, with the gate's estimate of how well it is supported."""

import re
from dataclasses import replace

from pagerag_pipeline.answering.asked import Asked, read_question
from pagerag_pipeline.answering.coverage import Wanted, weigh
from pagerag_pipeline.answering.extractive import Extract, extract_answer
from pagerag_pipeline.answering.gate import Readers
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.spans import typed_span
from pagerag_pipeline.answering.sufficiency import Grounds, judge
from pagerag_pipeline.models.rules_tagger import RulesTagger
from pagerag_pipeline.systems.gathering import Means
from pagerag_pipeline.systems.planning.bridges import PLACES
from pagerag_pipeline.systems.planning.execution import HopAnswer

MOST_WORDS = 60
"""Words of a hop's longest answer; systems, section 4.6."""
_WHICH = re.compile(r"\b(?:which|what)\b(?: (?:is|are|was|were)\b)?(?P<noun>[^?]*)", re.IGNORECASE)


def readers_of(means: Means) -> Readers:
    """The models that read, or the rules that need none."""
    return means.readers or Readers(RulesTagger(), RulesTagger(), means.embedder)


def answer_hop(text: str, grounds: Grounds, means: Means) -> HopAnswer:
    """The answer to a hop's text; nothing where no sentence of the evidence touches it. Below `hop_threshold` it is a guess, not known."""
    readers = readers_of(means)
    asked = read_question(text)
    wanted = weigh(asked, grounds.statistics)
    sentences = tuple(evidence_sentences(grounds.evidence, readers.splitter, pool=grounds.pool))
    extract = extract_answer(asked, wanted, sentences, readers.tagger, settings=means.answer)
    if extract is None:
        return HopAnswer()
    verdict = judge(asked, wanted, extract, replace(grounds, sentences=sentences), settings=(means.answer, means.embedder))
    answer = (extract.guess or extract.answer) if extract.typed and asked.kind != "yes_no" else _named(asked, wanted, extract, readers)
    told = " ".join((answer or extract.answer).split()[:MOST_WORDS])
    chunks = tuple(dict.fromkeys(sentence.span.chunk_id for sentence in extract.quoted))
    return HopAnswer(told, verdict.confidence >= means.pank.hop_threshold, verdict.confidence, chunks)


def _named(asked: Asked, wanted: Wanted, extract: Extract, readers: Readers) -> str:
    """The name that answers where a thing is asked for: the next hop is about what has a name; empty when the quotes have none beyond the question's own."""
    match = _WHICH.search(asked.text)
    if asked.kind != "thing" or match is None:
        return ""
    place = any(word in PLACES for word in match["noun"].casefold().split()[:4])
    named = replace(asked, kind="place" if place else "person")
    return typed_span(named, wanted, extract.sentences, readers.tagger, enough=0.0) or ""
