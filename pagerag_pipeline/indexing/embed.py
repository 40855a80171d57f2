"""Texts to vectors, and the cutting of a text that is longer than the embedder's window."""

from collections.abc import Sequence

import numpy as np

from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.protocols import Embedder, Tokenizer
from pagerag_pipeline.settings import EmbedSettings

VERSION = "embed/1"

_PASSES = 256


def encode_texts(texts: Sequence[str], embedder: Embedder, settings: EmbedSettings) -> np.ndarray:
    """float32 of shape (len(texts), dimension), rows of length 1, for texts of any length; equal texts are encoded once.

    A text longer than the window is cut by `split_to_window`; its vector is the mean of its pieces' vectors weighted by their tokens, at
    length 1, so all of it counts and nothing is cut off. Token ids of at most 256 passes are held at a time.
    """
    row = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    distinct = list(row)
    size = settings.batch_size * _PASSES
    blocks = [_encode(distinct[start : start + size], embedder) for start in range(0, max(1, len(distinct)), size)]
    return np.concatenate(blocks)[[row[text] for text in texts]]


def split_to_window(text: str, tokenizer: Tokenizer, window: int) -> list[Span]:
    """Spans that tile the text in order, each of at most `window` tokens; cut after white space where there is any in its second half.

    Raises ValueError for a window below 1. An empty text has no spans.
    """
    if window < 1:
        raise ValueError(f"a window must hold at least one token, not {window}")
    spans: list[Span] = []
    pending = [Span(0, len(text))] if text else []
    while pending:
        span = pending.pop()
        starts = tokenizer.offsets(text[span.start : span.end])[:, 0]
        if len(starts) <= window or span.end - span.start == 1:
            spans.append(span)
            continue
        pending.extend(reversed([Span(span.start + a, span.start + b) for a, b in _tiles(text[span.start : span.end], starts, window)]))
    return spans


def _encode(texts: Sequence[str], embedder: Embedder) -> np.ndarray:
    try:
        return embedder.encode(texts)
    except ValueError:
        return _encode_long(texts, embedder)


def _encode_long(texts: Sequence[str], embedder: Embedder) -> np.ndarray:
    pieces = [[text[span.start : span.end] for span in split_to_window(text, embedder.tokenizer, embedder.window)] or [text] for text in texts]
    vectors = embedder.encode([piece for one in pieces for piece in one])
    rows = np.zeros((len(texts), embedder.dimension), dtype=np.float32)
    position = 0
    for index, one in enumerate(pieces):
        block = vectors[position : position + len(one)]
        rows[index] = block[0] if len(one) == 1 else _pooled(block, [len(embedder.tokenizer.offsets(piece)) for piece in one])
        position += len(one)
    return rows


def _pooled(vectors: np.ndarray, weights: Sequence[int]) -> np.ndarray:
    mean = np.average(vectors.astype(np.float64), axis=0, weights=np.maximum(weights, 1))
    length = float(np.linalg.norm(mean))
    return (mean / length if length > 1e-9 else vectors[0]).astype(np.float32)


def _tiles(text: str, starts: np.ndarray, window: int) -> list[tuple[int, int]]:
    """Ranges that tile the text: each ends before its (window + 1)-th token, or at the last white space after half of them.

    Cutting inside a word may change the tokens there, so the caller counts each range anew and cuts again where it must; a range is
    always shorter than the text.
    """
    tiles: list[tuple[int, int]] = []
    begin = first = 0
    while first + window < len(starts):
        limit = int(starts[first + window])
        half = int(starts[first + window // 2])
        space = max(text.rfind(" ", half, limit), text.rfind("\n", half, limit)) + 1
        end = max(space or limit, begin + 1)
        tiles.append((begin, end))
        begin, first = end, int(np.searchsorted(starts, end))
    if begin < len(text):
        tiles.append((begin, len(text)))
    return tiles
