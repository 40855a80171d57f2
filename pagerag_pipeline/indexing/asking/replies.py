"""What all who ask a model need: items of a reply judged one by one, a check that is made once, and a text parted where it is too long."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.prompts.reply import reply_faults
from pagerag_pipeline.schema.language import Failure, FailureKind, Request

TOO_LONG: tuple[FailureKind, ...] = ("too_long", "truncated")
"""Failures that half of the text may not meet."""
_FEWEST = 200
"""Characters below which a text is not parted."""
_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+"), re.compile(r"\s+"))
_ITEM = 2_000
"""Characters of a rejected item that are kept."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """An item of a reply that cannot be used, for audit; never content."""

    prompt: str
    reason: str
    item: str


def item_wise(request: Request, name: str) -> Request:
    """The request with the items of one list left to `good_items`: a reply of which some item fits is no failure for the others."""
    loose = {**request.schema, "properties": {**request.schema["properties"], name: {"type": "array", "items": {}}}}
    schema = request.schema["properties"][name]["items"]

    def faults(reply: dict[str, Any]) -> Iterable[str]:
        told = [list(reply_faults(item, schema, f"{name}[{place}]")) for place, item in enumerate(reply[name])]
        return [] if not told or not all(told) else [fault for some in told for fault in some]

    return replace(request, held=loose, faults=faults)


def good_items(reply: dict[str, Any], request: Request, name: str) -> tuple[list[dict[str, Any]], list[Rejected]]:
    """The items of a list that fit, in order, and the others with what is wrong with each."""
    schema = request.schema["properties"][name]["items"]
    good: list[dict[str, Any]] = []
    bad: list[Rejected] = []
    for item in reply[name]:
        faults = list(reply_faults(item, schema, "item"))
        if faults:
            bad.append(Rejected(request.prompt, "; ".join(faults), json.dumps(item, ensure_ascii=False)[:_ITEM]))
        else:
            good.append(item)
    return good, bad


def once(faults: Callable[[Any], Iterable[str]]) -> Callable[[Any], Iterable[str]]:
    """A check that speaks up the first time alone: what still stands after one repair, who asked sets right by itself."""
    asked: list[Any] = []

    def check(reply: Any) -> Iterable[str]:
        asked.append(reply)
        return faults(reply) if len(asked) == 1 else ()

    return check


def too_long(failure: Failure, text: str) -> bool:
    """Whether asking for the halves of a text may help."""
    return failure.kind in TOO_LONG and len(text) >= 2 * _FEWEST


def halves(text: str) -> Iterator[tuple[int, str]]:
    """Two parts of a text with their starts, parted near the middle between paragraphs, else between sentences, else between words."""
    middle = len(text) // 2
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text) if len(text) // 4 <= match.end() <= 3 * len(text) // 4]
        if ends:
            middle = min(ends, key=lambda end: (abs(end - len(text) // 2), end))
            break
    yield 0, text[:middle]
    yield middle, text[middle:]


def listed(lines: Sequence[str], nothing: str = "none") -> str:
    """Lines as a list, or a word where there is none."""
    return "\n".join(f"- {line}" for line in lines) if lines else nothing
