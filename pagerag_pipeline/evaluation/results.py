"""Results by question, kept as JSON lines while they come, so that an evaluation that was stopped goes on where it was."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
"""What came of one question in one variant, scored: what `measure.measured` gives, with its key."""


class Results:
    """The rows of one report folder by key: what a row depends on. A row that failed is not kept: its question is asked again.

    With `with_contexts`, for a judge, so is that of a row without its evidence.
    """

    def __init__(self, path: Path, *, with_contexts: bool = False) -> None:
        self.with_contexts = with_contexts
        self._path = path
        self._rows = {row["key"]: row for row in read_rows(path) if row["status"] != "failed"}
        # A line that a kill cut off stays what it is, a line of its own.
        self._break = "\n" if path.exists() and path.stat().st_size and not path.read_bytes().endswith(b"\n") else ""

    def kept(self, key: str) -> Row | None:
        """The row under a key, None when its question has to be asked."""
        row = self._rows.get(key)
        return None if row is None or (self.with_contexts and "contexts" not in row) else row

    def add(self, row: Row) -> None:
        """Keep a row: it is in the file when this returns."""
        self._rows[row["key"]] = row
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(self._break + json.dumps(row, ensure_ascii=False) + "\n")
        self._break = ""

    def finish(self, keys: Sequence[str]) -> list[Row]:
        """The rows under these keys in order; the file then holds them and no other."""
        rows = [self._rows[key] for key in keys]
        unfinished = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        with unfinished.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        unfinished.replace(self._path)
        return rows


def read_rows(path: Path) -> list[Row]:
    """The rows of a results file; a line that a kill cut off is passed over."""
    rows: list[Row] = []
    for line in path.read_bytes().split(b"\n") if path.exists() else ():
        try:
            row = json.loads(line.decode("utf-8"))
        except ValueError:
            continue
        if isinstance(row, dict) and "key" in row and "status" in row:
            rows.append(row)
    return rows
