"""`answers.duckdb`: answers that batches of questions were given, kept by a key that says what they depend on. A file and a lock of its own.

The file is opened for one read or one write at a time, so that several batches and a refresh can run side by side.
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.tables import Tables, open_tables

ANSWERS_FILE = "answers.duckdb"
LOCK_FILE = "answers.lock"

_TABLE = "CREATE TABLE IF NOT EXISTS answers (key VARCHAR, generation VARCHAR, system VARCHAR, question VARCHAR, status VARCHAR, outcome VARCHAR)"
_COLUMNS = ("key", "generation", "system", "question", "status", "outcome")


class Answers:
    """The kept answers of a home."""

    def __init__(self, home: Path, settings: StoreSettings) -> None:
        self._home = home
        self._settings = settings

    def kept(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Outcomes that are kept under some of the keys."""
        with self._open() as tables:
            rows = tables.rows("SELECT key, outcome FROM answers WHERE key IN (SELECT unnest(?::VARCHAR[]))", [list(keys)])
        return {key: json.loads(outcome) for key, outcome in rows}

    def keep(self, answered: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Keep outcomes under their keys, in one transaction; a key that is kept already stays as it is."""
        rows = [
            (key, o["generation"], o["system"], o["question"], o["status"], json.dumps(o, ensure_ascii=False)) for key, o in answered
        ]
        frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row").unique("key", keep="first", maintain_order=True)
        with self._open() as tables, tables.transaction(), tables.staged("answered", frame) as staged:
            tables.execute(f"INSERT INTO answers SELECT a.* FROM {staged} a ANTI JOIN answers USING (key)")

    @contextlib.contextmanager
    def _open(self) -> Iterator[Tables]:
        self._home.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._home / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            with open_tables(self._home / ANSWERS_FILE, self._settings) as tables:
                tables.execute(_TABLE)
                yield tables
        finally:
            os.close(descriptor)
