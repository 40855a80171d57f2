"""Seals: what the manifest notes of each stored part when it is published, so that damage is found before it is read, kept or linked on."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from pagerag_pipeline.stores.damaged import FileDamaged

Seal = dict[str, Any]
"""`size` (bytes of a file, rows of a vector table) and `digest`."""


def file_seal(path: Path) -> Seal:
    """Size and SHA-256 of a file (measured: 0.24 s for 200 MB)."""
    with path.open("rb") as file:
        return {"size": path.stat().st_size, "digest": hashlib.file_digest(file, "sha256").hexdigest()}


def check_file(path: Path, seal: Seal | None, *, whole: bool = True) -> None:
    """Raise FileDamaged unless a file is what was sealed; without `whole`, its size alone is compared. Without a seal it must be there."""
    if not path.is_file():
        raise FileDamaged(f"{path} is missing.")
    if seal is None:
        return
    size = path.stat().st_size
    if size != seal["size"]:
        raise FileDamaged(f"{path} is damaged: it has {size:,} bytes instead of {seal['size']:,}.")
    if whole and file_seal(path) != seal:
        raise FileDamaged(f"{path} is damaged: its content is not what was published.")


def rows_seal(batches: Iterable[pa.RecordBatch]) -> Seal:
    """Number and digest of rows in their order, whatever the batches they come in; signs count where rows have them."""
    rows, digests = 0, {name: hashlib.sha256() for name in ("key", "terms", "vector")}
    for batch in batches:
        rows += batch.num_rows
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            digests.setdefault(name, hashlib.sha256()).update(_bytes(name, column))
    return {"size": rows, "digest": hashlib.sha256(b"".join(digest.digest() for digest in digests.values())).hexdigest()}


def _bytes(name: str, column: pa.Array) -> bytes:
    if name == "vector":
        return bytes(column.flatten().to_numpy().tobytes())
    if name == "signs":
        return b"".join(len(one).to_bytes(8, "little") + one for one in column.to_pylist())
    return "\n".join(column.to_pylist()).encode() + b"\n"
