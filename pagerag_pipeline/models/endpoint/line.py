"""Calls to one embeddings server in a process: tried again where that can help, within a total time, each counted."""

import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from pagerag_pipeline.models.chat.faults import RETRIED, Fault
from pagerag_pipeline.models.chat.waiting import Waiter, backoff
from pagerag_pipeline.models.endpoint.replies import vectors_of
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import FailureKind, Spent
from pagerag_pipeline.schema.protocols import Notebook
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline.settings_file import EMBED_KEY_VARIABLES, secret_key

PROBE = "A lamp was lit in the harbor before the ships came in, and nobody said who had lit it."
"""The text whose vector tells one model from another that has its name."""
_ALIKE = 0.9995
"""Cosine of two vectors of the probe from which on the model is the same: servers differ from call to call by about 1e-4 (chosen)."""
_MOST_KEPT = 8
_BACKOFF_MOST = 60.0


class EmbeddingFault(RuntimeError):
    """Texts without vectors: which kind of failure, and in words where, what and what to do."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Wire(Protocol):
    """A connection to a server."""

    def embed(self, body: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The server's table for one request of vectors. Raises Fault."""
        ...


class EmbeddingLine:
    """One model of one server; safe to use from many threads."""

    def __init__(self, settings: EmbedSettings, wire: Wire, waiter: Waiter | None = None) -> None:
        self._settings = settings
        self._wire = wire
        self._waiter = waiter or Waiter()
        self._lock = threading.Lock()
        self._dimension = 0
        self.print = ""
        """Digest of the probe's vector once the model is recognized; empty before."""
        self.spent = Spent()
        """Calls and tokens so far, failed calls too."""

    @property
    def dimension(self) -> int:
        """Of the model's vectors; the first one to ask has the probe embedded. Raises EmbeddingFault."""
        if not self._dimension:
            self.vectors([PROBE])
        return self._dimension

    def recognize(self, notebook: Notebook, *, write: bool) -> None:
        """Have the probe embedded and set `print` to that of the model known by its vector; a new model is noted with `write`. Raises EmbeddingFault."""
        with self._lock:
            self._dimension = 0
        own = self.vectors([PROBE])[0]
        key = f"{self._settings.base_url} embeddings {self._settings.model} {self._settings.dimensions}"
        kept = [np.array(one, dtype=np.float32) for one in notebook.read(key).get("probes", [])]
        known = next((one for one in kept if one.shape == own.shape and float(one @ own) >= _ALIKE), None)
        if known is None:
            known = np.round(own, 6)
            if write:
                notebook.write(key, {"probes": [one.tolist() for one in [*kept, known][-_MOST_KEPT:]]})
        self.print = digest("probe", np.asarray(known, dtype=np.float32).tobytes())

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """Unit rows for texts in one request. Raises EmbeddingFault."""
        body: dict[str, Any] = {"model": self._settings.model, "input": list(texts), "encoding_format": "float"}
        if self._settings.dimensions:
            body["dimensions"] = self._settings.dimensions
        try:
            found = vectors_of(self._answered(body), len(texts), self._dimension or self._settings.dimensions)
        except Fault as fault:
            raise EmbeddingFault(fault.kind, f"No vectors by {self._settings.model} from {self._settings.base_url}: {fault.message}") from None
        with self._lock:
            self._dimension = found.shape[1]
        return found

    def _answered(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The server's table, after as many calls as that takes. Raises Fault."""
        settings, started = self._settings, self._waiter.now()
        times = ChatSettings(backoff_seconds=settings.backoff_seconds, backoff_most=_BACKOFF_MOST)
        for attempt in range(1, settings.attempts + 1):
            try:
                table = self._wire.embed(body, settings.timeout_seconds)
                self._count(table)
                return table
            except Fault as fault:
                self._count({})
                wait = backoff(attempt, self._waiter.chance(), times) if fault.wait is None else fault.wait
                late = self._waiter.now() - started + wait >= settings.total_seconds
                if fault.kind not in RETRIED or fault.final or attempt == settings.attempts or late:
                    tried = f" Given up after {attempt} calls." if attempt > 1 else ""
                    raise Fault(fault.kind, fault.message + tried, status=fault.status) from None
                self._waiter.wait(wait)
        raise AssertionError("the last attempt returns or raises")

    def _count(self, table: Mapping[str, Any]) -> None:
        usage = table.get("usage")
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        known = isinstance(tokens, int)
        with self._lock:
            self.spent += Spent(1, tokens if isinstance(tokens, int) else 0, estimated_calls=0 if known else 1)


def line_of(settings: EmbedSettings) -> EmbeddingLine:
    """The line to the server that the settings name, one a process; nothing is asked yet."""
    return _line(settings, secret_key(EMBED_KEY_VARIABLES))


@lru_cache(maxsize=8)
def _line(settings: EmbedSettings, key: str) -> EmbeddingLine:
    from pagerag_pipeline.models.chat.transport import Transport

    return EmbeddingLine(settings, Transport(settings.base_url, key, section="embed"))
