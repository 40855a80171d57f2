"""Much asked at once, by threads of the driver: a call is nearly all waiting, so no process is needed for it."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_AHEAD = 2
"""Items taken from their source for each thread: one under way, one ready."""
Item = TypeVar("Item")
Result = TypeVar("Result")


def ask_each(ask: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[tuple[Item, Result]]:
    """Every item, a request or what takes several, with what came of it, in order of completion; the source is read no further ahead than the threads need.

    The threads are daemons: whoever stops listening does not wait for calls under way. What a thread raises is raised here.
    """
    waiting: queue.SimpleQueue[tuple[Item] | None] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Item, Result] | BaseException] = queue.SimpleQueue()

    def work() -> None:
        while (given := waiting.get()) is not None:
            try:
                done.put((given[0], ask(given[0])))
            except BaseException as error:  # whatever it is, who listens must hear of it
                done.put(error)

    for _ in range(threads):
        threading.Thread(target=work, daemon=True).start()
    pending = 0
    try:
        for item in items:
            if pending == threads * _AHEAD:
                yield _checked(done.get())
                pending -= 1
            waiting.put((item,))
            pending += 1
        while pending:
            yield _checked(done.get())
            pending -= 1
    finally:
        while not waiting.empty():
            waiting.get()
        for _ in range(threads):
            waiting.put(None)


def _checked(result: tuple[Item, Result] | BaseException) -> tuple[Item, Result]:
    if isinstance(result, BaseException):
        raise result
    return result
