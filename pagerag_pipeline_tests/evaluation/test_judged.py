"""A whole evaluation with a judge, over a scripted server: what is asked of it, what is remembered, what fails, what the report shows."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline import arguments, cli
from pagerag_pipeline.evaluation.harness import Evaluation, Request, evaluate
from pagerag_pipeline.evaluation.judging.scoring import KINDS
from pagerag_pipeline.evaluation.results import read_rows
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline_tests.chat_replies import asked, fenced, prompt_of, reply
from pagerag_pipeline_tests.evaluation.sets import QUESTIONS, write_set
from pagerag_pipeline_tests.homes import STUB_MODELS
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

KEY = "sk-secret-of-the-judge"
JUDGES = {"grade", "compare", "reverse", "statements", "entail", "useful"}
ANSWERS = {
    "Who founded Tinworks?": ("Mara Quill", "Mara Quill founded Tinworks in 1901."),
    "When was Tinworks bought from Mara Quill?": ("1912", "Odo Fenn bought Tinworks from Mara Quill in 1912."),
    "What did Sister Bell keep at Low Farm?": ("nine hives", "Sister Bell kept nine hives of bees at Low Farm."),
}
OFF = "\n[build]\nprofile = false\nextract = false\nsummarize = false\nreport = false\n"


def behavior(request: dict[str, Any]) -> Say:
    """Answers as the documents say them, one of them beside its reference; everything else as scripted."""
    if prompt_of(request) != "answer":
        return reply(request)
    said = asked(request)
    answer, claim = ANSWERS.get(fenced(said, "The question:"), ("", ""))
    label = next((one for one, text in re.findall(r"^(E\d+):\n=+ \w+ =+\n(.*?)\n=+ \w+ =+$", said, re.MULTILINE | re.DOTALL) if claim and claim in text), "")
    claims = [{"text": claim, "labels": [label]}] if label else []
    return Say({"sufficient": bool(claims), "missing": [], "answer": answer if claims else "", "claims": claims})


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.says(behavior)
        yield running


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pagerag_pipeline.evaluation.intervals.RESAMPLES", 20)
        patch.setenv("PAGERAG_CHAT_API_KEY", KEY)
        yield


def settings_of(server: ScriptedServer, **changes: Any) -> str:
    chat = {"base_url": server.base_url, "model": "small", "judge_model": "wise", "attempts": 1, **changes}
    return STUB_MODELS + "\n[chat]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in chat.items()) + OFF


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, server: ScriptedServer) -> Request:
    folder = tmp_path_factory.mktemp("judged")
    (folder / "start").mkdir()
    (folder / "start" / "pagerag.toml").write_text(settings_of(server), encoding="utf-8")
    return Request((write_set(folder / "own"),), folder / "start", judge=KINDS)


@pytest.fixture(scope="module")
def found(made: Request, server: ScriptedServer) -> Evaluation:
    evaluation = evaluate(made)
    assert {request["model"] for request in server.requests if prompt_of(request) in JUDGES} == {"wise"}
    return evaluation


def test_every_kind_of_verdict_stands_in_the_report_with_its_number(found: Evaluation) -> None:
    judged = found.report["judged"]
    assert judged["model"] == "wise" and judged["verdicts"]["failed"] == 0 and set(judged["spent"]) - {"probe"} == JUDGES
    rows = [row for row in read_rows(found.folder / "results.jsonl") if row["variant"] == "page"]
    page = judged["results"]["own"]["page"]
    answered = [row for row in rows if row["answer"] and row["answerable"]]
    references = {question["qid"]: question["answers"] for question in QUESTIONS}
    right = [row for row in answered if any(one in row["answer"] for one in references[row["qid"]])]
    assert (len(right), len(answered)) == (2, 3)
    assert page["questions"] == 4 and page["judged_strict"]["n"] == page["judged_lenient"]["n"] == 3
    assert page["judged_strict"]["value"] == pytest.approx(len(right) / 3, abs=1e-4) and page["judged_strict"]["low"] is not None
    assert page["answer_relevance"]["n"] == 3 and page["faithfulness"]["n"] == sum(bool(row["answer"]) for row in rows) and page["context_precision"]["value"] == 1.0
    assert page["bbs_judged"]["n"] == 4 and page["failures"] == {}


def test_pairs_are_judged_in_both_orders(found: Evaluation, server: ScriptedServer) -> None:
    pairs = found.report["judged"]["pairs"]["own"]["page - passages"]
    assert set(pairs) == {"four", "six"} and len(pairs["six"]["dimensions"]) == 6
    answered = Counter(row["qid"] for row in read_rows(found.folder / "results.jsonl") if row["answer"])
    both = sum(count == 2 for count in answered.values())
    for one in pairs["four"]["dimensions"].values():
        assert one["win"] + one["loss"] + one["tie"] + one["disagree"] == one["share"]["n"] == both
    assert both and pairs["four"]["not_compared"] == 4 - both
    asked = Counter(prompt_of(request) for request in server.requests)
    assert 1 <= asked["compare"] <= 4 * both


def test_the_page_and_the_terminal_tell_it_and_nobody_tells_the_key(found: Evaluation, made: Request) -> None:
    page = (found.folder / "report.md").read_text(encoding="utf-8")
    assert "## Judged by wise" in page and "| judged_strict | 3 |" in page and "comprehensiveness (six)" in page and "without a verdict" in page
    written = [path.read_bytes() for path in made.start.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in data for data in written)


def test_a_second_evaluation_costs_nothing(found: Evaluation, made: Request, server: ScriptedServer) -> None:
    before = server.calls
    again = evaluate(made)
    assert server.calls == before
    assert again.report["judged"]["verdicts"]["given"] == 0 and again.report["judged"]["spent"] == {}
    assert [again.report["judged"][part] for part in ("results", "pairs")] == [found.report["judged"][part] for part in ("results", "pairs")]


def test_failures_are_counted_and_in_no_mean(found: Evaluation, made: Request, server: ScriptedServer, tmp_path: Path) -> None:
    start = tmp_path / "start"
    start.mkdir()
    (start / "pagerag.toml").write_text(settings_of(server, judge_model="other"), encoding="utf-8")
    server.says(lambda request: Say("Perhaps.") if prompt_of(request) in ("grade", "compare") else behavior(request))
    try:
        judged = evaluate(replace(made, start=start, judge=("grades", "four"))).report["judged"]
    finally:
        server.says(behavior)
    page = judged["results"]["own"]["page"]
    answered = page["failures"]["grades, grade: malformed"]
    assert answered == 3 and "judged_strict" not in page and "bbs_judged" not in page
    pairs = judged["pairs"]["own"]["page - passages"]["four"]
    assert pairs["failures"] == {"compare: malformed": 4 - pairs["not_compared"]} and pairs["dimensions"]["diversity"]["share"] is None
    assert not (start / "evaluation" / "judged.jsonl").exists()
    assert judged["verdicts"]["failed"] == sum(judged["failures"].values()) and all(": malformed: " in reason for reason in judged["failures"])


def test_why_no_verdict_came_is_told_everywhere_without_the_key(
    found: Evaluation, made: Request, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGERAG_HOME", str(made.start))
    monkeypatch.setenv("PAGERAG_CHAT_JUDGE_MODEL", "gone")
    server.says(lambda request: Say(f"No such model for {KEY}, {'see below ' * 60}", status=404) if request["model"] == "gone" else behavior(request))
    command = ["evaluate", str(made.sets[0]), "--system", "page", "--judge", "grades", "--out", str(tmp_path), "--json"]
    try:
        code = cli.main(command)
    finally:
        server.says(behavior)
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert (code, report["status"], report["kind"]) == (cli.FAILED, "failed", "NoVerdict")
    assert report["judged"]["verdicts"] == {"given": 0, "remembered": 0, "failed": 3}
    ((reason, count),) = report["judged"]["failures"].items()
    assert count == 3 and reason.startswith("grade: rejected: ") and "404" in reason and len(reason) < 250
    assert f"None of 3 verdicts came: 3 {reason}" in printed.err
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert f"- without a verdict, 3: {reason}" in page
    assert KEY not in printed.out + printed.err + page


def test_some_verdicts_that_did_not_come_are_told_and_are_no_fault_of_the_run(
    found: Evaluation, made: Request, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGERAG_HOME", str(made.start))
    monkeypatch.setenv("PAGERAG_CHAT_JUDGE_MODEL", "moody")
    server.says(lambda request: Say("Perhaps.") if prompt_of(request) == "grade" and "nine hives" in asked(request) else behavior(request))
    try:
        assert cli.main(["evaluate", str(made.sets[0]), "--system", "page", "--judge", "grades", "--out", str(tmp_path)]) == cli.DONE
    finally:
        server.says(behavior)
    assert "The judge moody: 1 of 3 verdicts did not come: 1 grade: malformed: " in capsys.readouterr().err


def test_rows_without_evidence_are_asked_again_when_a_judge_wants_it(found: Evaluation, made: Request, tmp_path: Path) -> None:
    plain = evaluate(replace(made, judge=(), out=tmp_path))
    assert "judged" not in plain.report and all("contexts" not in row for row in read_rows(tmp_path / "results.jsonl"))
    whole = evaluate(replace(made, judge=("grades",), out=tmp_path))
    assert whole.report["judged"]["pairs"] == {} and all("contexts" in row for row in read_rows(tmp_path / "results.jsonl"))
    assert whole.report["judged"]["verdicts"]["given"] == 0


def test_without_a_chat_server_it_fails_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    start = tmp_path / "start"
    start.mkdir()
    (start / "pagerag.toml").write_text(STUB_MODELS, encoding="utf-8")
    own = write_set(tmp_path / "own")
    with pytest.raises(EvaluationError, match=r"\[chat\] base_url and model"):
        evaluate(Request((own,), start, judge=("grades",)))
    monkeypatch.setenv("PAGERAG_HOME", str(start))
    assert cli.main(["evaluate", str(own), "--judge"]) == cli.MISUSE
    assert "PAGERAG_CHAT_BASE_URL" in capsys.readouterr().err and not (start / "evaluation").exists()


def test_the_command_knows_every_kind(made: Request) -> None:
    assert arguments.JUDGED == KINDS
    with pytest.raises(EvaluationError, match="no kind of verdict poetry"):
        evaluate(replace(made, judge=("poetry",)))
