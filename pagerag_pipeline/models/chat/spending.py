"""What a run spends on chat models, by stage, document, prompt and model, and the ceilings that it may not go beyond."""

import math
import threading
from dataclasses import dataclass

from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.settings_chat import ChatSettings

_BYTES = 3
"""Bytes of UTF-8 a token where nobody counts: fewer than English has (about 4), so that an estimate errs upward, and those of a Chinese character."""


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """For whom a call is made."""

    stage: str
    document: str
    prompt: str
    model: str


class Spending:
    """The ledger of one run; safe to use from many threads."""

    def __init__(self, settings: ChatSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._spent: dict[Account, Spent] = {}
        self._reserved: list[Spent] = []

    def reserve(self, model: str, prompt_tokens: int, most_tokens: int) -> Spent | str:
        """A reservation of the most that a call may cost, to be settled after it, or which ceiling forbids the call."""
        wanted = Spent(1, prompt_tokens, most_tokens, usd=self.usd(model, prompt_tokens, most_tokens, 0))
        with self._lock:
            after = sum([*self._spent.values(), *self._reserved, wanted], Spent())
            told = _over(after, self._settings)
            if not told:
                self._reserved.append(wanted)
        return told or wanted

    def settle(self, reserved: Spent, account: Account, spent: Spent) -> None:
        """Put what a call really cost in place of its reservation."""
        with self._lock:
            self._reserved.remove(reserved)
            self._spent[account] = self._spent.get(account, Spent()) + spent

    def usd(self, model: str, prompt_tokens: int, completion_tokens: int, cached_tokens: int) -> float:
        """Dollars by the prices in the settings; 0 for a model without one."""
        price = self._settings.price_of(model)
        if price is None:
            return 0.0
        fresh = prompt_tokens - cached_tokens
        return (fresh * price.input + cached_tokens * (price.cached or price.input) + completion_tokens * price.output) / 1_000_000

    def total(self) -> Spent:
        """All of it."""
        with self._lock:
            return sum(self._spent.values(), Spent())

    def accounts(self) -> list[tuple[Account, Spent]]:
        """Every account with what was spent for it, sorted."""
        with self._lock:
            return sorted(self._spent.items(), key=lambda item: item[0])

    def by(self, field: str) -> dict[str, Spent]:
        """Sums by `stage`, `document`, `prompt` or `model`, sorted."""
        sums: dict[str, Spent] = {}
        for account, spent in self.accounts():
            key = str(getattr(account, field))
            sums[key] = sums.get(key, Spent()) + spent
        return dict(sorted(sums.items()))


def estimate_tokens(text: str) -> int:
    """Tokens that a text has at most, or nearly so, in any model's own count."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / _BYTES)


def _over(after: Spent, settings: ChatSettings) -> str:
    """Which ceiling would be passed, in words; empty when none."""
    tokens = after.prompt_tokens + after.completion_tokens
    ceilings = (("max_calls", after.calls, settings.max_calls), ("max_tokens", tokens, settings.max_tokens), ("max_usd", after.usd, settings.max_usd))
    for name, value, most in ceilings:
        if most and value > most:
            return f"The ceiling chat.{name} = {most:g} is reached: another call may bring {value:g}. Raise it, or ask again in another run."
    return ""
