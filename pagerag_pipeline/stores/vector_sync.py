"""From the remembered vectors of the work file to the searched tables of the vector store: what is alive there is searched, nothing else."""

from collections.abc import Callable, Collection, Sequence

import polars as pl

from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.vectors import VectorStore

SOURCES = {
    "passages": "chunk_embeddings",
    "reports": "report_embeddings",
    "summaries": "summary_embeddings",
    "handles": "handle_embeddings",
}
"""Searched table and the ledger whose units it holds."""

WITH_SIGNS = ("passages",)
"""Tables that a question is compared with token by token."""


def sync_vectors(tables: Tables, vectors: VectorStore, *, fingerprint: str, anew: Collection[str] = ()) -> dict[str, int]:
    """Make every searched table hold exactly the live vectors, then index it; returns rows by table.

    `fingerprint` is the code version of the embeddings: vectors of two models, or terms of two analyses, never stand in one table. What is
    in `anew` is written again in full.
    """
    counts = {}
    for table, ledger in SOURCES.items():
        wanted = [key for (key,) in tables.rows(f"SELECT unit FROM ledger_{ledger} WHERE status = 'ok' ORDER BY unit")]
        report = vectors.sync(table, wanted, _fetcher(tables, ledger, signs=table in WITH_SIGNS), fingerprint=fingerprint, anew=table in anew)
        vectors.index(table)
        counts[table] = report.rows
    return counts


def _fetcher(tables: Tables, ledger: str, *, signs: bool) -> Callable[[Sequence[str]], pl.DataFrame]:
    columns = "l.unit AS key, v.terms, v.vector, v.signs" if signs else "l.unit AS key, v.terms, v.vector"

    def fetch(keys: Sequence[str]) -> pl.DataFrame:
        with tables.staged("fetched_keys", pl.DataFrame({"unit": list(keys)}, schema={"unit": pl.String})) as staged:
            return tables.frame(
                f"SELECT {columns} FROM ledger_{ledger} l SEMI JOIN {staged} f USING (unit) "
                f"JOIN vectors v ON v.key = l.key WHERE l.status = 'ok' ORDER BY l.unit"
            )

    return fetch
