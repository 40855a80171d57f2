"""Typed rows as what an engine gives for what the entity-passage graph is read from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from pagerag_pipeline.stores.activation_reading import MENTIONS, PASSAGES, TITLES, Sources
from pagerag_pipeline.stores.lookups import ALIASES, NODES, Lookup


@dataclass(frozen=True)
class TypedGraph:
    """What stands in some scope."""

    passages: Sequence[tuple[str, str, str]]
    """Chunk id, document and embed key, sorted."""
    mentions: Sequence[tuple[str, str]]
    """Entity and chunk id."""
    nodes: Sequence[tuple[str, str, str, str]]
    """Entity, key, name and type; each is its own alias too."""
    titles: Sequence[tuple[str, str]] = ()
    related: Sequence[tuple[str, str]] = ()
    asked: dict[Lookup, Sequence[str]] = field(default_factory=dict)
    """The keys that were looked for last."""

    def sources(self, vectors: Callable[[Sequence[str]], Mapping[str, np.ndarray]] = lambda keys: {}) -> Sources:
        """It as the sources of a graph."""
        told = {PASSAGES: _table(self.passages, 3), MENTIONS: _table(self.mentions, 2), TITLES: _table(self.titles, 2)}
        return Sources(told.__getitem__, self._rows, lambda: _table(self.related, 2), vectors)

    def _rows(self, lookup: Lookup, keys: Sequence[str]) -> list[tuple[Any, ...]]:
        self.asked[lookup] = keys
        rows: dict[Lookup, list[tuple[Any, ...]]] = {
            ALIASES: [(key, entity) for entity, key, _, _ in self.nodes],
            NODES: [(entity, name, kind, 1, key) for entity, key, name, kind in self.nodes],
        }
        return [row for row in rows[lookup] if row[0] in keys]


def _table(rows: Sequence[tuple[str, ...]], width: int) -> pa.Table:
    columns = [pa.array([row[i] for row in rows], type=pa.large_string()) for i in range(width)]
    return pa.table(columns, names=[f"column_{i}" for i in range(width)])
