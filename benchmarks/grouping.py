"""How well names are grouped: B-cubed over mentions, precision and recall of pairs of distinct names, and pairs that share no word."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gold_names import most_meant, words_of

Mentions = Sequence[tuple[str, str]]
"""(name, gold entity) of each mention."""


@dataclass(frozen=True, slots=True)
class PairCount:
    """Pairs of distinct names: merged, rightly merged, of one entity; and of those of one entity that share no word, how many were merged."""

    merged: int
    right: int
    gold: int
    wordless: int
    wordless_right: int
    wrong: tuple[tuple[str, str], ...]
    missed: tuple[tuple[str, str], ...]


def b_cubed(mentions: Mentions, node_of: Mapping[str, str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of B-cubed (Bagga and Baldwin 1998) over mentions: the cluster of a mention is the node of its name.

    Precision of a mention is the share of its cluster's mentions that mean its entity, recall the share of its entity's mentions that are in
    its cluster; both are means over mentions.
    """
    if not mentions:
        return 0.0, 0.0, 0.0
    both = Counter((node_of[name], entity) for name, entity in mentions)
    nodes = Counter(node_of[name] for name, _ in mentions)
    entities = Counter(entity for _, entity in mentions)
    precision = sum(n * n / nodes[node] for (node, _), n in both.items()) / len(mentions)
    recall = sum(n * n / entities[entity] for (_, entity), n in both.items()) / len(mentions)
    return precision, recall, 2 * precision * recall / (precision + recall)


def count_pairs(mentions: Mentions, node_of: Mapping[str, str]) -> PairCount:
    """Pairs of distinct gold names; a pair is of one entity when both names mean it most often, alone or in a tie."""
    meant = most_meant(mentions)
    merged = _pairs(node_of, meant)
    gold = {pair for pair in combinations(sorted(meant), 2) if meant[pair[0]] & meant[pair[1]]}
    wordless = {pair for pair in gold if not words_of(pair[0]) & words_of(pair[1])}
    return PairCount(
        len(merged), len(merged & gold), len(gold), len(wordless), len(wordless & merged),
        tuple(sorted(merged - gold)), tuple(sorted(gold - merged)),
    )  # fmt: skip


def sharing_words(mentions: Mentions) -> dict[str, str]:
    """The groups that gold knowledge makes of shared words alone: names of one entity, joined by chains of shared words."""
    meant = most_meant(mentions)
    node_of = {name: name for name in meant}
    for left, right in combinations(sorted(meant), 2):
        if meant[left] & meant[right] and words_of(left) & words_of(right) and node_of[left] != node_of[right]:
            old, new = node_of[right], node_of[left]
            node_of = {name: new if node == old else node for name, node in node_of.items()}
    return node_of


def _pairs(node_of: Mapping[str, str], names: Iterable[str]) -> set[tuple[str, str]]:
    together: dict[str, list[str]] = {}
    for name in sorted(names):
        together.setdefault(node_of[name], []).append(name)
    return {pair for group in together.values() for pair in combinations(group, 2)}


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
