"""Calls to one server within one run: at its pace, within the ceilings, tried again where that can help, and given up where it cannot."""

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pagerag_pipeline.models.chat.faults import RETRIED, Fault
from pagerag_pipeline.models.chat.letters import next_tokens
from pagerag_pipeline.models.chat.pace import Pace
from pagerag_pipeline.models.chat.parsing import plain_text
from pagerag_pipeline.models.chat.spending import Account, Spending, estimate_tokens
from pagerag_pipeline.models.chat.waiting import Waiter, backoff
from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.settings_chat import ChatSettings

LOGGER = logging.getLogger(__name__)
_MOST_COUNTED = 10**9
"""A larger count of tokens is no count."""
_FEWEST = 4
"""A server that counts so many times fewer tokens than are estimated has not read all of a prompt, or counts only what is new in it."""
_GIVE_UP = 5
"""Requests in a row that found no server, after which a run asks no more (chosen)."""


class Line(Protocol):
    """A connection to a server."""

    def complete(self, body: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The server's table for one chat completion. Raises Fault."""
        ...

    def models(self, timeout: float) -> list[str]:
        """Names of the models that the server has."""
        ...

    def clean(self, text: str) -> str:
        """A text without the key."""
        ...


class Effort:
    """What was tried for one request so far: its calls and the time they took, waits that the request itself caused included."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.attempts = 0
        self.seconds = 0.0
        self.spent = Spent()


@dataclass(frozen=True, slots=True)
class Raw:
    """What came back from one call."""

    text: str
    finish: str
    refusal: str
    likeliest: tuple[tuple[str, float], ...] = ()
    """Next tokens where it begins, with their log probabilities, where they were asked for and told."""


class Caller:
    """All calls of one run to one server; safe to use from many threads."""

    def __init__(self, line: Line, pace: Pace, settings: ChatSettings, *, spending: Spending, waiter: Waiter) -> None:
        self.line = line
        self._pace = pace
        self._settings = settings
        self._spending = spending
        self._waiter = waiter
        self._lock = threading.Lock()
        self._lost = 0
        self._cut = 0
        self._closed: Fault | None = None
        self._open_again = 0.0

    @property
    def ceiling(self) -> str:
        """Which ceiling ended this run, in words; empty while none did."""
        with self._lock:
            return self._closed.message if self._closed is not None and self._closed.kind == "ceiling" else ""

    def call(self, body: Mapping[str, Any], effort: Effort, *, most: int) -> Raw:
        """What the server says to a body, after as many calls as that takes. Raises Fault."""
        prompt = sum(estimate_tokens(message["content"]) for message in body["messages"])
        while True:
            try:
                raw = self._once(body, effort, prompt=prompt, most=most)
            except Fault as fault:
                self._look(fault)
                wait = self._before_next(fault, effort)
                if fault.kind == "rate_limit":
                    self._pace.pause(wait, self._waiter)
                effort.seconds += wait
                if self._waiter.wait(wait):
                    raise _canceled() from fault
                continue
            with self._lock:
                self._lost = 0
            return raw

    def _once(self, body: Mapping[str, Any], effort: Effort, *, prompt: int, most: int) -> Raw:
        entry = self._pace.enter(prompt + most, self._waiter)
        if entry is None:
            raise _canceled()
        spent = Spent()
        try:
            if (closed := self._shut()) is not None:
                raise closed
            reserved = self._spending.reserve(body["model"], prompt, most)
            if isinstance(reserved, str):
                raise Fault("ceiling", reserved, final=True)
            effort.attempts += 1
            started = self._waiter.now()
            spent = Spent(1, prompt, estimated_calls=1)
            try:
                table = self.line.complete(body, min(self._settings.timeout_seconds, self._settings.total_seconds - effort.seconds))
                spent = self._counted(table, body["model"], prompt)
            except Fault as fault:
                # What a server refuses at once it does not read; after a timeout it may have read and written all of it.
                spent = spent if fault.kind == "timeout" else Spent(1)
                raise
            finally:
                effort.seconds += self._waiter.now() - started
                effort.spent += spent
                self._spending.settle(reserved, effort.account, spent)
            return _raw(table)
        finally:
            self._pace.leave(entry, spent.prompt_tokens + spent.completion_tokens)

    def _look(self, fault: Fault) -> None:
        """Close the line for the rest of the run after a fault that every call would meet, or after many requests that found no server."""
        with self._lock:
            self._lost = self._lost + 1 if fault.kind == "transport" and not fault.status else 0
            if self._closed is None and (fault.final or self._lost >= _GIVE_UP * self._settings.attempts):
                self._closed = fault if fault.final else Fault("transport", f"{fault.message} (given up after {self._lost} calls)", final=True)
                self._open_again = self._waiter.now() + self._settings.backoff_most

    def _shut(self) -> Fault | None:
        """Why no call is made at present; a server that was not found is looked for again after the longest wait."""
        with self._lock:
            if self._closed is not None and self._closed.kind == "transport" and self._waiter.now() >= self._open_again:
                self._closed, self._lost = None, 0
            return self._closed

    def _before_next(self, fault: Fault, effort: Effort) -> float:
        """Seconds before another call. Raises the fault where none is to be made."""
        if fault.kind not in RETRIED or fault.final or self._closed is not None:
            raise fault
        if self._waiter.canceled:
            raise _canceled() from fault
        wait = fault.wait if fault.wait is not None else backoff(effort.attempts, self._waiter.chance(), self._settings)
        if effort.attempts >= self._settings.attempts or effort.seconds + wait >= self._settings.total_seconds:
            tried = f"{effort.attempts} calls in {effort.seconds:.1f} s" if effort.attempts > 1 else "1 call"
            asked = f", and it asks to wait {fault.wait:g} s" if fault.wait else ""
            raise Fault(fault.kind, f"{fault.message} Given up after {tried}{asked}.", status=fault.status)
        return wait

    def _warn_of_cuts(self, model: str, read: int, prompt: int) -> None:
        """Say that a model seems to read less than it is sent: the first time, and with the count at each power of ten."""
        with self._lock:
            self._cut += 1
            count = self._cut
        if count == 10 ** (len(str(count)) - 1):
            again = f" ({count:,} prompts so far)" if count > 1 else ""
            told = "%s counted %d tokens of a prompt of up to %d%s: if its window is smaller than chat.context_tokens, it cuts prompts"
            LOGGER.warning(told, model, read, prompt, again)

    def _counted(self, table: Mapping[str, Any], model: str, prompt: int) -> Spent:
        """What a call took by the server's own count, estimated where it does not count."""
        usage = table.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
        known = [count for count in counts if isinstance(count, int) and 0 <= count <= _MOST_COUNTED]
        read, written = known if len(known) == len(counts) else (prompt, estimate_tokens(_raw(table).text))
        details = usage.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, dict) else 0
        cached = min(cached, read) if isinstance(cached, int) else 0
        if len(known) == len(counts) and read * _FEWEST < prompt:
            self._warn_of_cuts(model, read, prompt)
        return Spent(1, read, written, cached, 0 if len(known) == len(counts) else 1, self._spending.usd(model, read, written, cached))


def _raw(table: Mapping[str, Any]) -> Raw:
    """The first choice of a reply, whatever of it a server leaves out."""
    choice = table["choices"][0]
    choice = choice if isinstance(choice, dict) else {}
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    said, refusal = (plain_text(str(message.get(name) or "")) for name in ("content", "refusal"))
    return Raw(said, str(choice.get("finish_reason") or ""), refusal, next_tokens(choice))


def _canceled() -> Fault:
    return Fault("canceled", "The run was canceled; nothing more is asked.")
