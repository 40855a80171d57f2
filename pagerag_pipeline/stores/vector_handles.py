"""What is asked of an open table of the vector engine, in both its uses; `vectors` alone opens one."""

import datetime
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from pagerag_pipeline.stores.hits import COSINE_DIGITS

INDEXED = "indexed"
"""Tag of the version whose indexes describe exactly its rows."""

_CLEANUP_MARGIN = datetime.timedelta(seconds=60)
"""The engine measures an age when it gets to the cleanup, a little after it was asked."""


def set_tag(handle: Any, name: str) -> None:
    """Let a tag mean the present version of a table."""
    if name in handle.tags.list():
        handle.tags.update(name, handle.version)
    else:
        handle.tags.create(name, handle.version)


def is_indexed(handle: Any) -> bool:
    """Whether the indexes of a table describe exactly its rows."""
    return bool(handle.tags.list().get(INDEXED, {}).get("version") == handle.version)


def index_rows(handle: Any, kinds: Mapping[str, Any], most: int) -> bool:
    """Build the indexes of a table, of these kinds by column, where they do not describe its rows, that of the vectors beyond `most` rows alone; tells whether it did."""
    if is_indexed(handle):
        return False
    handle.optimize()
    for column in ("terms", "key"):
        handle.create_index(column, config=kinds[column], replace=True)
    if handle.count_rows() > most:
        handle.create_index("vector", config=kinds["vector"], replace=True)
    elif "vector_idx" in [index.name for index in handle.list_indices()]:
        handle.drop_index("vector_idx")
    set_tag(handle, INDEXED)
    return True


def clean_up(handle: Any) -> None:
    """Remove versions of a table older than the oldest tagged one, and what killed writers left."""
    current = is_indexed(handle)
    handle.optimize()
    if current:
        set_tag(handle, INDEXED)
    handle.optimize(cleanup_older_than=oldest_age(handle) + _CLEANUP_MARGIN, delete_unverified=True)


def oldest_age(handle: Any) -> datetime.timedelta:
    """How old the oldest version is that is tagged or present."""
    kept = {handle.version, *(tag["version"] for tag in handle.tags.list().values())}
    oldest = min(one["timestamp"] for one in handle.list_versions() if one["version"] in kept)
    age: datetime.timedelta = datetime.datetime.now(oldest.tzinfo) - oldest
    return age


def fingerprint_of(handle: Any) -> str:
    """What the vectors and terms of a table were made by."""
    fingerprint: bytes = (handle.schema.metadata or {}).get(b"fingerprint", b"")
    return fingerprint.decode()


def keys_of(handle: Any) -> list[str]:
    """All keys of a table, as they are stored."""
    keys: list[str] = handle.search().select(["key"]).to_arrow()["key"].to_pylist()
    return keys


def unit_of(vector: np.ndarray, expected: int, table: str) -> np.ndarray:
    """A question's vector at length one. Raises ValueError when it is not as long as those of the table."""
    query = np.asarray(vector, dtype=np.float32).reshape(-1)
    if query.shape[0] != expected:
        raise ValueError(
            f"The vectors of {table} have {expected} dimensions, the question's has {query.shape[0]}: "
            "the index was built with another embedding model. Refresh, or set the model back."
        )
    length = float(np.linalg.norm(query))
    return query / length if length else query


def cosines_of(vectors: np.ndarray, query: np.ndarray) -> list[float]:
    """Cosines of unit vectors with a query, rounded: the same numbers whichever engine, batch or table in memory the vectors came from."""
    exact = vectors.astype(np.float64) @ query.astype(np.float64)
    return [round(float(one), COSINE_DIGITS) for one in exact]


def pairs(found: pa.Table, column: str) -> Iterator[tuple[str, float]]:
    """Keys with the values of one column."""
    return zip(found["key"].to_pylist(), found[column].to_pylist(), strict=True)
