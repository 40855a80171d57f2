"""Any sentence-transformers model from a folder, for languages and domains that the bundled model does not know."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer

from pagerag_pipeline.models.tokenizer import WordPieceTokenizer
from pagerag_pipeline.schema.protocols import Tokenizer

_SPECIAL_TOKENS = 2


class SentenceModel:
    """A model that sentence-transformers loads from a folder; nothing is fetched."""

    def __init__(self, folder: Path, tokenizer: WordPieceTokenizer, fingerprint: str, batch_size: int) -> None:
        self.fingerprint = fingerprint
        self.tokenizer: Tokenizer = tokenizer
        self._count = tokenizer.ids
        self._batch_size = batch_size
        self._model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        self.window: int = int(self._model.max_seq_length or 512) - _SPECIAL_TOKENS
        self.dimension: int = int(self._model.encode(["a"], show_progress_bar=False).shape[1])

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), dimension), rows of length 1; raises ValueError for a text longer than the window."""
        for index, ids in enumerate(self._count(list(texts))):
            if len(ids) - _SPECIAL_TOKENS > self.window:
                raise ValueError(f"text {index} has {len(ids) - _SPECIAL_TOKENS} tokens, the embedder's window is {self.window}")
        vectors = self._model.encode(list(texts), batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.dimension)
