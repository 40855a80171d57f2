"""What an embeddings server sent, checked: as many vectors as texts, each whole, finite and of one size; anything else is a fault and never a vector."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pagerag_pipeline.models.chat.faults import Fault

_LEAST = 1e-9
"""A vector shorter than this has no direction."""
_MOST = 1e30
"""No model gives such a number; the square of a larger one is none."""


def vectors_of(table: Mapping[str, Any], texts: int, dimension: int) -> np.ndarray:
    """float32 of shape (texts, dimension), rows of length 1, in the order of the texts; a `dimension` of 0 takes that of the first. Raises Fault `malformed`."""
    rows = table.get("data")
    if not isinstance(rows, list) or len(rows) != texts:
        raise _malformed(f"{len(rows) if isinstance(rows, list) else 'no'} vectors came for {texts} texts")
    found: list[Sequence[float]] = [()] * texts
    size = dimension
    for place, row in enumerate(rows):
        index = row.get("index", place) if isinstance(row, dict) else None
        if not isinstance(index, int) or not 0 <= index < texts or len(found[index]):
            raise _malformed(f"vector {place} stands for no text, or for one that has a vector")
        found[index] = _checked(row.get("embedding"), place, size)
        size = len(found[index])
    array = np.array(found, dtype=np.float64)
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > _LEAST)).all():
        raise _malformed(f"vector {int(np.argmin(lengths))} has no length")
    return np.asarray(array / lengths, dtype=np.float32)


def _checked(vector: Any, place: int, dimension: int) -> list[float]:
    if not isinstance(vector, list) or not vector:
        raise _malformed(f"vector {place} is no list of numbers: {json.dumps(vector)[:40]}")
    if dimension and len(vector) != dimension:
        raise _malformed(f"vector {place} has {len(vector)} dimensions, expected {dimension}")
    if not all(isinstance(one, int | float) and not isinstance(one, bool) and abs(one) <= _MOST for one in vector):
        raise _malformed(f"vector {place} holds something else than finite numbers")
    return vector


def _malformed(told: str) -> Fault:
    return Fault("malformed", f"{told}.")
