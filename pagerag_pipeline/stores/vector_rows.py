"""Rows of a vector table as they are stored, checked against what was asked for."""

import contextlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

from pagerag_pipeline.stores.damaged import FileDamaged
from pagerag_pipeline.stores.hits import Hit
from pagerag_pipeline.stores.vector_handles import cosines_of


class VectorsError(RuntimeError):
    """A vector table that does not hold what it should; the message says which, and what helps."""


@contextlib.contextmanager
def reading(table: Path) -> Iterator[None]:
    """Errors of the engine while it reads a table, as FileDamaged that names its folder."""
    try:
        yield
    except (RuntimeError, OSError, ValueError) as error:
        raise FileDamaged(f"{table} is damaged: its files cannot be read.") from error


def repeated(keys: Sequence[str]) -> set[str]:
    """The keys that stand more than once."""
    seen: set[str] = set()
    return {key for key in keys if key in seen or seen.add(key)}  # type: ignore[func-returns-value]


def vector_rows(table: str, asked: Sequence[str], frame: pl.DataFrame, fingerprint: str) -> pa.Table:
    """The fetched rows as the engine stores them, in the order of the keys; with `signs` where they came."""
    ordered = frame.unique("key", keep="first").sort("key")
    if ordered["key"].to_list() != list(asked):
        lacking = sorted(set(asked) - set(ordered["key"].to_list()))
        raise VectorsError(f"{table}: {len(lacking)} of {len(asked)} wanted keys have no vector, or others came back; first: {lacking[:3]}")
    lengths = ordered["vector"].list.len() if ordered["vector"].dtype == pl.List else None
    if lengths is not None and lengths.n_unique() > 1:
        raise VectorsError(f"{table}: vectors of different lengths: {sorted(lengths.unique().to_list())}")
    dimension = int(lengths[0]) if lengths is not None else ordered["vector"].dtype.shape[0]  # type: ignore[attr-defined]
    flat = ordered["vector"].explode().cast(pl.Float32).to_arrow()
    columns = [
        ordered["key"].to_arrow().cast(pa.string()),
        ordered["terms"].to_arrow().cast(pa.string()),
        pa.FixedSizeListArray.from_arrays(flat, dimension),
    ]
    names = ["key", "terms", "vector"]
    if "signs" in ordered.columns:
        columns.append(ordered["signs"].fill_null(b"").to_arrow().cast(pa.binary()))
        names.append("signs")
    return pa.table(columns, names=names).replace_schema_metadata({"fingerprint": fingerprint})


def token_bytes(schema: pa.Schema) -> int:
    """Bytes that the signs of a token take in a table; 0 where it has none, as those that an earlier version of this program wrote."""
    size: int = schema.field("vector").type.list_size
    return math.ceil(size / 8) if "signs" in schema.names else 0


def sign_matrix(column: pa.ChunkedArray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The signs of all tokens of a column as uint8 of shape (tokens, width), and where each row begins, with the end of the last."""
    rows = column.cast(pa.large_binary()).combine_chunks()
    _, offsets, values = rows.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[rows.offset : rows.offset + len(rows) + 1]
    flat = np.frombuffer(values or b"", dtype=np.uint8)[ends[0] : ends[-1]]
    return flat.reshape(-1, width), (ends - ends[0]) // width


def check_length(table: str, rows: pa.Table, schema: pa.Schema) -> None:
    """Raise VectorsError when the rows' vectors are not as long as those of the table."""
    given, known = (one.field("vector").type.list_size for one in (rows.schema, schema))
    if given != known:
        raise VectorsError(f"{table} holds vectors of {known} dimensions, {given} came: another model needs another fingerprint")


def hits_of(found: pa.Table, query: np.ndarray) -> list[Hit]:
    """The rows of a search with their cosines."""
    vectors = found["vector"].combine_chunks().flatten().to_numpy().reshape(found.num_rows, len(query))
    return list(zip(found["key"].to_pylist(), cosines_of(vectors, query), strict=True))
