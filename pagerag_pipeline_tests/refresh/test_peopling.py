"""People through whole refreshes: namesakes of two documents are two nodes, one person's names are one, and `show entity` tells why."""

from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.showing import shown
from pagerag_pipeline.stores import audits
from pagerag_pipeline.stores.work import open_work
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import build, digests, make_home, refreshed

FILES = {
    "a.txt": "Tom Hale kept bees at Low Farm. Tom Hale sold Low Farm. Mr. Hale met Ann Moss. Tom saw Tinworks.",
    "b.txt": "Tom Moss built Tinworks. Tom Moss left Tinworks. Tom knew Ann Moss.",
    "c.txt": "Ann Moss bought Tinworks. Tom saw Harbour Lane.",
    "d.txt": "Ann Moss sang in the Red Hall.",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("people"), FILES)


def named(found: Stored, alias: str) -> dict[str, set[str]]:
    """The nodes that bear a name, by key, with all their names."""
    bearers = {row["entity_id"] for row in found.rows["aliases"] if row["alias"] == alias}
    return {
        row["key"]: {one["alias"] for one in found.rows["aliases"] if one["entity_id"] == row["entity_id"]}
        for row in found.rows["nodes"]
        if row["entity_id"] in bearers
    }


def reasons(value: dict[str, Any]) -> set[tuple[str, str]]:
    return {(one["act"], one["reason"]) for one in value["decisions"]}


def test_the_names_of_one_person_are_one_node_and_namesakes_are_two(home: Path) -> None:
    found = stored(home)
    assert found.faults == []
    assert named(found, "Tom") == {"tom hale": {"Tom", "Tom Hale", "Mr. Hale"}, "tom moss": {"Tom", "Tom Moss"}, "tom": {"Tom"}}


def test_a_full_name_is_one_across_documents_in_shared_context_alone(home: Path) -> None:
    found = stored(home)
    assert set(named(found, "Ann Moss")) == {"ann moss", "ann moss (d.txt)"}
    documents = {row["element_id"]: set() for row in found.rows["bindings"]}
    for row in found.rows["bindings"]:
        documents[row["element_id"]].add(row["document"])
    assert sorted(documents[row["entity_id"]] for row in found.rows["nodes"] if row["key"] == "ann moss") == [
        {"a.txt", "b.txt", "c.txt"}
    ]


def test_show_tells_why_names_are_one_and_why_they_are_not(home: Path) -> None:
    value, _ = shown("entity", home, Settings(), "Mr. Hale")
    assert value["name"] == "Tom Hale"
    assert {("merge", "surname"), ("merge", "given_name")} <= reasons(value)
    value, _ = shown("entity", home, Settings(), "Tom")
    assert value["status"] == "ambiguous" and len(value["candidates"]) == 3
    told = {one["key"]: reasons(shown("entity", home, Settings(), one["entity_id"])[0]) for one in value["candidates"]}
    assert set(told) == {"tom hale", "tom moss", "tom"}
    assert ("keep_apart", "one_word") in told["tom"]


def test_every_check_of_the_graph_holds(home: Path) -> None:
    with open_work(home, Settings().store) as tables:
        assert {audit: found for audit in audits.AUDITS if (found := audits.offenders(tables, audit)).count} == {}


def test_people_merge_namesakes_of_all_documents_and_keep_names_of_one_apart(tmp_path: Path) -> None:
    home = make_home(tmp_path, FILES)
    (home / "governance.toml").write_text(
        'merge = [["Tom Hale", "Tom Moss"]]\nkeep_apart = [["Tom Hale", "Mr. Hale"]]', encoding="utf-8"
    )
    refreshed(home)
    found = stored(home)
    assert named(found, "Tom Hale") == named(found, "Tom Moss")
    assert set(named(found, "Mr. Hale")) == {"mr. hale"}


@pytest.mark.parametrize("name", ["Ann Moss (d.txt)", entity_id("ann moss (d.txt)")])
def test_one_of_two_namesakes_is_named_by_its_document_or_its_id(tmp_path: Path, name: str) -> None:
    home = make_home(tmp_path, FILES)
    (home / "governance.toml").write_text(f'suppress = ["{name}"]', encoding="utf-8")
    assert refreshed(home)["governed_graph"].details["warnings"] == []
    assert set(named(stored(home), "Ann Moss")) == {"ann moss"}


def test_the_same_people_in_any_order_of_arrival(home: Path, tmp_path: Path) -> None:
    first = make_home(tmp_path, {"d.txt": FILES["d.txt"], "a.txt": FILES["a.txt"]})
    refreshed(first)
    again = make_home(tmp_path, FILES)
    assert digests(refreshed(again)) == digests(refreshed(home))
