"""Waiting between calls: how long, by what a server asks or by backoff, and until a run is canceled."""

import random
import threading
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from pagerag_pipeline.settings_chat import ChatSettings


class Waiter:
    """The clock of one run, whose waits end at once when the run is canceled."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._chance = random.Random()

    @property
    def canceled(self) -> bool:
        """Whether nothing more may be asked."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """End all waits: no further call is made, none is tried again."""
        self._stop.set()

    def now(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def wait(self, seconds: float) -> bool:
        """Wait; True when the run was canceled."""
        return self._stop.wait(max(0.0, seconds))

    def chance(self) -> float:
        """A random share of 1: workers that failed together must not come back together."""
        return self._chance.random()


def backoff(attempt: int, chance: float, settings: ChatSettings) -> float:
    """Seconds before the call after the `attempt`-th: min(most, first * 2^(attempt - 1)), of which up to half is left out by chance."""
    whole = min(settings.backoff_most, settings.backoff_seconds * 2.0 ** min(attempt - 1, 30))
    return whole * (1 - 0.5 * chance)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """What a server asks to wait, in seconds: `retry-after-ms`, `Retry-After` in seconds or as a date; None when it does not say."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        told = headers.get(name, "").strip()
        try:
            return max(0.0, float(told) * scale)
        except ValueError:
            pass
        try:
            return max(0.0, parsedate_to_datetime(told).timestamp() - now)
        except (ValueError, TypeError):
            continue
    return None
