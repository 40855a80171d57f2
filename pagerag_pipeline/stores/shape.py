"""Statements of the report on the graph's shape: both graphs as numbers, what governing took from the raw one, and the report's own rows."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import shape_statements as sql
from pagerag_pipeline.stores.graph import AVOIDED
from pagerag_pipeline.stores.published import opened
from pagerag_pipeline.stores.tables import Tables

VERSION = "shape/2"

TABLES = ("graph_shape", "graph_losses")
GRAPHS = ("raw", "governed")
FIGURES = (
    "nodes", "edges", "isolated", "components", "largest_component", "joined_pairs", "joined_share", "joined_sources",
    "communities", "largest_community", "leaf_communities",
)  # fmt: skip
"""In the order they are told."""
SHARES = ("joined_share",)
"""Those that are no whole numbers."""


class Numbered(NamedTuple):
    """A graph with its nodes as numbers, in the order of their names."""

    names: list[str]
    edges: NDArray[np.int64]
    """Two ends a row."""
    walked: NDArray[np.bool_]
    """Whether path search may go along the edge."""
    weights: NDArray[np.float64]


def numbered(tables: Tables, graph: str) -> Numbered:
    """The raw or the governed graph."""
    names = [name for (name,) in tables.rows(sql.NODES[graph])]
    frame = tables.frame(sql.EDGES[graph])
    ends = frame.select(pl.col("head", "tail").cast(pl.Int64)).to_numpy()
    return Numbered(names, ends, ~frame["modality"].is_in(list(AVOIDED)).to_numpy(), frame["weight"].to_numpy())


@contextlib.contextmanager
def losses_staged(tables: Tables) -> Iterator[None]:
    """Lay out `lost_nodes` and `lost_edges` while the block runs: what of the raw graph is not in the governed one, by gate, act and reason."""
    surfaces = tables.frame(sql.SURFACES)
    keys = pl.Series("key", [name_key(surface) for surface in surfaces["surface"]], dtype=pl.String)
    with tables.staged("given_shape_keys", surfaces.with_columns(keys)) as given:
        tables.execute(f"CREATE OR REPLACE TEMP TABLE shape_keys AS FROM {given}")
    for statement in (sql.FATES, sql.LOST_EDGES, sql.LOST_NODES):
        tables.execute(statement)
    try:
        yield
    finally:
        for name in sql.STAGED:
            tables.execute(f"DROP TABLE IF EXISTS temp.{name}")


def write_shape(tables: Tables, figures: Mapping[str, Mapping[str, float]]) -> None:
    """Fill TABLES from the figures of each graph and from what governing took; call it in a transaction, on empty tables."""
    rows = [(graph, name, float(value)) for graph, told in figures.items() for name, value in told.items()]
    tables.insert("graph_shape", pl.DataFrame(rows, schema={"graph": pl.String, "figure": pl.String, "value": pl.Float64}, orient="row"))
    with losses_staged(tables):
        tables.execute(sql.LOSSES)


def figures(tables: Tables) -> dict[str, dict[str, float]]:
    """The figures of each graph, as they were written; whole numbers as such. All are 0 for a graph without nodes, of which nothing was written."""
    found: dict[str, dict[str, float]] = {graph: {} for graph in GRAPHS}
    rows = {(graph, name): value for graph, name, value in tables.rows("SELECT graph, figure, value FROM graph_shape")}
    for graph, name in sorted(rows, key=lambda row: (row[0], FIGURES.index(row[1]))):
        found[graph][name] = rows[graph, name] if name in SHARES else int(rows[graph, name])
    return {graph: told or dict.fromkeys(FIGURES, 0) for graph, told in found.items()}


def with_communities(tables: Tables) -> dict[str, dict[str, float]]:
    """The figures with the communities of the governed graph, under the names that those of the raw one bear."""
    found = figures(tables)
    upper, largest, leaves = tables.rows(sql.SIZES)[0]
    return {**found, "governed": {**found["governed"], "communities": upper, "largest_community": largest, "leaf_communities": leaves}}


def losses(tables: Tables) -> list[list[str | int]]:
    """What governing took from the raw graph, most first: element (node | edge), gate, act, reason and how many.

    Of merges it is the net: below 0 where one raw element more often became several than several became one.
    """
    rows = tables.rows("SELECT element, gate, act, reason, elements FROM graph_losses ORDER BY element DESC, elements DESC, gate, act, reason")
    return [list(row) for row in rows]


def show_graph(home: Path, settings: Settings, name: str) -> dict[str, Any]:
    """The report on the current generation's graph: `graph`, the figures raw and governed, `removed`, what each gate took, and `added`.

    `added` has gates that split more than they merged: by how many elements. So raw less all removed and with all added is governed. Of its graphs there is one, so no name is needed. Raises NoIndex, and GenerationError for a generation without such a report.
    """
    with opened(home, settings, needs=sql.HAS_SHAPE) as (tables, generation):
        told = [dict(zip(("element", "gate", "act", "reason", "count"), row, strict=True)) for row in losses(tables)]
        removed = [one for one in told if int(one["count"]) >= 0]
        added = [{**one, "act": "split", "reason": "net_of_merges", "count": -int(one["count"])} for one in told if int(one["count"]) < 0]
        return {"graph": with_communities(tables), "removed": removed, "added": added, "generation": generation}
