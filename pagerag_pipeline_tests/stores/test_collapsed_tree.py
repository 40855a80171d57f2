"""What a generation of an earlier version is told as, when it is asked for a graph that it does not hold."""

from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.stores import collapsed_tree
from pagerag_pipeline_tests.homes import F1, build


def test_a_generation_without_a_graph_is_a_fault_that_says_refresh_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def nothing(*_: object) -> None:
        raise collapsed_tree.NotHeld("It holds no co-occurrence graph. Refresh.")

    with QueryEngine(build(tmp_path, {"a.txt": F1})) as engine:
        monkeypatch.setattr(collapsed_tree, "read_term_graph", nothing)
        outcome = engine.ask("Who founded Tinworks?", system="e2")
    assert (outcome.status, outcome.error) == ("failed", "It holds no co-occurrence graph. Refresh.")
    assert not caplog.records
