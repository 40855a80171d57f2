"""Kept answers: what was kept first under a key stays, and comes back as it was."""

from pathlib import Path
from typing import Any

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.answers import Answers

OUTCOME: dict[str, Any] = {"generation": "g1", "system": "page", "question": "Who?", "status": "answered", "answer": "\u2014 \ud55c \U0001f600"}


def test_outcomes_come_back_by_key_and_others_do_not(tmp_path: Path):
    answers = Answers(tmp_path / "new home", StoreSettings())
    answers.keep([("a", OUTCOME), ("b", {**OUTCOME, "status": "refused", "answer": None})])
    assert answers.kept(["a", "c"]) == {"a": OUTCOME}
    assert Answers(tmp_path / "new home", StoreSettings()).kept(["b"])["b"]["answer"] is None


def test_what_is_kept_first_stays(tmp_path: Path):
    answers = Answers(tmp_path, StoreSettings())
    answers.keep([("a", OUTCOME), ("a", {**OUTCOME, "answer": "second"})])
    answers.keep([("a", {**OUTCOME, "answer": "third"})])
    assert answers.kept(["a"]) == {"a": OUTCOME}


def test_nothing_is_kept_of_nothing(tmp_path: Path):
    answers = Answers(tmp_path, StoreSettings())
    answers.keep([])
    assert answers.kept([]) == {} == answers.kept(["a"])
