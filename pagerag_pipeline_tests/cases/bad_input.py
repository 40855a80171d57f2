"""Corpora of odd files, and what must hold of any generation whatever stood in them."""

from collections.abc import Mapping
from pathlib import Path

import duckdb

from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.stores.work import WORK_FILE
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import STUB_MODELS, make_home, refreshed

Files = Mapping[str, str | bytes]


def over(folder: Path, files: Files, *, settings: str = STUB_MODELS) -> Path:
    """A home over a new corpus folder that holds these files, not refreshed yet."""
    home = make_home(folder, {}, settings=settings)
    add(home, files)
    return home


def add(home: Path, files: Files) -> None:
    """Write files into the corpus of a home."""
    for name, data in files.items():
        (home.parent / "corpus" / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def read(home: Path) -> tuple[Stored, dict[str, str]]:
    """What a refresh left, and why which files were skipped. The stores agree, chunks tile their document, and no text holds a NUL."""
    reports = refreshed(home)
    found = stored(home)
    assert found.faults == []
    for document in found.rows["documents"]:
        chunks = [row for row in found.rows["chunks"] if row["kind"] == "chunk" and row["document"] == document["document"]]
        assert "".join(row["text"] for row in sorted(chunks, key=lambda row: row["start_at"])) == document["text"]
        assert "\0" not in document["text"]
    return found, skipped(reports)


def skipped(reports: Mapping[str, ProductReport]) -> dict[str, str]:
    """Reason by file."""
    return dict(reports["source_documents"].details["skipped"])


def notes(reports: Mapping[str, ProductReport]) -> dict[str, str]:
    """What was repaired or left out, by file."""
    return dict(reports["source_documents"].details["notes"])


def texts(found: Stored) -> dict[str, str]:
    """Text by document."""
    return {row["document"]: row["text"] for row in found.rows["documents"]}


def work(home: Path, sql: str) -> list[tuple[object, ...]]:
    """Rows of the work file."""
    with duckdb.connect(str(home / WORK_FILE), read_only=True) as connection:
        return connection.execute(sql).fetchall()
