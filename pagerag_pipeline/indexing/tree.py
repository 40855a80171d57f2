"""The shape of a summary tree: which children stand under which parent, decided by the contents of the leaves alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import SummarizeSettings

VERSION = "tree/3"

ENDING = 64
"""Characters at the end of a leaf by which it is known where groups close: few enough that most edits of a leaf leave them, and enough to tell leaves
apart (measured: benchmarks)."""


@dataclass(frozen=True, slots=True)
class TreeLevel:
    """One level of summaries; level 1 stands over the leaves."""

    level: int
    groups: tuple[tuple[int, int], ...]
    """Per node, the half-open range of its children among the nodes one level down; they tile that level in order."""
    leaves: tuple[tuple[int, int], ...]
    """Per node, the half-open range of the leaves below it."""


def leaf_marks(leaves: Sequence[tuple[str, str]]) -> list[str]:
    """What each leaf, given as (content id, its last characters), is known by where groups close: a document's own, or the last ones of many documents.

    It is the end of its text, so that an edit inside a leaf moves no group; of leaves that end alike, the content id.
    """
    endings = [ending.strip() for _, ending in leaves]
    count = Counter(endings)
    return [ending if ending and count[ending] == 1 else content for (content, _), ending in zip(leaves, endings, strict=True)]


def document_tree(marks: Sequence[str], settings: SummarizeSettings) -> list[TreeLevel]:
    """All levels of summaries over some leaves, grouped as the settings say."""
    if settings.grouping == "fixed":
        return fixed_tree(len(marks), settings.group_size, force_root=settings.force_root)
    return build_tree(marks, settings)


def build_tree(marks: Sequence[str], settings: SummarizeSettings) -> list[TreeLevel]:
    """All levels of summaries over a document's leaves, from level 1 up to one root; none for a document of one leaf or none.

    `marks` are those of the leaves in reading order (`leaf_marks`).
    """
    levels: list[TreeLevel] = []
    below = [(index, index + 1) for index in range(len(marks))]
    while len(below) > 1:
        level = len(levels) + 1
        groups = group_children([marks[end - 1] for _, end in below], level, settings)
        below = [(below[start][0], below[end - 1][1]) for start, end in groups]
        levels.append(TreeLevel(level, tuple(groups), tuple(below)))
    return levels


def group_children(marks: Sequence[str], level: int, settings: SummarizeSettings) -> list[tuple[int, int]]:
    """Half-open ranges that tile the nodes of the level below `level`; `marks[i]` is that of the last leaf under node i.

    A group closes after a node whose digest of (mark, level) is the least among its neighbors within r = max(group_min - 1,
    (group_size - 1) / 2) on both sides: such nodes stand at least r + 1 and on average 2r + 1 apart, and only a change within r moves one.
    A longer gap is divided, again at least digests, so that sizes stay within group_min..group_max; up to group_max nodes are one
    group. So an edit reaches at most from the closing node before it to the one after it, and most edits move nothing.
    """
    count = len(marks)
    if count <= settings.group_max:
        return [(0, count)] if count else []
    ranks = [digest("group", leaf, level) for leaf in marks]
    ends = [0, *_closing(ranks, settings), count]
    return [piece for start, end in zip(ends, ends[1:], strict=False) for piece in _divided(ranks, start, end, settings)]


def fixed_tree(leaves: int, size: int, *, force_root: bool = False) -> list[TreeLevel]:
    """The levels of E2GraphRAG's tree: `size` consecutive nodes a group, the last one as it comes, up to a level of at most 1.2 * size nodes.

    There is at least one level of summaries and in general no single root, unless it is forced (systems, section 3.3). Raises ValueError for a size below 2.
    """
    if size < 2:
        raise ValueError(f"groups must hold at least two nodes, not {size}")
    levels: list[TreeLevel] = []
    below = [(index, index + 1) for index in range(leaves)]
    most = 1 if force_root else 1.2 * size
    while below and (not levels or len(below) > most):
        groups = tuple((start, min(start + size, len(below))) for start in range(0, len(below), size))
        below = [(below[start][0], below[end - 1][1]) for start, end in groups]
        levels.append(TreeLevel(len(levels) + 1, groups, tuple(below)))
    return levels


def _closing(ranks: Sequence[str], settings: SummarizeSettings) -> list[int]:
    """Ends of groups: positions after nodes that are least within the radius; the first and last group_min nodes are left whole."""
    radius = max(settings.group_min - 1, (settings.group_size - 1) // 2)
    ends = []
    for node in range(settings.group_min - 1, len(ranks) - settings.group_min):
        before = ranks[max(0, node - radius) : node]
        after = ranks[node + 1 : node + 1 + radius]
        if (not before or ranks[node] < min(before)) and (not after or ranks[node] <= min(after)):
            ends.append(node + 1)
    return ends


def _divided(ranks: Sequence[str], start: int, end: int, settings: SummarizeSettings) -> list[tuple[int, int]]:
    """The range, or its parts of at most group_max nodes, each cut after the least node that leaves group_min on both sides."""
    done: list[tuple[int, int]] = []
    pending = [(start, end)]
    while pending:
        start, end = pending.pop()
        if end - start <= settings.group_max:
            done.append((start, end))
            continue
        least = min(settings.group_min, (end - start) // 2)
        middle = (start + end) // 2
        cut = min(range(start + least, end - least + 1), key=lambda at: (ranks[at - 1], abs(at - middle), at))
        pending.extend([(cut, end), (start, cut)])
    return done
