"""How closely the sentences of the evidence meet a question, word by word: late interaction over the embedder's token vectors.

A sentence can be near a question as a whole and still not say the one word that matters; the word that it meets least tells. One sentence is read
so, of those that cover most of the question. How near all others are is told by the tokens of their passages, which were kept when those were
embedded: there a sentence is read with what stands around it. One that begins with a pronoun is read with the sentences that it leans on.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked
from pagerag_pipeline.answering.candidates import has_type
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.answering.tokens import Tokens, cosines_in_place
from pagerag_pipeline.answering.told_numbers import numerals
from pagerag_pipeline.lexical import STOP_WORDS, stem, words
from pagerag_pipeline.schema.protocols import Embedder, TokenVectors

NEAR = 2
READ_TOKENS = 64
"""Of so many sentences one is read token by token, and so much of it: encoding is the dearest step of a warm question (measured: both read, the sets
have the same AUROC on average, .829, and the pass takes 37 ms for 24)."""
PLACED_SHARE = 0.9
"""What the nearest sentence's cosine in its place is on average of that of the sentence that is read (measured on the sets of the fit); it stands in
where no tokens were kept: in an index of an earlier version, and for models that tell none."""
CONTEXT_SHARE = ITEM_SHARE = 0.3
COVERED_SHARE = 0.3
TYPE_SHARE = 0.15
"""What a sentence's heading and its item's score count beside its own words when sentences are chosen, and what it covers and a span of the asked type
beside its cosine when one of them is; chosen, and the estimate was fitted on them."""

_WORD = re.compile(r"[\w'\u2019.-]+")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|except|unable|fail\w*|lack\w*)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Closeness:
    """How closely the sentences meet a question; all 0..1, 0 where there is nothing to read."""

    cosine: float = 0.0
    """Cosine with the question of the sentence that is read."""
    names: float = 0.0
    """Best cosine in it of the name's word that it meets least; the mean of all words for a question without names."""
    matched: float = 0.0
    """The mean of the same over the other words that say what the question is about."""
    negation: float = 0.0
    """1 when the question denies something and that sentence denies nothing."""
    in_place: float = 0.0
    """Cosine of the nearest of all sentences as they stand in their passages, by the signs of their tokens."""
    numbers: float = 1.0
    """Best share of the question's numbers in one of the sentences that cover most, its context included; 1 for a question without numbers."""


@dataclass(frozen=True, slots=True)
class _Word:
    term: str
    tokens: tuple[int, ...]
    weight: float
    named: bool


def measure_closeness(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], passages: Sequence[Tokens], embedder: Embedder) -> Closeness:
    """The closeness of the sentence that is read, and of all that stand in passages whose tokens were kept; encodes two texts, the question and that sentence."""
    near = _nearest(wanted, sentences)
    if not near:
        return Closeness()
    (first,) = embedder.token_vectors([_beginning(asked.text, embedder, embedder.window)])
    placed = cosines_in_place(first.pooled, sentences, passages)
    chosen = sentences[_chosen(asked, wanted, {place: sentences[place] for place in near}, placed)]
    text = " ".join([*(one.text for one in chosen.before), chosen.read])
    (read,) = embedder.token_vectors([_beginning(text, embedder, READ_TOKENS)])
    cosine = round(float(read.pooled @ first.pooled), 4)
    known = Closeness(
        cosine=cosine,
        in_place=max(placed.values()) if placed else round(PLACED_SHARE * cosine, 4),
        numbers=_numbers_held(asked.text, [sentences[place] for place in near]),
    )
    asked_words = _words(asked, wanted, first)
    return _told(known, asked, asked_words, _met(asked_words, first, read), chosen) if asked_words else known


def _chosen(asked: Asked, wanted: Wanted, near: Mapping[int, Sentence], placed: Mapping[int, float]) -> int:
    """Of the sentences that cover most, the one to read: nearest in its place, with what it covers and a span of the asked type counted in."""

    def merit(place: int) -> float:
        own = COVERED_SHARE * wanted.share(wanted.covered_by(near[place]))
        return round(placed.get(place, 0.0) + own + TYPE_SHARE * has_type(near[place].text, asked), 5)

    return max(near, key=merit)


def _numbers_held(question: str, near: Sequence[Sentence]) -> float:
    asked = numerals(question)
    if not asked:
        return 1.0
    held = [one.context.union(numerals(one.read), *(numerals(before.text) for before in one.before)) for one in near]
    return round(max(len(asked & numbers) for numbers in held) / len(asked), 4)


def _nearest(wanted: Wanted, sentences: Sequence[Sentence]) -> list[int]:
    """The places of the sentences that cover most of the question; ties go by where they stand in their documents."""

    def merit(sentence: Sentence) -> float:
        own = wanted.share(wanted.covered(sentence.terms))
        placed = wanted.share(wanted.covered(sentence.in_context))
        return round(own + CONTEXT_SHARE * placed + ITEM_SHARE * sentence.score, 6)

    def order(place: int) -> tuple[float, str, int]:
        span = sentences[place].span
        return -merit(sentences[place]), span.document, span.start

    return sorted(range(len(sentences)), key=order)[:NEAR]


def _words(asked: Asked, wanted: Wanted, vectors: TokenVectors) -> list[_Word]:
    """The content words of a question with their tokens; function words are met everywhere."""
    named = {stem(word) for name in asked.names for word in words(name)}
    found = []
    for match in _WORD.finditer(asked.text):
        parts = [word for word in words(match.group()) if word not in STOP_WORDS]
        tokens = np.flatnonzero((vectors.offsets[:, 0] >= match.start()) & (vectors.offsets[:, 1] <= match.end()))
        if parts and len(tokens):
            term = stem(parts[-1])
            found.append(_Word(term, tuple(tokens.tolist()), wanted.weights.get(term, 1.0), any(stem(part) in named for part in parts)))
    return found


def _met(asked_words: Sequence[_Word], question: TokenVectors, sentence: TokenVectors) -> np.ndarray:
    """Of each word, how near the nearest token of the sentence is, averaged over the word's tokens."""
    if not len(sentence.vectors):
        return np.zeros(len(asked_words))
    nearest = (question.vectors @ sentence.vectors.T).max(axis=1)
    return np.round([float(nearest[list(word.tokens)].mean()) for word in asked_words], 4)


def _told(known: Closeness, asked: Asked, asked_words: Sequence[_Word], met: np.ndarray, best: Sentence) -> Closeness:
    """What is known of the sentences, with how the words of the question are met by the best one."""
    names = [float(own) for word, own in zip(asked_words, met, strict=True) if word.named]
    others = [float(own) for word, own in zip(asked_words, met, strict=True) if not word.named and word.term not in ASKING_WORDS]
    mean = float(met.mean())
    denied = bool(_NEGATION.search(asked.text)) and not _NEGATION.search(best.text)
    matched = sum(others) / len(others) if others else mean
    return replace(known, names=round(min(names, default=mean), 4), matched=round(matched, 4), negation=float(denied))


def _beginning(text: str, embedder: Embedder, most: int) -> str:
    """At most so many tokens of a text; of ASCII none is shorter than a character."""
    if len(text) <= most and text.isascii():
        return text
    offsets = embedder.tokenizer.offsets(text)
    return text if len(offsets) <= most else text[: int(offsets[most - 1][1])]
