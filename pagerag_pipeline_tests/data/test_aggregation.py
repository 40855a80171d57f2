"""The questions over all that matches have the shape that their README tells, and gold that the tables give."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
QUESTIONS: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "aggregation.jsonl").read_text(encoding="utf-8").splitlines()]
KINDS = {"count", "list", "comparison", "extreme"}
BY_TEXT = {one["question"]: one["answers"] for one in QUESTIONS}


def rows(name: str) -> list[list[str]]:
    text = (DATA / "tables" / name).read_text(encoding="utf-8")
    if name.endswith(".csv"):
        return list(csv.reader(text.splitlines()))[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")][2:]


def test_questions_have_their_fields_and_their_files() -> None:
    assert len({one["qid"] for one in QUESTIONS}) == len(QUESTIONS)
    for one in QUESTIONS:
        assert set(one) == {"qid", "question", "answers", "answerable", "evidence", "kind", "held_out", "corpus", "wording"}
        assert bool(one["answers"]) == bool(one["evidence"]) == one["answerable"] == (one["kind"] in KINDS)
        assert all((DATA / one["corpus"] / file).is_file() for file in one["evidence"])
        assert one["kind"] != "count" or one["answers"][0].isdigit()


def test_there_are_enough_of_each_and_a_third_is_held_out() -> None:
    answerable = [one for one in QUESTIONS if one["answerable"]]
    assert len(answerable) >= 40 and len(QUESTIONS) - len(answerable) >= 6
    assert all(count >= 6 for count in Counter(one["kind"] for one in answerable).values())
    assert 0.28 <= sum(one["held_out"] for one in QUESTIONS) / len(QUESTIONS) <= 0.4


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How many mills stand on the river Wend?", [str(sum(row[1] == "Wend" for row in rows("mills.csv")))]),
        ("How many mills have four wheels?", [str(sum(row[4] == "4" for row in rows("mills.csv")))]),
        ("Which mill had the largest output in 1881?", [max((row for row in rows("mills.csv") if row[6]), key=lambda row: int(row[6]))[0]]),
        ("How many vessels does the Calder Line own?", [str(sum(row[1] == "Calder Line" for row in rows("ferries.md")))]),
        ("Which vessel is the longest?", [max(rows("ferries.md"), key=lambda row: float(row[3]))[0]]),
        ("Which schools are in Wickover?", sorted({row[0] for row in rows("schools.md") if row[1] == "Wickover"})),
    ],
)
def test_gold_is_what_the_tables_give(question: str, answers: list[str]) -> None:
    assert BY_TEXT[question] == answers
