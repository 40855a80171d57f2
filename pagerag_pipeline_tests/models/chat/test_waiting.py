"""Waits double up to a limit, servers may ask for others in seconds or by date, and a canceled run waits for nothing."""

import time

import pytest

from pagerag_pipeline.models.chat.waiting import Waiter, backoff, retry_after
from pagerag_pipeline.settings_chat import ChatSettings


def test_backoff_doubles_up_to_the_most_and_chance_takes_up_to_half() -> None:
    settings = ChatSettings(backoff_seconds=1.0, backoff_most=10.0)
    assert [backoff(attempt, 0.0, settings) for attempt in (1, 2, 3, 4, 5, 1000)] == [1, 2, 4, 8, 10, 10]
    assert backoff(3, 1.0, settings) == 2.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:05 GMT"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_what_a_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, 10.0) == seconds


def test_a_canceled_run_waits_for_nothing() -> None:
    waiter = Waiter()
    waiter.cancel()
    started = time.monotonic()
    assert waiter.wait(60.0) and waiter.canceled
    assert time.monotonic() - started < 1
