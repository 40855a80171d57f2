"""Stand-ins for models, clocks and notebooks: small, exact and deterministic."""

import re
import threading
from typing import Any

import numpy as np

from pagerag_pipeline.models.chat.waiting import Waiter


class WordTokenizer:
    """Tokens are words cut every six letters, single marks of punctuation, and single characters of scripts without spaces."""

    fingerprint = "word-tokenizer/1"
    _TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|(?:(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\w){1,6}|[^\w\s]")

    def offsets(self, text: str) -> np.ndarray:
        """Character ranges of all tokens."""
        spans = [match.span() for match in self._TOKEN.finditer(text)]
        return np.array(spans, dtype=np.int32).reshape(len(spans), 2)


class Notes:
    """A notebook in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Any]] = {}

    def read(self, key: str) -> dict[str, Any]:
        """What is kept under a key."""
        return self.kept.get(key, {})

    def write(self, key: str, facts: dict[str, Any]) -> None:
        """Keep facts under a key."""
        self.kept[key] = facts


class FakeWaiter(Waiter):
    """A clock that only waiting and `after` move, and that remembers every wait."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0
        self.waits: list[float] = []
        self._moving = threading.Lock()

    def now(self) -> float:
        """The time that was waited."""
        return self.time

    def wait(self, seconds: float) -> bool:
        """Move the clock at once."""
        with self._moving:
            self.waits.append(seconds)
            self.time += max(0.0, seconds)
        return self.canceled

    def chance(self) -> float:
        """No chance."""
        return 0.0
