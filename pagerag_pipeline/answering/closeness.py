"""How closely the sentences of the evidence meet a question, word by word: late interaction over the embedder's token vectors.

A sentence can be near a question as a whole and still not say the one word that matters; the word that it meets least tells.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagerag_pipeline.answering.asked import ASKING_WORDS, Asked
from pagerag_pipeline.answering.candidates import has_type
from pagerag_pipeline.answering.coverage import Wanted
from pagerag_pipeline.answering.sentences import Sentence
from pagerag_pipeline.lexical import STOP_WORDS, stem, words
from pagerag_pipeline.schema.protocols import Embedder, TokenVectors

READ = 2
READ_TOKENS = 64
"""So many sentences, and so much of each, are read token by token: encoding is the dearest step of a warm question (chosen: six sentences are no better)."""
CONTEXT_SHARE = ITEM_SHARE = 0.3
COSINE_SHARE = 0.5
TYPE_SHARE = 0.15
"""What a sentence's heading and its item's score count beside its own words when sentences are chosen to be read, and its cosine and a span of the
asked type when the best one is; chosen, and the estimate was fitted on them."""

_WORD = re.compile(r"[\w'\u2019.-]+")
_NEGATION = re.compile(r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|except|unable|fail\w*|lack\w*)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Closeness:
    """How closely the best sentence meets a question; all 0..1, 0 where there is nothing to read."""

    cosine: float = 0.0
    """Best cosine of a sentence with the question."""
    names: float = 0.0
    """Best cosine in the best sentence of the name's word that it meets least; the mean of all words for a question without names."""
    matched: float = 0.0
    """The mean of the same over the other words that say what the question is about."""
    negation: float = 0.0
    """1 when the question denies something and the best sentence denies nothing."""
    mean: float = 0.0
    """Mean cosine of the sentences that are read: one alone may be near by chance."""


@dataclass(frozen=True, slots=True)
class _Word:
    term: str
    tokens: tuple[int, ...]
    weight: float
    named: bool


def measure_closeness(asked: Asked, wanted: Wanted, sentences: Sequence[Sentence], embedder: Embedder) -> Closeness:
    """The closeness of the sentences that cover the question best; one call of the embedder."""
    near = _nearest(wanted, sentences)
    if not near:
        return Closeness()
    question = _beginning(asked.text, embedder, embedder.window)
    first, *read = embedder.token_vectors([question, *(_beginning(s.read, embedder, READ_TOKENS) for s in near)])
    cosines = [round(float(one.pooled @ first.pooled), 4) for one in read]
    asked_words = _words(asked, wanted, first)
    mean = round(sum(cosines) / len(cosines), 4)
    if not asked_words:
        return Closeness(cosine=max(cosines), mean=mean)
    met = [_met(asked_words, first, one) for one in read]
    scores = [
        _score(asked_words, own, wanted.covered(sentence.terms)) + COSINE_SHARE * cosine + TYPE_SHARE * has_type(sentence.text, asked)
        for own, sentence, cosine in zip(met, near, cosines, strict=True)
    ]
    best = int(np.argmax(np.round(scores, 5)))
    return replace(_told(asked, asked_words, met[best], near[best], max(cosines)), mean=mean)


def _nearest(wanted: Wanted, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that cover most of the question; ties go by place."""

    def merit(sentence: Sentence) -> float:
        own = wanted.share(wanted.covered(sentence.terms))
        placed = wanted.share(wanted.covered(sentence.terms | sentence.context))
        return round(own + CONTEXT_SHARE * placed + ITEM_SHARE * sentence.score, 6)

    return sorted(sentences, key=lambda s: (-merit(s), s.span.document, s.span.start))[:READ]


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


def _score(asked_words: Sequence[_Word], met: np.ndarray, covered: dict[str, float]) -> float:
    """Weighted mean over the words of how a sentence meets or says them."""
    weights = [word.weight for word in asked_words]
    said = [max(float(own), covered.get(word.term, 0.0)) for word, own in zip(asked_words, met, strict=True)]
    return float(np.average(said, weights=weights)) if sum(weights) > 0 else 0.0


def _told(asked: Asked, asked_words: Sequence[_Word], met: np.ndarray, best: Sentence, cosine: float) -> Closeness:
    names = [float(own) for word, own in zip(asked_words, met, strict=True) if word.named]
    others = [float(own) for word, own in zip(asked_words, met, strict=True) if not word.named and word.term not in ASKING_WORDS]
    mean = float(met.mean())
    denied = bool(_NEGATION.search(asked.text)) and not _NEGATION.search(best.text)
    matched = sum(others) / len(others) if others else mean
    return Closeness(cosine, round(min(names, default=mean), 4), round(matched, 4), float(denied))


def _beginning(text: str, embedder: Embedder, most: int) -> str:
    offsets = embedder.tokenizer.offsets(text)
    return text if len(offsets) <= most else text[: int(offsets[most - 1][1])]
