"""One refresh of one home: the lock, the driver's work file and the door to workers, from the first step to the publish."""

import contextlib
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.indexing.overrides import parse_overrides
from pagerag_pipeline.models.chat.opening import Chat, open_chat
from pagerag_pipeline.models.embedder import embedder_mark, recognize_embedder
from pagerag_pipeline.refresh import workers
from pagerag_pipeline.refresh.expecting import Expected
from pagerag_pipeline.refresh.mapper import open_mapper
from pagerag_pipeline.schema.protocols import BatchMapper, Progress
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores import locks
from pagerag_pipeline.stores.generations import VECTORS_FOLDER, new_generation_id, remove_leftovers, standing_name
from pagerag_pipeline.stores.governance import governance_text, ontology_text
from pagerag_pipeline.stores.servers import ChatServers
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.vectors import VectorStore
from pagerag_pipeline.stores.work import open_work

_PROGRESS_SECONDS = 0.5


class Stopped(RuntimeError):
    """A refresh that ends early as it was told to, without a fault: what was finished is kept, and the message says how to go on."""


class Session:
    """What every product function works with. Open it with `Session.open`, close it at the end, whatever happened."""

    def __init__(self, home: Path, settings: Settings, *, force: bool) -> None:
        self.home = home
        self.settings = settings
        self.force = force
        self.ontology = ""
        """The ontology of the home as people wrote it; empty for the shipped one."""
        self.run = uuid.uuid4().hex[:12]
        self.started = locks.now()
        self.corpus_digest = ""
        """Digest of the listing that this refresh saw; set by `source_documents`."""
        self.recovered = ""
        """What was found of a refresh that died, and what became of it, in words; empty when there was none."""
        self.failed = ""
        """Why this refresh failed or was stopped, in words; set on the way out."""
        self._ended = "done"
        self.on_progress: Progress | None = None
        """Told how far each product is, when set."""
        self._lock = locks.RefreshLock(home)
        self._tables: Tables | None = None
        self._vectors: VectorStore | None = None
        self._mapper: BatchMapper | None = None
        self._chat: Chat | None = None
        self.expected: dict[str, Expected] = {}
        """What the ledgers that a chat model computes were expected to cost, before any of it was asked."""
        self._told = 0.0
        self.generation = ""

    @classmethod
    def open(
        cls, home: Path, *, settings: Settings | None = None, wait: bool = False, force: bool = False, purpose: str = "refresh"
    ) -> Self:
        """A session that holds the home's lock. Raises locks.Held when another refresh runs and `wait` is false.

        Raises SettingsError, overrides.OverridesError and ontology.OntologyError for what people wrote and no product could obey, before any work is done,
        and EmbeddingFault when a server that is to embed gives no vector.
        """
        home = home.absolute()
        settings = settings or load_settings(home)
        parse_overrides(governance_text(home))
        session = cls(home, settings, force=force)
        session.ontology = ontology_text(home)
        load_ontology(session.ontology)
        session._lock.acquire(wait, purpose)
        try:
            died = session._died()
            session._write("starting", 0, 0, "running")
            recognize_embedder(settings.embed, ChatServers(home), write=True)
            session._tables = open_work(home, settings.store)
            session.recovered = " ".join(told for told in (died, session._tables.repaired) if told)
            remove_leftovers(home)
            session.generation = new_generation_id(home)
        except BaseException as error:
            session.fail(error)
            with contextlib.suppress(OSError):
                session._write("starting", 0, 0, session._ended)
            session._release()
            raise
        return session

    @property
    def tables(self) -> Tables:
        """The open work file."""
        if self._tables is None:
            raise RuntimeError("this session is closed")
        return self._tables

    @property
    def vectors(self) -> VectorStore:
        """The vector store of the home, opened when first asked for."""
        if self._vectors is None:
            self._vectors = VectorStore(self.home / VECTORS_FOLDER, self.settings.embed)
        return self._vectors

    @property
    def mapper(self) -> BatchMapper:
        """Where batches run, started when first asked for."""
        if self._mapper is None:
            self._mapper = open_mapper(f"{workers.__name__}:start", (self.settings, self.ontology, embedder_mark(self.settings.embed)), self.settings.refresh)
        return self._mapper

    @property
    def chat(self) -> Chat | None:
        """The chat models of this refresh with its ceilings, opened when first asked for; None where no server is set."""
        if self._chat is None:
            self._chat = open_chat(self.settings.chat, ChatServers(self.home))
        return self._chat

    def share(self, chat: Chat | None) -> None:
        """Ask the chat models of a longer run, within its ceilings, in place of some of this refresh's own."""
        self._chat = chat

    def end_workers(self) -> None:
        """Let go of workers: nothing is left for them to do, or so it seems; who asks for `mapper` again gets new ones."""
        if self._mapper is not None:
            self._mapper.close()
            self._mapper = None

    def progress(self, product: str, done: int, total: int) -> None:
        """Tell how far a product is: to the caller each time, to the progress file at most twice a second."""
        if self.on_progress:
            self.on_progress(product, done, total)
        if time.monotonic() - self._told >= _PROGRESS_SECONDS or done == 0:
            self._write(product, done, total, "running")

    def fail(self, error: BaseException) -> None:
        """Note why this refresh failed, or was stopped, for `status`."""
        stopped = isinstance(error, Stopped)
        self._ended, self.failed = ("stopped", str(error)) if stopped else ("failed", f"{type(error).__name__}: {error}")

    def close(self) -> None:
        """End: tell the progress file how it went, let go of workers, files and lock. May be called twice."""
        if self._tables is None:
            return
        try:
            # Where there is no room for this either, what went wrong before must still be told.
            with contextlib.suppress(OSError):
                self._write("", 0, 0, self._ended)
        finally:
            self._release()

    def _died(self) -> str:
        before = locks.read_progress(self.home)
        if before is None or before.status != "abandoned":
            return ""
        published = standing_name(self.home)
        meanwhile = f"generation {published} answers" if published else "nothing answers"
        return (
            f"The refresh of {before.started} died at {before.product} ({before.done} of {before.total}). What it had committed is kept and "
            f"taken up; until a new generation is published, {meanwhile}."
        )

    def _write(self, product: str, done: int, total: int, status: str) -> None:
        self._told = time.monotonic()
        locks.write_progress(
            self.home,
            locks.Progress(self.run, product, done, total, status, error=self.failed, started=self.started),
        )

    def _release(self) -> None:
        try:
            self.end_workers()
            if self._tables is not None:
                self._tables.close()
        finally:
            self._tables, self._vectors = None, None
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is not None and not self.failed:
            self.fail(error)
        self.close()
