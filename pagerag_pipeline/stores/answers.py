"""`answers.duckdb`: answers that a batch of questions was given, kept by generation, system and question. A file and a lock of its own.

The file is opened for one read or one write at a time, so that several batches and a refresh can run side by side.
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pagerag_pipeline.schema import Question, digest
from pagerag_pipeline.settings import Settings, slice_digest
from pagerag_pipeline.stores.tables import Tables, open_tables

ANSWERS_FILE = "answers.duckdb"
LOCK_FILE = "answers.lock"

_TABLE = "CREATE TABLE IF NOT EXISTS answers (key VARCHAR, generation VARCHAR, system VARCHAR, question VARCHAR, status VARCHAR, outcome VARCHAR)"
_COLUMNS = ("key", "generation", "system", "question", "status", "outcome")


@dataclass(frozen=True, slots=True)
class Asking:
    """Under what a batch is answered: what must be equal for an answer to be taken again."""

    generation: str
    system: str
    settings: Settings


def question_key(question: Question, asking: Asking) -> str:
    """Digest of all that an answer depends on: the question without its id, the generation, the system and the settings of asking."""
    shown = repr((question.text, question.doc_ids, question.options, question.history))
    return digest("answer", shown, asking.generation, asking.system, slice_digest(asking.settings.retrieve, asking.settings.answer))


class Answers:
    """The kept answers of a home."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home = home
        self._settings = settings

    def kept(self, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Outcomes that are kept under some of the keys."""
        with self._open() as tables:
            rows = tables.rows("SELECT key, outcome FROM answers WHERE key IN (SELECT unnest(?::VARCHAR[]))", [list(keys)])
        return {key: json.loads(outcome) for key, outcome in rows}

    def keep(self, answered: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Keep outcomes under their keys, in one transaction; a key that is kept already stays as it is."""
        rows = [
            (key, o["generation"], o["system"], o["question"], o["status"], json.dumps(o, ensure_ascii=False)) for key, o in answered
        ]
        frame = pl.DataFrame(rows, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row").unique("key", keep="first", maintain_order=True)
        with self._open() as tables, tables.transaction(), tables.staged("answered", frame) as staged:
            tables.execute(f"INSERT INTO answers SELECT a.* FROM {staged} a ANTI JOIN answers USING (key)")

    @contextlib.contextmanager
    def _open(self) -> Iterator[Tables]:
        self._home.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._home / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            with open_tables(self._home / ANSWERS_FILE, self._settings.store) as tables:
                tables.execute(_TABLE)
                yield tables
        finally:
            os.close(descriptor)


def answer_batch(
    questions: Sequence[Question], ask: Callable[[Question], dict[str, Any]], *, answers: Answers, asking: Asking, batch: int = 20
) -> Iterator[tuple[dict[str, Any], bool]]:
    """(outcome, whether it was kept before) of every question in order; what is asked now is kept every `batch` questions.

    A fault (`failed`) is not kept, nor is an answer of a generation that was published meanwhile: it would stand under the wrong key.
    """
    for start in range(0, len(questions), batch):
        some = questions[start : start + batch]
        keys = [question_key(question, asking) for question in some]
        kept = answers.kept(keys)
        asked: list[tuple[str, dict[str, Any]]] = []
        outcomes: list[tuple[dict[str, Any], bool]] = []
        for question, key in zip(some, keys, strict=True):
            if key in kept:
                outcomes.append(({**kept[key], "qid": question.qid}, True))
                continue
            outcome = ask(question)
            outcomes.append((outcome, False))
            if outcome["status"] != "failed" and outcome["generation"] == asking.generation:
                asked.append((key, outcome))
        answers.keep(asked)
        yield from outcomes
