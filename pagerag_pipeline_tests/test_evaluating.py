"""How an evaluation ends on a command line: done, stopped, or failed with what failed."""

from typing import Any

import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.evaluating import ended


def report(failed: int, **more: Any) -> dict[str, Any]:
    figures = {"questions": 8, "statuses": {"answered": 8 - failed, **({"failed": failed} if failed else {})}}
    listed = {"failures": [["q1", "TransportFault: the server is gone."]]} if failed else {}
    return {"results": {"own": {"page": {**figures, **listed}, "passages": {"questions": 8, "statuses": {"answered": 8}}}}, **more}


def test_without_a_failure_it_is_done_and_nothing_is_told() -> None:
    assert ended(report(0)) == ({"status": "done"}, [])


def test_questions_that_failed_fail_the_run_and_are_told_with_their_reason() -> None:
    value, told = ended(report(6))
    assert (value["status"], value["kind"]) == ("failed", "QuestionsFailed") and told == [value["error"]]
    assert "6 of 8 of own by page. The first: TransportFault: the server is gone. The same command" in told[0]


def test_questions_that_failed_end_the_command_with_1_and_are_told_on_standard_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    value, told = ended(report(6))
    monkeypatch.setattr("pagerag_pipeline.evaluating.evaluated", lambda given: (value, "figures", told))
    code = cli.main(["evaluate", "own"])
    shown = capsys.readouterr()
    assert code == cli.FAILED == 1 and shown.out == "figures\n" and "6 of 8 of own by page" in shown.err


def test_a_ceiling_comes_first_and_failures_are_told_beside_it() -> None:
    value, told = ended(report(2, stopped={"why": "The ceiling of 3 calls is reached.", "rows": 4, "not_asked": {"own": {"page": 4}}}))
    assert value["kind"] == "CeilingReached" and len(told) == 2 and "2 of 8" in told[1]
