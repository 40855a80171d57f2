"""Rows of question files: each is read once and checked here, gold included, before anything is asked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pagerag_pipeline.evaluation.sources import EvaluationError, numbered_lines
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.stores.questions import read_questions

Pair = tuple[Question, dict[str, Any]]
"""What a system may see of a question, and its whole row."""

_LISTS = ("answers", "evidence")
_PLAIN = (str, int, float)
"""What an answer or a name may be written as."""


def read_pairs(file: Path) -> list[Pair]:
    """The questions of a file, each with its row. Raises EvaluationError naming the file and the line that cannot be meant."""
    numbered = list(numbered_lines(file))
    try:
        questions = read_questions(file)
    except ValueError as error:
        raise EvaluationError(str(error)) from error
    seen: dict[str, int] = {}
    pairs: list[Pair] = []
    for question, (number, row) in zip(questions, numbered, strict=True):
        wrong = _wrong(row) or _again(row, number, seen)
        if wrong:
            raise EvaluationError(f"{file}, line {number}: {wrong}.")
        pairs.append((question, row))
    return pairs


def _wrong(row: Mapping[str, Any]) -> str:
    """What of a row cannot be meant; empty when all of it can."""
    if not str(row["question"]).strip():
        return "its `question` is empty"
    if not isinstance(row.get("answerable", True), bool):
        return f"`answerable` must be true or false, not {row['answerable']!r}"
    for key in _LISTS:
        if not isinstance(row.get(key), list | None) or not all(isinstance(one, _PLAIN) for one in row.get(key) or ()):
            return f"`{key}` must be a list of texts, not {row[key]!r:.60}"
    graded = row.get("qrels")
    if not isinstance(graded, dict | None):
        return f"`qrels` must be an object of grades, not {graded!r:.60}"
    wrong = [one for one, grade in (graded or {}).items() if isinstance(grade, bool) or not isinstance(grade, int)]
    return f"the grade of {wrong[0]} in `qrels` must be a whole number, not {(graded or {})[wrong[0]]!r:.60}" if wrong else ""


def _again(row: Mapping[str, Any], number: int, seen: dict[str, int]) -> str:
    """Which line a row repeats: the same id, or, without one, the same row; empty when it is new, which is noted."""
    key = f"qid {row['qid']}" if "qid" in row else repr(sorted(row.items()))
    first = seen.setdefault(key, number)
    return "" if first == number else f"it repeats {'the `qid` of ' if 'qid' in row else ''}line {first}"
