"""The signs of the tokens of a table in memory, so that asking compares a question with every token of a passage without reading it anew."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from pagerag_pipeline.stores.vector_rows import sign_matrix


class SignTable:
    """Keys with the signs of their tokens; gives what `VectorReader.signs` gives. Safe to read from many threads."""

    def __init__(self, rows: pa.Table, token_bytes: int) -> None:
        self._matrix, self._starts = sign_matrix(rows["signs"], token_bytes)
        self._places = {key: place for place, key in enumerate(rows["key"].to_pylist())}

    @property
    def nbytes(self) -> int:
        """Memory it takes; a key is kept once as text."""
        return int(self._matrix.nbytes + self._starts.nbytes) + 200 * len(self._places)

    def signs(self, keys: Sequence[str]) -> dict[str, np.ndarray]:
        """The signs, uint8 of shape (tokens, bytes a token), of those keys that the table holds."""
        places = {key: self._places[key] for key in keys if key in self._places}
        return {key: self._matrix[self._starts[place] : self._starts[place + 1]] for key, place in places.items()}
