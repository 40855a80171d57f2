"""The one UI of a home: a file that its process holds locked and that says where it listens. No process is guessed at by its number."""

import errno
import fcntl
import os
import socket
from pathlib import Path

UI_FILE = "ui.lock"


class UiRefused(RuntimeError):
    """A UI that cannot start: one of this home runs already, or its port is not free; the message says what to do."""


def hold_ui(home: Path, *, host: str, port: int) -> int:
    """An open, locked descriptor that outlives `exec` and ends with the process that holds it. Raises UiRefused."""
    descriptor = os.open(home / UI_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        at = os.pread(descriptor, 1000, 0).decode(errors="replace")
        os.close(descriptor)
        raise UiRefused(f"A UI over this home already runs at {at or 'an address that it has not told yet'}.") from None
    try:
        _check_port(host, port)
    except UiRefused:
        os.close(descriptor)
        raise
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"http://{f'[{host}]' if ':' in host else host}:{port} (process {os.getpid()})".encode(), 0)
    os.set_inheritable(descriptor, True)
    return descriptor


def _check_port(host: str, port: int) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except (OSError, OverflowError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise UiRefused(f"Port {port} is in use: take another one with --port N.") from error
        raise UiRefused(f"Nothing can listen on {host}, port {port}: {error}. Take others with --host and --port.") from error
