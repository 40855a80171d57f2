"""Many requests go out together, no further ahead than needed, and end when nobody listens any more."""

import threading
import time
from collections.abc import Iterator

import pytest

from pagerag_pipeline.models.chat.many import ask_each
from pagerag_pipeline.schema.language import Failure, Reply, Request, Spent
from pagerag_pipeline_tests.models.chat.opened import GOOD, SCHEMA, opened
from pagerag_pipeline_tests.scripted_server import Say, scripted_server


class Counting:
    """A model that counts who is in it."""

    name, fingerprint = "stub", "stub/1"

    def __init__(self, *, breaks_at: str = "") -> None:
        self.most = self._running = 0
        self._breaks_at = breaks_at
        self._lock = threading.Lock()

    def fits(self, request: Request) -> bool:
        return True

    def reply(self, request: Request) -> Reply | Failure:
        if request.text == self._breaks_at:
            raise ZeroDivisionError(request.text)
        with self._lock:
            self._running += 1
            self.most = max(self.most, self._running)
        time.sleep(0.005)
        with self._lock:
            self._running -= 1
        return Reply(request.text, Spent(1))


def requests(number: int) -> Iterator[Request]:
    return (Request("records", "print", str(place), SCHEMA) for place in range(number))


def test_every_request_comes_back_once_with_its_reply() -> None:
    model = Counting()
    told = [(request.text, reply.value) for request, reply in ask_each(model.reply, requests(40), threads=4) if isinstance(reply, Reply)]
    assert sorted(told) == sorted((str(n), str(n)) for n in range(40))
    assert 1 < model.most <= 4


def test_the_source_is_not_read_far_ahead() -> None:
    taken: list[int] = []

    def source() -> Iterator[Request]:
        for place, request in enumerate(requests(100)):
            taken.append(place)
            yield request

    replies = ask_each(Counting().reply, source(), threads=2)
    next(replies)
    assert len(taken) <= 2 * 2 + 1
    replies.close()


def test_a_defect_in_a_thread_is_heard_of() -> None:
    with pytest.raises(ZeroDivisionError, match="3"):
        list(ask_each(Counting(breaks_at="3").reply, requests(10), threads=2))


def test_who_stops_listening_cancels_the_run_and_waits_for_nothing() -> None:
    with scripted_server() as server:
        run = opened(server, concurrency=2)
        server.says(Say(GOOD))
        assert isinstance(run.ask(), Reply)
        server.says(Say(GOOD), Say(GOOD, delay=3.0))
        replies = run.chat.each(run.chat.model("extract").reply, requests(50))
        next(replies)
        started = time.monotonic()
        replies.close()
        assert time.monotonic() - started < 1.5 and run.waiter.canceled
        assert run.fail().kind == "canceled"
        time.sleep(0.3)
        assert server.calls <= 4, "the first request, the first reply, and a call under way in each thread"
