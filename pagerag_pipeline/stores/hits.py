"""The best hits of a search, whatever the order of rows: rounded scores, ties by key, long lists of keys in parts."""

import itertools
from collections.abc import Callable, Sequence

COSINE_DIGITS = 6
BM25_DIGITS = 4
"""Scores are rounded before they rank: the same text encoded in another batch differs by about 1e-7, sums of floats likewise."""

K1, B = 1.2, 0.75
"""Saturation and length of BM25 (systems, section 2.3 step 2), in the index of a table and wherever its scores are worked out again."""

SPARE = 16
"""Hits asked beyond the limit, so that ties at the cut are broken by key and not by the order of rows."""

KEYS_A_QUERY = 5000
"""Keys in one filter; longer lists are asked in parts, since planning a filter of 20,000 keys takes most of its query."""

Hit = tuple[str, float]


def best_hits(ask: Callable[[int, str | None], list[Hit]], keys: Sequence[str] | None, limit: int) -> list[Hit]:
    """Up to `limit` hits, best first, ties by key, of the whole table or among `keys`.

    `ask(count, filter)` returns up to `count` best hits; the score of a hit must not depend on the filter.
    """
    if limit <= 0:
        return []
    if keys is None:
        return _settled(lambda count: ask(count, None), limit)
    parts = [_settled(lambda count, some=some: ask(count, is_one_of(some)), limit) for some in key_batches(keys)]  # type: ignore[misc]
    return _sorted(itertools.chain.from_iterable(parts))[:limit]


def key_batches(keys: Sequence[str]) -> list[Sequence[str]]:
    """The distinct keys in order, in parts that fit one filter."""
    return batches(sorted(set(keys)), KEYS_A_QUERY)


def batches(items: Sequence[str], size: int) -> list[Sequence[str]]:
    """The items in parts of at most `size`, in order."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def is_one_of(keys: Sequence[str]) -> str:
    """A filter on the column `key`; the engine has no bound parameters, so quotes are doubled."""
    quoted = ", ".join("'" + key.replace("'", "''") + "'" for key in keys)
    return f"key IN ({quoted})"


def _settled(ask: Callable[[int], list[Hit]], limit: int) -> list[Hit]:
    """The best hits; asks for more as long as hits beyond the answer could tie with its last one."""
    count = limit + SPARE
    while True:
        hits = _sorted(ask(count))
        if len(hits) < count or hits[-1][1] < hits[limit - 1][1]:
            return hits[:limit]
        count *= 4


def _sorted(hits: "itertools.chain[Hit] | list[Hit]") -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))
