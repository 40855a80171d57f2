"""Typed rows as what an engine gives for the statements that read the entity-passage graph."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from pagerag_pipeline.stores.activation_reading import ALIASES, MENTIONS, NAMES, PASSAGES, RELATIONS, TITLES, Columns

_WIDTHS = {PASSAGES: 3, MENTIONS: 2, RELATIONS: 2, TITLES: 2, ALIASES: 2, NAMES: 4}


def graph_columns(told: Mapping[str, Sequence[tuple[Any, ...]]]) -> Columns:
    """These rows by statement; of a statement that finds by key, the first value of a row is the key."""

    def columns(statement: str, keys: Sequence[str] | None) -> pa.Table:
        assert (keys is not None) == (statement in (ALIASES, NAMES))
        rows = [row for row in told[statement] if keys is None or row[0] in keys]
        width = _WIDTHS[statement]
        return pa.table([pa.array([row[i] for row in rows], type=pa.large_string()) for i in range(width)], names=[f"column_{i}" for i in range(width)])

    return columns
