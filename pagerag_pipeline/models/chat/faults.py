"""What can go wrong on the way to a chat server, and which of it is worth another call."""

from pagerag_pipeline.schema.language import FailureKind

RETRIED: tuple[FailureKind, ...] = ("timeout", "rate_limit", "transport")
_FINAL_STATUS = (401, 403, 404)
_NO_MONEY = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")
_TOO_LONG = ("context_length_exceeded", "maximum context length", "context window", "available context size", "exceed_context_size", "prompt is too long", "too many tokens")
_FORMAT = ("response_format", "json_schema", "json_object", "grammar")
"""Some servers answer 500 to a form of reply that they do not know."""


class Fault(Exception):
    """A call without a usable reply. `final` ones would meet every other call too; `wait` is what the server asks to wait, in seconds."""

    def __init__(self, kind: FailureKind, message: str, *, status: int = 0, wait: float | None = None, final: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.status = status
        self.wait = wait
        self.final = final


def fault_of_status(status: int, code: str, words: str, place: tuple[str, str], wait: float | None) -> Fault:
    """The fault that an HTTP status, with the server's own code and words, stands for; `place` is its address and the section of the settings that names it."""
    base_url, section = place
    told = f"{base_url} answered {status}: {words if words.endswith('.') else f'{words}.'}"
    lowered = f"{code} {words}".lower()
    if status in _FINAL_STATUS or code in _NO_MONEY:
        return Fault("rejected", f"{told} {_what_to_do(status, section)}", status=status, final=True)
    if status == 429:
        return Fault("rate_limit", told, status=status, wait=wait)
    if status == 413 or (status in (400, 422, 500) and any(mark in lowered for mark in _TOO_LONG)):
        return Fault("too_long", f"{told} Set {_WINDOW[section]} to what the server's window holds.", status=status)
    if "content_filter" in lowered:
        return Fault("refused", told, status=status)
    if status in (408, 504):
        return Fault("timeout", told, status=status, wait=wait)
    if status >= 500 and any(mark in lowered for mark in _FORMAT):
        return Fault("rejected", told, status=status)
    return Fault("transport" if status >= 500 or status in (409, 425) else "rejected", told, status=status, wait=wait)


_WINDOW = {"chat": "chat.context_tokens", "embed": "embed.window"}


def _what_to_do(status: int, section: str) -> str:
    if status == 401:
        return f"Set the server's key in the environment as PAGERAG_{section.upper()}_API_KEY."
    if status == 403:
        return "The key may not use this server or model."
    if status == 404:
        return f"Look at {section}.base_url (it mostly ends in /v1) and at the name of the model."
    return "Look at the account's plan and limits."
