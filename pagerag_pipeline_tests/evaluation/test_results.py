"""Rows are kept as they come, survive a kill in the middle of a line, and failed ones are asked again."""

import json
from pathlib import Path

from pagerag_pipeline.evaluation.results import Results, read_rows


def row(key: str, status: str = "answered") -> dict[str, str]:
    return {"key": key, "status": status, "answer": "\u2014 eleven"}


def test_a_row_is_in_the_file_at_once_and_a_line_cut_off_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "results.jsonl"
    results = Results(path)
    results.add(row("a"))
    assert read_rows(path) == [row("a")]
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"key": "b", "sta')
    again = Results(path)
    assert again.kept("a") == row("a") and again.kept("b") is None
    again.add(row("c"))
    assert [one["key"] for one in read_rows(path)] == ["a", "c"]


def test_a_failed_row_is_not_kept_but_told(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results = Results(path)
    results.add(row("a", "failed"))
    assert results.finish(["a"]) == [row("a", "failed")]
    assert Results(path).kept("a") is None


def test_at_the_end_the_file_holds_what_was_asked_for_in_order(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results = Results(path)
    for key in ("old", "b", "a"):
        results.add(row(key))
    results.finish(["a", "b"])
    assert [json.loads(line)["key"] for line in path.read_text(encoding="utf-8").splitlines()] == ["a", "b"]


def test_a_line_cut_off_inside_a_letter_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    Results(path).add(row("a"))
    line = json.dumps(row("b"), ensure_ascii=False).encode("utf-8")
    with path.open("ab") as stream:
        stream.write(line[: line.index("\u2014".encode()) + 1])
    again = Results(path)
    assert again.kept("a") == row("a") and again.kept("b") is None
    again.add(row("b"))
    assert read_rows(path) == [row("a"), row("b")]
