"""Many requests at once, by threads of the driver: a call is nearly all waiting, so no process is needed for it."""

import queue
import threading
from collections.abc import Iterable, Iterator

from pagerag_pipeline.schema.language import Failure, Reply, Request
from pagerag_pipeline.schema.protocols import LanguageModel

_AHEAD = 2
"""Requests taken from their source for each thread: one under way, one ready."""


def reply_to_each(model: LanguageModel, requests: Iterable[Request], *, threads: int) -> Iterator[tuple[Request, Reply | Failure]]:
    """Every request with what came of it, in order of completion; the source is read no further ahead than the threads need.

    The threads are daemons: whoever stops listening does not wait for calls under way. What a thread raises is raised here.
    """
    waiting: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Request, Reply | Failure | BaseException]] = queue.SimpleQueue()
    for _ in range(threads):
        threading.Thread(target=_work, args=(model, waiting, done), daemon=True).start()
    pending = 0
    try:
        for request in requests:
            if pending == threads * _AHEAD:
                yield _checked(*done.get())
                pending -= 1
            waiting.put(request)
            pending += 1
        while pending:
            yield _checked(*done.get())
            pending -= 1
    finally:
        while not waiting.empty():
            waiting.get()
        for _ in range(threads):
            waiting.put(None)


def _checked(request: Request, result: Reply | Failure | BaseException) -> tuple[Request, Reply | Failure]:
    if isinstance(result, BaseException):
        raise result
    return request, result


def _work(
    model: LanguageModel, waiting: "queue.SimpleQueue[Request | None]", done: "queue.SimpleQueue[tuple[Request, Reply | Failure | BaseException]]"
) -> None:
    while (request := waiting.get()) is not None:
        try:
            done.put((request, model.reply(request)))
        except BaseException as error:  # whatever it is, who listens must hear of it
            done.put((request, error))
