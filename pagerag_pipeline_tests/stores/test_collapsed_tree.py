"""What a generation of an earlier version is told as, when it is asked for a graph that it does not hold."""

from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.stores import term_graph
from pagerag_pipeline_tests.homes import F1, build


def test_a_generation_without_a_graph_is_a_fault_that_says_refresh_and_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with QueryEngine(build(tmp_path, {"a.txt": F1})) as engine:
        monkeypatch.setattr(term_graph, "HOLDS", term_graph.HOLDS.replace("term_sentences", "tables_of_another_time"))
        outcome = engine.ask("Who founded Tinworks?", system="e2")
    assert outcome.status == "failed" and "holds no co-occurrence graph" in outcome.error and outcome.error.endswith("Refresh.")
    assert not caplog.records
