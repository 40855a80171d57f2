"""One ceiling holds for a whole evaluation: every system, the judge and the homes it builds; a stopped one tells so and goes on without paying twice."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.evaluation.harness import Request, evaluate
from pagerag_pipeline.evaluation.results import read_rows
from pagerag_pipeline.refresh.asking import CeilingReached
from pagerag_pipeline_tests.chat_replies import asked, fenced, prompt_of, reply
from pagerag_pipeline_tests.evaluation.sets import write_set
from pagerag_pipeline_tests.homes import STUB_MODELS
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

OFF = "\n[build]\nprofile = false\nextract = false\nsummarize = false\nreport = false\n"
SYSTEMS = ("page", "passages", "e2")


def behavior(request: dict[str, Any]) -> Say:
    return Say({"sufficient": False, "missing": ["all of it"], "answer": "", "claims": []}) if prompt_of(request) == "answer" else reply(request)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagerag_pipeline.evaluation.intervals.RESAMPLES", 20)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.says(behavior)
        yield running


@pytest.fixture
def made(tmp_path: Path, server: ScriptedServer) -> Request:
    return request_of(tmp_path, server, OFF)


def request_of(folder: Path, server: ScriptedServer, build: str, **chat: Any) -> Request:
    (folder / "start").mkdir()
    knobs = {"base_url": server.base_url, "model": "small", "attempts": 1, "concurrency": 1, **chat}
    written = "".join(f"{name} = {json.dumps(value)}\n" for name, value in knobs.items())
    (folder / "start" / "pagerag.toml").write_text(f"{STUB_MODELS}\n[chat]\n{written}{build}", encoding="utf-8")
    return Request((write_set(folder / "own"),), folder / "start", systems=SYSTEMS)


def paid(server: ScriptedServer) -> int:
    return server.calls + len(server.probes)


def answers(server: ScriptedServer) -> Counter[str]:
    """How often the model was asked to answer each question."""
    return Counter(fenced(asked(request), "The question:") for request in server.requests if prompt_of(request) == "answer")


def test_warming_up_asks_no_chat_model(made: Request, server: ScriptedServer) -> None:
    report = evaluate(made).report
    assert set(answers(server).values()) == {len(SYSTEMS)} and "stopped" not in report
    assert sum(stage["calls"] for stage in report["spent"].values()) == paid(server) > 0


def test_one_ceiling_holds_for_all_systems_and_what_was_paid_is_not_paid_again(made: Request, server: ScriptedServer) -> None:
    found = evaluate(replace(made, ceilings={"max_calls": 5}))
    assert paid(server) == 5
    told = found.report["stopped"]
    kept = read_rows(found.folder / "results.jsonl")
    assert told["rows"] == sum(sum(counts.values()) for counts in told["not_asked"].values()) == 12 - len(kept) > 0
    assert "chat.max_calls = 5" in told["why"] and {row["status"] for row in kept} <= {"answered", "partial", "refused"}
    results = found.report["results"]["own"]
    assert [figures["questions"] for figures in results.values()] == [4 - told["not_asked"]["own"].get(one, 0) for one in SYSTEMS]
    assert f"{told['rows']} rows were not asked" in (found.folder / "report.md").read_text(encoding="utf-8")
    again = evaluate(made)
    assert "stopped" not in again.report and len(read_rows(again.folder / "results.jsonl")) == 12
    assert set(answers(server).values()) == {len(SYSTEMS)}


def test_a_plan_that_met_the_ceiling_leaves_no_row(made: Request, server: ScriptedServer) -> None:
    planned = replace(made, systems=("pank",))
    with pytest.raises(CeilingReached, match=r"No question was asked to its end.*max_calls = 1"):
        evaluate(replace(planned, ceilings={"max_calls": 1}))
    assert paid(server) == 1
    found = evaluate(planned)
    assert {row["status"] for row in read_rows(found.folder / "results.jsonl")} == {"refused"}


def test_the_judge_spends_under_the_same_ceiling(
    made: Request, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server.says(say_first)
    monkeypatch.setenv("PAGERAG_HOME", str(made.start))
    command = ["evaluate", str(made.sets[0]), "--system", "page", "--judge", "grades", "--json"]
    questions_and_probe = 5
    assert cli.main([*command, "--max-calls", str(questions_and_probe)]) == cli.REFUSED
    assert paid(server) == questions_and_probe
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert (report["status"], report["kind"], report["stopped"]["rows"]) == ("stopped", "CeilingReached", 0)
    assert report["results"]["own"]["page"]["questions"] == 4 and report["judged"]["verdicts"] == {"given": 0, "remembered": 0, "failed": 1}
    assert "pagerag: Stopped: The ceiling chat.max_calls = 5" in printed.err
    assert cli.main(command) == cli.DONE
    assert json.loads(capsys.readouterr().out)["judged"]["verdicts"] == {"given": 1, "remembered": 0, "failed": 0}
    assert set(answers(server).values()) == {1}


def say_first(request: dict[str, Any]) -> Say:
    """Answers with what the first piece of evidence says."""
    if prompt_of(request) != "answer":
        return reply(request)
    label, text = re.findall(r"^(E\d+):\n=+ \w+ =+\n(.*?)\n=+ \w+ =+$", asked(request), re.MULTILINE | re.DOTALL)[0]
    return Say({"sufficient": True, "missing": [], "answer": text, "claims": [{"text": text, "labels": [label]}]})


def test_building_a_home_spends_under_it_too(tmp_path: Path, server: ScriptedServer) -> None:
    made = request_of(tmp_path, server, "", max_calls=2)
    with pytest.raises(CeilingReached, match=r"No question was asked to its end.*What was built is kept"):
        evaluate(made)
    assert paid(server) == 2


def test_ceilings_without_a_chat_model_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "pagerag.toml").write_text(STUB_MODELS, encoding="utf-8")
    monkeypatch.setenv("PAGERAG_HOME", str(tmp_path / "start"))
    assert cli.main(["evaluate", str(write_set(tmp_path / "own")), "--max-tokens", "5"]) == cli.MISUSE
    assert "no chat model is set" in capsys.readouterr().err
