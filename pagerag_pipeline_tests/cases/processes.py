"""Processes of their own: refreshes that kill themselves at a named step, and readers; forked from one server that has imported what they need."""

import importlib
import os
import signal
import warnings
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

# The server stands still when it forks: no lock of that engine is held.
warnings.filterwarnings("ignore", message="lancedb fork support is experimental")

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__, "pagerag_pipeline.refresh.products", "pagerag_pipeline.query", "igraph", "leidenalg", "kuzu", "lancedb"])
_PATIENCE = 120


def started(target: Callable[..., None], *given: Any) -> BaseProcess:
    """A process that runs a function of this module."""
    process = _CONTEXT.Process(target=target, args=given, daemon=True)
    process.start()
    return process


def pipe() -> tuple[Connection, Connection]:
    """Two ends of a pipe, of which the second may be given to a process."""
    return _CONTEXT.Pipe()


def killed(home: Path, step: str, *, call: int = 1, after: bool = False) -> int | None:
    """Refresh a home in a process that is killed before (or after) the n-th call of `module:function`; returns its exit code."""
    process = started(refresh_until, home, step, call, after)
    process.join(_PATIENCE)
    if process.is_alive():
        process.terminate()
        raise TimeoutError(f"the refresh never came to {step}")
    return process.exitcode


def refresh_until(home: Path, step: str, call: int, after: bool) -> None:
    """Refresh, and die at a step."""
    from pagerag_pipeline.refresh.products import refresh
    from pagerag_pipeline.refresh.session import Session

    _die_at(step, call, after)
    with Session.open(home) as session:
        refresh(session)


def _die_at(step: str, call: int, after: bool) -> None:
    module, _, path = step.partition(":")
    *owners, name = path.split(".")
    owner: Any = importlib.import_module(module)
    for one in owners:
        owner = getattr(owner, one)
    whole = getattr(owner, name)
    calls = 0

    def mortal(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        result = whole(*given, **named)
        if calls == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, mortal)


def read_until(home: Path, question: str, told: Connection) -> None:
    """Ask one question over and over, sending what came of it, until something is sent back."""
    from pagerag_pipeline.query import QueryEngine

    with QueryEngine(home) as engine:
        while not told.poll():
            outcome = engine.ask(question)
            told.send((outcome.status, outcome.answer, outcome.generation, outcome.error))
