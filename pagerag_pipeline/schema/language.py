"""What is asked of a language model and what comes back: a request, a checked reply, or a failure. A failure is a value and is never content."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["extract", "summarize", "plan", "answer", "judge"]
ROLES: tuple[Role, ...] = ("extract", "summarize", "plan", "answer", "judge")

FailureKind = Literal[
    "timeout", "rate_limit", "transport", "rejected", "canceled", "ceiling", "too_long", "refused", "truncated", "looping", "empty", "malformed", "unsupported"
]
REPLY_KINDS: tuple[FailureKind, ...] = ("refused", "truncated", "looping", "empty", "malformed")
"""Failures of what the model said; the others are failures of the way to it, calls that were not made, or (`unsupported`) what a server cannot tell."""


def _no_faults(_: Any) -> Iterable[str]:
    return ()


def plain_label(label: str) -> str:
    """A label that a model gave, without the marks that models put around it."""
    return label.strip(" []().:").upper()


@dataclass(frozen=True, slots=True)
class Request:
    """One filled prompt. `prompts.load.Prompt.request` makes it."""

    prompt: str
    """Name of the prompt: a key of the ledger of spending."""
    fingerprint: str
    """Of the prompt's words and schema."""
    text: str
    schema: dict[str, Any]
    """What the server is told that a reply must be."""
    held: dict[str, Any] | None = field(default=None, compare=False)
    """What a reply is held against, where who asked judges parts of it by itself; None = the schema."""
    letters: tuple[str, ...] = ()
    """Where set, one of these letters is asked for in place of a JSON object, and the reply's value is the log probability of each that was told."""
    most_tokens: int = 0
    """Most tokens of the reply; 0 = as the settings say."""
    stage: str = ""
    document: str = ""
    """For whom it is spent; keys of the ledger of spending."""
    faults: Callable[[Any], Iterable[str]] = field(default=_no_faults, compare=False)
    """What is wrong with a reply that fits its schema, in words that can be quoted back."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls and tokens, of failed attempts too."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Of the prompt's tokens, those that the server had read before."""
    estimated_calls: int = 0
    """Calls whose tokens the server did not count, so that they are estimated here."""
    usd: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.estimated_calls + other.estimated_calls,
            self.usd + other.usd,
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that fits its schema; only such replies may be remembered."""

    value: Any
    spent: Spent
    repaired: bool = False
    """Whether a second call had to mend the first reply."""
    raw: str = ""
    """The reply as the model wrote it, where its object stood among other words; bounded, for audit."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply for one unit; the next refresh asks again. `message` is one line, without any key."""

    kind: FailureKind
    message: str
    attempts: int
    spent: Spent = Spent()
    raw: str = ""
    """The beginning of what came, for audit; never content."""
