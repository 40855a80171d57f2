"""Texts to vectors and signs of their tokens, and the cutting of a text that is longer than the embedder's window."""

from collections.abc import Sequence

import numpy as np

from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.protocols import Embedder, Encoded, Tokenizer
from pagerag_pipeline.settings import EmbedSettings

VERSION = "embed/2"

_PASSES = 256


def encode_texts(texts: Sequence[str], embedder: Embedder, settings: EmbedSettings) -> list[Encoded]:
    """The vector of each text, of length 1, and the signs of its tokens, for texts of any length; equal texts are encoded once.

    A text longer than the window is cut by `split_to_window`; its vector is the mean of its pieces' vectors weighted by their tokens, at
    length 1, so all of it counts and nothing is cut off, and the signs of its pieces stand one after the other. Token ids of at most 256 passes
    are held at a time.
    """
    row = {text: index for index, text in enumerate(dict.fromkeys(texts))}
    distinct = list(row)
    size = settings.batch_size * _PASSES
    encoded = [one for start in range(0, len(distinct), size) for one in _encode(distinct[start : start + size], embedder)]
    return [encoded[row[text]] for text in texts]


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


def _encode(texts: Sequence[str], embedder: Embedder) -> list[Encoded]:
    try:
        return embedder.encode_passages(texts)
    except ValueError:
        return _encode_long(texts, embedder)


def _encode_long(texts: Sequence[str], embedder: Embedder) -> list[Encoded]:
    pieces = [[text[span.start : span.end] for span in split_to_window(text, embedder.tokenizer, embedder.window)] or [text] for text in texts]
    encoded = iter(embedder.encode_passages([piece for one in pieces for piece in one]))
    return [_joined([next(encoded) for _ in one], one, embedder.tokenizer) for one in pieces]


def _joined(encoded: Sequence[Encoded], pieces: Sequence[str], tokenizer: Tokenizer) -> Encoded:
    if len(encoded) == 1:
        return encoded[0]
    vector = _pooled(np.stack([one.vector for one in encoded]), [len(tokenizer.offsets(piece)) for piece in pieces])
    return Encoded(vector, np.concatenate([one.signs for one in encoded]))


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
