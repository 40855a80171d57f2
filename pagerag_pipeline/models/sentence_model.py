"""Any sentence-transformers model from a folder, for languages and domains that the bundled model does not know."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from torch.nn import functional

from pagerag_pipeline.models.tokenizer import WordPieceTokenizer
from pagerag_pipeline.schema.protocols import Encoded, Tokenizer, TokenVectors

_SPECIAL_TOKENS = 2


class SentenceModel:
    """A model that sentence-transformers loads from a folder; nothing is fetched."""

    def __init__(self, folder: Path, tokenizer: WordPieceTokenizer, fingerprint: str, batch_size: int) -> None:
        self.fingerprint = fingerprint
        self.tokenizer: Tokenizer = tokenizer
        self._words = tokenizer
        self._batch_size = batch_size
        self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        self.window: int = int(self._model.max_seq_length or 512) - _SPECIAL_TOKENS
        self.dimension: int = int(self._model.encode(["a"], show_progress_bar=False).shape[1])

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), dimension), rows of length 1; raises ValueError for a text longer than the window."""
        self._check(texts)
        vectors = self._model.encode(list(texts), batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.dimension)

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        """The vectors of `encode`, with the signs of their tokens in the model's last layer."""
        self._check(texts)
        if not texts:
            return []
        told = self._told(texts)
        vectors = functional.normalize(torch.stack([one["sentence_embedding"] for one in told]), p=2, dim=1).numpy().astype(np.float32, copy=False)
        counts = [len(ids) - _SPECIAL_TOKENS for ids in self._words.ids(list(texts))]
        above = [one["token_embeddings"].numpy()[1 : count + 1] > 0 for one, count in zip(told, counts, strict=True)]
        return [Encoded(vector, np.packbits(own, axis=1)) for vector, own in zip(vectors, above, strict=True)]

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text in the model's last layer."""
        self._check(texts)
        offsets = self._words.spans(list(texts))
        return [
            TokenVectors(own, unit_rows(one["token_embeddings"].numpy()[1 : len(own) + 1]), unit_rows(one["sentence_embedding"].numpy()[None])[0])
            for own, one in zip(offsets, self._told(texts), strict=True)
        ]

    def _told(self, texts: Sequence[str]) -> list[dict[str, torch.Tensor]]:
        told: list[dict[str, torch.Tensor]] = self._model.encode(
            list(texts), batch_size=self._batch_size, output_value=None, show_progress_bar=False
        )
        return told

    def _check(self, texts: Sequence[str]) -> None:
        for index, ids in enumerate(self._words.ids(list(texts))):
            if len(ids) - _SPECIAL_TOKENS > self.window:
                raise ValueError(f"text {index} has {len(ids) - _SPECIAL_TOKENS} tokens, the embedder's window is {self.window}")


def unit_rows(rows: np.ndarray) -> np.ndarray:
    """The rows at length 1."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), dtype=np.float32)
