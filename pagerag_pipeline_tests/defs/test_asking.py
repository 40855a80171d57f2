"""Asking from Dagster: the query resource and the job that answers a file of questions."""

import json
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from pagerag_pipeline.definitions import house
from pagerag_pipeline.defs.resources import QueryResource
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Outcome
from pagerag_pipeline_tests.homes import F1, F2, F3, corpus_of, make_home, refreshed, write_files

QUESTIONS = [
    {"qid": "a", "question": "Who founded Tinworks?", "answers": ["Mara Quill"]},
    {"qid": "b", "question": "Who keeps penguins on the moon?"},
    {"qid": "c", "question": "Who?", "doc_ids": ["nowhere.txt"]},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = make_home(tmp_path_factory.mktemp("asking"), {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3})
    refreshed(home)
    return home


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def run(home: Path, instance: dg.DagsterInstance, *, questions: Path, out: Path | None = None) -> dict[str, int]:
    config = {"questions": str(questions), "system": "passages", **({"out": str(out)} if out else {})}
    job = house(home).resolve_job_def("answer_questions")
    result = job.execute_in_process(instance=instance, run_config={"ops": {"answer_file": {"config": config}}})
    counts: dict[str, int] = result.output_for_node("answer_file")
    return counts


def test_a_question_has_the_outcome_that_the_command_prints(home: Path):
    query = QueryResource(home=str(home))
    outcome = query.ask("Who founded Tinworks?", documents=["f1.txt"], budget=500)
    query.close()
    assert outcome["generation"] and outcome["system"] == "page"
    assert {span["document"] for item in outcome["evidence"] for span in item["spans"]} == {"f1.txt"}
    assert json.loads(json.dumps(outcome)) == outcome


def test_the_engine_of_ask_is_kept_warm_and_let_go(home: Path):
    query = QueryResource(home=str(home))
    query.ask("Who founded Tinworks?")
    engine = query._engine
    query.ask("Who bought Tinworks?")
    assert query._engine is engine is not None
    query.close()
    assert query._engine is None


def test_a_resource_over_nothing_refuses_with_no_index(tmp_path: Path):
    assert QueryResource(home=str(tmp_path)).ask("Who?")["reason"] == "no_index"


def test_a_file_is_answered_in_order_and_not_asked_twice(
    home: Path, instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    questions, out = tmp_path / "questions.jsonl", tmp_path / "deep" / "answers.jsonl"
    questions.write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), encoding="utf-8")
    asked: list[str] = []
    ask = QueryEngine.ask

    def counted(self: QueryEngine, question: object, **named: object) -> Outcome:
        asked.append(question.qid)  # type: ignore[attr-defined]
        return ask(self, question, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(QueryEngine, "ask", counted)
    first = run(home, instance, questions=questions, out=out)
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["qid"] for line in lines] == asked == ["a", "b", "c"]
    assert first["questions"] == 3 and first["taken_again"] == 0 and first["failed"] == 1
    assert lines[2]["status"] == "failed" and "nowhere.txt" in lines[2]["error"]
    second = run(home, instance, questions=questions, out=out)
    assert second["taken_again"] == 2 and asked == ["a", "b", "c", "c"]
    again = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert again[:2] == lines[:2]


def test_a_new_generation_is_asked_anew_and_the_answers_go_to_the_home_by_default(
    instance: dg.DagsterInstance, tmp_path: Path
):
    home = make_home(tmp_path, {"f1.txt": F1})
    refreshed(home)
    questions = tmp_path / "standing.jsonl"
    questions.write_text(json.dumps(QUESTIONS[0]), encoding="utf-8")
    assert run(home, instance, questions=questions)["taken_again"] == 0
    assert run(home, instance, questions=questions)["taken_again"] == 1
    write_files(corpus_of(home), {"f2.txt": F2})
    refreshed(home)
    assert run(home, instance, questions=questions)["taken_again"] == 0
    assert len((home / "answers" / "standing.jsonl").read_text(encoding="utf-8").splitlines()) == 1
