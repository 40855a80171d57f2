"""How a server wants to be asked for a JSON object: found out by a probe, kept, and found out again when the server refuses it later."""

import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from pagerag_pipeline.models.chat.faults import Fault
from pagerag_pipeline.models.chat.parsing import find_object
from pagerag_pipeline.prompts.load import load_prompt
from pagerag_pipeline.prompts.reply import reply_faults
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.protocols import Notebook
from pagerag_pipeline.settings_chat import ChatSettings

Mode = Literal["json_schema", "json_object_schema", "json_object", "plain"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""Structured output, best first: a schema that the server enforces (as OpenAI writes it, as llama.cpp writes it), JSON of any form, none."""
Limit = Literal["max_tokens", "max_completion_tokens"]
Messages = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server takes."""

    mode: Mode = "json_schema"
    limit: Limit = "max_tokens"
    temperature: bool = True
    seed: bool = True
    system: bool = True
    """Whether a message may have the role `system`; else its words stand before the first of the user's."""


def body_of(dialect: Dialect, model: str, messages: Messages, schema: dict[str, Any], settings: tuple[ChatSettings, int]) -> dict[str, Any]:
    """The request body in a dialect; `settings` with the most tokens of the reply."""
    chat, most = settings
    body: dict[str, Any] = {"model": model, "messages": messages if dialect.system else _without_system(messages), dialect.limit: most}
    if dialect.temperature:
        body["temperature"] = chat.temperature
    if dialect.seed:
        body["seed"] = chat.seed
    if dialect.mode == "json_schema":
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": True}}
    elif dialect.mode != "plain":
        body["response_format"] = {"type": "json_object", **({"schema": schema} if dialect.mode == "json_object_schema" else {})}
    return body


def adapted(dialect: Dialect, fault: Fault) -> Dialect | None:
    """What to try when a server refuses a dialect: without the field that it names, else the next mode; None when nothing is left or meant."""
    if fault.kind != "rejected" or fault.final:
        return None
    words = fault.message.lower()
    if "response_format" not in words:
        if dialect.limit == "max_tokens" and "max_completion_tokens" in words:
            return replace(dialect, limit="max_completion_tokens")
        if dialect.temperature and "temperature" in words:
            return replace(dialect, temperature=False)
        if dialect.seed and "seed" in words:
            return replace(dialect, seed=False)
        if dialect.system and "system" in words and "role" in words:
            return replace(dialect, system=False)
    return next_mode(dialect)


def next_mode(dialect: Dialect) -> Dialect | None:
    """The dialect with the next worse mode, None after the last."""
    place = MODES.index(dialect.mode) + 1
    return replace(dialect, mode=MODES[place]) if place < len(MODES) else None


class Dialects:
    """The dialects of one server by model, shared by all threads of a process."""

    def __init__(self, base_url: str, notebook: Notebook) -> None:
        self._base_url = base_url
        self._notebook = notebook
        self._lock = threading.Lock()
        self._known: dict[str, Dialect] = {}
        self._lesser: dict[tuple[str, str], Dialect] = {}
        self._again: set[str] = set()

    def of(self, model: str, schema: dict[str, Any], ask: Callable[[Dialect], str]) -> Dialect:
        """The dialect for a model and a schema; `ask` sends the probe in one and gives the reply. Raises Fault when no probe gets through."""
        with self._lock:
            if model not in self._known:
                self._known[model] = _kept(self._notebook.read(self._key(model))) or self._probed(model, ask)
            return self._lesser.get((model, _print(schema)), self._known[model])

    def is_known(self, model: str) -> bool:
        """Whether a model's server was probed before, so that no probe is needed."""
        return _kept(self._notebook.read(self._key(model))) is not None

    def refused(self, dialect: Dialect, fault: Fault, model: str, schema: dict[str, Any], ask: Callable[[Dialect], str]) -> Dialect | None:
        """Another dialect after a real request was refused, None when the fault lies elsewhere.

        The server is probed once more in a process, for it may have changed; if it still takes what it took, it is this schema that it refuses.
        """
        other = adapted(dialect, fault)
        if other is None:
            return None
        with self._lock:
            if model not in self._again:
                self._again.add(model)
                self._known[model] = self._probed(model, ask)
            if self._known[model] == dialect:
                self._lesser[model, _print(schema)] = other
                return other
            return self._lesser.get((model, _print(schema)), self._known[model])

    def _probed(self, model: str, ask: Callable[[Dialect], str]) -> Dialect:
        dialect = probe(ask)
        self._notebook.write(self._key(model), asdict(dialect))
        return dialect

    def _key(self, model: str) -> str:
        return f"{self._base_url} {model}"


def probe(ask: Callable[[Dialect], str]) -> Dialect:
    """The best dialect in which a server answers a small question with an object that fits. Raises Fault."""
    dialect, schema = Dialect(), load_prompt("probe").schema
    while True:
        try:
            found = find_object(ask(dialect))
            if dialect.mode == "plain" or (found.bare and found.value is not None and not list(reply_faults(found.value, schema))):
                return dialect
            other = next_mode(dialect)
        except Fault as fault:
            other = adapted(dialect, fault)
            if other is None:
                raise
        assert other is not None, "plain mode is taken whatever it replies"
        dialect = other


def probe_shows_schema(dialect: Dialect) -> bool:
    """Whether the probe says its schema in words: only where the server is not to enforce it, so that one who ignores it is found out."""
    return dialect.mode in ("json_object", "plain")


def _kept(facts: dict[str, Any]) -> Dialect | None:
    """The dialect in what was kept, None when it is none of ours."""
    plain = Dialect()
    fits = set(facts) == set(asdict(plain)) and all(type(facts[name]) is type(value) for name, value in asdict(plain).items())
    if not fits or facts["mode"] not in MODES or facts["limit"] not in get_args(Limit):
        return None
    return Dialect(**facts)


def _without_system(messages: Messages) -> Messages:
    first, second, *rest = messages
    return [{"role": "user", "content": f"{first['content']}\n\n{second['content']}"}, *rest] if first["role"] == "system" else messages


def _print(schema: dict[str, Any]) -> str:
    return digest("schema", json.dumps(schema, sort_keys=True))
