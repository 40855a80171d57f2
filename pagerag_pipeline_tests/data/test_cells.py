"""Gold cells stand in the files that are said to hold them, and no question is asked twice."""

import html
import json
import re
from typing import Any

from pagerag_pipeline_tests.data.test_aggregation import DATA

QUESTIONS: list[dict[str, Any]] = [json.loads(line) for line in (DATA / "cells.jsonl").read_text(encoding="utf-8").splitlines()]


def cells(row: dict[str, Any]) -> set[str]:
    """All cells of the tables of a question's file, whatever the format."""
    text = html.unescape((DATA / row["corpus"] / row["evidence"][0]).read_text(encoding="utf-8"))
    return {cell.strip() for cell in re.split(r"[|,\n]|</?t[dhr]>", text)}


def test_every_gold_cell_stands_in_its_file() -> None:
    told = [row for row in QUESTIONS if row["answerable"]]
    assert len(told) == 55 and all(row["answers"][0] in cells(row) for row in told)


def test_questions_without_a_cell_name_no_file_and_each_question_comes_once() -> None:
    assert all(not row["answers"] and not row["evidence"] for row in QUESTIONS if not row["answerable"])
    assert len({row["question"] for row in QUESTIONS}) == len({row["qid"] for row in QUESTIONS}) == 78
    assert sum(row["held_out"] for row in QUESTIONS) == 39
