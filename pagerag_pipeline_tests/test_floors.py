"""The floors hold, and each contract bites when one forbidden import is added to a copy of the package."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FORBIDDEN = [
    ("systems/page.py", "pagerag_pipeline.query", "Floors: a room imports only from floors below it"),
    ("query.py", "pagerag_pipeline.evaluation.datasets", "Floors: a room imports only from floors below it"),
    ("schema/documents.py", "pagerag_pipeline.lexical", "Floors: a room imports only from floors below it"),
    ("prompts/load.py", "pagerag_pipeline.indexing.ontology", "Floors: a room imports only from floors below it"),
    ("indexing/chunk.py", "pagerag_pipeline.stores.tables", "Floors: a room imports only from floors below it"),
    ("refresh/products.py", "pagerag_pipeline.retrieval.text", "Floors: a room imports only from floors below it"),
    ("retrieval/path.py", "pagerag_pipeline.retrieval.tree", "Retrieval operators are strangers to each other"),
    ("refresh/session.py", "dagster", "One wing knows Dagster"),
    ("query.py", "duckdb", "DuckDB is opened in one file"),
    ("retrieval/text.py", "lancedb", "LanceDB is opened in one file"),
    ("stores/export.py", "kuzu", "Kuzu is opened in one file"),
    ("query.py", "openai", "The client of chat servers is imported in one file"),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def kept(report: str) -> dict[str, bool]:
    lines = [line for line in report.splitlines() if line.endswith((" KEPT", " BROKEN"))]
    return {line.rsplit(" ", 1)[0]: line.endswith(" KEPT") for line in lines}


def test_every_contract_is_kept() -> None:
    report = lint(ROOT)
    assert report.returncode == 0, report.stdout + report.stderr
    assert set(kept(report.stdout)) == {contract for _, _, contract in FORBIDDEN}


@pytest.mark.parametrize(("file", "target", "contract"), FORBIDDEN)
def test_a_forbidden_import_breaks_its_contract_and_no_other(tmp_path: Path, file: str, target: str, contract: str) -> None:
    shutil.copytree(ROOT / "pagerag_pipeline", tmp_path / "pagerag_pipeline", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "pagerag_pipeline" / file).open("a", encoding="utf-8") as module:
        module.write(f"\nimport {target}\n")
    report = lint(tmp_path)
    assert report.returncode != 0
    assert [name for name, whole in kept(report.stdout).items() if not whole] == [contract]
