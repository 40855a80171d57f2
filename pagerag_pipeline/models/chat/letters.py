"""The letter that a model would write next, by the log probabilities of its tokens: whether a server tells them is found out by a probe and kept."""

import math
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pagerag_pipeline.models.chat.dialects import Dialect, Messages
from pagerag_pipeline.models.chat.faults import Fault
from pagerag_pipeline.schema.protocols import Notebook
from pagerag_pipeline.settings_chat import ChatSettings

TOKENS = 4
"""Tokens of a reply of one letter: some servers begin with a space or the end of a thought."""
LIKELIEST = 20
"""Next tokens that are asked for: the most that servers give."""
PROBED = ("A", "B")
"""The letters of the prompt `probe_letters`."""
_AROUND = " \t\r\n()[].:*\"'`\u2581\u0120"
"""Signs around a letter in a token, those that tokenizers write for a space among them."""
_GOES_ON = re.compile(r"[\W_]*[^\W_][ \t'\u2019/-]*[^\W_]")
"""A word, or a letter that one follows on the same line, with an apostrophe, a stroke or a hyphen between: what begins a sentence, or names more than one."""


class Letters:
    """Which models of one server tell the log probabilities of next tokens, shared by all threads of a process."""

    def __init__(self, base_url: str, notebook: Notebook) -> None:
        self._base_url = base_url
        self._notebook = notebook
        self._lock = threading.Lock()
        self._known: dict[str, bool] = {}

    def are_told(self, model: str, ask: Callable[[], Mapping[str, float]]) -> bool:
        """Whether a model's letters can be compared; `ask` sends the probe and gives what it told of PROBED. Raises Fault when no probe gets through."""
        with self._lock:
            if model not in self._known:
                key = f"{self._base_url} {model} letters"
                kept = self._notebook.read(key).get("logprobs")
                if not isinstance(kept, bool):
                    kept = _probed(ask)
                    self._notebook.write(key, {"logprobs": kept})
                self._known[model] = kept
            return self._known[model]


def letter_body(dialect: Dialect, model: str, messages: Messages, settings: ChatSettings) -> dict[str, Any]:
    """The request body that asks for one letter and how likely the others were."""
    body: dict[str, Any] = {"model": model, "messages": messages, dialect.limit: TOKENS, "logprobs": True, "top_logprobs": LIKELIEST}
    body |= {"temperature": settings.temperature} if dialect.temperature else {}
    return {**body, "seed": settings.seed} if dialect.seed else body


def next_tokens(choice: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    """The likeliest tokens with their log probabilities at the first place where a reply says something, the one that was written first.

    None where a server tells none, and where a word goes on behind that place: "A" of "A lamp" is no answer.
    """
    told = choice.get("logprobs")
    rows = told.get("content") if isinstance(told, dict) else None
    places = [place for place in (rows if isinstance(rows, list) else []) if isinstance(place, dict)]
    written = [str(place.get("token") or "") for place in places]
    for number, place in enumerate(places):
        if written[number].strip(_AROUND):
            others = place.get("top_logprobs")
            found = [_pair(one) for one in [place, *(others if isinstance(others, list) else [])] if isinstance(one, dict)]
            goes_on = _GOES_ON.match(re.sub("[\u2581\u0120]", " ", "".join(written[number:])))
            return () if goes_on or found[0] is None else tuple(dict.fromkeys(pair for pair in found if pair is not None))
    return ()


def letter_chances(tokens: Sequence[tuple[str, float]], letters: Sequence[str]) -> dict[str, float]:
    """Log probability of each letter, over all tokens that write it by itself; a letter that is not among them is left out.

    None at all where what was written, the first token, is no letter: what else might have been written there is then no answer. Small letters
    are none, since "a" is a word.
    """
    if not tokens or tokens[0][0].strip(_AROUND) not in letters:
        return {}
    chances: dict[str, float] = {}
    for token, value in tokens:
        letter = token.strip(_AROUND)
        if letter in letters:
            chances[letter] = chances.get(letter, 0.0) + math.exp(value)
    return {letter: math.log(chances[letter]) for letter in letters if chances.get(letter)}


_SURE = 0.01
"""No log probability is above 0, but for the last digits of a server's numbers."""


def _probed(ask: Callable[[], Mapping[str, float]]) -> bool:
    try:
        return bool(ask())
    except Fault as fault:
        if fault.kind == "rejected" and not fault.final:
            return False
        raise


def _pair(told: Mapping[str, Any]) -> tuple[str, float] | None:
    value = told.get("logprob")
    return (str(told.get("token")), float(value)) if isinstance(value, int | float) and not isinstance(value, bool) and -math.inf < value <= _SURE else None
