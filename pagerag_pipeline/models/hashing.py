"""A deterministic embedder without weights: signed feature hashing of terms. For tests, and where no model may be loaded."""

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pagerag_pipeline import lexical
from pagerag_pipeline.schema.protocols import Encoded, Tokenizer, TokenVectors

DIMENSION = 384
WINDOW = 254
_PAIR_WEIGHT = 0.5
"""Two texts that share a pair of neighboring terms also share both terms, so the pair only breaks ties."""


class HashEmbedder:
    """Texts that share terms lie near each other; the same text has the same bits on every machine and in every batch."""

    dimension = DIMENSION
    window = WINDOW

    def __init__(self, tokenizer: Tokenizer, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.tokenizer: Tokenizer = tokenizer

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), 384), rows of length 1; raises ValueError for a text longer than the window."""
        result = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for index, text in enumerate(texts):
            tokens = len(self.tokenizer.offsets(text))
            if tokens > WINDOW:
                raise ValueError(f"text {index} has {tokens} tokens, the embedder's window is {WINDOW}: {text[:60]!r}")
            result[index] = hashed(text)
        return result

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        """The vectors of `encode`, without tokens."""
        return without_tokens(self.encode(texts))

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Each token hashed by itself: this model knows no context."""
        pooled = self.encode(texts)
        found = []
        for text, whole in zip(texts, pooled, strict=True):
            offsets = self.tokenizer.offsets(text)
            vectors = [hashed(text[start:end]) for start, end in offsets.tolist()]
            found.append(TokenVectors(offsets, np.array(vectors, dtype=np.float32).reshape(-1, DIMENSION), whole))
        return found


def without_tokens(vectors: np.ndarray) -> list[Encoded]:
    """Vectors of texts of whose tokens nothing is known in their context."""
    none = np.zeros((0, math.ceil(vectors.shape[1] / 8)), dtype=np.uint8)
    return [Encoded(vector, none) for vector in vectors]


def hashed(text: str) -> np.ndarray:
    """Unit vector of a text: per term and pair of terms, sign * weight * (1 + ln count), at a place of its own (Weinberger et al. 2009).

    A text without terms, or whose features cancel out, gets the first unit vector.
    """
    terms = lexical.terms(text)
    vector = np.zeros(DIMENSION, dtype=np.float64)
    for features, weight in ((terms, 1.0), ([f"{a} {b}" for a, b in zip(terms, terms[1:], strict=False)], _PAIR_WEIGHT)):
        for feature, count in Counter(features).items():
            place, sign = _place(feature)
            vector[place] += sign * weight * (1 + math.log(count))
    length = float(np.linalg.norm(vector))
    if length < 1e-9:
        vector[0], length = 1.0, 1.0
    return (vector / length).astype(np.float32)


@lru_cache(maxsize=100_000)
def _place(feature: str) -> tuple[int, int]:
    value = int.from_bytes(hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
    return (value >> 1) % DIMENSION, 1 if value & 1 else -1
