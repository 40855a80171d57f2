"""What the rooms ask of a model, of a place where batches run, and of who watches progress."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from pagerag_pipeline.schema.knowledge import Tagged
from pagerag_pipeline.schema.language import Failure, Reply, Request


class Tokenizer(Protocol):
    """Cuts a text into the embedder's own tokens."""

    fingerprint: str

    def offsets(self, text: str) -> np.ndarray:
        """Character ranges of all tokens, int32 of shape (n, 2), in order, without special tokens, nothing truncated."""
        ...


class TokenVectors(NamedTuple):
    """A text token by token, in the window's own context."""

    offsets: np.ndarray
    """Character ranges of the tokens, int32 of shape (n, 2)."""
    vectors: np.ndarray
    """Their unit vectors, float32 of shape (n, dimension)."""
    pooled: np.ndarray
    """The unit vector of the whole text, as `encode` gives it."""


class Encoded(NamedTuple):
    """A text as it is stored to be searched and compared token by token."""

    vector: np.ndarray
    """The unit vector of the whole text, float32 of shape (dimension,)."""
    signs: np.ndarray
    """Which values of its tokens' vectors are above 0, special tokens left out: uint8 of shape (tokens, ceil(dimension / 8)), by `np.packbits`."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    fingerprint: str
    window: int
    """The most tokens a text may have, special tokens not counted."""
    tokenizer: Tokenizer

    @property
    def dimension(self) -> int:
        """Of its vectors."""
        ...

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), dimension), rows of length 1; raises ValueError for a text longer than the window."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        """The vectors that `encode` gives for the same texts, with the signs of their tokens; no tokens where the model tells none in their context.

        Raises ValueError for a text longer than the window.
        """
        ...

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text; raises ValueError for a text longer than the window."""
        ...


class Tagger(Protocol):
    """Finds sentences, tokens and names."""

    fingerprint: str

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        """One Tagged per text; falls back to rules for a language without a model."""
        ...


class LanguageModel(Protocol):
    """A chat model in one role. Safe to use from many threads of the driver, which alone calls it: workers of a pool have none."""

    fingerprint: str
    """Of what decides a reply besides the request; known without a call."""
    name: str

    def fits(self, request: Request) -> bool:
        """Whether a request and its reply have room in the model's window; one that has none is a failure without a call."""
        ...

    def reply(self, request: Request) -> Reply | Failure:
        """A reply that fits the request's schema, or why there is none; raises nothing that a server can cause."""
        ...


class Notebook(Protocol):
    """Where small facts about servers are kept that take a call to find out."""

    def read(self, key: str) -> dict[str, Any]:
        """What is kept under a key; empty when nothing is."""
        ...

    def write(self, key: str, facts: dict[str, Any]) -> None:
        """Keep facts under a key in place of what was kept."""
        ...


class BatchMapper(Protocol):
    """The only door to parallel work."""

    def map(self, function: str, batches: Iterator[Any], *, told: Callable[[int], None] | None = None) -> Iterator[tuple[Any, Any]]:
        """Pairs (batch, result) in completion order, bounded in flight; `function` is `package.module:name`.

        `told`, where a mapper can, learns how many units of the batch under work are done.
        """
        ...

    def close(self) -> None:
        """Let go of workers."""
        ...


Progress = Callable[[str, int, int], None]
"""Called with (product, done, total)."""
