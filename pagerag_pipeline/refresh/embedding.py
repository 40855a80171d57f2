"""Texts to vectors and signs inside a worker, request by request: what came before a server went away is kept, and after that nothing more is asked of it."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.embed import encode_texts
from pagerag_pipeline.models.embedder import confirm_embedder, embedder_spent
from pagerag_pipeline.models.endpoint.embedder import EndpointEmbedder
from pagerag_pipeline.models.endpoint.line import EmbeddingFault
from pagerag_pipeline.schema.documents import embed_text
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.schema.protocols import Embedder
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.stores.work import UnitResult

LOGGER = logging.getLogger(__name__)
Task = dict[str, Any]
GONE = "gone: "
"""What the error of a text begins with that no server is there for: the text is not to blame, and stays open."""
_OF_ONE_TEXT = ("malformed", "too_long", "rejected", "refused")
"""Failures of an embeddings server that one text of a request may have brought about."""


@dataclass(frozen=True, slots=True)
class Paid(UnitResult):
    """The first text of a request, with what that took of the server."""

    spent: Spent = Spent()


class Embedding:
    """Embeds batches until the server is gone."""

    def __init__(self, embedder: Embedder, settings: EmbedSettings, gone: str = "") -> None:
        self.gone = gone
        """Why nothing more is asked, in words; empty while the server answers."""
        self._embedder = embedder
        self._settings = settings

    def results(self, tasks: Sequence[Task]) -> list[UnitResult]:
        """One result a task, in their order. The digest of a vector is that of its key: text and model."""
        return [result for some in self._requests(tasks) for result in self._counted(some)]

    def _requests(self, tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
        """Tasks by request, those without a visible character by themselves; all of them at once for a model that runs here."""
        if not isinstance(self._embedder, EndpointEmbedder):
            yield from [tasks] if tasks else []
            return
        start = 0
        for places in self._embedder.requests([_text(task) for task in tasks]):
            yield tasks[start : places[-1] + 1]
            start = places[-1] + 1
        if start < len(tasks):
            yield tasks[start:]

    def _counted(self, tasks: Sequence[Task]) -> list[UnitResult]:
        """What becomes of a request; the first of its texts tells what it took of the server, tried again or not."""
        before = embedder_spent(self._settings)
        first, *others = self._embedded(tasks)
        after = embedder_spent(self._settings)
        calls, tokens, estimated = (getattr(after, name) - getattr(before, name) for name in ("calls", "prompt_tokens", "estimated_calls"))
        known = {one.name: getattr(first, one.name) for one in fields(first)}
        return [Paid(**known, spent=Spent(calls, tokens, estimated_calls=estimated)) if calls else first, *others]

    def _embedded(self, tasks: Sequence[Task], *, alone: bool = False) -> list[UnitResult]:
        if self.gone:
            return [UnitResult(task["key"], "", {}, error=f"{GONE}{self.gone}") for task in tasks]
        texts = [_text(task) for task in tasks]
        begun = time.perf_counter()
        try:
            encoded = encode_texts(texts, self._embedder, self._settings)
        except EmbeddingFault as fault:
            return self._without(tasks, fault, alone=alone)
        seconds = (time.perf_counter() - begun) / max(len(tasks), 1)
        return [
            UnitResult(task["key"], digest("vector", task["key"]), {"vectors": [(task["key"], " ".join(lexical.terms(text)), vector, signs.tobytes())]}, seconds)
            for task, text, (vector, signs) in zip(tasks, texts, encoded, strict=True)
        ]

    def _without(self, tasks: Sequence[Task], fault: EmbeddingFault, *, alone: bool) -> list[UnitResult]:
        """What becomes of a request that failed: texts are tried alone where one of them may be what is wrong and a short text still gets its vector."""
        of_one_text = fault.kind in _OF_ONE_TEXT and not fault.final
        if not (alone and of_one_text):
            self.gone = self._gone(fault)
        if self.gone or (of_one_text and not alone and len(tasks) > 1):
            return [result for task in tasks for result in self._embedded([task], alone=True)]
        LOGGER.warning("%d texts have no vector: %s", len(tasks), fault)
        return [UnitResult(task["key"], "", {}, error=f"{fault.kind}: {fault}") for task in tasks]

    def _gone(self, fault: EmbeddingFault) -> str:
        if fault.final:
            return str(fault)
        try:
            confirm_embedder(self._settings)
        except EmbeddingFault as silence:
            return str(silence)
        return ""


def _text(task: Task) -> str:
    return embed_text(task["context"], task["text"])
