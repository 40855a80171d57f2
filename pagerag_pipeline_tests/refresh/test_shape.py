"""The report on the graph's shape with every build: with both products, equal after any history, measured anew only when a graph moved."""

from pathlib import Path

import pytest

from pagerag_pipeline.refresh import shape
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline_tests.homes import F1, F2, F3, build, make_home, refreshed


def told(reports: dict[str, ProductReport]) -> tuple[dict[str, object], dict[str, object]]:
    found = {name: report.details for name, report in reports.items()}
    return tuple({name: found[product][name] for name in ("graph", "removed")} for product in ("governed_graph", "communities"))  # type: ignore[return-value]


def test_both_products_tell_the_shape_and_the_later_one_its_communities(tmp_path: Path) -> None:
    graph, whole = told(refreshed(make_home(tmp_path, {"f1.txt": F1, "f2.txt": F2})))
    assert graph["removed"] == whole["removed"]
    assert (graph["graph"]["governed"]["nodes"], graph["graph"]["governed"]["edges"]) == (4, 3)
    assert "communities" not in graph["graph"]["governed"]
    assert whole["graph"]["governed"] == {**graph["graph"]["governed"], "communities": 1, "largest_community": 4, "leaf_communities": 1}


def test_the_report_does_not_depend_on_what_was_there_before(tmp_path: Path) -> None:
    build(tmp_path / "one", {"f1.txt": F1, "f3.txt": F3})
    later = told(refreshed(make_home(tmp_path / "one", {"f1.txt": F1, "f2.txt": F2}), force=True))
    assert later == told(refreshed(make_home(tmp_path / "other", {"f1.txt": F1, "f2.txt": F2})))


def test_nothing_is_measured_while_no_graph_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, {"f1.txt": F1})
    first = told(refreshed(home))

    def never(*_: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr(shape, "measure", never)
    assert told(refreshed(home)) == first


def test_a_large_raw_graph_is_not_clustered_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shape, "MOST_CLUSTERED", 1)
    _, whole = told(refreshed(make_home(tmp_path, {"f1.txt": F1})))
    assert "communities" not in whole["graph"]["raw"]
    assert whole["graph"]["governed"]["communities"] == 1
