"""Files of questions: JSON lines as people and benchmarks write them, read into questions. Gold fields never get past here."""

import difflib
import json
from pathlib import Path
from typing import Any

from pagerag_pipeline.schema.asking import Question, Turn

KEYS = ("qid", "question", "doc_ids", "options", "history")
_LIKE = 0.85
"""From this likeness on a key is taken for a slip of one that is meant (`doc_id`), below it for a field of the data's own (`question_type`)."""


def read_questions(path: Path | str) -> list[Question]:
    """Questions of a `.jsonl` file; fields of other names are ignored, `qid` is the line's number when absent.

    Raises ValueError naming the line that is not a question, or has a key that is nearly one of ours.
    """
    questions: list[Question] = []
    try:
        whole = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_of = error.object[: error.start].count(b"\n") + 1
        raise ValueError(f"{path}, line {line_of}: not UTF-8 at byte {error.start + 1} of the file; save it as UTF-8.") from error
    for number, line in enumerate(whole.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        if line.strip():
            try:
                questions.append(_question_of(json.loads(line), number))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: not a question: {error}. A line is an object with `question` and mostly `qid`.") from error
    return questions


def sound(text: str) -> str:
    """A text without lone surrogates: bytes that the locale of a console could not read are read as UTF-8, others are replaced."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _question_of(row: Any, number: int) -> Question:
    if not isinstance(row, dict):
        raise ValueError("it is no object")
    _check_keys(row)
    if row.get("question") is None:
        raise ValueError("it has no `question`")
    doc_ids = row.get("doc_ids")
    return Question(
        sound(str(row.get("qid", number))),
        str(row["question"]),
        None if doc_ids is None else tuple(str(one) for one in doc_ids),
        tuple(str(option) for option in row.get("options") or ()),
        tuple(_turn(turn) for turn in row.get("history") or ()),
    )


def _turn(turn: Any) -> Turn:
    """An earlier turn, written as an object with `role` and `text` (or `content`), or as a pair of both."""
    if isinstance(turn, list) and len(turn) == 2:
        return Turn(str(turn[0]), str(turn[1]))
    if not isinstance(turn, dict):
        told = json.dumps(turn, ensure_ascii=False)[:60]
        raise ValueError(f"a turn in `history` is an object with `role` (user or assistant) and `text`, not {told}")
    return Turn(str(turn.get("role", "user")), str(turn.get("text", turn.get("content", ""))))


def _check_keys(row: dict[str, Any]) -> None:
    for key in row:
        meant = difflib.get_close_matches(key.lower(), KEYS, n=1, cutoff=_LIKE) if key not in KEYS else []
        if meant and meant[0] not in row:
            raise ValueError(f"it has `{key}`, which looks like `{meant[0]}`")
    for key in ("doc_ids", "options", "history"):
        if not isinstance(row.get(key), list | None):
            raise ValueError(f"`{key}` must be a list, not {json.dumps(row[key], ensure_ascii=False)[:60]}")
