"""What a UI leaves behind when it is killed outright: a process beside it sees that, and asks what it had started to end.

Dagster's own processes look after each other, so that none of them would ever end. A UI that ends in good order ends them by itself.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from pagerag_pipeline.stores.locks import process_identity

_PAUSE = 1.0
_PATIENCE = 30.0
"""Seconds for an end in good order: with SIGTERM, all of Dagster's processes had ended within 20 (measured)."""


def start() -> None:
    """Have this process watched, also as what it becomes by `exec`, until it has ended."""
    none = subprocess.DEVNULL
    subprocess.Popen([sys.executable, "-m", __name__, str(os.getpid())], stdin=none, stdout=none, stderr=none, start_new_session=True)


def watch(pid: int, *, pause: float = _PAUSE, patience: float = _PATIENCE) -> list[int]:
    """Wait for the end of a process, then end the children it had which are still there after a while; returns those. What they started is theirs to end."""
    watched = process_identity(pid)
    known: dict[int, str] = {}
    while watched and process_identity(pid) == watched:
        known |= {child: identity for child in _children(pid) if child != os.getpid() and (identity := process_identity(child))}
        time.sleep(pause)
    until = time.monotonic() + patience
    while (left := [child for child, identity in sorted(known.items()) if process_identity(child) == identity]) and time.monotonic() < until:
        time.sleep(pause)
    for child in left:
        # One may end by itself when the one before it does.
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)
    return left


def _children(pid: int) -> list[int]:
    """The children of a process as the kernel lists them; none where it lists none."""
    try:
        return [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text(encoding="ascii").split()]
    except OSError:
        return []


if __name__ == "__main__":
    watch(int(sys.argv[1]))
