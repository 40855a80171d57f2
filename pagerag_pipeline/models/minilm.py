"""all-MiniLM-L6-v2 on plain torch: its six layers, mean pooling and unit length, from the weights of the installed package.

A forward pass gives bit for bit what sentence-transformers gives for the same batch (a test compares them). This module exists because
importing that library costs 3.5 s and 200 MB in every new process (measured), and an `ask` is a new process.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch.nn import functional

from pagerag_pipeline.models.tokenizer import WordPieceTokenizer
from pagerag_pipeline.schema.protocols import Encoded, Tokenizer, TokenVectors

DIMENSION = 384
WINDOW = 254
"""The model was trained on 256 positions; two of them hold [CLS] and [SEP]."""
_LAYERS = 6
_HEADS = 12
_EPSILON = 1e-12
_ROWS = 16
"""A product with a matrix of weights gives the same bits, in one thread, for a row beside any number of others from here on; fewer go another way (measured)."""

_making = threading.Lock()

_Attend = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


class MiniLm:
    """The embedder of real corpora; English only (measured: no cross-lingual similarity)."""

    dimension = DIMENSION
    window = WINDOW

    def __init__(self, folder: Path, tokenizer: WordPieceTokenizer, fingerprint: str, batch_size: int) -> None:
        self.fingerprint = fingerprint
        self.tokenizer: Tokenizer = tokenizer
        self._words = tokenizer
        self._weights = load_file(folder / "model.safetensors")
        self._tokens_a_pass = batch_size * (WINDOW + 2)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), 384), rows of length 1; raises ValueError for a text longer than the window."""
        result = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for batch, states, own in self._passed(texts):
            result[batch] = _pooled(states, own).numpy()
        return result

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        """The vectors of `encode`, bit for bit, with the signs of their tokens from the same passes."""
        found: dict[int, Encoded] = {}
        for batch, states, own in self._passed(texts):
            vectors, above, lengths = _pooled(states, own).numpy(), (states > 0).numpy(), own.sum(1).tolist()
            for place, index in enumerate(batch):
                found[index] = Encoded(vectors[place], np.packbits(above[place, 1 : lengths[place] - 1], axis=1))
        return [found[index] for index in range(len(texts))]

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text in the last layer: the same bits whatever stands beside it, and within 1e-6 of those that `encode` pools."""
        ids = self._checked(texts)
        spans = self._words.spans(list(texts))
        states = _passes().submit(packed_states, self._weights, ids).result() if ids else []
        return [_told(offsets, own) for offsets, own in zip(spans, states, strict=True)]

    def _passed(self, texts: Sequence[str]) -> Iterator[tuple[list[int], torch.Tensor, torch.Tensor]]:
        """Places of texts in passes, each with the last layer and which of its places are a text's own."""
        ids = self._checked(texts)
        for batch in self._batches([len(one) for one in ids]):
            yield batch, *token_states(self._weights, [ids[index] for index in batch])

    def _checked(self, texts: Sequence[str]) -> list[list[int]]:
        ids = self._words.ids(list(texts))
        for index, one in enumerate(ids):
            if len(one) - 2 > WINDOW:
                raise ValueError(f"text {index} has {len(one) - 2} tokens, the embedder's window is {WINDOW}: {texts[index][:60]!r}")
        return ids

    def _batches(self, lengths: list[int]) -> list[list[int]]:
        """Indices of texts in passes, longest first, so that almost nothing is padding; a pass holds about equally many tokens."""
        batches: list[list[int]] = []
        for index in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
            if not batches or (len(batches[-1]) + 1) * lengths[batches[-1][0]] > self._tokens_a_pass:
                batches.append([])
            batches[-1].append(index)
        return batches


@torch.inference_mode()
def packed_states(weights: dict[str, torch.Tensor], batch: Sequence[Sequence[int]]) -> list[torch.Tensor]:
    """The last layer of each text, all in one pass without padding: the texts' tokens are rows under each other, and only attention parts them.

    The weights are read once for all, which is most of the time of a short text (measured: three sentences 33 ms for 54). Too few tokens are
    filled up to `_ROWS` by a text of padding, which no other attends to.
    """
    lengths = [len(one) for one in batch]
    if sum(lengths) < _ROWS:
        return packed_states(weights, [*batch, [0] * (_ROWS - sum(lengths))])[: len(batch)]
    rows = torch.tensor([token for one in batch for token in one])
    states = _embeddings(weights, rows, torch.cat([torch.arange(length) for length in lengths]))

    def attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        parts = zip(query.split_with_sizes(lengths), key.split_with_sizes(lengths), value.split_with_sizes(lengths), strict=True)
        return torch.cat([_attended(q[None], k[None], v[None], None)[0] for q, k, v in parts])

    for layer in range(_LAYERS):
        states = _layer(weights, f"encoder.layer.{layer}.", states, attend)
    return list(states.split_with_sizes(lengths))


def _passes() -> ThreadPoolExecutor:
    with _making:
        return _pool()


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    """A thread for short passes, in which torch uses that thread alone.

    The threads of one product wait for each other several hundred times a pass: beside any other work, each wait can last a time slice
    (measured: 168 ms for 21 with one core taken). Two passes side by side are no faster than one where they are wanted (measured: 34 ms for 29).
    """
    usual = torch.get_num_threads()
    pool = ThreadPoolExecutor(1, thread_name_prefix="encode", initializer=_alone)
    try:
        pool.submit(torch.get_num_threads).result()
    finally:
        # What a thread sets for itself is what threads begin with after it.
        torch.set_num_threads(usual)
    return pool


def _alone() -> None:
    torch.get_num_threads()
    torch.set_num_threads(1)


def _begin_anew() -> None:
    """In a forked process no thread of its parent runs, and who held the lock never lets go."""
    global _making
    _making = threading.Lock()
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


@torch.inference_mode()
def _told(offsets: np.ndarray, states: torch.Tensor) -> TokenVectors:
    whole = states[None]
    pooled = _pooled(whole, torch.ones(whole.shape[:2], dtype=torch.int64))
    return TokenVectors(offsets, functional.normalize(states[1:-1], p=2, dim=1).numpy(), pooled[0].numpy())


@torch.inference_mode()
def token_states(weights: dict[str, torch.Tensor], batch: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """The last layer for one batch of token ids, and which of its places are a text's own (1) or padding (0)."""
    width = max(len(one) for one in batch)
    ids = torch.tensor([[*one, *[0] * (width - len(one))] for one in batch])
    own = torch.tensor([[1] * len(one) + [0] * (width - len(one)) for one in batch])
    padded = min(len(one) for one in batch) < width
    states = _embeddings(weights, ids, torch.arange(width))
    mask = own[:, None, None, :].bool().expand(len(batch), 1, width, width) if padded else None

    def attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return _attended(query, key, value, mask)

    for layer in range(_LAYERS):
        states = _layer(weights, f"encoder.layer.{layer}.", states, attend)
    return states, own


def _pooled(states: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Unit rows of a batch: the mean of the last layer over a text's own tokens, at length 1."""
    share = own[:, :, None].float()
    means = (states * share).sum(1) / share.sum(1)
    return functional.normalize(means, p=2, dim=1)


def _embeddings(weights: dict[str, torch.Tensor], ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    states = functional.embedding(ids, weights["embeddings.word_embeddings.weight"])
    states = states + weights["embeddings.token_type_embeddings.weight"][0]
    states = states + functional.embedding(positions, weights["embeddings.position_embeddings.weight"])
    return _normed(weights, "embeddings.LayerNorm", states)


def _layer(weights: dict[str, torch.Tensor], name: str, states: torch.Tensor, attend: _Attend) -> torch.Tensor:
    query, key, value = (_linear(weights, f"{name}attention.self.{part}", states) for part in ("query", "key", "value"))
    attended = attend(query, key, value)
    states = _normed(weights, name + "attention.output.LayerNorm", _linear(weights, name + "attention.output.dense", attended) + states)
    inner = functional.gelu(_linear(weights, name + "intermediate.dense", states))
    return _normed(weights, name + "output.LayerNorm", _linear(weights, name + "output.dense", inner) + states)


def _attended(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """Attention within texts of one width, each of shape (texts, width, size)."""
    texts, width, size = query.shape
    heads = [one.view(texts, width, _HEADS, size // _HEADS).transpose(1, 2) for one in (query, key, value)]
    attended = functional.scaled_dot_product_attention(heads[0], heads[1], heads[2], attn_mask=mask)
    return attended.transpose(1, 2).reshape(texts, width, size)


def _linear(weights: dict[str, torch.Tensor], name: str, states: torch.Tensor) -> torch.Tensor:
    return functional.linear(states, weights[name + ".weight"], weights[name + ".bias"])


def _normed(weights: dict[str, torch.Tensor], name: str, states: torch.Tensor) -> torch.Tensor:
    return functional.layer_norm(states, (states.shape[-1],), weights[name + ".weight"], weights[name + ".bias"], _EPSILON)
