"""Every benchmark runs over the bundled corpus and ends in one JSON object; with stand-ins for the models, so its figures mean nothing.

What is called `fit_...` fits weights to published sets and is not tried here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = {
    "alignment.py": [],
    "build.py": [],
    "chat.py": ["--edits", "3", "--asked", "1"],
    "chat_questions.py": ["--limit", "3"],
    "communities.py": [],
    "overhead.py": [],
    "plans.py": ["--limit", "5"],
    "edit.py": [],
    "recall.py": ["--limit", "5"],
    "evidence.py": ["--sample", "5"],
    "citations.py": ["--questions", "5"],
    "languages.py": ["--questions", "5"],
    "relations.py": [],
    "references.py": [],
    "shape.py": [],
    "summaries.py": [],
    "support.py": ["--questions", "5"],
    "steps.py": ["--questions", "3"],
    "aggregation.py": [],
    "cells.py": [],
    "latency.py": ["--processes", "1", "--questions", "3"],
}


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


@pytest.mark.slow
@pytest.mark.parametrize("script", BENCHMARKS)
def test_a_benchmark_ends_in_its_figures(script: str, work: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PAGERAG_EMBED_MODEL": "hash", "PAGERAG_EXTRACT_TAGGER": "rules"}
    command = [sys.executable, str(ROOT / "benchmarks" / script), "bundled", "--work", str(work), *BENCHMARKS[script]]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout.splitlines()[-1])
    assert report["data"] == "bundled"
    assert report["command"] == f"python benchmarks/{script} bundled" + "".join(f" {one}" for one in BENCHMARKS[script])
    assert report["figures"]


def test_every_benchmark_is_tried() -> None:
    scripts = {path.name for path in (ROOT / "benchmarks").glob("*.py") if "def main" in path.read_text(encoding="utf-8")}
    assert {script for script in scripts if not script.startswith("fit_")} == set(BENCHMARKS)
