"""A small built home that each case copies, and the command line in this process."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import dagster as dg
import pytest

from pagerag_pipeline import cli
from pagerag_pipeline_tests.homes import F1, F2, F3, copy_home, make_home, refreshed


class Told(NamedTuple):
    """What a command left: its exit code, the object it printed, and standard error."""

    code: int
    object: dict[str, Any]
    error: str


Command = Callable[..., Told]


@pytest.fixture(scope="package")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built home over F1, F2 and F3, only to be copied."""
    folder = tmp_path_factory.mktemp("three")
    home = make_home(folder, {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3})
    refreshed(home)
    return home


@pytest.fixture
def home(three: Path, tmp_path: Path) -> Path:
    """A built home over f1.txt, f2.txt and f3.txt, the test's own."""
    return copy_home(three, tmp_path / "own")


@pytest.fixture
def pagerag(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """A function that runs one command under `--json`; runs are recorded in memory."""
    monkeypatch.setattr("pagerag_pipeline.defs.instance.open_instance", lambda home: dg.DagsterInstance.ephemeral())

    def run(*arguments: str | Path) -> Told:
        capsys.readouterr()
        code = cli.main([*map(str, arguments), "--json"])
        out, error = capsys.readouterr()
        return Told(code, json.loads(out), error)

    return run
