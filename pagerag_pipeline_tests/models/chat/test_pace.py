"""The limits of a server hold for all threads together, by a clock that the test moves."""

import threading

from pagerag_pipeline.models.chat.pace import Pace
from pagerag_pipeline.settings_chat import ChatSettings
from pagerag_pipeline_tests.fakes import FakeWaiter


def times(pace: Pace, waiter: FakeWaiter, tokens: list[int]) -> list[float]:
    starts = []
    for one in tokens:
        entry = pace.enter(one, waiter)
        assert entry is not None
        starts.append(waiter.now())
        pace.leave(entry, one)
    return starts


def test_no_more_calls_start_in_a_minute_than_are_allowed() -> None:
    assert times(Pace(ChatSettings(requests_per_minute=2)), FakeWaiter(), [1] * 5) == [0, 0, 60, 60, 120]


def test_no_more_tokens_start_in_a_minute_than_are_allowed_and_a_giant_goes_alone() -> None:
    assert times(Pace(ChatSettings(tokens_per_minute=100)), FakeWaiter(), [60, 40, 60, 500, 10]) == [0, 0, 60, 120, 180]


def test_what_a_call_really_took_replaces_its_estimate() -> None:
    pace, waiter = Pace(ChatSettings(tokens_per_minute=100)), FakeWaiter()
    entry = pace.enter(90, waiter)
    assert entry is not None
    pace.leave(entry, 10)
    assert times(pace, waiter, [90]) == [0]


def test_a_pause_holds_for_everybody() -> None:
    pace, waiter = Pace(ChatSettings()), FakeWaiter()
    pace.pause(7.0, waiter)
    assert times(pace, waiter, [1, 1]) == [7, 7]


def test_no_more_threads_call_at_once_than_are_allowed() -> None:
    pace, waiter = Pace(ChatSettings(concurrency=2)), FakeWaiter()
    running, most, lock = 0, 0, threading.Lock()

    def work() -> None:
        nonlocal running, most
        for _ in range(50):
            entry = pace.enter(1, waiter)
            assert entry is not None
            with lock:
                running += 1
                most = max(most, running)
            with lock:
                running -= 1
            pace.leave(entry, 1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most <= 2 and running == 0


def test_a_canceled_run_gets_no_place_and_gives_its_slot_back() -> None:
    pace, waiter = Pace(ChatSettings(concurrency=1)), FakeWaiter()
    waiter.cancel()
    assert pace.enter(1, waiter) is None
    assert pace.enter(1, FakeWaiter()) is not None
    assert pace.enter(1, waiter) is None
