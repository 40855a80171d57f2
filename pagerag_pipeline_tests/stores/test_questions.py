"""What stands in a file of questions, and what is told of a line that does not hold one."""

import json
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.stores.questions import read_questions


def test_questions_are_read_and_gold_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    rows = [
        {"qid": "1", "question": "Who?", "answers": ["x"], "answerable": True, "doc_ids": ["a"]},
        {"question": "When?", "history": [{"role": "user", "text": "before"}], "options": ["A", "B"]},
    ]
    path.write_text("\ufeff" + "\n\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    first, second = read_questions(path)
    assert (first.qid, first.text, first.doc_ids) == ("1", "Who?", ("a",))
    assert (second.qid, second.options, second.history[0].text) == ("3", ("A", "B"), "before")
    assert not hasattr(first, "answers")


def test_earlier_turns_are_objects_or_pairs(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    turns = [["user", "before"], {"role": "agent", "content": "then"}]
    path.write_text(json.dumps({"question": "And who?", "history": turns}), encoding="utf-8")
    (question,) = read_questions(path)
    assert [(turn.role, turn.text) for turn in question.history] == [("user", "before"), ("agent", "then")]


def test_a_turn_that_is_only_a_text_is_told_with_what_a_turn_is(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps({"question": "And who?", "history": ["Who was Ida Holt?"]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"line 1: .* is an object with `role` \(user or assistant\) and `text`, not \"Who was Ida Holt"):
        read_questions(path)


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"qid": "1", "question": "Who?"}\n{"qid": 2}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_questions(path)


def test_a_file_in_another_encoding_is_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b'{"question": "Who?"}\n{"question": "Caf\xe9?"}\n')
    with pytest.raises(ValueError, match=r"questions\.jsonl, line 2: not UTF-8"):
        read_questions(path)


def written(folder: Path, row: dict[str, Any]) -> Path:
    path = folder / "questions.jsonl"
    path.write_text(json.dumps({"qid": 1, "question": "Who?"}) + "\n" + json.dumps(row), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"question": "Who?", "doc_id": ["a"]}, "`doc_id`, which looks like `doc_ids`"),
        ({"question": "Who?", "docids": ["a"]}, "looks like `doc_ids`"),
        ({"question": "Who?", "option": ["a"]}, "looks like `options`"),
        ({"Question": "Who?"}, "looks like `question`"),
        ({"question": "Who?", "doc_ids": "a.txt"}, '`doc_ids` must be a list, not "a.txt"'),
        ({"question": "Who?", "options": {"A": "x"}}, "`options` must be a list"),
        ({"question": None}, "no `question`"),
    ],
)
def test_a_slip_in_a_key_and_a_value_of_another_kind_are_errors_that_name_the_line(tmp_path: Path, row: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match="line 2") as raised:
        read_questions(written(tmp_path, row))
    assert told in str(raised.value)


def test_fields_of_clearly_other_names_are_ignored(tmp_path: Path) -> None:
    more = ("answers", "answer", "answerable", "evidence", "kind", "pair", "explanation", "question_type", "type", "id", "context", "title")
    (_, question) = read_questions(written(tmp_path, {"question": "Who?", **dict.fromkeys(more, "x")}))
    assert (question.qid, question.text, question.doc_ids, question.options) == ("2", "Who?", None, ())
