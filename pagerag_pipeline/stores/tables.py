"""The only door to DuckDB: one connection as `Tables`, polars in and out through Arrow. Statements stand beside this file."""

import contextlib
import itertools
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import polars as pl
import pyarrow as pa

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.damaged import DiskFull, FileDamaged, is_full

LOGGER = logging.getLogger(__name__)

_CONFIG: dict[str, str | bool | int | float | list[str]] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
"""Nothing is fetched at run time; equal for every connection, since a process may open a file in one configuration only."""

_LOCK_SIGNS = ("could not set lock", "conflicting lock", "being used by another process")
_HERE_SIGNS = ("different configuration", "already attached", "already open")
_DAMAGE_SIGNS = ("corrupt", "checksum", "could not read enough bytes", "could not read from file", "not a valid duckdb", "deserialize", "serialization error")
_FILE = re.compile(r'file "([^"]+)"')
_VERSION_SIGNS = ("storage version", "version number", "newer version of duckdb")


_READ_ROWS = 50_000
"""Rows of a batch that a reader gives (chosen)."""

_INTERRUPTED = "Query interrupted"
"""The words of the RuntimeError that the engine makes of Ctrl-C while a statement runs."""


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is Ctrl-C during a statement, or came of it."""
    while error is not None:
        if isinstance(error, duckdb.InterruptException) or str(error) == _INTERRUPTED:
            return True
        error = error.__cause__ or error.__context__
    return False


class TablesError(RuntimeError):
    """A table file that cannot be opened; the message says which file, why, and what helps."""


class TablesLocked(TablesError):
    """The file is open elsewhere, in another process or in this one, in a way that leaves no room for another."""


class TablesVersion(TablesError):
    """The file was written by a version of the engine that this one does not read."""


class Tables:
    """One DuckDB connection. A connection belongs to one thread; `cursor()` gives another thread its own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self.path = path
        self.repaired = ""
        """What had to be set aside to open the file, in words; empty when nothing."""
        self.ledger_states: dict[str, tuple[str, int]] = {}
        """Digests of ledgers that stand until the ledger is written to; kept and forgotten in `work`."""
        self.damaged: Callable[[str], Exception] = FileDamaged
        """What is raised when the file turns out to be damaged, made of words that name it."""
        self._connection = connection
        self._names = itertools.count()
        self.execute("SET arrow_large_buffer_size = true")
        # Without this an unknown table name would silently read a Python variable of the caller.
        self.execute("SET python_enable_replacements = false")

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run statements to their end and drop what they return; parameters need a single statement."""
        self.rows(sql, parameters)

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query as tuples."""
        with self._told():
            return self._connection.execute(sql, list(parameters) or None).fetchall()

    def frame(self, sql: str, parameters: Sequence[Any] = ()) -> pl.DataFrame:
        """All rows of one SELECT as a polars frame; columns keep their names and types also when no row came."""
        frame = pl.from_arrow(self.columns(sql, parameters))
        assert isinstance(frame, pl.DataFrame)
        return frame

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> pa.Table:
        """All rows of one SELECT by column."""
        with self._told():
            relation = self._connection.sql(sql, params=list(parameters) or None)
            if relation is None:
                raise TablesError(f"{self.path}: frame() and columns() need a statement that returns rows; use execute() for others.")
            return relation.to_arrow_table()

    @contextlib.contextmanager
    def reader(self, sql: str) -> Iterator[pa.RecordBatchReader]:
        """The rows of one SELECT in batches, read by a connection of their own while the context lasts."""
        with self._told(), contextlib.closing(self._connection.cursor()) as connection:
            yield connection.sql(sql).to_arrow_reader(_READ_ROWS)

    def insert(self, table: str, frame: pl.DataFrame | pa.Table) -> int:
        """Append a frame's rows to a table, matching columns by name, in the frame's order; returns their count."""
        columns = list(frame.columns) if isinstance(frame, pl.DataFrame) else frame.column_names
        names = ", ".join(_quoted(name) for name in columns)
        count = frame.height if isinstance(frame, pl.DataFrame) else frame.num_rows
        if count:
            with self.staged(f"staged_insert_{next(self._names)}", frame) as staged:
                self.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM {staged}")
        return count

    @contextlib.contextmanager
    def staged(self, name: str, frame: pl.DataFrame | pa.Table) -> Iterator[str]:
        """The frame under a name that queries of this connection can read, while the context lasts; yields the quoted name."""
        self._connection.register(name, frame.to_arrow() if isinstance(frame, pl.DataFrame) else frame)
        try:
            yield _quoted(name)
        finally:
            self._connection.unregister(name)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Self]:
        """All or nothing: committed when the block ends, rolled back when it raises."""
        self.execute("BEGIN")
        try:
            yield self
            self.execute("COMMIT")
        except BaseException:
            # A failed COMMIT has already ended the transaction: then there is nothing to roll back.
            with contextlib.suppress(duckdb.Error):
                self._connection.execute("ROLLBACK")
            raise

    def cursor(self) -> "Tables":
        """Another connection to the same open file, for another thread."""
        other = Tables(self._connection.cursor(), self.path)
        other.damaged = self.damaged
        return other

    def attach(self, path: Path, alias: str, *, read_only: bool = False, logged: bool = True) -> None:
        """Make another table file visible as a catalog; it is made if it does not exist. Raises TablesError as open_tables does.

        Without a log (`logged` false) a new file is written once instead of twice; a crash before `detach` leaves it useless.
        """
        mode = " (READ_ONLY)" if read_only else "" if logged else " (RECOVERY_MODE no_wal_writes)"
        quoted = str(path).replace("'", "''")
        try:
            self.execute(f"ATTACH '{quoted}' AS {_quoted(alias)}{mode}")
        except duckdb.Error as error:
            raise _explained(path, error) from error

    def detach(self, alias: str) -> None:
        """Let go of an attached file; what was written to it is checkpointed into the file."""
        self.execute(f"DETACH {_quoted(alias)}")

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the disk in words of this house; those of a statement go on as they are."""
        try:
            yield
        except duckdb.Error as error:
            if is_full(error):
                raise DiskFull(self.path.parent) from error
            if _has(error, _DAMAGE_SIGNS):
                raise self.damaged(f"{_named(error, self.path)} is damaged: it does not hold what was written to it.") from error
            raise

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file."""
        self.execute("CHECKPOINT")

    def close(self) -> None:
        """Close this connection; the file is let go with its last one."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_tables(path: Path, settings: StoreSettings, *, read_only: bool = False) -> Tables:
    """An open table file, made if it does not exist (not when read-only).

    Raises TablesLocked when it is open elsewhere, TablesVersion when another engine version wrote it, FileDamaged, TablesError for the rest. What
    a killed process left in the write-ahead log is recovered; a log that is damaged beyond its torn end is set aside (`.wal.damaged`,
    with a warning), which takes the file back to its last checkpoint.
    """
    repaired = ""
    try:
        connection = duckdb.connect(str(path), read_only=read_only, config=dict(_CONFIG))
    except duckdb.Error as error:
        explained = _explained(path, error)
        repaired = "" if read_only or type(explained) not in (TablesError, FileDamaged) else _set_aside_log(path, error)
        if not repaired:
            raise explained from error
        connection = _reopened(path)
    tables = Tables(connection, path)
    tables.repaired = repaired
    tables.execute(f"SET memory_limit = '{_literal(settings.duckdb_memory)}'")
    tables.execute(f"SET threads = {int(settings.duckdb_threads)}")
    return tables


def _reopened(path: Path) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(path), config=dict(_CONFIG))
    except duckdb.Error as error:
        raise _explained(path, error) from error


def _set_aside_log(path: Path, error: Exception) -> str:
    """What was done, in words; empty when the log is not what is wrong."""
    log = path.with_name(path.name + ".wal")
    if not log.exists() or "wal" not in str(error).lower():
        return ""
    aside = log.with_name(log.name + ".damaged")
    log.replace(aside)
    told = f"The write-ahead log of {path.name} was damaged and is set aside as {aside.name}; the file is as of its last checkpoint."
    LOGGER.warning("%s (%s)", told, error)
    return told


def _explained(path: Path, error: Exception) -> Exception:
    reason = str(error).strip()
    if is_full(error):
        return DiskFull(path.parent)
    if _has(error, _HERE_SIGNS):
        return TablesLocked(
            f"{path} is open in this process already, not by this program or not in the same way (duckdb.connect with another configuration). "
            f"Close that connection first. ({reason})"
        )
    if _has(error, _LOCK_SIGNS):
        return TablesLocked(f"{path} is open in another process: a refresh, or a program that opened the file by itself. Wait for its end or stop it. ({reason})")
    if _has(error, _VERSION_SIGNS):
        return TablesVersion(
            f"{path} was written by another version of DuckDB than the installed {duckdb.__version__}. "
            f"Install that version, or move the file away and refresh. ({reason})"
        )
    kind = FileDamaged if _has(error, _DAMAGE_SIGNS) else TablesError
    return kind(f"{path} cannot be opened as a DuckDB file: {reason}")


def _has(error: Exception, signs: Sequence[str]) -> bool:
    lowered = str(error).lower()
    return any(sign in lowered for sign in signs)


def _named(error: Exception, path: Path) -> str:
    """The file that an error names, if it stands beside or under the folder of `path`; else `path`."""
    named = _FILE.search(str(error))
    return named[1] if named and named[1].startswith(str(path.parent)) else str(path)


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _literal(value: str) -> str:
    return value.replace("'", "''")
