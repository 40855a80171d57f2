"""Who may write: the refresh lock of a home, which names its holder, and the progress file that others read meanwhile."""

import contextlib
import datetime
import fcntl
import json
import os
import socket
import time
import weakref
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LOCK_FILE = "refresh.lock"
PROGRESS_FILE = "progress.json"

_PROBE_ATTEMPTS = 5
_PROBE_PAUSE = 0.02
"""`holder` takes the lock shared for an instant; an acquisition that does not wait must not lose against that."""


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that holds a refresh lock."""

    pid: int
    started: str
    """When the lock was taken: UTC, ISO 8601."""
    purpose: str
    host: str

    def __str__(self) -> str:
        return f"{self.purpose} by process {self.pid} on {self.host} since {self.started}"


class Held(RuntimeError):
    """The refresh lock of a home is taken; `holder` says by whom."""

    def __init__(self, home: Path, holder: Holder) -> None:
        super().__init__(
            f"A refresh of {home} is running: {holder}. Wait for its end (`pagerag refresh --wait` does), or stop that process."
        )
        self.home = home
        self.holder = holder


class RefreshLock:
    """The one right to write into a home: an OS lock that ends with its process, between processes and inside one alike."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._descriptor: int | None = None

    def acquire(self, wait: bool, purpose: str) -> None:
        """Take the lock. Raises Held when another has it and `wait` is false, RuntimeError when this object has it already."""
        if self._descriptor is not None:
            raise RuntimeError("this lock is already taken by its owner")
        self._home.mkdir(parents=True, exist_ok=True)
        while self._descriptor is None:
            descriptor = _open(self._home / LOCK_FILE)
            if not _lock(descriptor, fcntl.LOCK_EX, wait=wait):
                os.close(descriptor)
                raise Held(self._home, _recorded(self._home))
            if _is_current(descriptor, self._home / LOCK_FILE):
                self._descriptor = descriptor
            else:
                os.close(descriptor)
        _TAKEN.add(self)
        _record(self._descriptor, Holder(os.getpid(), now(), purpose, socket.gethostname()))

    def release(self) -> None:
        """Give the lock back; nothing happens when it is not held."""
        if self._descriptor is not None:
            # Unlocked outright: a forked child may still hold a copy of the descriptor for an instant.
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        self.let_go()

    def let_go(self) -> None:
        """Close this process's copy of the lock without ending it for others that share it: what a forked child must do."""
        descriptor, self._descriptor = self._descriptor, None
        _TAKEN.discard(self)
        if descriptor is not None:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()


def holder(home: Path) -> Holder | None:
    """Who holds the refresh lock of a home now, None when nobody does."""
    try:
        descriptor = os.open(home / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _recorded(home)
    finally:
        os.close(descriptor)
    return None


@contextlib.contextmanager
def kept_still(home: Path) -> Iterator[None]:
    """No refresh of a home begins while the block runs; nothing is written, and others may look too. Raises Held when one runs already."""
    try:
        descriptor = os.open(home / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield
        return
    try:
        if not _lock(descriptor, fcntl.LOCK_SH, wait=False):
            raise Held(home, _recorded(home))
        yield
    finally:
        os.close(descriptor)


_TAKEN: "weakref.WeakSet[RefreshLock]" = weakref.WeakSet()


def _forget_in_child() -> None:
    # A forked worker shares the open file: it must let go, or the lock would outlive a killed parent.
    for lock in list(_TAKEN):
        lock.let_go()


os.register_at_fork(after_in_child=_forget_in_child)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)


def _lock(descriptor: int, kind: int, *, wait: bool) -> bool:
    if wait:
        fcntl.flock(descriptor, kind)
        return True
    for _ in range(_PROBE_ATTEMPTS):
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(_PROBE_PAUSE)
    return False


def _is_current(descriptor: int, path: Path) -> bool:
    """Whether the locked file is still the one under its name (a home may have been removed and made again)."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return False


def _record(descriptor: int, one: Holder) -> None:
    data = json.dumps(asdict(one)).encode()
    os.pwrite(descriptor, data, 0)
    os.ftruncate(descriptor, len(data))


def _recorded(home: Path) -> Holder:
    for _ in range(_PROBE_ATTEMPTS):
        try:
            found = Holder(**json.loads((home / LOCK_FILE).read_text(encoding="utf-8")))
            if found.host == socket.gethostname() and process_identity(found.pid) is None:
                # Who wrote this has ended: the lock is held by one who only looks, and writes no name.
                return Holder(pid=0, started="a moment ago", purpose="a dry run, which keeps the home still,", host=found.host)
            return found
        except (OSError, ValueError, TypeError):
            time.sleep(_PROBE_PAUSE)
    return Holder(pid=0, started="an unknown time", purpose="a refresh that has just begun", host=socket.gethostname())


# --- progress ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh is. Made by the process that runs it: `pid`, `host` and `process` are its own by default."""

    run: str
    product: str
    done: int
    total: int
    status: str
    """running | done | stopped (at a ceiling) | failed; read back also as abandoned: its process has died."""
    error: str = ""
    started: str = ""
    """UTC, ISO 8601; when the run began."""
    updated: str = ""
    """UTC, ISO 8601; set by write_progress."""
    pid: int = field(default_factory=os.getpid)
    host: str = field(default_factory=socket.gethostname)
    process: str = field(default_factory=lambda: process_identity(os.getpid()) or "")
    """What tells this process from a later one with the same pid: boot id and start time."""


def write_progress(home: Path, progress: Progress) -> None:
    """Replace the progress file of a home atomically."""
    path = home / PROGRESS_FILE
    temporary = path.with_name(f"{PROGRESS_FILE}.{os.getpid()}.new")
    temporary.write_text(json.dumps(asdict(replace(progress, updated=now()))), encoding="utf-8")
    temporary.replace(path)


def read_progress(home: Path) -> Progress | None:
    """The progress of the latest refresh, None when there was none; a running one whose process died reads as `abandoned`."""
    try:
        table: dict[str, Any] = json.loads((home / PROGRESS_FILE).read_text(encoding="utf-8"))
        progress = Progress(**table)
    except (OSError, ValueError, TypeError):
        return None
    if progress.status == "running" and progress.host == socket.gethostname() and not _lives(progress):
        return replace(progress, status="abandoned")
    return progress


def process_identity(pid: int) -> str | None:
    """Boot id and start time of a process as the kernel tells them; None when it is dead (or a zombie), empty when unknowable."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        fields = stat.rpartition(")")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        return None if Path("/proc/self/stat").exists() else _identity_by_signal(pid)
    return None if fields[0] in "ZX" else f"{boot}:{fields[19]}"


def _identity_by_signal(pid: int) -> str | None:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return ""


def _lives(progress: Progress) -> bool:
    identity = process_identity(progress.pid)
    return identity is not None and (not identity or not progress.process or identity == progress.process)


def now() -> str:
    """The present moment in UTC, ISO 8601, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
