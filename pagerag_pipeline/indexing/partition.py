"""Whether segments cover their blocks each once and in order, and how those that do not are set right (EnSI-RAG, EN-3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive blocks, `first` to `last` with both ends, around one main entity."""

    first: int
    last: int
    entity: str = ""
    entity_type: str = ""


def partition_fault(segments: Sequence[Segment], blocks: int) -> str:
    """What is wrong with segments that should cover blocks 0 to `blocks` - 1, in words that a model can act on; empty when nothing is."""
    ids = f"0 to {blocks - 1}"
    outside = [s for s in segments if not 0 <= s.first <= s.last < blocks]
    if outside:
        return f"segment {outside[0].first} to {outside[0].last} is not a range of the block ids {ids}"
    held = [block for s in segments for block in range(s.first, s.last + 1)]
    missing = [block for block in range(blocks) if block not in set(held)]
    if missing:
        return f"blocks {', '.join(map(str, missing[:10]))} stand in no segment; the segments must hold all of {ids}"
    twice = sorted({block for block in held if held.count(block) > 1})
    if twice:
        return f"blocks {', '.join(map(str, twice[:10]))} stand in more than one segment"
    return "" if held == sorted(held) else "the segments are not in the order of their blocks"


def repaired_partition(segments: Sequence[Segment], blocks: int) -> list[Segment]:
    """Segments that cover blocks 0 to `blocks` - 1 each once and in order; sound ones as they are.

    A block of several segments goes to the first of them, one of none to the segment before it (at the beginning, after it). What names no
    block is left out; when nothing is left, all blocks are one segment without an entity.
    """
    if not partition_fault(segments, blocks):
        return list(segments)
    inside = [replace(s, first=max(0, s.first), last=min(blocks - 1, s.last)) for s in segments if s.first <= s.last]
    ordered = sorted((s for s in inside if s.first <= s.last), key=lambda s: (s.first, s.last))
    found: list[Segment] = []
    for segment in ordered:
        begin = max(segment.first, found[-1].last + 1) if found else 0
        if begin > segment.last:
            continue
        if found:
            found[-1] = replace(found[-1], last=begin - 1)
        found.append(replace(segment, first=begin))
    if not found:
        return [Segment(0, blocks - 1)] if blocks else []
    return [*found[:-1], replace(found[-1], last=blocks - 1)]
