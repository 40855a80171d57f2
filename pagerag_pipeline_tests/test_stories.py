"""Stories of entities, edges and decisions, as values and in words, from a published generation alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.showing import SHOWN, shown
from pagerag_pipeline.stores.generations import TABLES_FILE, GenerationError, current, generation_folder
from pagerag_pipeline.stores.published import NoIndex
from pagerag_pipeline.stores.stories import UnknownElement
from pagerag_pipeline.stores.tables import open_tables
from pagerag_pipeline.stores.work import WORK_FILE
from pagerag_pipeline.stories import TOLD, told
from pagerag_pipeline_tests.homes import F1, F2, build, make_home

HALL = "Tinworks, also known as the Tin Hall, was bought by Odo Fenn."
FLOOD = "Great Flood caused High Water. Low Tide caused Still Air after Great Flood."
GOVERNANCE = 'suppress = ["Sister Bell"]\nkeep_apart = [["Ann Hale", "Odo Fenn"]]\n[rename]\n"Harbour Lane" = "The Lane"\n'
FILES = {
    "f1.txt": F1,
    "f2.txt": F2,
    "notes/hall.txt": HALL,
    "flood.txt": FLOOD,
    "people.txt": "Ann Hale visited TINWORKS. Ann Hale met Sister Bell. Ben Hale lives in Low Farm. Ben Hale, also known as Big Ben, met Ann Hale.",
    "farm.txt": "Low Farm, also known as Great Low Farm, was bought by Odo Fenn.",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = make_home(tmp_path_factory.mktemp("stories"), FILES)
    (home / "governance.toml").write_text(GOVERNANCE, encoding="utf-8")
    build(home.parent, FILES)
    (home / WORK_FILE).rename(home / "elsewhere.duckdb")  # a story needs the published generation and nothing else
    return home


def show(home: Path, what: str, name: str) -> dict[str, Any]:
    return shown(what, home, Settings(), name)[0]


def text(home: Path, what: str, name: str) -> str:
    return shown(what, home, Settings(), name)[1]


@pytest.mark.parametrize("name", ["Tinworks", "  tinworks ", "the tin hall".removeprefix("the "), entity_id("tin hall"), entity_id("tinworks"), "Tin"])
def test_an_entity_answers_to_names_aliases_ids_and_words(home: Path, name: str) -> None:
    assert show(home, "entity", name)["entity_id"] == entity_id("tin hall")


def test_an_entity_comes_with_all_that_it_stands_on(home: Path) -> None:
    found = show(home, "entity", "Tin Hall")
    assert (found["status"], found["name"], found["isolated"]) == ("found", "Tinworks", False)
    assert {one["document"] for one in found["documents"]} == {"f1.txt", "f2.txt", "notes/hall.txt", "people.txt"}
    alias = {one["alias"]: one["evidence"] for one in found["aliases"]}
    assert (alias["Tin Hall"]["document"], alias["Tin Hall"]["quote"]) == ("notes/hall.txt", "Tin Hall")
    start = HALL.index("Tin Hall")
    assert (alias["Tin Hall"]["start"], alias["Tin Hall"]["end"]) == (start, start + 8)
    assert {(e["head"], e["predicate"], e["tail"]) for e in found["edges"]} >= {("Mara Quill", "founded", "Tinworks"), ("Tinworks", "located_at", "The Lane")}
    assert all(edge["quotes"] and FILES[q["document"]][q["start"] : q["end"]] == q["quote"] for edge in found["edges"] for q in edge["quotes"])
    assert ("founded_date", "1901") in {(one["field"], one["value"]) for one in found["records"]}
    assert {one["level"] for one in found["communities"]} >= {0}
    json.dumps(found)


def test_a_place_counts_for_the_longest_name_in_it_and_for_no_other(home: Path) -> None:
    found = show(home, "entity", "Great Low Farm")
    assert {one["alias"]: one["mentions"] for one in found["aliases"]} == {"Great Low Farm": 1, "Low Farm": 2}
    assert sum(one["mentions"] for one in found["documents"]) == 3


def test_its_decisions_are_told_in_order_with_their_places(home: Path) -> None:
    lines = [one["told"] for one in show(home, "entity", "Tinworks")["decisions"]]
    start = HALL.index("Tinworks")
    assert lines[0] == f'merged: tin hall / tinworks are one, because the text declares it at notes/hall.txt [{start}, {len(HALL)}): "{HALL}"'
    assert any(line.startswith("merged: TINWORKS / Tinworks differ in case") for line in lines)
    shown_text = text(home, "entity", "Tinworks")
    assert "merged: tin hall / tinworks are one" in shown_text and "notes/hall.txt" in shown_text and "[None" not in shown_text


def test_both_sides_of_a_pair_tell_that_they_were_kept_apart(home: Path) -> None:
    for name, other in (("Ann Hale", "Odo Fenn"), ("Odo Fenn", "ann hale")):
        lines = [one["told"] for one in show(home, "entity", name)["decisions"] if one["act"] == "keep_apart"]
        assert lines == [f"kept apart from {other}, because governance.toml says so"]


def test_several_meanings_are_listed_and_exit_with_misuse(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = show(home, "entity", "hale")
    assert found["status"] == "ambiguous" and {one["name"] for one in found["candidates"]} == {"Ann Hale", "Ben Hale"}
    assert cli.main(["show", "entity", "hale", "--home", str(home)]) == cli.MISUSE
    assert "means more than one" in capsys.readouterr().out


def test_an_unknown_name_is_one_line_with_near_ones(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownElement, match="No entity 'Mara Quil' is in the graph. Near: Mara Quill"):
        show(home, "entity", "Mara Quil")
    assert cli.main(["show", "entity", "Zzyzx", "--home", str(home), "--json"]) == cli.MISUSE
    out, error = capsys.readouterr()
    assert json.loads(out)["kind"] == "UnknownElement" and len(error.splitlines()) == 1
    for name in ("", "  ", "%", "'; DROP TABLE data.nodes; --"):
        with pytest.raises(UnknownElement):
            show(home, "entity", name)


def test_a_suppressed_entity_tells_who_took_it_out(home: Path) -> None:
    found = show(home, "entity", "Sister Bell")
    assert found["status"] == "absent"
    assert "Sister Bell is not in the graph.\ndecisions:\n- suppressed by governance.toml, as sister bell" in text(home, "entity", "Sister Bell")
    assert show(home, "entity", found["entity_id"])["status"] == "absent"


def test_an_edge_tells_its_places_and_the_decisions_on_its_statements(home: Path) -> None:
    edge = next(e for e in show(home, "entity", "Mara Quill")["edges"] if e["predicate"] == "founded")
    found = show(home, "edge", edge["edge_id"][:12])
    assert found["edge_id"] == edge["edge_id"] and [span["quote"] for span in found["spans"]] == ["Mara Quill founded Tinworks in 1901."]
    assert [(one["gate"], one["act"]) for one in found["decisions"]] == [("G4", "accept")]
    assert "accepted with confidence" in text(home, "edge", edge["edge_id"])


def test_a_decision_tells_what_was_decided_on_which_inputs_and_what_followed(home: Path) -> None:
    edge = next(e for e in show(home, "entity", "Great Flood")["edges"] if e["predicate"] == "causes")
    first, last = show(home, "edge", edge["edge_id"])["decisions"]
    assert (first["gate"], first["reason"], last["reason"]) == ("G3", "causal_cue", "confidence")
    found = show(home, "decision", first["decision_id"][:10])
    assert found["decision"]["decision_id"] == first["decision_id"] and found["decision"]["span"]["quote"] == "Great Flood caused High Water."
    assert [one["decision_id"] for one in found["followed"]] == [last["decision_id"]]
    assert found["element"]["state"] == "edge" and found["element"]["edge"]["edge_id"] == edge["edge_id"]
    words = text(home, "decision", first["decision_id"])
    assert "about: a statement, (Great Flood, causes, High Water)" in words and "kept as a cause, because the quote says so: caused" in words
    assert f"in the end: it stands in the graph, in the edge {edge['edge_id']}" in words.replace("\n    ", " ")


def test_a_decision_on_a_statement_in_quarantine_says_so(home: Path) -> None:
    manifest = current(home)
    assert manifest is not None
    with open_tables(generation_folder(home, manifest.generation) / TABLES_FILE, Settings().store, read_only=True) as tables:
        held = tables.rows("SELECT d.decision_id FROM decisions d JOIN quarantine q ON q.unit_id = d.element_id WHERE q.reason = 'suppressed_end' LIMIT 1")
        documented = tables.frame("SELECT * FROM quarantine").columns
    assert {"unit_id", "state", "gate", "reason", "head", "predicate", "tail", "start", "end", "quote"} <= set(documented)
    found = show(home, "decision", held[0][0])
    assert found["element"]["state"] == "rejected"
    assert "it is in quarantine, rejected by override (suppressed_end)" in text(home, "decision", held[0][0])


def test_decisions_on_nodes_and_edges_name_them(home: Path) -> None:
    merged = show(home, "entity", "Tinworks")["decisions"][0]["decision_id"]
    assert "about: Tinworks (" in text(home, "decision", merged)
    gone = show(home, "entity", "Sister Bell")["decisions"][0]["decision_id"]
    assert "about: an entity that is not in the graph" in text(home, "decision", gone)
    assert "in the end: it is not in the graph" in text(home, "decision", gone)


def test_the_beginning_of_an_id_must_mean_one(home: Path) -> None:
    assert show(home, "decision", "")["status"] == "ambiguous"
    assert "means more than one" in text(home, "decision", "")
    for what in ("decision", "edge"):
        with pytest.raises(UnknownElement, match=f"No {what} of generation"):
            show(home, what, "xyz")


def test_every_act_of_this_corpus_has_its_sentence(home: Path) -> None:
    manifest = current(home)
    assert manifest is not None
    with open_tables(generation_folder(home, manifest.generation) / TABLES_FILE, Settings().store, read_only=True) as tables:
        acts = set(tables.rows("SELECT DISTINCT gate, act, reason FROM decisions WHERE act <> 'keep_apart'"))
    assert acts <= set(TOLD)


@pytest.mark.parametrize("key", TOLD)
def test_each_sentence_takes_its_detail_as_it_is(key: tuple[str, str, str]) -> None:
    gate, act, reason = key
    decision = {"gate": gate, "act": act, "reason": reason, "detail": "{x} %s 'quoted'", "span": None, "other_id": "", "other": None}
    assert "{x} %s 'quoted'" in told(decision)


def test_an_act_without_a_sentence_is_told_plainly() -> None:
    assert told({"gate": "G9", "act": "ponder", "reason": "why", "detail": "d", "span": None}) == "ponder (why): d"


@pytest.mark.parametrize("what", SHOWN)
def test_without_an_index_there_is_no_story(tmp_path: Path, what: str) -> None:
    with pytest.raises(NoIndex):
        shown(what, tmp_path, Settings(), "Tinworks")


def test_a_generation_without_stories_says_to_refresh(tmp_path: Path) -> None:
    home = build(tmp_path, {"f1.txt": F1})
    manifest = current(home)
    assert manifest is not None
    with open_tables(generation_folder(home, manifest.generation) / TABLES_FILE, Settings().store) as tables:
        tables.execute("DROP VIEW decisions; ALTER TABLE data.decisions DROP COLUMN other_id")
    with pytest.raises(GenerationError, match="refresh"):
        show(home, "entity", "Tinworks")


def test_the_graph_is_shown_raw_and_governed_with_what_each_gate_took(home: Path) -> None:
    found = show(home, "graph", "")
    raw, governed = found["graph"]["raw"], found["graph"]["governed"]
    for element in ("node", "edge"):
        taken = sum(one["count"] for one in found["removed"] if one["element"] == element)
        assert raw[f"{element}s"] - governed[f"{element}s"] == taken
    assert {"element": "node", "gate": "override", "act": "reject", "reason": "suppressed_end", "count": 1} in found["removed"]
    assert governed["communities"] == raw["communities"] > 0
    lines = text(home, "graph", "").splitlines()
    assert lines[1].split() == ["nodes", str(raw["nodes"]), str(governed["nodes"])]
    assert cli.main(["show", "graph", "--home", str(home)]) == cli.DONE


@pytest.mark.parametrize("command", [["graph", "x"], ["entity"], ["document"]])
def test_what_is_shown_needs_its_id_and_the_graph_none(home: Path, command: list[str]) -> None:
    assert cli.main(["show", *command, "--home", str(home)]) == cli.MISUSE


def test_a_community_is_told_with_what_binds_it(home: Path) -> None:
    found = show(home, "entity", "Tinworks")["communities"]
    bonds = {bond for one in found for bond in one["bonds"]}
    assert "Mara Quill founded Tinworks" in bonds
    assert "bound by: " in text(home, "entity", "Tinworks")
