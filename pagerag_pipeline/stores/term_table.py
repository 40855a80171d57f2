"""The terms of a table in memory: the best by BM25 by sums over postings instead of a search of the table."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagerag_pipeline.stores.hits import BM25_DIGITS, K1, B, Hit


class TermTable:
    """Keys with what each of their terms adds to a score; ranks as `VectorReader.match` does, scores within one of the last digit. Safe to read from many threads."""

    def __init__(self, rows: pa.Table) -> None:
        self._keys: list[str] = rows["key"].to_pylist()
        self._rows = {key: row for row, key in enumerate(self._keys)}
        size = len(self._keys)
        split = pc.split_pattern(rows["terms"].combine_chunks(), " ")
        words = pc.list_flatten(split)
        held = pc.not_equal(words, "")
        place = np.repeat(np.arange(size), pc.list_value_length(split).to_numpy())[held.to_numpy(zero_copy_only=False)]
        lengths = np.bincount(place, minlength=size)
        coded = words.filter(held).dictionary_encode()
        self._codes = {term: code for code, term in enumerate(coded.dictionary.to_pylist())}
        cells, counts = np.unique(coded.indices.to_numpy().astype(np.int64) * size + place, return_counts=True)
        self._places = (cells % size).astype(np.int32)
        of_term = cells // size
        self._starts = np.searchsorted(of_term, np.arange(len(self._codes) + 1))
        # The index does not count rows without a term.
        rows_held = max(1, int(np.count_nonzero(lengths)))
        norm = K1 * (1 - B + B * lengths * rows_held / max(1, int(lengths.sum())))
        frequency = np.diff(self._starts)
        rarity = np.log1p((rows_held - frequency + 0.5) / (frequency + 0.5))
        self._parts = (rarity[of_term] * counts * (K1 + 1) / (counts + norm[self._places])).astype(np.float32)

    @property
    def nbytes(self) -> int:
        """Memory it takes; a key and a term are kept once as text."""
        return int(self._places.nbytes + self._parts.nbytes + self._starts.nbytes) + 200 * (len(self._keys) + len(self._codes))

    def match(self, terms: Sequence[str], *, limit: int, keys: Sequence[str] | None = None) -> list[Hit]:
        """Up to `limit` pairs (key, BM25), best first, ties by key; rows that hold at least one of the terms, only among `keys` when given, with the same scores.

        Repeated terms count once.
        """
        scores = np.zeros(len(self._keys))
        for term in sorted({word for term in terms for word in term.split()} & self._codes.keys()):
            held = slice(*self._starts[self._codes[term] : self._codes[term] + 2])
            scores[self._places[held]] += self._parts[held]
        scores = np.round(scores, BM25_DIGITS)
        if keys is not None:
            inside = np.zeros(len(scores), dtype=bool)
            inside[[self._rows[key] for key in keys if key in self._rows]] = True
            scores[~inside] = 0.0
        if limit <= 0:
            return []
        last = np.partition(scores, -limit)[-limit] if limit < len(scores) else 0.0
        places = np.flatnonzero((scores >= last) & (scores > 0))
        hits = zip((self._keys[place] for place in places.tolist()), np.round(scores[places], BM25_DIGITS).tolist(), strict=True)
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]
