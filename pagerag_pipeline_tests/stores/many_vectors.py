"""A program that syncs, indexes and asks many vectors, and prints what that took: MiB of memory above that of a few vectors, rows, hits."""

import json
import resource
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.stores.vectors import VectorReader, VectorStore

DIMENSION = 384
ROWS = 20_000
ASKED = 40


def unit_rows(keys: Sequence[str]) -> pl.DataFrame:
    """Random unit vectors for keys, with two terms each."""
    vectors = np.random.default_rng(len(keys)).normal(size=(len(keys), DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return pl.DataFrame(
        {"key": list(keys), "terms": ["bees honey"] * len(keys), "vector": pl.Series(vectors, dtype=pl.Array(pl.Float32, DIMENSION))}
    )


def synced(folder: Path, rows: int) -> VectorReader:
    """A store of that many vectors, indexed and opened."""
    store = VectorStore(folder, EmbedSettings(index_rows=ROWS // 2))
    store.sync("passages", [f"k{number:06}" for number in range(rows)], unit_rows)
    store.index("passages")
    return VectorReader(folder, store.versions())


def peak_mib() -> float:
    """The most memory that this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    folder = Path(sys.argv[1])
    query = np.ones(DIMENSION, dtype=np.float32)
    synced(folder / "few", 300).nearest("passages", query, limit=ASKED)
    before = peak_mib()
    reader = synced(folder / "many", ROWS)
    hits = reader.nearest("passages", query, limit=ASKED)
    sys.stdout.write(json.dumps({"mib": round(peak_mib() - before), "rows": reader.count("passages"), "hits": len(hits)}))


if __name__ == "__main__":
    main()
