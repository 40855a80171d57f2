"""The vectors of a table in memory: the nearest of a question by one product instead of a search of the table."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from pagerag_pipeline.stores.hits import Hit
from pagerag_pipeline.stores.vector_handles import cosines_of, unit_of

_MARGIN = 1e-5
"""Ten times the last digit that a cosine keeps, and far more than single precision loses."""


class VectorTable:
    """Keys with their unit vectors; gives what `VectorReader` gives. Safe to read from many threads."""

    def __init__(self, rows: pa.Table) -> None:
        self._keys: list[str] = rows["key"].to_pylist()
        size = rows.schema.field("vector").type.list_size
        vectors = rows["vector"].combine_chunks()
        self._matrix: np.ndarray = vectors.flatten().to_numpy().reshape(len(self._keys), size)
        self._places = {key: place for place, key in enumerate(self._keys)}

    @property
    def nbytes(self) -> int:
        """Memory it takes; a key is kept once as text."""
        return int(self._matrix.nbytes) + 200 * len(self._keys)

    def nearest(self, vector: np.ndarray, *, limit: int, table: str, keys: Sequence[str] | None = None) -> list[Hit]:
        """Up to `limit` pairs (key, cosine), best first, ties by key, only among `keys` when given.

        Raises ValueError when the vector's length is not that of the table.
        """
        query = unit_of(vector, self._matrix.shape[1], table)
        rows = None if keys is None else np.array(sorted({self._places[key] for key in keys if key in self._places}), dtype=np.int64)
        near = self._matrix @ query if rows is None else self._matrix[rows] @ query
        if limit <= 0 or not len(near):
            return []
        # Single precision chooses generously, what ranks is computed as for every other reader.
        last = np.partition(near, -limit)[-limit] - _MARGIN if limit < len(near) else -np.inf
        places = np.flatnonzero(near >= last)
        places = places if rows is None else rows[places]
        hits = zip((self._keys[place] for place in places.tolist()), cosines_of(self._matrix[places], query), strict=True)
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def vectors(self, keys: Sequence[str]) -> dict[str, np.ndarray]:
        """The unit vectors of those keys that the table holds."""
        return {key: self._matrix[self._places[key]] for key in keys if key in self._places}
