"""`chat_servers.json` in the home: how each chat server wants to be asked, as a probe found out once. It may be deleted at any time."""

import json
import threading
from pathlib import Path
from typing import Any

SERVERS_FILE = "chat_servers.json"
_LOCK = threading.Lock()


class ChatServers:
    """The facts about servers that are kept in a home."""

    def __init__(self, home: Path) -> None:
        self._path = home / SERVERS_FILE

    def read(self, key: str) -> dict[str, Any]:
        """What is kept under a key; empty when nothing is, or the file cannot be read: then the server is probed again."""
        found = self._all().get(key)
        return found if isinstance(found, dict) else {}

    def write(self, key: str, facts: dict[str, Any]) -> None:
        """Keep facts under a key; the file is replaced as a whole."""
        with _LOCK:
            table = {**self._all(), key: facts}
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary = self._path.with_suffix(".json.new")
            temporary.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            temporary.replace(self._path)

    def _all(self) -> dict[str, Any]:
        try:
            table = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return table if isinstance(table, dict) else {}
