"""The asset and its job: the same code as the command, the report with its plots in the UI, and nothing done where there is nothing to ask."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from pagerag_pipeline.definitions import house
from pagerag_pipeline_tests.homes import F1, F2, F3, build

ROWS = [
    {"qid": "1", "question": "Who founded Tinworks?", "answers": ["Mara Quill"], "answerable": True, "evidence": ["f1.txt"]},
    {"qid": "2", "question": "Who keeps penguins on the moon?", "answers": [], "answerable": False, "evidence": []},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("reported"), {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3})


@pytest.fixture
def instance(monkeypatch: pytest.MonkeyPatch) -> Iterator[dg.DagsterInstance]:
    monkeypatch.setattr("pagerag_pipeline.evaluation.intervals.RESAMPLES", 20)
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def run(home: Path, instance: dg.DagsterInstance, **config: Any) -> dg.ExecuteInProcessResult:
    job = house(home).resolve_job_def("evaluate")
    return job.execute_in_process(
        instance=instance, run_config={"ops": {"evaluation_report": {"config": config}}}, raise_on_error=False
    )


def test_the_job_reports_the_published_generation_with_plots(home: Path, instance: dg.DagsterInstance, tmp_path: Path) -> None:
    questions = tmp_path / "asked" / "questions.jsonl"
    questions.parent.mkdir()
    questions.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    corpus = str(home.parent / "corpus")
    result = run(home, instance, sets=[str(questions)], corpus=corpus, out=str(tmp_path / "out"))
    assert result.success
    (event,) = result.asset_materializations_for_node("evaluation_report")
    assert event.metadata["asked: page: recall@5"].value == 1.0 and event.metadata["asked: page: correct_refusals"].value == 1.0
    shown = str(event.metadata["report"].value)
    images = [part.split(")")[0] for part in shown.split("data:image/svg+xml;base64,")[1:]]
    assert len(images) == 3 and all(base64.b64decode(image).startswith(b"<svg ") for image in images) and len(shown) < 300_000
    assert json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))["sets"]["asked"]["questions"] == 2


def test_without_questions_nothing_is_done_and_the_run_succeeds(home: Path, instance: dg.DagsterInstance) -> None:
    result = run(home, instance)
    assert result.success and not result.asset_materializations_for_node("evaluation_report")


def test_what_cannot_be_meant_fails_in_words(home: Path, instance: dg.DagsterInstance, tmp_path: Path) -> None:
    result = run(home, instance, sets=[str(tmp_path)])
    assert not result.success
    (failure,) = [event for event in result.all_events if event.is_step_failure]
    assert "--questions" in str(failure.step_failure_data.error)
