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
ALIKE = 0.9995
"""Cosine of two vectors of the probe from which on the model is the same. Between the two sides of what its weights may be rounded to (measured for the
bundled model's, against 32 bits): 0.9999 in 16 bits and in 8 bits by blocks of 32, 0.99957 in 8 bits by rows; 0.9977 in 6 bits, 0.960 in 4."""
PROBE_TOKENS = 64
"""More tokens than any tokenizer makes of the probe's 18 words."""
_MOST_KEPT = 8
_BACKOFF_MOST = 60.0


class EmbeddingFault(RuntimeError):
    """Texts without vectors: which kind of failure, and in words where, what and what to do."""

    def __init__(self, kind: FailureKind, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.final = final
        """Whether every other text would meet it too."""

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it comes whole out of another process."""
        return _fault, (self.kind, str(self), self.final)


def _fault(kind: FailureKind, message: str, final: bool) -> EmbeddingFault:
    return EmbeddingFault(kind, message, final=final)


class Wire(Protocol):
    """A connection to a server."""

    def embed(self, body: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The server's table for one request of vectors. Raises Fault."""
        ...


class _Own(threading.local):
    """What one thread took of a server."""

    spent = Spent()


class EmbeddingLine:
    """One model of one server; safe to use from many threads."""

    def __init__(self, settings: EmbedSettings, wire: Wire, waiter: Waiter | None = None) -> None:
        self._settings = settings
        self._wire = wire
        self._waiter = waiter or Waiter()
        self._lock = threading.Lock()
        self._dimension = 0
        self.mark: tuple[float, ...] = ()
        """The probe's vector that every reply must agree with, since one refresh began or questions are asked; empty before the model is recognized."""
        self.known: tuple[float, ...] = ()
        """The probe's vector by which the model is known in a home: what `mark` was when it was first seen there."""
        self._own = _Own()

    @property
    def print(self) -> str:
        """Digest of the vector by which the model is known; empty before it is recognized."""
        return digest("probe", np.array(self.known, dtype=np.float32).tobytes()) if self.known else ""

    @property
    def spent(self) -> Spent:
        """Calls and tokens of the calling thread so far, failed calls too: several homes may be refreshed and asked over one line."""
        return self._own.spent

    @property
    def dimension(self) -> int:
        """Of the model's vectors; the first one to ask has the probe embedded. Raises EmbeddingFault."""
        if not self._dimension:
            self.vectors([PROBE])
        return self._dimension

    @property
    def room(self) -> tuple[int, int]:
        """Texts and tokens that a request has room for beside the probe."""
        settings = self._settings
        beside = self.mark and settings.request_texts > 1
        return (settings.request_texts - 1, max(1, settings.request_tokens - PROBE_TOKENS)) if beside else (settings.request_texts, settings.request_tokens)

    def recognize(self, notebook: Notebook, *, write: bool) -> None:
        """Have the probe embedded and know the model by it, as one that the notebook tells of or as a new one, noted with `write`. Raises EmbeddingFault."""
        with self._lock:
            self._dimension, self.mark = 0, ()
        own = self.vectors([PROBE])[0]
        kept = self._kept(notebook)
        known = next((one for one in kept if len(one) == len(own) and _cosine(one, own) >= ALIKE), None)
        if known is None:
            known = tuple(np.round(own, 6).tolist())
            if write:
                notebook.write(probe_key(self._settings), {"probes": [list(one) for one in [*kept, known][-_MOST_KEPT:]]})
        with self._lock:
            self.known, self.mark = known, tuple(own.tolist())

    def recall(self, notebook: Notebook) -> None:
        """Take the model for the one that the notebook tells of last, without a call."""
        self.known = next(iter(self._kept(notebook)[::-1]), ())

    def agree(self, mark: Sequence[float]) -> None:
        """Take only replies that agree with a probe's vector: that of the process which recognized the model."""
        with self._lock:
            self.mark = tuple(mark)

    def confirm(self) -> None:
        """One short call: the server is there, with the model that was recognized. Raises EmbeddingFault."""
        found = self.vectors([PROBE])
        if self.mark:
            self._compare(found[0])

    def vectors(self, texts: Sequence[str]) -> np.ndarray:
        """Unit rows for texts in one request, which the probe goes along with where there is room. Raises EmbeddingFault, also when another model answered."""
        with_probe = bool(self.mark) and self._settings.request_texts > len(texts) and list(texts) != [PROBE]
        sent = [*texts, PROBE] if with_probe else list(texts)
        body: dict[str, Any] = {"model": self._settings.model, "input": sent, "encoding_format": "float"}
        if self._settings.dimensions:
            body["dimensions"] = self._settings.dimensions
        try:
            found = vectors_of(self._answered(body), len(sent), self._dimension or self._settings.dimensions)
        except Fault as fault:
            raise EmbeddingFault(fault.kind, f"{self._without} {fault.message}", final=fault.final) from None
        if with_probe:
            self._compare(found[-1])
        with self._lock:
            self._dimension = found.shape[1]
        return found[: len(texts)]

    @property
    def _without(self) -> str:
        return f"No vectors by {self._settings.model} from {self._settings.base_url}:"

    def _compare(self, probe: np.ndarray) -> None:
        """Raise EmbeddingFault unless the probe has the vector that it had."""
        cosine = _cosine(self.mark, probe) if len(self.mark) == len(probe) else 0.0
        if cosine < ALIKE:
            told = f"another model answers under this name than before (the same text has vectors of cosine {cosine:.4f}, from {ALIKE} on it is the same model)."
            raise EmbeddingFault("rejected", f"{self._without} {told} What was published stays; a refresh makes all vectors by one model.", final=True)

    def _kept(self, notebook: Notebook) -> list[tuple[float, ...]]:
        """Vectors of the probe that the notebook tells of, each once; earlier notes had the address in their key."""
        key = probe_key(self._settings)
        rows = [*notebook.read(f"{self._settings.base_url} {key}").get("probes", []), *notebook.read(key).get("probes", [])]
        return list(dict.fromkeys(tuple(map(float, one)) for one in rows))

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
                    raise Fault(fault.kind, fault.message + tried, status=fault.status, final=fault.final) from None
                self._waiter.wait(wait)
        raise AssertionError("the last attempt returns or raises")

    def _count(self, table: Mapping[str, Any]) -> None:
        usage = table.get("usage")
        tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
        known = isinstance(tokens, int)
        self._own.spent += Spent(1, tokens if isinstance(tokens, int) else 0, estimated_calls=0 if known else 1)


def probe_key(settings: EmbedSettings) -> str:
    """Under which notebooks and manifests tell of the probe's vectors: the model and its dimensions, wherever it runs."""
    return f"embeddings {settings.model} {settings.dimensions}"


def _cosine(one: Sequence[float], other: np.ndarray) -> float:
    vector = np.asarray(one, dtype=np.float64)
    return float(vector @ other / max(float(np.linalg.norm(vector)), 1e-9))


def line_of(settings: EmbedSettings) -> EmbeddingLine:
    """The line to the server that the settings name, one a process; nothing is asked yet."""
    return _line(settings, secret_key(EMBED_KEY_VARIABLES))


@lru_cache(maxsize=8)
def _line(settings: EmbedSettings, key: str) -> EmbeddingLine:
    from pagerag_pipeline.models.chat.transport import Transport

    return EmbeddingLine(settings, Transport(settings.base_url, key, section="embed"))
