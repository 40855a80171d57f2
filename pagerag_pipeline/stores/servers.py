"""`chat_servers.json` in the home: how each server wants to be asked and which model it had, as a probe found out once. It may be deleted at any time.

Which model embedded the published generation is told by its manifest too.
"""

import json
import threading
from pathlib import Path
from typing import Any

from pagerag_pipeline.stores.generations import GenerationError, current

SERVERS_FILE = "chat_servers.json"
_LOCK = threading.Lock()


class ChatServers:
    """The facts about servers that are kept in a home."""

    def __init__(self, home: Path) -> None:
        self._path = home / SERVERS_FILE

    def read(self, key: str) -> dict[str, Any]:
        """What is kept under a key; empty when nothing is, or the file cannot be read: then the server is probed again."""
        found = self._all().get(key)
        facts = found if isinstance(found, dict) else {}
        told = self._published(key)
        return {**facts, "probes": [*(one for one in facts.get("probes", []) if one != told), told]} if told else facts

    def write(self, key: str, facts: dict[str, Any]) -> None:
        """Keep facts under a key; the file is replaced as a whole."""
        with _LOCK:
            table = {**self._all(), key: facts}
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary = self._path.with_suffix(".json.new")
            temporary.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            temporary.replace(self._path)

    def _published(self, key: str) -> list[float]:
        """The vector that the current manifest tells under a key; empty when it tells none."""
        try:
            manifest = current(self._path.parent)
        except GenerationError:
            return []
        told = manifest.fingerprints.get(key, "") if manifest else ""
        return [float(value) for value in told.split(",")] if told else []

    def _all(self) -> dict[str, Any]:
        try:
            table = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return table if isinstance(table, dict) else {}
