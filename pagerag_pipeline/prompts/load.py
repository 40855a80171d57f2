"""Prompts are text files with `$name` places; what is wrong with one is said when it is loaded, before any model is called."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Any

from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Request

PLACES: dict[str, frozenset[str]] = {
    "profile": frozenset({"topics", "title", "headings", "excerpts"}),
    "extract_narrative": frozenset({"types", "relations", "context", "text"}),
    "extract_conceptual": frozenset({"types", "relations", "context", "text"}),
    "extract_argumentative": frozenset({"types", "relations", "context", "text"}),
    "glean": frozenset({"kinds", "types", "relations", "context", "text", "found"}),
    "records": frozenset({"types", "fields", "context", "entity", "text"}),
    "partition": frozenset({"types", "most_tokens", "context", "blocks"}),
    "summarize": frozenset({"most_words", "pieces"}),
    "describe": frozenset({"most_words", "name", "evidence"}),
    "report": frozenset({"most_words", "members", "bonds", "evidence"}),
    "plan": frozenset({"most_hops", "history", "question"}),
    "hop": frozenset({"most_words", "evidence", "findings", "question"}),
    "rephrase": frozenset({"findings", "question", "part"}),
    "map": frozenset({"reports", "question"}),
    "record_plan": frozenset({"vocabulary", "history", "question"}),
    "bridge": frozenset({"evidence", "question", "lookup"}),
    "route": frozenset({"history", "question"}),
    "answer": frozenset({"evidence", "findings", "question", "options", "history"}),
    "choose": frozenset({"evidence", "findings", "question", "options", "history"}),
    "grade": frozenset({"question", "references", "answer"}),
    "compare": frozenset({"dimensions", "question", "first", "second"}),
    "reverse": frozenset({"count", "answer"}),
    "statements": frozenset({"question", "answer"}),
    "entail": frozenset({"evidence", "statements"}),
    "useful": frozenset({"question", "references", "evidence"}),
    "probe": frozenset(),
    "probe_letters": frozenset(),
    "format": frozenset({"schema"}),
    "repair": frozenset({"faults"}),
}
"""The places that each prompt must have, and no others."""
FRAMES = ("format", "repair")
"""Words that stand around a prompt; they ask for no reply of their own, so they have no schema."""
LETTERED = ("choose", "probe_letters")
"""Prompts whose reply is one letter, which needs no schema."""

_FOLDER = Path(__file__).parent
_BRACED = re.compile(r"\{\s*[A-Za-z_]\w*")


class PromptError(ValueError):
    """A prompt or its schema that cannot be used, or places that are not filled as it asks; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The words for one verb and the JSON schema of its reply; `fingerprint` is part of the code version of what asks with them."""

    name: str
    text: str
    schema: dict[str, Any]
    fingerprint: str

    def fill(self, **values: str) -> str:
        """The text with every place filled; what is filled in is not read for places again. Raises PromptError for a place too few or too many."""
        _same(self.name, "filled", frozenset(values))
        return Template(self.text).substitute(values)

    def request(self, **values: str) -> Request:
        """The prompt filled as a request; `dataclasses.replace` adds limits, checks and for whom it is asked. Raises PromptError as `fill` does."""
        return Request(self.name, self.fingerprint, self.fill(**values), self.schema)


@lru_cache
def load_prompt(name: str) -> Prompt:
    """A prompt that is shipped with the package. Raises PromptError when there is none, or `parse_prompt` finds fault with it."""
    if name not in PLACES:
        raise PromptError(f"There is no prompt {name!r}; there are {', '.join(sorted(PLACES))}.")
    schema = "{}" if name in (*FRAMES, *LETTERED) else (_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    return parse_prompt(name, (_FOLDER / f"{name}.txt").read_text(encoding="utf-8"), schema)


def parse_prompt(name: str, text: str, schema: str) -> Prompt:
    """A prompt from its words and its schema. Raises PromptError for a place that is unknown, missing or malformed, or a schema that is not JSON."""
    if (brace := _BRACED.search(text)) is not None:
        raise PromptError(f"Prompt {name!r}: {brace.group()!r} looks like a place; places are written $name, and braces belong to JSON.")
    template = Template(text)
    if not template.is_valid():
        raise PromptError(f"Prompt {name!r}: a $ that begins no name; write $$ for the sign itself.")
    _same(name, "has", frozenset(template.get_identifiers()))
    try:
        parsed = json.loads(schema)
    except ValueError as error:
        raise PromptError(f"Prompt {name!r}: its schema is not JSON: {error}.") from error
    return Prompt(name, text, parsed, digest("prompt", text, schema))


def frames_fingerprint() -> str:
    """Digest of the words that stand around every prompt."""
    return digest("frames", *(load_prompt(name).fingerprint for name in FRAMES))


def fence_text(text: str) -> str:
    """A text between two fences that it cannot hold itself: they carry its own digest."""
    mark = f"===== {digest('fence', text)[:16]} ====="
    return f"{mark}\n{text}\n{mark}"


def _same(name: str, how: str, found: frozenset[str]) -> None:
    asked = PLACES[name]
    if found != asked:
        faults = [f"unknown {', '.join(sorted(found - asked))}"] * bool(found - asked) + [f"missing {', '.join(sorted(asked - found))}"] * bool(asked - found)
        raise PromptError(f"Prompt {name!r} {how} other places than it must: {'; '.join(faults)}.")
