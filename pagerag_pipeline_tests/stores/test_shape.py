"""The report on the shape of small graphs: what governing took, by gate and reason, and that nothing is taken without being counted."""

from pathlib import Path

import pytest

from pagerag_pipeline.refresh.shape import measure
from pagerag_pipeline.settings import ClusterSettings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores import shape
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.terminal import graph_text
from pagerag_pipeline_tests.homes import F1, build, make_home, refreshed
from pagerag_pipeline_tests.stores.knowledge_case import graph_of
from pagerag_pipeline_tests.stores.test_knowledge import CORPUS, graph_of_units, unit


def told(tables: Tables) -> tuple[dict[str, dict[str, float]], dict[tuple[str, ...], int]]:
    measure(tables, ClusterSettings())
    return shape.figures(tables), {tuple(map(str, what)): int(count) for *what, count in shape.losses(tables)}


def assert_accounted(tables: Tables, losses: dict[tuple[str, ...], int]) -> None:
    """What was raw and is not governed was taken by some gate."""
    for element, raw, governed in (("node", "raw_nodes", "nodes"), ("edge", "raw_edges", "edges")):
        before, after = (int(tables.rows(f"SELECT count(*) FROM {table}")[0][0]) for table in (raw, governed))
        assert before - after == sum(count for (what, *_), count in losses.items() if what == element)


def test_each_gate_is_told_with_what_it_took(tmp_path: Path) -> None:
    """A sure statement stays; an unsure, a hopeless and an unbound one go, with ends that nothing else speaks of."""
    text = "Odo made a well. Mara saw a hill. Bell lost a key. Fenn has a dog."
    units = [
        unit("Odo", "made", "well", "Odo made a well."),
        unit("Mara", "saw", "hill", "Mara saw a hill.", confidence=0.6),
        unit("Bell", "lost", "key", "Bell lost a key.", confidence=0.2),
        unit("Fenn", "bought", "moor", "Fenn bought a moor."),
    ]
    tables = graph_of_units(tmp_path, [text], [units])
    figures, losses = told(tables)
    assert losses == {
        ("edge", "G1", "reject", "unbound"): 1,
        ("edge", "G4", "hold", "confidence"): 1,
        ("edge", "G4", "reject", "confidence"): 1,
        ("edge", "G6", "merge", "parallel"): 0,
        ("node", "G1", "reject", "unbound"): 2,
        ("node", "G4", "hold", "confidence"): 2,
        ("node", "G4", "reject", "confidence"): 2,
        ("node", "G5", "merge", "one_entity"): 0,
    }
    assert_accounted(tables, losses)
    assert (figures["raw"]["nodes"], figures["raw"]["components"], figures["governed"]["nodes"], figures["governed"]["components"]) == (8, 4, 2, 1)
    assert figures["raw"]["communities"] == 4


def test_merges_and_names_are_no_loss_without_a_word(tmp_path: Path) -> None:
    texts = ["Mara Quill, known as Sparrow, made a well. Sparrow made a well."]
    units = [
        unit("Mara Quill", "also_known_as", "Sparrow", "Mara Quill, known as Sparrow"),
        unit("Mara Quill", "made", "well", "Mara Quill, known as Sparrow, made a well."),
        unit("Sparrow", "made", "well", "Sparrow made a well."),
    ]
    tables = graph_of_units(tmp_path, texts, [units], 'merge = [["Mara Quill", "Sparrow"]]')
    _, losses = told(tables)
    assert losses == {
        ("edge", "G5", "merge", "declared"): 1,
        ("edge", "G6", "merge", "parallel"): 1,
        ("node", "G5", "merge", "one_entity"): 1,
    }
    assert_accounted(tables, losses)


def test_what_people_suppress_is_told_as_theirs(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, CORPUS, 'suppress = ["harbour lane"]')
    _, losses = told(tables)
    assert losses["edge", "override", "reject", "suppressed_end"] == 1
    assert losses["node", "override", "reject", "suppressed_end"] == 1
    assert_accounted(tables, losses)


def test_the_figures_are_those_of_the_graph(tmp_path: Path) -> None:
    tables = graph_of(tmp_path, CORPUS)
    _, losses = told(tables)
    assert_accounted(tables, losses)
    governed = shape.with_communities(tables)["governed"]
    assert {name: governed[name] for name in ("nodes", "edges", "isolated", "components", "largest_component", "joined_pairs", "communities")} == {
        "nodes": 7, "edges": 4, "isolated": 1, "components": 2, "largest_component": 4, "joined_pairs": 7, "communities": 0,
    }  # fmt: skip


def test_a_graph_without_nodes_has_figures_of_nothing_and_no_rows(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"empty.txt": ""})
    refreshed(home)
    shown = shape.show_graph(home, load_settings(home), "")
    assert shown["removed"] == []
    assert shown["graph"] == {graph: dict.fromkeys(shape.FIGURES, 0) for graph in shape.GRAPHS}


def test_a_gate_that_split_more_than_it_merged_is_told_as_what_it_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = build(tmp_path, {"f1.txt": F1})
    monkeypatch.setattr(shape, "losses", lambda _: [["node", "G7", "leave_out", "no_statement", 2], ["edge", "G6", "merge", "parallel", -3]])
    shown = shape.show_graph(home, load_settings(home), "")
    assert [one["count"] for one in shown["removed"]] == [2]
    assert shown["added"] == [{"element": "edge", "gate": "G6", "act": "split", "reason": "net_of_merges", "count": 3}]
    told = graph_text(shown)
    assert told.split("added")[1].split() == ["edges:", "G6", "split,", "net", "of", "merges", "3"] and "-3" not in told
