"""The graph store: bulk writes that are counted, readers in threads and processes, bounded paths, limits without a crash."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.graph import EdgeRow, GraphError, GraphLimit, GraphReader, build_graph
from pagerag_pipeline.stores.paths import PathSearch

SETTINGS = StoreSettings(kuzu_buffer_bytes=64 << 20, kuzu_max_bytes=1 << 32, duckdb_threads=1)

NODE_SCHEMA = {
    "entity_id": pl.String, "name": pl.String, "key": pl.String, "type": pl.String, "types": pl.String, "mentions": pl.Int64,
    "isolated": pl.Boolean,
}  # fmt: skip
EDGE_SCHEMA = {
    "edge_id": pl.String, "head": pl.String, "predicate": pl.String, "tail": pl.String, "modality": pl.String, "confidence": pl.Float64,
    "weight": pl.Int64,
}  # fmt: skip


def nodes(*ids: str, **names: str) -> pl.DataFrame:
    rows = [(one, names.get(one, one), one, "PERSON", '["PERSON"]', 1, False) for one in ids]
    return pl.DataFrame(rows, schema=NODE_SCHEMA, orient="row")


def edges(*rows: tuple[Any, ...]) -> pl.DataFrame:
    """Rows of (edge_id, head, tail), then optionally predicate, modality, confidence, weight."""
    full = [(r[0], r[1], (r + (None,))[3] or "knows", r[2], (r + (None,) * 2)[4] or "asserted", (r + (0.9,) * 3)[5], 1) for r in rows]
    return pl.DataFrame(full, schema=EDGE_SCHEMA, orient="row")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.kuzu"


def ids(search: PathSearch[EdgeRow]) -> list[list[str]]:
    return [[edge.edge_id for edge in path] for path in search.paths]


def test_neighbors_are_edges_in_both_directions_heaviest_first(path: Path):
    frame = edges(("e1", "a", "b"), ("e2", "c", "a"), ("e3", "b", "c"), ("e4", "a", "a"), ("e5", "a", "b", None, "negated"))
    frame = frame.with_columns(weight=pl.Series([1, 3, 9, 1, 2]))
    build_graph(path, nodes("a", "b", "c", "d"), frame, SETTINGS)
    with GraphReader(path, SETTINGS) as graph:
        assert [row.edge_id for row in graph.neighbors(["a"], limit=10)] == ["e2", "e5", "e1", "e4"]
        assert [row.edge_id for row in graph.neighbors(["a", "b", "a"], limit=3)] == ["e3", "e2", "e5"]
        assert graph.neighbors(["e"], limit=3) == graph.neighbors([], limit=3) == graph.neighbors(["d"], limit=3) == []
        assert graph.neighbors(["c"], limit=1) == [EdgeRow("e3", "b", "knows", "c", "asserted", 0.9, 9)]
        assert [graph.count_neighbors(some) for some in (["a"], ["a", "b"], ["d"], [])] == [4, 5, 0, 0]
        assert graph.degrees(["a", "d", "unknown"]) == {"a": 5, "d": 0}


def test_paths_never_use_what_was_denied_or_only_supposed(path: Path):
    frame = edges(
        ("e1", "a", "b", None, "negated"), ("e2", "a", "c", None, "hypothetical"), ("e3", "c", "b"), ("e4", "b", "d"),
        ("e5", "d", "a", None, "reported"),
    )  # fmt: skip
    build_graph(path, nodes("a", "b", "c", "d"), frame, SETTINGS)
    with GraphReader(path, SETTINGS) as graph:
        assert ids(graph.paths("a", "b", max_edges=4, limit=5)) == [["e5", "e4"]]
        assert ids(graph.paths("a", "b", max_edges=4, limit=5, within=lambda edge_ids: {"e4", "e5"})) == [["e5", "e4"]]
        assert ids(graph.paths("a", "b", max_edges=4, limit=5, within=lambda edge_ids: {"e4"})) == []
        assert ids(graph.paths("a", "b", max_edges=1, limit=5)) == []


def test_paths_do_not_go_on_through_hubs_but_may_end_there(path: Path):
    many = [(f"h{i}", "hub", f"x{i}") for i in range(30)]
    frame = edges(*many, ("e1", "a", "hub"), ("e2", "hub", "b"), ("e3", "a", "c"), ("e4", "c", "b"))
    build_graph(path, nodes("a", "b", "c", "hub", *(f"x{i}" for i in range(30))), frame, SETTINGS)
    with GraphReader(path, SETTINGS, max_degree=10) as graph:
        assert ids(graph.paths("a", "b", max_edges=4, limit=5)) == [["e3", "e4"]]
        assert ids(graph.paths("x1", "hub", max_edges=4, limit=5)) == [["h1"]]
        assert ids(graph.paths("hub", "c", max_edges=2, limit=5)) == [["e1", "e3"], ["e2", "e4"]]
    with GraphReader(path, SETTINGS) as graph:
        assert ids(graph.paths("a", "b", max_edges=4, limit=5)) == [["e1", "e2"], ["e3", "e4"]]


def test_odd_names_are_stored_and_found_verbatim(path: Path):
    odd = ["O'Hara`s \"Inn\" \\.", "", " lead", "new\nline\ttab", "{a: [1,2]}", "NULL", "\\N", "a,b|c", "\U0001f600 é ‍", "$id"]
    frame = nodes(*odd)
    relations = edges(*[(f"e{i}", odd[i - 1], one, one) for i, one in enumerate(odd)])
    build_graph(path, frame, relations, SETTINGS)
    with GraphReader(path, SETTINGS) as graph:
        for number, one in enumerate(odd):
            assert (f"e{number}", odd[number - 1], one or "knows", one) in [row[:4] for row in graph.neighbors([one], limit=5)]


def test_what_was_not_written_as_intended_is_an_error(path: Path):
    with pytest.raises(GraphError, match="ghost"):
        build_graph(path, nodes("a"), edges(("e1", "a", "ghost")), SETTINGS)
    with pytest.raises(GraphError, match="duplicated"):
        build_graph(path, nodes("a", "a"), edges(), SETTINGS)
    build_graph(path, nodes("a"), edges(), SETTINGS)
    with GraphReader(path, SETTINGS) as graph:
        assert graph.degrees(["a"]) == {"a": 0}


def test_an_empty_graph_answers_with_nothing(path: Path):
    build_graph(path, nodes(), edges(), SETTINGS)
    with GraphReader(path, SETTINGS) as graph:
        assert graph.neighbors(["a"], limit=3) == [] and graph.paths("a", "b", max_edges=4, limit=3).paths == []


def test_unusable_files_are_named_with_the_reason(path: Path):
    with pytest.raises(GraphError, match="graph.kuzu.*No such file"):
        GraphReader(path, SETTINGS)
    path.write_bytes(b"nothing" * 1000)
    with pytest.raises(GraphError, match="not a valid Kuzu"):
        GraphReader(path, SETTINGS)
    build_graph(path, nodes("a"), edges(), SETTINGS)
    data = bytearray(path.read_bytes())
    data[4:12] = (999).to_bytes(8, "little")
    path.write_bytes(data)
    with pytest.raises(GraphError, match="another version of Kuzu.*999"):
        GraphReader(path, SETTINGS)


def test_readers_share_a_file_and_its_hard_links_in_one_process(path: Path):
    build_graph(path, nodes("a", "b"), edges(("e1", "a", "b")), SETTINGS)
    link = path.with_name("linked.kuzu")
    os.link(path, link)
    one, two, three = GraphReader(path, SETTINGS), GraphReader(link, SETTINGS), GraphReader(path, SETTINGS)
    one.close()
    one.close()
    with pytest.raises(GraphError, match="closed"):
        one.neighbors(["a"], limit=1)
    path.unlink()
    assert len(two.neighbors(["a"], limit=1)) == len(three.neighbors(["b"], limit=1)) == 1
    two.close()
    three.close()


def test_two_homes_serve_four_threads_each_with_its_own_rows(tmp_path: Path):
    readers = []
    for name in ("one", "two"):
        build_graph(tmp_path / name, nodes("a", "b", "c"), edges((f"{name}-1", "a", "b"), (f"{name}-2", "b", "c")), SETTINGS)
        readers.append(GraphReader(tmp_path / name, SETTINGS))

    def work(number: int) -> list[list[str]]:
        return ids(readers[number % 2].paths("a", "c", max_edges=4, limit=3))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(80)))
    assert found == [[["one-1", "one-2"]], [["two-1", "two-2"]]] * 40
    for reader in readers:
        reader.close()


def test_a_reader_in_another_process_reads_beside_this_one(path: Path):
    build_graph(path, nodes("a", "b"), edges(("e1", "a", "b")), SETTINGS)
    code = """
import sys
from pathlib import Path
from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores.graph import GraphReader
print(GraphReader(Path(sys.argv[1]), StoreSettings(kuzu_buffer_bytes=64 << 20)).neighbors(["a"], limit=1)[0].edge_id)
"""
    with GraphReader(path, SETTINGS) as graph:
        run = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        assert run.stdout == "e1\n" and len(graph.neighbors(["b"], limit=1)) == 1


def test_a_build_that_was_killed_is_replaced_by_the_next(path: Path):
    code = """
import os, sys, threading, time
from pathlib import Path
import polars as pl
from pagerag_pipeline_tests.stores.test_graph import EDGE_SCHEMA, NODE_SCHEMA, SETTINGS
from pagerag_pipeline.stores.graph import build_graph
names = [f"n{i}" for i in range(200_000)]
many = pl.DataFrame({"entity_id": names, "name": names, "key": names, "type": "PERSON", "mentions": 1})
edges = pl.DataFrame({"edge_id": names, "head": names, "tail": names, "predicate": "p", "modality": "asserted", "confidence": 1.0, "weight": 1})
def kill() -> None:
    while not Path(sys.argv[1]).exists():
        time.sleep(0.001)
    time.sleep(0.15)
    os.kill(os.getpid(), 9)
threading.Thread(target=kill).start()
build_graph(Path(sys.argv[1]), many, edges, SETTINGS)
"""
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    assert path.exists()
    build_graph(path, nodes("a", "b"), edges(("e1", "a", "b")), SETTINGS)
    with GraphReader(path, SETTINGS) as graph:
        assert graph.degrees(["a", "n1"]) == {"a": 1}
    assert sorted(one.name for one in path.parent.iterdir()) == ["graph.kuzu"]


def _large(path: Path, settings: StoreSettings) -> list[str]:
    rng = np.random.default_rng(1)
    count, arcs = 50_000, 300_000
    names = [f"{i:032x}" for i in range(count)]
    share = 1 / np.arange(1, count + 1) ** 0.8
    heads, tails = rng.choice(count, arcs, p=share / share.sum()), rng.integers(0, count, arcs)
    frame = pl.DataFrame({"entity_id": names, "name": names, "key": names, "type": "PERSON", "mentions": 1})
    relations = pl.DataFrame({"edge_id": [f"e{i:07}" for i in range(arcs)], "head": heads, "tail": tails}).with_columns(
        pl.col("head", "tail").map_elements(names.__getitem__, return_dtype=pl.String),
        predicate=pl.lit("p"),
        modality=pl.lit("asserted"),
        confidence=pl.lit(0.9),
        weight=pl.lit(1),
    )
    build_graph(path, frame, relations, settings)
    return names


def test_a_large_graph_answers_within_its_limits_or_says_which_one(path: Path):
    settings = StoreSettings(kuzu_buffer_bytes=256 << 20)
    names = _large(path, settings)
    with GraphReader(path, settings) as graph:
        first = [ids(graph.paths(names[a], names[b], max_edges=5, limit=3)) for a, b in ((0, 1), (700, 900), (30_000, 40_000))]
        assert all(0 < len(path) <= 5 for found in first for path in found) and all(len(found) == 3 for found in first)
        assert first[2] == ids(graph.paths(names[30_000], names[40_000], max_edges=5, limit=3))
        assert len(graph.neighbors(names[:50], limit=20)) == 20
    hurried = StoreSettings(kuzu_buffer_bytes=256 << 20, kuzu_timeout_ms=1)
    with GraphReader(path, hurried) as graph:
        search = graph.paths(names[0], names[1], max_edges=5, limit=3)
        assert search.paths == [] and "stopped" in search.stopped
        with pytest.raises(GraphLimit, match="kuzu_timeout_ms"):
            graph.neighbors(names[:5000], limit=20)


def test_a_reader_is_closed_while_threads_ask_without_a_crash(path: Path):
    build_graph(path, nodes("a", "b"), edges(("e1", "a", "b")), SETTINGS)
    graph = GraphReader(path, SETTINGS)
    outcomes: list[str] = []

    def ask() -> None:
        try:
            while True:
                graph.neighbors(["a"], limit=1)
        except GraphError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    graph.close()
    for thread in threads:
        thread.join(timeout=10)
    assert outcomes == ["this graph reader is closed"] * 4
