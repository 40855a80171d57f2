"""Rows of question files are checked, gold included: what cannot be meant is told by its file and its line."""

from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.evaluation.rows import read_pairs
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline_tests.evaluation.sets import write_lines

SOUND = {
    "qid": "1",
    "question": "Where?",
    "answers": ["Tarn Bay", 1901],
    "answerable": True,
    "evidence": ["quill"],
    "qrels": {"quill": 2, "fenn": 0},
}


def test_a_sound_file_is_read_whole(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        SOUND,
        {"qid": "2", "question": "When?", "answers": None},
        {"question": "Who?"},
        {"question": "Why?"},
    ]
    pairs = read_pairs(write_lines(tmp_path / "questions.jsonl", rows))
    assert [question.qid for question, _ in pairs] == ["1", "2", "3", "4"] and [row for _, row in pairs] == rows


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answers": "Paris"}, "`answers` must be a list of texts, not 'Paris'"),
        ({"answers": [["Paris"]]}, "`answers` must be a list of texts"),
        ({"answerable": "false"}, "`answerable` must be true or false, not 'false'"),
        ({"answerable": None}, "`answerable` must be true or false, not None"),
        ({"qrels": {"a": "high"}}, "the grade of a in `qrels` must be a whole number, not 'high'"),
        ({"qrels": {"a": True}}, "the grade of a in `qrels`"),
        ({"qrels": ["a"]}, "`qrels` must be an object of grades"),
        ({"evidence": 5}, "`evidence` must be a list of texts, not 5"),
        ({"question": "  "}, "its `question` is empty"),
        ({"qid": "1"}, "it repeats the `qid` of line 1"),
    ],
)
def test_a_row_that_cannot_be_meant_is_told_by_file_and_line(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    file = write_lines(tmp_path / "questions.jsonl", [SOUND, {**SOUND, "qid": "2", **change}])
    with pytest.raises(EvaluationError) as raised:
        read_pairs(file)
    assert str(raised.value).startswith(f"{file}, line 2: ") and told in str(raised.value)


def test_a_row_without_an_id_that_comes_twice_is_told(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "questions.jsonl", [{"question": "Who?"}, {"question": "When?"}, {"question": "Who?"}])
    with pytest.raises(EvaluationError, match="line 3: it repeats line 1"):
        read_pairs(file)


def test_a_file_that_is_not_utf8_is_told_by_name_and_line(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_bytes('{"question": "Who?"}\n{"question": "Café?"}\n'.encode("latin-1"))
    with pytest.raises(EvaluationError, match=r"questions\.jsonl, line 2: not UTF-8"):
        read_pairs(file)
