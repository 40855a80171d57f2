"""The only door to parallel work: batches go out, results come back in completion order, bounded in flight."""

import importlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any

from pagerag_pipeline.schema.protocols import BatchMapper
from pagerag_pipeline.settings import RefreshSettings

PART = 32
"""Units after which a batch says how far it is: some five seconds of embedding on two CPU cores (measured), four full calls of the model."""


def resolve(function: str) -> Callable[..., Any]:
    """The function with the dotted name `package.module:name`."""
    module, _, name = function.partition(":")
    return getattr(importlib.import_module(module), name)  # type: ignore[no-any-return]


class InlineMapper:
    """Does each batch here and now."""

    def __init__(self, start: str, given: tuple[Any, ...]) -> None:
        self._start = resolve(start)
        self._given = given

    def map(self, function: str, batches: Iterator[Any], *, told: Callable[[int], None] | None = None) -> Iterator[tuple[Any, Any]]:
        """Pairs (batch, result) in order; what a batch raises is raised. With `told`, a batch and its result are lists, worked at part by part."""
        work = resolve(function)
        for batch in batches:
            # Another mapper of this process may have had its turn, with other settings.
            self._start(*self._given)
            yield batch, _part_by_part(work, batch, told) if told else work(batch)

    def close(self) -> None:
        """Nothing to let go of."""


class ProcessMapper:
    """Spreads batches over spawned processes that each load their models once. Workers get and return plain records."""

    def __init__(self, start: str, given: tuple[Any, ...], settings: RefreshSettings) -> None:
        self._limit = settings.workers * settings.in_flight
        self._pool = ProcessPoolExecutor(
            settings.workers, mp_context=get_context("spawn"), initializer=_initialize, initargs=(start, given)
        )

    def map(self, function: str, batches: Iterator[Any], *, told: Callable[[int], None] | None = None) -> Iterator[tuple[Any, Any]]:
        """Pairs (batch, result) in completion order; nothing is told of a batch before it is back; at most workers x in_flight batches are out; what a batch raises is raised."""
        running: dict[Future[Any], Any] = {}
        for batch in batches:
            running[self._pool.submit(_call, function, batch)] = batch
            if len(running) >= self._limit:
                yield from _finished(running)
        while running:
            yield from _finished(running)

    def close(self) -> None:
        """End the processes; batches that have not begun are dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def open_mapper(start: str, given: tuple[Any, ...], settings: RefreshSettings) -> BatchMapper:
    """The mapper that the settings name; `start` is called with `given` wherever batches run, before the first of them."""
    if settings.backend == "process":
        return ProcessMapper(start, given, settings)
    return InlineMapper(start, given)


def _part_by_part(work: Callable[[list[Any]], list[Any]], batch: list[Any], told: Callable[[int], None]) -> list[Any]:
    results: list[Any] = []
    for start in range(0, len(batch), PART):
        results += work(batch[start : start + PART])
        told(min(start + PART, len(batch)))
    return results


def _finished(running: dict[Future[Any], Any]) -> Iterator[tuple[Any, Any]]:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        yield running.pop(future), future.result()


def _initialize(start: str, given: tuple[Any, ...]) -> None:
    # One thread a process: two one-thread processes do 1.27 times the work of one process with two threads (measured).
    os.environ["OMP_NUM_THREADS"] = "1"
    resolve(start)(*given)


def _call(function: str, batch: Any) -> Any:
    return resolve(function)(batch)
