"""Small question sets as they are published, written into a folder."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

DOCUMENTS = (
    {"doc_id": "quill", "title": "Mara Quill", "text": "Mara Quill founded Tinworks in 1901. Mara Quill was born in Tarn Bay."},
    {"doc_id": "fenn", "title": "Odo Fenn", "text": "Odo Fenn bought Tinworks from Mara Quill in 1912. Odo Fenn married Ida Holt."},
    {"doc_id": "bell", "title": "Sister Bell", "text": "Sister Bell kept nine hives of bees at Low Farm."},
)
QUESTIONS = (
    {
        "qid": "1",
        "question": "Who founded Tinworks?",
        "doc_ids": None,
        "answers": ["Mara Quill"],
        "answerable": True,
        "evidence": ["quill"],
    },
    {
        "qid": "2",
        "question": "When was Tinworks bought from Mara Quill?",
        "doc_ids": None,
        "answers": ["1912"],
        "answerable": True,
        "evidence": ["fenn"],
    },
    {
        "qid": "3",
        "question": "Who keeps penguins on the moon?",
        "doc_ids": None,
        "answers": [],
        "answerable": False,
        "evidence": [],
    },
    {
        "qid": "4",
        "question": "What did Sister Bell keep at Low Farm?",
        "doc_ids": None,
        "answers": ["bees"],
        "answerable": True,
        "evidence": ["bell"],
    },
)


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """A file of JSON lines, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def write_set(
    folder: Path, questions: Iterable[Mapping[str, Any]] = QUESTIONS, documents: Iterable[Mapping[str, Any]] = DOCUMENTS
) -> Path:
    """A set with its own documents; returns its folder."""
    write_lines(folder / "questions.jsonl", questions)
    write_lines(folder / "docs.jsonl", documents)
    return folder


def write_books(folder: Path, books: Mapping[str, str]) -> Path:
    """A folder of books, `<id>.txt` each, with an index that names them below their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in books.items():
        (folder / f"{name}_a-book.txt").write_text(text, encoding="utf-8")
    index = [{"doc_id": f"gid-{name}", "title": name, "file": f"{folder.name}/{name}_a-book.txt"} for name in books]
    write_lines(folder / "books.jsonl", index)
    return folder
