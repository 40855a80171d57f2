"""How fast a server may be asked: calls at once, calls and tokens a minute, and pauses that it asks for; shared by all threads of a process."""

import threading
from collections import deque

from pagerag_pipeline.models.chat.waiting import Waiter
from pagerag_pipeline.settings_chat import ChatSettings

MINUTE = 60.0
_LOOK = 0.2
"""Seconds between looks at whether a run was canceled while it waits for a free slot."""


class Entry:
    """One call inside the last minute."""

    def __init__(self, time: float, tokens: int) -> None:
        self.time = time
        self.tokens = tokens


class Pace:
    """Limits of one server. Workers of a process pool have no part in it: the driver alone calls, as it alone writes."""

    def __init__(self, settings: ChatSettings) -> None:
        self._requests = settings.requests_per_minute
        self._tokens = settings.tokens_per_minute
        self._slots = threading.BoundedSemaphore(settings.concurrency)
        self._lock = threading.Lock()
        self._recent: deque[Entry] = deque()
        self._paused_until = 0.0

    def enter(self, tokens: int, waiter: Waiter) -> Entry | None:
        """A place for a call of about so many tokens, once there is one; None when the run was canceled. `leave` gives it back."""
        while not self._slots.acquire(timeout=_LOOK):
            if waiter.canceled:
                return None
        while True:
            with self._lock:
                wait = self._wait(tokens, waiter.now())
                if wait <= 0 and not waiter.canceled:
                    entry = Entry(waiter.now(), tokens)
                    self._recent.append(entry)
                    return entry
            if waiter.wait(wait):
                self._slots.release()
                return None

    def leave(self, entry: Entry, tokens: int) -> None:
        """Free a call's slot, and count the tokens that it really took."""
        with self._lock:
            entry.tokens = tokens
        self._slots.release()

    def pause(self, seconds: float, waiter: Waiter) -> None:
        """Let nobody call for a while: a server that told one worker to wait means all of them."""
        with self._lock:
            self._paused_until = max(self._paused_until, waiter.now() + seconds)

    def _wait(self, tokens: int, now: float) -> float:
        """Seconds until a call fits: after a pause, and when enough of the last minute's calls are a minute old.

        A call of more tokens than a minute may have waits until it is alone.
        """
        while self._recent and now - self._recent[0].time >= MINUTE:
            self._recent.popleft()
        wait = self._paused_until - now
        calls, used = len(self._recent), sum(entry.tokens for entry in self._recent)
        for entry in self._recent:
            crowded = self._requests and calls >= self._requests
            if not crowded and not (self._tokens and used + tokens > self._tokens):
                break
            wait = max(wait, entry.time + MINUTE - now)
            calls, used = calls - 1, used - entry.tokens
        return wait
