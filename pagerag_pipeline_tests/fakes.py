"""Stand-ins for models, clocks and notebooks: small, exact and deterministic."""

import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from pagerag_pipeline.models.chat.waiting import Waiter
from pagerag_pipeline.prompts.reply import reply_faults
from pagerag_pipeline.schema.language import Failure, Reply, Request, Spent


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


class SayingModel:
    """A chat model within a window of so many characters: says what a function of the request gives, if it fits the prompt's schema, and remembers the requests."""

    name, fingerprint = "stub", "stub/1"

    def __init__(self, say: Callable[[Request], dict[str, Any] | Failure], *, room: int = 100_000) -> None:
        self._say = say
        self._room = room
        self.requests: list[Request] = []

    def fits(self, request: Request) -> bool:
        return len(request.text) <= self._room

    def reply(self, request: Request) -> Reply | Failure:
        self.requests.append(request)
        said = self._say(request)
        if isinstance(said, Failure):
            return said
        assert not list(reply_faults(said, request.schema))
        return Reply(said, Spent(1, 100, 10))
