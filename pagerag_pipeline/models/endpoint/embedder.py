"""The embedder that a server is: texts go out in bounded requests, none is cut off, and what needs single tokens is told by their words alone."""

from collections.abc import Iterator, Sequence

import numpy as np

from pagerag_pipeline.models.endpoint.line import EmbeddingLine
from pagerag_pipeline.models.hashing import DIMENSION, hashed, without_tokens
from pagerag_pipeline.schema.protocols import Encoded, Tokenizer, TokenVectors
from pagerag_pipeline.settings import EmbedSettings

BY_WORDS = {
    "step": "closeness",
    "why": "a server tells no vectors of single tokens: how closely sentences meet a question's words is read by the words alone, "
    "and the estimate is that of the bundled embedder, not fitted to this one",
}
"""What the gate does with such an embedder, as a step of the trace."""


class EndpointEmbedder:
    """An embedder whose vectors come from a server. Its dimension is known once the server was asked."""

    def __init__(self, settings: EmbedSettings, tokenizer: Tokenizer, fingerprint: str, line: EmbeddingLine) -> None:
        self.fingerprint = fingerprint
        self.tokenizer: Tokenizer = tokenizer
        self.window: int = settings.window
        self._settings = settings
        self._line = line

    @property
    def dimension(self) -> int:
        """Of its vectors. Raises EmbeddingFault."""
        return self._line.dimension

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), dimension), rows of length 1; raises ValueError for a text longer than the window, and EmbeddingFault.

        A text without a visible character is not sent, for servers refuse it: it has the first unit vector.
        """
        counts = [len(self.tokenizer.offsets(text)) for text in texts]
        for place, count in enumerate(counts):
            if count > self.window:
                raise ValueError(f"text {place} has {count} tokens, embed.window is {self.window}: {texts[place][:60]!r}")
        found: dict[int, np.ndarray] = {}
        for places in self.requests(texts, counts):
            found.update(zip(places, self._line.vectors([texts[place] for place in places]), strict=True))
        if found and self._settings.request_texts == 1:
            self._line.confirm()
        result = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for place in range(len(texts)):
            result[place] = found[place] if place in found else np.eye(1, self.dimension, dtype=np.float32)[0]
        return result

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        """The vectors of `encode`, without tokens: a server tells nothing of them."""
        return without_tokens(self.encode(texts))

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Each token hashed by itself, as by the embedder `hash`: a server tells nothing of single tokens. The text as a whole has the server's vector."""
        found = []
        for text, whole in zip(texts, self.encode(texts), strict=True):
            offsets = self.tokenizer.offsets(text)
            vectors = [hashed(text[start:end]) for start, end in offsets.tolist()]
            found.append(TokenVectors(offsets, np.array(vectors, dtype=np.float32).reshape(-1, DIMENSION), whole))
        return found

    def requests(self, texts: Sequence[str], counts: Sequence[int] = ()) -> Iterator[list[int]]:
        """The places of texts in requests of at most so many texts and tokens; a text is never parted here. `counts` are their tokens where they are known."""
        counts = counts or [len(self.tokenizer.offsets(text)) for text in texts]
        most_texts, most_tokens = self._line.room
        some: list[int] = []
        for place in [place for place, text in enumerate(texts) if text.strip()]:
            tokens = sum(counts[one] for one in some) + counts[place]
            if some and (len(some) == most_texts or tokens > most_tokens):
                yield some
                some = []
            some.append(place)
        if some:
            yield some
