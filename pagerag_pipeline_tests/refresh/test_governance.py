"""`governance.toml` through whole refreshes: every entry obeyed by name and by id, across rebuilds, told when it matches nothing, and undone without a trace."""

from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.health import status
from pagerag_pipeline.indexing.overrides import OverridesError
from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.showing import shown
from pagerag_pipeline.stores import audits
from pagerag_pipeline.stores.refreshed import read_refreshed
from pagerag_pipeline.stores.work import open_work
from pagerag_pipeline.terminal import refresh_text, status_text
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import F1, F2, F3, corpus_of, digests, make_home, refreshed, write_files
from pagerag_pipeline_tests.refresh.conftest import FirstBuilds

FILES = {
    "f1.txt": F1,
    "f2.txt": F2,
    "f3.txt": F3,
    "notes/n.txt": "The Tin Hall, also known as the Old Hall, was built by Ada Moss. Mara Quill met Ada Moss at Tinworks. Mistress Quill bought Low Farm.",
    "rumor.txt": "Odo Fenn married Ada Moss. Odo Fenn built Low Farm.",
}
CORPUS_WIDE = {"governed_graph", "communities", "hybrid_repository"}


@pytest.fixture
def home(first_builds: FirstBuilds, tmp_path: Path) -> Path:
    return first_builds.home(tmp_path / "own", FILES)


def govern(home: Path, text: str) -> tuple[Stored, dict[str, Any]]:
    """What a refresh under this `governance.toml` leaves, and the details that the governed graph told. Every check of the graph must hold."""
    (home / "governance.toml").write_text(text, encoding="utf-8")
    reports = refreshed(home)
    assert {name for name, report in reports.items() if report.computed} <= CORPUS_WIDE
    with open_work(home, Settings().store) as tables:
        assert {audit: found for audit in audits.AUDITS if (found := audits.offenders(tables, audit)).count} == {}
    found = stored(home)
    assert found.faults == []
    details = reports["governed_graph"].details
    counts = dict(details["units_in_and_out"])
    assert counts.pop("in") == sum(counts.values()) > 0
    return found, details


def names(found: Stored) -> set[str]:
    return {row["name"] for row in found.rows["nodes"]}


def edges(found: Stored) -> set[tuple[str, str, str]]:
    name = {row["entity_id"]: row["name"] for row in found.rows["nodes"]}
    return {(name[row["head"]], row["predicate"], name[row["tail"]]) for row in found.rows["edges"]}


ENTRIES = {
    "suppress": 'suppress = ["Harbour Lane"]',
    "merge": 'merge = [["Mara Quill", "Mistress Quill"]]',
    "keep_apart": 'keep_apart = [["Tin Hall", "Old Hall"]]',
    "retype": '[retype]\n"Low Farm" = "FAC"',
    "rename": '[rename]\n"Mara Quill" = "Mara the Founder"',
    "distrust": 'distrust = ["rumor.txt"]',
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_each_entry_is_obeyed_tells_so_and_is_undone_without_a_trace(home: Path, first_builds: FirstBuilds, entry: str) -> None:
    before, first = stored(home), first_builds.digests(FILES)
    found, details = govern(home, ENTRIES[entry])
    assert found.rows["decisions"] != before.rows["decisions"]
    assert any(row["gate"] == "override" for row in found.rows["decisions"])
    assert details["warnings"] == []
    (home / "governance.toml").unlink()
    assert digests(refreshed(home)) == first
    assert stored(home).rows == before.rows


def test_all_entries_together_survive_an_edit_as_in_a_clean_build(home: Path, tmp_path: Path) -> None:
    together = "\n".join(sorted(ENTRIES.values(), key=lambda entry: entry.startswith("[")))
    govern(home, together)
    edited = {**FILES, "f3.txt": f"{F3} Mara Quill saw Low Farm."}
    write_files(corpus_of(home), edited)
    kept = digests(refreshed(home))
    clean = make_home(tmp_path / "clean", edited)
    (clean / "governance.toml").write_text(together, encoding="utf-8")
    assert digests(refreshed(clean)) == kept


def test_suppressing_by_id_is_suppressing_by_name(home: Path) -> None:
    by_name, _ = govern(home, 'suppress = ["Low Farm"]')
    by_id, details = govern(home, f'suppress = ["{entity_id("low farm")}"]')
    assert by_id.rows == by_name.rows and details["warnings"] == []


def test_no_passage_is_about_a_suppressed_entity(home: Path) -> None:
    about = stored(home).column("chunks", "entity")
    assert "Sister Bell" in about
    found, _ = govern(home, 'suppress = ["Sister Bell"]')
    assert found.column("chunks", "entity") == about - {"Sister Bell"} | {""}
    assert not {"nodes", "edges", "aliases", "records", "graph_nodes", "graph_edges"} & set(found.holding("Sister Bell"))


def test_any_name_and_any_id_of_an_entity_will_do(home: Path) -> None:
    wanted = None
    for name in ("Tin Hall", "the old hall".removeprefix("the "), entity_id("tin hall"), entity_id("old hall")):
        found, details = govern(home, f'[rename]\n"{name}" = "The Hall"')
        assert details["warnings"] == [] and "The Hall" in names(found), name
        wanted = wanted or edges(found)
        assert edges(found) == wanted


def test_what_show_calls_an_entity_is_taken_back(home: Path) -> None:
    value, _ = shown("entity", home, Settings(), "Old Hall")
    found, details = govern(home, f'suppress = ["{value["entity_id"]}"]')
    assert not {"Tin Hall", "Old Hall"} & names(found) and details["warnings"] == []
    assert shown("entity", home, Settings(), "Old Hall")[0]["status"] == "absent"


def test_merged_names_are_one_node_with_the_edges_of_both(home: Path) -> None:
    found, _ = govern(home, ENTRIES["merge"])
    assert {"Mara Quill", "Mistress Quill"} & names(found) in ({"Mara Quill"}, {"Mistress Quill"})
    assert {(head, predicate) for head, predicate, _ in edges(found) if "Quill" in head} >= {("Mara Quill", "founded"), ("Mara Quill", "bought")}


def test_a_renamed_entity_is_found_by_both_names_and_by_its_id_in_other_entries(home: Path) -> None:
    found, _ = govern(home, ENTRIES["rename"])
    assert "Mara the Founder" in names(found) and "Mara Quill" not in names(found)
    for name in ("Mara Quill", "Mara the Founder", entity_id("mara quill")):
        assert shown("entity", home, Settings(), name)[0]["name"] == "Mara the Founder"
    also, details = govern(home, f'suppress = ["Mara the Founder"]\n{ENTRIES["rename"]}')
    assert not {"Mara the Founder", "Mara Quill"} & names(also) and details["warnings"] == []


def test_a_retyped_entity_has_its_type_in_every_store(home: Path) -> None:
    found, _ = govern(home, ENTRIES["retype"])
    assert [row["type"] for row in found.rows["nodes"] if row["name"] == "Low Farm"] == ["FAC"]


def test_statements_of_a_distrusted_document_wait_for_another_document(home: Path) -> None:
    found, _ = govern(home, ENTRIES["distrust"])
    assert not {(h, p) for h, p, _ in edges(found) if h == "Odo Fenn"} & {("Odo Fenn", "married"), ("Odo Fenn", "built")}
    held = {(row["head"], row["predicate"], row["reason"]) for row in found.rows["quarantine"] if row["document"] == "rumor.txt"}
    assert ("Odo Fenn", "married", "distrusted") in held
    write_files(corpus_of(home), {"rumor.txt": f"{FILES['rumor.txt']} Odo Fenn married Ada Moss, all say."})
    refreshed(home)
    assert ("Odo Fenn", "married", "Ada Moss") not in edges(stored(home)), "a rumor repeated is a rumor"
    write_files(corpus_of(home), {"church.txt": "In 1920 Odo Fenn married Ada Moss."})
    refreshed(home)
    after = stored(home)
    assert ("Odo Fenn", "married", "Ada Moss") in edges(after)
    spans = {row["document"] for row in after.rows["bindings"] if row["element_kind"] == "edge" and "married" in row["quote"]}
    assert spans == {"rumor.txt", "church.txt"}
    assert any(row["act"] == "promote" for row in after.rows["decisions"])


@pytest.mark.parametrize("name", ["notes/", "n.txt", "notes/n.txt"])
def test_a_document_is_distrusted_by_its_folder_or_the_end_of_its_path(home: Path, name: str) -> None:
    found, details = govern(home, f'distrust = ["{name}"]')
    assert details["warnings"] == []
    assert {row["document"] for row in found.rows["decisions"] if row["reason"] == "distrusted"} == {"notes/n.txt"}


def test_what_matches_nothing_is_told_in_the_report_in_status_and_on_the_terminal(home: Path) -> None:
    gone = 'suppress = ["Atlantis"]\ndistrust = ["gone.txt"]\nkeep_apart = [["Mara Quill", "Nobody"]]'
    found, details = govern(home, gone)
    told = ["governance.toml: no entity is called 'atlantis'", "governance.toml: no entity is called 'nobody'", "governance.toml: no document is called 'gone.txt'"]
    assert details["warnings"] == told
    mark = read_refreshed(home)
    assert mark is not None and list(mark.warnings) == told == status(home)["warnings"]
    assert all(line in status_text(status(home)) for line in told)
    assert all(f"warning: {line}" in refresh_text(list(refreshed(home).values()), "done") for line in told)
    write_files(corpus_of(home), {"gone.txt": "Atlantis met Nobody."})
    assert [line for line in refreshed(home)["governed_graph"].details["warnings"] if "gone.txt" in line or "atlantis" in line] == []


MOSSES = {
    "m1.txt": "Kate Moss lived in Orm beside the Blue Forge. Katie Moss sold nails at the Blue Forge.",
    "m2.txt": "Kate Moss lived in Orm beside the Blue Forge. Katharine Moss sold coal at the Blue Forge.",
}


def test_names_of_two_documents_stay_two_where_people_say_so(home: Path) -> None:
    write_files(corpus_of(home), MOSSES)
    refreshed(home)
    merged = [row["detail"] for row in stored(home).rows["decisions"] if row["reason"] == "shared_context" and "kate moss" in row["detail"]]
    assert [detail.partition(": ")[0] for detail in merged] == ["kate moss in m1.txt and m2.txt"] and "blue forge" in merged[0]
    found, details = govern(home, 'keep_apart = [["Katie Moss", "Katharine Moss"]]')
    bearers = {(row["alias"], row["entity_id"]) for row in found.rows["aliases"] if row["alias"].startswith("Ka")}
    assert len({entity for _, entity in bearers}) == 2 and details["warnings"] == []
    assert "alignment_blocked: kate moss / kate moss: m1.txt and m2.txt, katharine moss and katie moss" in found.column("decisions", "detail")


def test_a_name_with_its_documents_mark_is_kept_apart_and_not_merged(home: Path) -> None:
    write_files(corpus_of(home), MOSSES)
    refreshed(home)
    found, details = govern(home, 'keep_apart = [["Kate Moss", "Kate Moss (m2.txt)"]]')
    assert len({row["entity_id"] for row in found.rows["aliases"] if row["alias"] == "Kate Moss"}) == 2 and details["warnings"] == []
    _, details = govern(home, 'merge = [["Kate Moss (m2.txt)", "Mara Quill"]]')
    assert details["warnings"] == ["governance.toml: merge takes names as texts have them, and none has 'kate moss (m2.txt)'"]


def test_a_merge_that_makes_a_cause_its_own_effect_is_told(home: Path) -> None:
    write_files(corpus_of(home), {"flood.txt": "Great Flood caused High Water."})
    refreshed(home)
    edge = [row for row in stored(home).rows["edges"] if row["predicate"] == "causes"]
    assert len(edge) == 1
    found, details = govern(home, 'merge = [["Great Flood", "High Water"]]')
    assert [row for row in found.rows["edges"] if row["predicate"] == "causes"] == []
    assert details["warnings"] == [
        "a cause would be its own effect, so it was left out: (Great Flood, causes, High Water)",
        "governance.toml merges names between which a cause is stated: great flood / high water",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[rename]\n"Mara Quill" = "Odo Fenn"', "cannot be renamed to 'Odo Fenn', the name of another entity"),
        (f'merge = [["Mara Quill", "Odo Fenn"]]\nkeep_apart = [["{entity_id("mara quill")}", "odo fenn"]]', "both under merge and under keep_apart"),
        ('distrust = [".txt"]', ""),
    ],
)
def test_what_cannot_be_obeyed_is_one_error_and_changes_nothing(home: Path, text: str, told: str) -> None:
    before = stored(home)
    (home / "governance.toml").write_text(text, encoding="utf-8")
    if not told:
        assert refreshed(home)["governed_graph"].details["warnings"] == ["governance.toml: no document is called '.txt'"]
        return
    with pytest.raises(OverridesError, match=told):
        refreshed(home)
    assert stored(home).rows == before.rows


def test_a_rename_to_another_name_of_the_same_entity_is_no_contradiction(home: Path) -> None:
    found, _ = govern(home, '[rename]\n"Tin Hall" = "Old Hall"')
    assert "Old Hall" in names(found) and "Tin Hall" not in names(found)
