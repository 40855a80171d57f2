"""Where a model parts a chunk into passages around one main entity; segments that do not cover it are repaired, by one call, then by rule (EnSI-RAG, EN-1, EN-3)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from pagerag_pipeline.indexing.asking.replies import once
from pagerag_pipeline.indexing.asking.vocabulary import type_of, types_told
from pagerag_pipeline.indexing.cutting.tokens import TokenIndex
from pagerag_pipeline.indexing.entity_passages import passage_blocks
from pagerag_pipeline.indexing.partition import Segment, partition_fault, repaired_partition
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.knowledge import EntityPassage
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline.schema.protocols import LanguageModel, Tokenizer
from pagerag_pipeline.settings import PartitionSettings

VERSION = "ask_partition/1"
PROMPT = "partition"


class Parted(NamedTuple):
    """The passages of a chunk, which tile it, none where there is nothing to part; and whether its segments had to be set right by rule."""

    passages: tuple[EntityPassage, ...]
    repaired: bool


def ask_partition(text: str, context: str, model: LanguageModel, *, tokenizer: Tokenizer, settings: PartitionSettings) -> Parted | Failure:
    """The passages of a chunk, asked for where it has several blocks; no passage has more than `settings.most_tokens` tokens, however the model parts it."""
    index = TokenIndex(text, tokenizer)
    blocks = passage_blocks(index, settings.most_tokens)
    if len(blocks) < 2:
        return Parted((), False)
    numbered = "\n\n".join(f"[{number}] {text[block.start : block.end].strip()}" for number, block in enumerate(blocks))
    request = load_prompt(PROMPT).request(
        types=types_told(),
        most_tokens=str(settings.most_tokens),
        context=fence_text(context) if context else "nothing is known of that",
        blocks=fence_text(numbered),
    )

    def faults(reply: dict[str, Any]) -> Iterable[str]:
        fault = partition_fault(_segments(reply), len(blocks))
        return [fault] if fault else []

    reply = model.reply(replace(request, faults=once(faults)))
    if isinstance(reply, Failure):
        return reply
    segments = _segments(reply.value)
    sound = repaired_partition(segments, len(blocks))
    bounded = [part for segment in sound for part in _bounded(segment, [block.tokens for block in blocks], settings.most_tokens)]
    passages = [
        EntityPassage(
            blocks[s.first].start, blocks[s.last].end, index.exact(blocks[s.first].start, blocks[s.last].end), s.entity, type_of(s.entity_type) if s.entity else ""
        )
        for s in bounded
    ]
    return Parted(tuple(passages), segments != bounded)


def _segments(reply: dict[str, Any]) -> list[Segment]:
    return [Segment(one["first"], one["last"], " ".join(one["entity"].split()), one["entity_type"]) for one in reply["segments"]]


def _bounded(segment: Segment, tokens: list[int], most: int) -> list[Segment]:
    """A segment, or the runs of its blocks that each fit."""
    runs: list[Segment] = []
    used = 0
    for block in range(segment.first, segment.last + 1):
        if runs and used + tokens[block] <= most:
            runs[-1] = Segment(runs[-1].first, block, segment.entity, segment.entity_type)
            used += tokens[block]
        else:
            runs.append(Segment(block, block, segment.entity, segment.entity_type))
            used = tokens[block]
    return runs
