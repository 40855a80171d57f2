"""What a chat model's part of a build is expected to cost: calls, tokens and dollars of a ledger, from its open units and what earlier runs took."""

from collections.abc import Mapping
from dataclasses import dataclass

from pagerag_pipeline.models.chat.client import tokens_needed
from pagerag_pipeline.models.chat.spending import Spending
from pagerag_pipeline.prompts.load import PLACES, load_prompt
from pagerag_pipeline.refresh.asked import ASKED, prompts_of
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import tree_rows
from pagerag_pipeline.stores.asked import mean_chunk, means
from pagerag_pipeline.stores.tables import Tables

KNOWN = 10
"""Units of a ledger that runs before must have asked for, with the same model, so that their means are used (chosen)."""
CHARACTERS = (3.0, 4.6)
"""Characters a token, fewest and most: the fewest is what ceilings reckon with, the most what English prose has in the tokenizers of today (chosen)."""
AROUND = (0.8, 1.25)
"""Share of a known mean that is expected at least and at most (chosen)."""
_REPLIES = {"document_profiles": (120, 300), "entity_records": (400, 1600), "entity_passages": (60, 400), "passage_records": (400, 1600), "summaries": (150, 450), "descriptions": (150, 450), "reports": (200, 600)}
"""Tokens of a reply where nothing is known, fewest and most (chosen from what the prompts ask for)."""
_RELATIONS = 2_400
"""Characters of the shipped relations and types that extraction prompts hold."""
_FILLED = {"document_profiles": 10_000, "summaries": 600, "reports": 7_000}
"""Characters besides the weighed text: excerpts of a profile; labels; members, bonds and evidence (chosen)."""
PASSAGES = 3
"""Passages of a chunk, at most, where nothing is known: each is one call for records (chosen)."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Calls, tokens and dollars, the least and the most that is likely."""

    units: int
    calls: tuple[int, int]
    prompt_tokens: tuple[int, int]
    completion_tokens: tuple[int, int]
    usd: tuple[float, float]
    known: bool
    """Whether it rests on what earlier runs took, not on the sizes of prompts and texts alone."""

    def up_to(self, most: "Expected") -> "Expected":
        """From this as the least to another as the most."""
        calls, read, written = (self.calls[0], most.calls[1]), (self.prompt_tokens[0], most.prompt_tokens[1]), (self.completion_tokens[0], most.completion_tokens[1])
        return Expected(most.units, calls, read, written, (self.usd[0], most.usd[1]), self.known and most.known)

    def __add__(self, other: "Expected") -> "Expected":
        return Expected(
            self.units + other.units,
            _sum(self.calls, other.calls),
            _sum(self.prompt_tokens, other.prompt_tokens),
            _sum(self.completion_tokens, other.completion_tokens),
            (self.usd[0] + other.usd[0], self.usd[1] + other.usd[1]),
            self.known and other.known,
        )


def expect(tables: Tables, settings: Settings, name: str, size: tuple[int, int]) -> Expected:
    """What so many units of so many characters in all will cost in a ledger that a chat model computes."""
    model = settings.chat.model_of(ASKED[name].role)
    units, characters = size
    if name == "summaries":
        characters = int(characters * mean_chunk(tables) / tree_rows.CHILD)
    return expected(settings, name, (units, characters), means(tables, model))


def expected(settings: Settings, name: str, size: tuple[int, int], known: Mapping[str, tuple[int, float, float, float]]) -> Expected:
    """The same from means a unit: (units, calls, prompt tokens, reply tokens) by ledger."""
    units, characters = size
    model = settings.chat.model_of(ASKED[name].role)
    found = known.get(name)
    if found is not None and found[0] >= KNOWN:
        calls, read, written = ((int(units * mean * AROUND[0]), -int(-units * mean * AROUND[1] // 1)) for mean in found[1:])
        return Expected(units, calls, read, written, _dollars(settings, model, read, written), True)
    calls = (units, units * _most_calls(settings, name))
    words = min(_words(prompt) for prompt in prompts_of(name, settings))
    text = units * (_FILLED.get(name, 0) + (_RELATIONS if name in ("entity_records", "passage_records") else 0))
    text += 0 if name == "document_profiles" else characters
    room = settings.chat.context_tokens
    read = (min(calls[0] * room, int((calls[0] * words + text) / CHARACTERS[1])), min(calls[1] * room, int(calls[1] * (words + text / max(units, 1)) / CHARACTERS[0])))
    least, most = _REPLIES[name]
    written = (calls[0] * min(least, settings.chat.reply_tokens), calls[1] * min(most, settings.chat.reply_tokens))
    return Expected(units, calls, read, written, _dollars(settings, model, read, written), False)


def _most_calls(settings: Settings, name: str) -> int:
    if name == "passage_records":
        return PASSAGES
    return 1 + settings.build.glean_rounds if name == "entity_records" else 1


def _words(name: str) -> int:
    """Characters of a prompt and its schema, nothing filled in."""
    request = load_prompt(name).request(**dict.fromkeys(PLACES[name], ""))
    return 3 * tokens_needed(request, 0)


def _dollars(settings: Settings, model: str, read: tuple[int, int], written: tuple[int, int]) -> tuple[float, float]:
    price = Spending(settings.chat)
    return price.usd(model, read[0], written[0], 0), price.usd(model, read[1], written[1], 0)


def _sum(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0] + other[0], one[1] + other[1]
