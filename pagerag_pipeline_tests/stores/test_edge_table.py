"""Edges in memory give what the graph engine gives: neighbors, counts and paths, of the whole graph and within some of its edges."""

import random
from pathlib import Path

import polars as pl
import pytest

from pagerag_pipeline.stores.edge_table import EdgeTable
from pagerag_pipeline.stores.graph import EdgeRow, GraphReader, build_graph
from pagerag_pipeline_tests.stores.test_graph import EDGE_SCHEMA, SETTINGS, nodes

NODES = [f"n{i:02}" for i in range(24)]
MODALITIES = ("asserted", "asserted", "reported", "negated", "hypothetical")


def random_edges(seed: int) -> pl.DataFrame:
    """Edges between few nodes, the first of which is a hub; some are parallel, some loops."""
    chance = random.Random(seed)
    rows = []
    for number in range(90):
        head, tail = (NODES[min(chance.randrange(24), chance.randrange(24))] for _ in range(2))
        confidence = chance.choice((0.5, 0.7, 0.7, 0.9))
        rows.append((f"e{number:03}", head, chance.choice(("knows", "owns")), tail, chance.choice(MODALITIES), confidence, chance.randrange(1, 4)))
    return pl.DataFrame(rows, schema=EDGE_SCHEMA, orient="row")


def table_of(edges: pl.DataFrame) -> EdgeTable:
    """As `EDGES` orders them."""
    return EdgeTable(edges.sort(["weight", "confidence", "edge_id"], descending=[True, True, False]).to_arrow(), max_degree=12)


@pytest.mark.parametrize("seed", range(4))
def test_a_table_of_edges_gives_what_the_engine_gives(tmp_path: Path, seed: int) -> None:
    edges, chance = random_edges(seed), random.Random(seed)
    build_graph(tmp_path / "graph.kuzu", nodes(*NODES), edges, SETTINGS)
    table = table_of(edges)
    with GraphReader(tmp_path / "graph.kuzu", SETTINGS, max_degree=12) as graph:
        for _ in range(25):
            some, limit = chance.sample([*NODES, "nobody"], chance.randrange(0, 4)), chance.randrange(1, 30)
            assert table.neighbors(some, None, limit=limit) == graph.neighbors(some, limit=limit)
            assert table.count_neighbors(some, None) == graph.count_neighbors(some)
            source, target = chance.sample(NODES, 2)
            allowed = set(chance.sample(edges["edge_id"].to_list(), 60))
            whole = table.paths(source, target, None, max_edges=4, limit=limit)
            assert whole == graph.paths(source, target, max_edges=4, limit=limit)
            within = table.paths(source, target, table.within(sorted(allowed)), max_edges=4, limit=limit)
            assert within == graph.paths(source, target, max_edges=4, limit=limit, within=lambda ids, allowed=allowed: allowed & set(ids))
        assert any(graph.paths(one, other, max_edges=4, limit=9).blocked for one in NODES[5:9] for other in NODES[12:16])


def test_what_is_not_within_counts_for_nothing() -> None:
    edges = random_edges(9).filter(pl.col("head") != pl.col("tail"))
    table = table_of(edges)
    first = edges.row(0, named=True)
    ends = [first["head"], first["tail"]]
    only = table.within([first["edge_id"], "no such edge"])
    assert only.sum() == 1 and table.count_neighbors(ends, only) == 1
    assert table.neighbors(ends, only, limit=9) == [EdgeRow(*(first[name] for name in EdgeRow._fields))]
    assert table.joined(ends, only) and not table.joined([first["head"], "nobody"], only)
    assert not table.joined(ends, table.within([])) and not table.joined([], None)


def test_a_graph_without_edges_has_nothing_to_give() -> None:
    table = table_of(pl.DataFrame([], schema=EDGE_SCHEMA, orient="row"))
    assert table.neighbors(["a"], None, limit=3) == [] and table.count_neighbors(["a"], None) == 0
    assert table.paths("a", "b", None, max_edges=4, limit=3).paths == [] and not table.joined(["a", "b"], None)


def test_the_memory_of_a_table_is_counted() -> None:
    assert table_of(random_edges(1)).nbytes > 90 * 50


def test_what_is_related_is_what_a_path_may_follow_each_pair_once() -> None:
    edges = random_edges(3)
    for allowed in (None, edges["edge_id"].to_list()[:40]):
        told = edges.filter(~pl.col("modality").is_in(["negated", "hypothetical"]), pl.col("head") != pl.col("tail"))
        told = told if allowed is None else told.filter(pl.col("edge_id").is_in(allowed))
        pairs = sorted({tuple(sorted(pair)) for pair in zip(told["head"], told["tail"], strict=True)})
        table = table_of(edges)
        found = table.related(None if allowed is None else table.within(allowed))
        assert list(zip(*found.to_pydict().values(), strict=True)) == pairs and 0 < len(pairs) < len(told)
