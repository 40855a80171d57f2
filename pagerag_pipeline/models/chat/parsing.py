"""The JSON object in what a model wrote: bare, fenced, or among other words. Only what loses nothing is done to read it."""

import json
import re
from dataclasses import dataclass
from typing import Any

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED = re.compile(r"^\s*```[\w-]*[ \t]*\n?(.*?)```", re.DOTALL | re.MULTILINE)
_INLINE_FENCED = re.compile(r"```[\w-]*\s*(\{.*?\})\s*```", re.DOTALL)
_UNIT = re.compile(r"(.{1,150}?)\1{5,}\s*\Z", re.DOTALL)
_TAIL = 1200
_LOOPED = 120
"""Characters that a repetition at a reply's end must have to be a loop."""
_UNSPEAKABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters and halves of surrogate pairs: they say nothing, and stores and terminals choke on them."""
_APOLOGY = re.compile(r"\s*(?:I['\u2019]m sorry|I am sorry|Sorry\b|I can(?:not|['\u2019]t)\b|As an AI\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """What a reply holds: its object, or why none could be read."""

    value: dict[str, Any] | None
    fault: str
    bare: bool
    """Whether the reply was nothing but its object."""


def find_object(text: str) -> Found:
    """The one JSON object of a reply.

    Around it may stand a thought, a fence and words; in it, a comma may follow the last item, and a string may run over lines. Two different
    objects, a key that comes twice, and an object that never ends are faults: to choose would be to guess. Strings come as `plain_text` leaves them.
    """
    said = _THOUGHT.sub("", text.lstrip("\ufeff")).strip()
    try:
        return _as_found(_parsed(said), bare=True)
    except ValueError as error:
        fault = str(error)
    fenced = _FENCED.findall(said) or _INLINE_FENCED.findall(said)
    for part in [*(fenced if len(fenced) == 1 else []), said]:
        objects, problem = _objects(part)
        if len(objects) == 1 and not problem:
            return _as_found(objects[0], bare=False)
        fault = problem or (f"it holds {len(objects)} different objects" if objects else fault)
    return Found(None, fault, bare=False)


def plain_text(text: str) -> str:
    """A text without characters that say nothing."""
    return _UNSPEAKABLE.sub("", text)


def is_looping(text: str) -> bool:
    """Whether a text ends in the same few words over and over."""
    found = _UNIT.search(text[-_TAIL:])
    return found is not None and len(found.group()) >= _LOOPED


def is_apology(text: str) -> bool:
    """Whether a reply without an object begins as models decline."""
    return _APOLOGY.match(text) is not None


def _as_found(value: Any, *, bare: bool) -> Found:
    if isinstance(value, dict):
        return Found(_plain(value), "", bare)
    return Found(None, f"it is no JSON object but {type(value).__name__}", bare)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {name: _plain(item) for name, item in value.items()} if isinstance(value, dict) else value


def _objects(text: str) -> tuple[list[dict[str, Any]], str]:
    """Different outermost objects of a text in order, and why one of them cannot be read."""
    found: list[dict[str, Any]] = []
    start = text.find("{")
    fault = ""
    while start >= 0:
        end = _end(text, start)
        if end < 0:
            return found, "its object never ends"
        try:
            value = _parsed(text[start:end])
            found += [value] if value not in found else []
        except ValueError as error:
            if '"' in text[start:end]:
                fault = str(error)
        start = text.find("{", end)
    return found, fault


def _end(text: str, start: int) -> int:
    """Where the brace that opens at `start` is closed again, strings read over; -1 when it never is."""
    depth, inside, place = 0, False, start
    while place < len(text):
        sign = text[place]
        if inside and sign == "\\":
            place += 1
        elif sign == '"':
            inside = not inside
        elif not inside and sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return place + 1
        place += 1
    return -1


def _parsed(text: str) -> Any:
    """The value of a JSON text. Raises ValueError that says what is wrong where."""
    options: dict[str, Any] = {"strict": False, "object_pairs_hook": _once, "parse_constant": _no_constant}
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        return json.loads(_without_last_commas(text), **options)


def _without_last_commas(text: str) -> str:
    """The text without commas, outside strings, that stand before a closing bracket."""
    kept: list[str] = []
    for part in re.findall(r'"(?:[^"\\]|\\.)*"|[^"]+|"', text, re.DOTALL):
        kept.append(part if part.startswith('"') else re.sub(r",(?=\s*[}\]])", "", part))
    return "".join(kept)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in [other for other, _ in pairs[:place]])
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return table


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")
