"""What a judge said before, kept as JSON lines: the same words put to the same model are not paid for twice."""

import json
import threading
from pathlib import Path
from typing import Any

from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Request

JUDGED_FILE = "judged.jsonl"


def judged_key(request: Request, model: str) -> str:
    """Key of a verdict: the whole filled prompt, which holds question and answer, its words and schema, and the model's fingerprint."""
    return digest("judged", request.prompt, request.fingerprint, request.text, model)


class Verdicts:
    """Replies that fitted their schema, by key; safe to use from many threads. A line that a kill cut off is passed over and asked again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        self._kept = {row["key"]: row["value"] for row in map(_row, lines) if row}
        self._break = "\n" if lines and lines[-1] else ""

    def read(self, key: str) -> dict[str, Any] | None:
        """What is kept under a key, None when nothing is."""
        with self._lock:
            return self._kept.get(key)

    def write(self, key: str, value: dict[str, Any], *, prompt: str, model: str) -> None:
        """Keep a reply: it is in the file when this returns."""
        row = {"key": key, "prompt": prompt, "model": model, "value": value}
        with self._lock:
            self._kept[key] = value
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8", newline="\n") as stream:
                stream.write(self._break + json.dumps(row, ensure_ascii=False) + "\n")
            self._break = ""


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line.decode("utf-8"))
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("value"), dict) and "key" in row else None
