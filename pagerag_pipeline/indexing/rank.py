"""How central a sentence is among others, and which few of them say most without saying it twice."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

DAMPING = 0.85
REDUNDANCY = 1.0
"""How much of a sentence's value (1 for the most central one) is lost by being like one that is chosen already."""
DUPLICATE = 0.9
"""A sentence this like a chosen one is never taken."""
_PASSES = 30
_CONVERGED = 1e-6
_MISSES = 40
"""So many sentences in a row that do not fit end the choice."""


@dataclass(frozen=True, slots=True)
class TermMatrix:
    """Sentences as unit vectors of weighted terms, in coordinate form (row, column, value)."""

    count: int
    width: int
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    def times(self, vector: np.ndarray) -> np.ndarray:
        """Matrix times a vector over terms: one number a sentence."""
        return np.bincount(self.rows, self.values * vector[self.columns], self.count)

    def transposed_times(self, vector: np.ndarray) -> np.ndarray:
        """Transposed matrix times a vector over sentences: one number a term."""
        return np.bincount(self.columns, self.values * vector[self.rows], self.width)

    def likeness(self, row: int) -> np.ndarray:
        """Cosine of every sentence with one of them."""
        return self.times(self.transposed_times(np.arange(self.count) == row))


def term_matrix(sentences: Sequence[Sequence[str]]) -> TermMatrix:
    """Rows of length 1 with weights (1 + ln tf) * ln(1 + n / df); a sentence without terms has a row of zeros."""
    place: dict[str, int] = {}
    rows, columns, counts = [], [], []
    for row, terms in enumerate(sentences):
        for term, count in Counter(terms).items():
            rows.append(row)
            columns.append(place.setdefault(term, len(place)))
            counts.append(count)
    row_index, column_index = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
    spread = np.bincount(column_index, minlength=len(place))
    values = (1 + np.log(np.array(counts, dtype=np.float64))) * np.log1p(len(sentences) / spread[column_index])
    lengths = np.sqrt(np.bincount(row_index, values * values, len(sentences)))
    return TermMatrix(len(sentences), len(place), row_index, column_index, values / lengths[row_index])


def centrality(matrix: TermMatrix) -> np.ndarray:
    """Continuous LexRank (Erkan and Radev 2004), scaled so that the most central sentence has 1; 0 for one without terms.

    p = (1 - d) / n + d * S' p, where S is the cosine matrix with rows that sum to 1. S is never built: S p = X (X' p), so a
    pass is linear in the number of terms.
    """
    if not len(matrix.values):
        return np.zeros(matrix.count)
    degrees = matrix.times(matrix.transposed_times(np.ones(matrix.count)))
    own = degrees > 0
    scores = own / own.sum()
    for _ in range(_PASSES):
        spread = np.divide(scores, degrees, out=np.zeros(matrix.count), where=own)
        after = own * ((1 - DAMPING) / own.sum() + DAMPING * matrix.times(matrix.transposed_times(spread)))
        moved = np.abs(after - scores).sum()
        scores = after
        if moved < _CONVERGED:
            break
    scaled: np.ndarray = scores / scores.max()
    return scaled


def choose(values: np.ndarray, matrix: TermMatrix, *, fits: Callable[[int], bool], gain: Callable[[], np.ndarray], most: int) -> list[int]:
    """At most `most` sentences in the order of choice: greedily the best of value + gain - REDUNDANCY * likeness to those chosen.

    `fits` is asked once for each candidate and takes note of it when it says yes; `gain` is asked before each choice. Ties go to the
    earlier sentence.
    """
    chosen: list[int] = []
    likeness = np.zeros(matrix.count)
    free = np.ones(matrix.count, dtype=bool)
    misses = 0
    while len(chosen) < most and misses < _MISSES and free.any():
        worth = np.round(values + gain() - REDUNDANCY * likeness, 9)
        best = int(np.argmax(np.where(free, worth, -np.inf)))
        free[best] = False
        if not fits(best):
            misses += 1
            continue
        misses = 0
        chosen.append(best)
        likeness = np.maximum(likeness, matrix.likeness(best))
        free &= likeness < DUPLICATE
    return chosen
