"""What of a generation's tables is kept in memory for asking, within a limit: nothing for a single question, whatever fits for those after it."""

import contextlib
import threading
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

import pyarrow as pa


class Sized(Protocol):
    """What knows its own memory."""

    @property
    def nbytes(self) -> int: ...  # noqa: D102


_Made = TypeVar("_Made", bound=Sized)
_Reader = Callable[[str], contextlib.AbstractContextManager[Iterable[pa.RecordBatch]]]
"""Gives the rows of a source in batches, while the context lasts: of a statement, or of what else is read by name."""


class Kept:
    """Structures made of tables, each when it is first asked for. Safe to use from many threads.

    A table that finds no room among `most` bytes is not kept: who asks for it then asks the engine.
    """

    def __init__(self, reader: _Reader, most: int) -> None:
        self._reader = reader
        self._room = most
        self._keeps = False
        self._made: dict[str, Sized | None] = {}
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Keep from now on what is asked for: reading whole tables pays from the second question on."""
        self._keeps = True

    def made(self, source: str, make: Callable[[pa.Table], _Made], reader: _Reader | None = None) -> _Made | None:
        """What `make` makes of a source's rows; None when nothing is kept yet, the source has no rows, or they found no room."""
        if not self._keeps:
            return None
        if source not in self._made:
            with self._lock:
                if source not in self._made:
                    self._made[source] = self._make(source, make, reader or self._reader)
        made: _Made | None = self._made[source]  # type: ignore[assignment]
        return made

    def _make(self, source: str, make: Callable[[pa.Table], _Made], reader: _Reader) -> _Made | None:
        table = self._read(source, reader)
        made = None if table is None else make(table)
        if made is None or made.nbytes > self._room:
            return None
        self._room -= made.nbytes
        return made

    def _read(self, source: str, reader: _Reader) -> pa.Table | None:
        """The rows of a source, as long as they fit; reading ends where they do not."""
        found: list[pa.RecordBatch] = []
        size = 0
        with reader(source) as batches:
            for batch in batches:
                size += batch.nbytes
                if size > self._room:
                    return None
                found.append(batch)
        return pa.Table.from_batches(found) if found else None
