"""What benchmarks read: corpora copied alone into a folder, and their questions with document names as the repository says them.

Published sets are looked for in the folder that `PAGERAG_EVAL` names; `bundled` is the corpus of this repository.
"""

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOVEL = "514_little-women.txt"
PASSAGE_SETS = ("2wiki", "hotpotqa", "musique")
BOOK_SETS = ("literaryqa", "graphrag_bench_novel")
POOLED_SETS = ("clapnq", "cranfield", "mtrag_un", "xquad")
"""Sets of short documents; a question is asked of all of them."""
LONG_SETS = ("loogle",)
"""Sets of long documents; a question is asked of its own."""
JOINED = "joined"
"""The books of `BOOK_SETS`, the novel and the documents of 2wiki in one corpus, about 2 million tokens; asked are the questions of both."""
NAMES = ("bundled", "novel", JOINED, *PASSAGE_SETS, *BOOK_SETS, *POOLED_SETS, *LONG_SETS)
QUESTIONS = {"xquad": "en_questions.jsonl", "rgb": "en_fact_questions.jsonl"}
DOCUMENTS = {"xquad": "en_docs.jsonl", "rgb": "en_fact_docs.jsonl"}
"""Files that are called otherwise than `questions.jsonl` and `docs.jsonl`."""


def eval_folder() -> Path:
    """The folder of published sets. Ends the program with a plain message when none is named."""
    folder = os.environ.get("PAGERAG_EVAL", "")
    if not Path(folder).is_dir() or not folder:
        sys.exit("Set PAGERAG_EVAL to the folder that holds the published sets (benchmarks/README.md says what is expected in it).")
    return Path(folder)


def corpus(name: str, work: Path) -> Path:
    """A folder under `work` that holds the documents of a set and nothing else; copied once."""
    folder = work / "corpora" / name
    if not folder.exists():
        files = {path.name: path for path in _files(name)} if name != "bundled" else {}
        staging = folder.with_name(f".{name}")
        shutil.rmtree(staging, ignore_errors=True)
        if name == "bundled":
            shutil.copytree(ROOT / "data" / "corpus", staging)
        staging.mkdir(parents=True, exist_ok=True)
        for file, path in files.items():
            shutil.copyfile(path, staging / file)
        staging.rename(folder)
    return folder


def book(file: str, work: Path) -> Path:
    """A folder under `work` that holds one book and nothing else; copied once."""
    folder = work / "corpora" / f"book-{Path(file).stem}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / file).exists():
        shutil.copyfile(eval_folder() / "books" / file, folder / file)
    return folder


def questions(name: str) -> list[dict[str, Any]]:
    """The questions of a set with their gold fields; `doc_ids` are file names where documents are books."""
    if name == "novel":
        files = _book_files()
        return [one for one in _json_lines(eval_folder() / "nocha" / "questions.jsonl") if [files[book] for book in one["doc_ids"]] == [NOVEL]]
    if name == JOINED:
        return [*questions("2wiki"), *_in_turn(one for books in BOOK_SETS for one in questions(books))]
    path = ROOT / "data" / "questions.jsonl" if name == "bundled" else eval_folder() / name / QUESTIONS.get(name, "questions.jsonl")
    asked = _json_lines(path)
    if name in BOOK_SETS:
        files = _book_files()
        return [{**one, "doc_ids": [files[book] for book in one["doc_ids"]]} for one in asked]
    return asked


def questions_of(name: str, documents: Sequence[str] | None) -> list[dict[str, Any]]:
    """The questions of a set, or those that are asked of these documents alone."""
    return [one for one in questions(name) if documents is None or set(one.get("doc_ids") or [""]) <= set(documents)]


def documents(name: str) -> list[dict[str, Any]]:
    """The documents of a set that keeps them in one file."""
    (path,) = _files(name)
    return _json_lines(path)


def document_name(document: str) -> str:
    """How gold names a document: its own id where a file holds many, else its path."""
    return document.partition("#")[2] or document


def _files(name: str) -> list[Path]:
    if name == "novel":
        return [eval_folder() / "books" / NOVEL]
    if name == JOINED:
        return sorted({path for part in (*BOOK_SETS, "novel", "2wiki") for path in _files(part)})
    if name in BOOK_SETS:
        return [eval_folder() / "books" / book for book in sorted({book for one in questions(name) for book in one["doc_ids"]})]
    return [eval_folder() / name / DOCUMENTS.get(name, "docs.jsonl")]


def _in_turn(asked: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Questions in an order that takes one of each book in turn, so that any number of the first ones is spread over the books."""
    counts: Counter[str] = Counter()
    ranked: list[tuple[int, str, dict[str, Any]]] = []
    for one in asked:
        book = one["doc_ids"][0]
        ranked.append((counts[book], book, one))
        counts[book] += 1
    return [one for _, _, one in sorted(ranked, key=lambda row: row[:2])]


def _book_files() -> dict[str, str]:
    return {book["doc_id"]: Path(book["file"]).name for book in _json_lines(eval_folder() / "books" / "books.jsonl")}


def _json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
