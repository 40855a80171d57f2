"""Which things stand with which, as sparse rows: the arrays that searches over a generation run on."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Incidence:
    """For each of some things, in order of their numbers, the sorted numbers of those that stand with it."""

    starts: np.ndarray
    """Of each row, where it begins in `ends`; one longer than the number of rows."""
    ends: np.ndarray

    def of(self, row: int) -> np.ndarray:
        """What stands with one."""
        found: np.ndarray = self.ends[self.starts[row] : self.starts[row + 1]]
        return found

    def of_all(self, rows: np.ndarray) -> np.ndarray:
        """What stands with any of several, one row after the other, repetitions included."""
        first = self.starts[rows]
        lengths = self.starts[rows + 1] - first
        before = np.concatenate([[0], np.cumsum(lengths)[:-1]]) if len(rows) else np.zeros(0, dtype=np.int64)
        found: np.ndarray = self.ends[np.repeat(first - before, lengths) + np.arange(int(lengths.sum()))]
        return found


def incidence(rows: np.ndarray, columns: np.ndarray, size: int) -> Incidence:
    """Pairs of numbers as rows 0..size-1; a pair that comes twice stands twice."""
    order = np.lexsort((columns, rows))
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
    return Incidence(starts.astype(np.int64), columns[order].astype(np.int32))


def both_ways(rows: np.ndarray, columns: np.ndarray, sizes: tuple[int, int]) -> tuple[Incidence, Incidence]:
    """The same pairs read from either end, so that the two are each other's inverse."""
    return incidence(rows, columns, sizes[0]), incidence(columns, rows, sizes[1])
