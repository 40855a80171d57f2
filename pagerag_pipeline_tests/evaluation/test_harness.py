"""A whole evaluation over a small set with stand-ins for the models: built, asked, reported, taken up again; gold reaches no system."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline import arguments, cli, query
from pagerag_pipeline.evaluation.datasets import Selection
from pagerag_pipeline.evaluation.harness import KNOWN_ABLATIONS, Evaluation, Request, evaluate
from pagerag_pipeline.evaluation.homes import GenerationMoved
from pagerag_pipeline.evaluation.results import read_rows
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.evaluation.summary import ALL_SETS
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.stores.generations import current_name
from pagerag_pipeline.systems.ablations import system_of
from pagerag_pipeline_tests.evaluation.sets import QUESTIONS, write_set
from pagerag_pipeline_tests.homes import STUB_MODELS

CANARY = "zyzzyva"
SECRET = {
    "kind": f"{CANARY} kind",
    "qid": f"{CANARY}-true",
    "answers": [f"{CANARY} answer"],
    "evidence": ["bell"],
    "qrels": {"bell": 1},
}


@pytest.fixture(scope="module")
def request_made(tmp_path_factory: pytest.TempPathFactory) -> Request:
    folder = tmp_path_factory.mktemp("evaluated")
    start = folder / "start"
    start.mkdir()
    (start / "pagerag.toml").write_text(STUB_MODELS, encoding="utf-8")
    return Request((write_set(folder / "own"),), start)


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    """Intervals are not what is looked at here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pagerag_pipeline.evaluation.intervals.RESAMPLES", 20)
        yield


@pytest.fixture(scope="module")
def found(request_made: Request) -> Evaluation:
    return evaluate(replace(request_made, ablations=KNOWN_ABLATIONS))


def home_of(found: Evaluation, request_made: Request) -> Path:
    return request_made.start / "evaluation" / str(found.report["sets"]["own"]["home"])


def test_every_variant_is_asked_every_question(found: Evaluation) -> None:
    results = found.report["results"]["own"]
    assert list(results) == ["page", "passages", *(f"{system_of(one)}:{one}" for one in KNOWN_ABLATIONS)]
    assert {figures["questions"] for figures in results.values()} == {4}
    page = results["page"]
    assert (page["recall@5"]["value"], page["recall@5"]["n"], page["evidence_hit"]["value"]) == (1.0, 3, 1.0)
    assert page["correct_refusals"] == {"value": 1.0, "low": None, "high": None, "n": 1}
    assert page["plans_with"]["text"] == 1.0 and "gate" in page["latency_ms_by_step"]
    assert all("failed" not in figures["statuses"] for figures in results.values())
    assert "text" not in results["page:no_floor"]["plans_with"]
    assert "spread" in page["plans_with"] and "spread" not in results["page:no_structural_guidance"]["plans_with"]


def test_the_report_tells_its_conditions(found: Evaluation) -> None:
    report = json.loads((found.folder / "report.json").read_text(encoding="utf-8"))
    assert (report["seed"], report["k"], report["evidence_tokens"]) == (7, [2, 5, 10], 2400)
    about = report["sets"]["own"]
    assert (
        about["split"]
        and about["generation"]
        and about["settings_digest"]
        and {"scipy", "duckdb", "pagerag_pipeline"} <= set(report["versions"])
    )
    page = (found.folder / "report.md").read_text(encoding="utf-8")
    assert all((found.folder / "plots" / f"{name}.svg").exists() and f"plots/{name}.svg" in page for name in found.plots)


def test_rows_hold_what_a_fit_needs(found: Evaluation) -> None:
    rows = [row for row in read_rows(found.folder / "results.jsonl") if row["variant"] == "page"]
    assert [row["qid"] for row in rows] == ["1", "2", "3", "4"]
    assert (
        {"in_place", "coverage", "unknown"} <= set(rows[0]["features"]) and rows[0]["group"] == "1" and rows[0]["answerable"] is True
    )


def test_what_was_asked_is_not_asked_again_and_what_is_missing_is(
    found: Evaluation, request_made: Request, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []
    ask = QueryEngine.ask

    def noted(self: QueryEngine, question: Question, **named: Any) -> Any:
        asked.append(question.text)
        return ask(self, question, **named)

    monkeypatch.setattr(QueryEngine, "ask", noted)
    copied = tmp_path / "results.jsonl"
    lines = (found.folder / "results.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    copied.write_text("".join(lines[:7]) + lines[7][:20], encoding="utf-8")
    again = evaluate(replace(request_made, out=tmp_path))
    assert asked == ["What did Sister Bell keep at Low Farm?"] * 2  # once to warm up
    assert again.report["sets"]["own"]["home_reused"] is True
    assert again.report["results"]["own"]["page"]["recall@5"] == found.report["results"]["own"]["page"]["recall@5"]
    asked.clear()
    evaluate(replace(request_made, out=tmp_path))
    assert asked == []


def test_systems_that_a_planner_may_stand_in_front_of_are_asked_behind_it_too(found: Evaluation, request_made: Request, tmp_path: Path) -> None:
    planned = replace(request_made, systems=("page", "ensi", "passages"), plans=("pank",), home=home_of(found, request_made), out=tmp_path)
    report = evaluate(planned).report
    results = report["results"]["own"]
    assert list(results) == report["variants"] == ["page", "ensi", "passages", "page+pank", "ensi+pank"] and report["plans"] == ["pank"]
    assert "hops" in results["page+pank"]["plans_with"] and "hops" not in results["page"]["plans_with"]
    assert all(figures["questions"] == 4 and "failed" not in figures["statuses"] for figures in results.values())
    with pytest.raises(EvaluationError, match="No planner stands in front of passages; one may stand in front of page, ensi"):
        evaluate(replace(planned, systems=("passages",)))


def test_a_question_that_raises_is_counted_and_asked_again(
    found: Evaluation, request_made: Request, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gather = query.SYSTEMS["passages"]

    def failing(question: Question, means: Any) -> Any:
        if "Tinworks?" in question.text:
            raise RuntimeError("no room")
        return gather(question, means)

    monkeypatch.setitem(query.SYSTEMS, "passages", failing)
    named = replace(request_made, systems=("passages",), out=tmp_path, home=home_of(found, request_made))
    figures = evaluate(named).report["results"]["own"]["passages"]
    assert figures["statuses"]["failed"] == 1 and figures["lenient"]["n"] == 3
    (row,) = [row for row in read_rows(tmp_path / "results.jsonl") if row["status"] == "failed"]
    assert row["qid"] == "1" and "no room" in row["error"]
    monkeypatch.setitem(query.SYSTEMS, "passages", gather)
    assert "failed" not in evaluate(named).report["results"]["own"]["passages"]["statuses"]


def test_no_system_is_given_gold(found: Evaluation, request_made: Request, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: list[str] = []
    for name, gather in list(query.SYSTEMS.items()):

        def seen(question: Question, means: Any, gather: Any = gather) -> Any:
            given.append(repr(question))
            return gather(question, means)

        monkeypatch.setitem(query.SYSTEMS, name, seen)
    rows = [
        {**SECRET, "question": "What did Sister Bell keep?", "answerable": True},
        {**SECRET, "qid": f"{CANARY}2", "question": "Who?", "answerable": False},
    ]
    secret = write_set(tmp_path / CANARY, rows)
    evaluate(replace(request_made, sets=(secret,), home=home_of(found, request_made), out=tmp_path / "out"))
    assert len(given) >= 4 and not [one for one in given if CANARY in one]


def test_several_sets_are_asked_in_one_home(found: Evaluation, request_made: Request, tmp_path: Path) -> None:
    other = write_set(tmp_path / "other", QUESTIONS[:1])
    both = replace(
        request_made, sets=(*request_made.sets, other), systems=("page",), home=home_of(found, request_made), out=tmp_path / "out"
    )
    report = evaluate(both).report
    assert {name: part["page"]["questions"] for name, part in report["results"].items()} == {"own": 4, "other": 1, ALL_SETS: 5}
    assert report["sets"]["own"]["generation"] == report["sets"]["other"]["generation"]


def test_a_home_of_other_documents_is_an_error(found: Evaluation, request_made: Request, tmp_path: Path) -> None:
    rows = [{"question": "Who?", "doc_ids": ["stranger"], "answers": ["x"], "evidence": []}]
    other = write_set(tmp_path / "other", rows, [{"doc_id": "stranger", "text": "x"}])
    with pytest.raises(EvaluationError, match="stranger"):
        evaluate(replace(request_made, sets=(other,), home=home_of(found, request_made), out=tmp_path / "out"))


@pytest.mark.parametrize(
    ("change", "told"), [({"systems": ("magic",)}, "system magic"), ({"ablations": ("no_sense",)}, "ablation no_sense"), ({"plans": ("no_plan",)}, "planner no_plan")]
)
def test_a_name_that_is_not_known_is_told(request_made: Request, change: dict[str, Any], told: str) -> None:
    with pytest.raises(EvaluationError, match=told):
        evaluate(replace(request_made, **change))


def test_the_command_knows_every_system_and_ablation() -> None:
    assert sorted(arguments.ABLATIONS) == sorted(KNOWN_ABLATIONS)
    given = arguments.parsed(["evaluate", "own"])
    assert (given.seed, given.system) == (Selection().seed, list(query.SYSTEMS))


def test_two_sets_of_one_name_are_an_error(request_made: Request) -> None:
    with pytest.raises(EvaluationError, match="own"):
        evaluate(replace(request_made, sets=request_made.sets * 2))


def test_missing_libraries_are_told_with_what_to_install(request_made: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagerag_pipeline.evaluation.libraries.importlib.util.find_spec", lambda name: None)
    with pytest.raises(EvaluationError, match=r"ir-measures, scikit-learn, scipy: pip install 'pagerag_pipeline\[evaluate\]'"):
        evaluate(request_made)


def test_the_command_prints_figures_or_the_report(
    found: Evaluation, request_made: Request, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PAGERAG_HOME", str(request_made.start))
    command = ["evaluate", str(request_made.sets[0]), "--limit", "2", "--out", str(tmp_path)]
    assert cli.main(command) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[0].split() == ["own", *arguments.SYSTEMS] and str(tmp_path) in printed
    assert "own: 2 not asked: beyond limit" in printed
    assert cli.main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["selection"]["limit"] == 2 and report["folder"] == str(tmp_path)
    assert cli.main(["evaluate", str(tmp_path / "nothing")]) == cli.MISUSE
    assert "There is no folder or question file" in capsys.readouterr().err
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    for place in ("README.md", "README.md/deep"):
        assert cli.main(["evaluate", str(request_made.sets[0]), "--out", str(tmp_path / place)]) == cli.MISUSE
        assert "The report cannot be written to" in capsys.readouterr().err
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "mine"
    with pytest.raises(SystemExit) as stopped:
        cli.main(["evaluate", str(request_made.sets[0]), "--seed", "-1", "--limit", "3"])
    assert stopped.value.code == cli.MISUSE and "invalid number from 0 on value: '-1'" in capsys.readouterr().err


def test_a_cross_set_is_asked_of_other_documents(request_made: Request, tmp_path: Path) -> None:
    rows = [
        {"qid": name, "question": question, "doc_ids": [name], "answers": [answer], "answerable": True, "evidence": []}
        for name, question, answer in (
            ("quill", "Who founded Tinworks?", "Mara Quill"),
            ("bell", "What did Sister Bell keep at Low Farm?", "bees"),
        )
    ]
    crossed = write_set(tmp_path / "own", rows)
    found = evaluate(
        replace(request_made, sets=(crossed,), selection=Selection(cross=True), systems=("page",), out=tmp_path / "out")
    )
    page = found.report["results"]["own-cross"]["page"]
    assert (page["questions"], page["correct_refusals"]["value"], page["correct_refusals"]["n"]) == (4, 1.0, 2)
    assert 0.0 <= page["auroc"]["value"] <= 1.0 and "own-cross-reliability" in found.plots


def test_gold_that_the_home_alone_knows_is_judged(found: Evaluation, request_made: Request, tmp_path: Path) -> None:
    (asked := tmp_path / "asked").mkdir()
    (asked / "questions.jsonl").write_text(
        json.dumps({**QUESTIONS[0], "evidence": ["quill", "nowhere.txt"]}) + "\n", encoding="utf-8"
    )
    named = replace(request_made, sets=(asked,), systems=("page",), home=home_of(found, request_made), out=tmp_path / "out")
    report = evaluate(named).report
    assert report["results"]["asked"]["page"]["recall@5"]["value"] == 1.0
    assert report["sets"]["asked"]["noted"] == [
        "1 of 2 pieces of evidence name no document, no ranking is judged by them: nowhere.txt"
    ]
    assert "1 of 2 pieces of evidence" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_a_refresh_that_publishes_meanwhile_ends_the_comparison_and_what_was_asked_is_kept(
    found: Evaluation, request_made: Request, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(home_of(found, request_made), home)
    gather = query.SYSTEMS["passages"]
    first = current_name(home)
    moved: list[str] = []
    monkeypatch.setattr("pagerag_pipeline.evaluation.homes.standing_name", lambda at: "other" if moved else first)

    def moving(question: Question, means: Any) -> Any:
        moved.extend([question.text] if question.text.startswith("When") else [])
        return gather(question, means)

    monkeypatch.setitem(query.SYSTEMS, "passages", moving)
    named = replace(request_made, systems=("page", "passages"), home=home, out=tmp_path / "out")
    with pytest.raises(GenerationMoved, match=f"published other in .* asked of {first}.*Run it again"):
        evaluate(named)
    kept = [(row["variant"], row["qid"]) for row in read_rows(tmp_path / "out" / "results.jsonl")]
    assert kept == [*(("page", one) for one in "1234"), ("passages", "1")]
    moved.clear()
    monkeypatch.setitem(query.SYSTEMS, "passages", gather)
    assert evaluate(named).report["results"]["own"]["passages"]["questions"] == 4


def test_ctrl_c_in_a_statement_ends_the_run_and_keeps_what_was_asked(
    found: Evaluation, request_made: Request, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gather = query.SYSTEMS["passages"]

    def stopped(question: Question, means: Any) -> Any:
        if question.text.startswith("When"):
            raise RuntimeError("Query interrupted")
        return gather(question, means)

    monkeypatch.setitem(query.SYSTEMS, "passages", stopped)
    with pytest.raises(KeyboardInterrupt):
        evaluate(replace(request_made, systems=("passages",), home=home_of(found, request_made), out=tmp_path))
    assert [row["qid"] for row in read_rows(tmp_path / "results.jsonl")] == ["1"]


def test_a_repeated_option_adds_to_what_it_named_before() -> None:
    command = ["evaluate", "own", "--ablate", "no_floor", "--ablate", "raw_graph", "--where", "k=v", "--where", "k=w", "l=x"]
    given = arguments.parsed([*command, "--system", "passages", "--system", "page"])
    assert given.ablate == ["no_floor", "raw_graph"] and given.system == ["passages", "page"]
    assert given.where == [("k", "v"), ("k", "w"), ("l", "x")]
    assert arguments.parsed(["evaluate", "own", "--system", "page"]).system == ["page"]
    assert arguments.parsed(["evaluate", "own"]).system == list(query.SYSTEMS)
