"""IDS: the same input gives the same ids, and what did not change keeps its own."""

from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import embedding, workers
from pagerag_pipeline_tests.cases.bad_input import add, over, read
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import F1, F2, F3, corpus_of, digests, refreshed

IDS = {"chunks": "chunk_id", "nodes": "entity_id", "edges": "edge_id", "records": "record_id", "communities": "community_id", "tree": "node_id", "decisions": "decision_id"}


def ids(found: Stored) -> dict[str, list[str]]:
    return {table: sorted(row[column] for row in found.rows[table] if column in row) for table, column in IDS.items()}


def test_ids_01_three_builds_give_the_same_ids_and_digests(tmp_path: Path) -> None:
    homes = [over(tmp_path / name, {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3}) for name in ("one", "two", "three")]
    reports = [digests(refreshed(home)) for home in homes]
    assert reports[0] == reports[1] == reports[2]
    first, second, third = (ids(stored(home)) for home in homes)
    assert first == second == third
    assert all(len(set(found)) == len(found) for found in first.values())
    assert first["nodes"]


def test_ids_03_a_name_met_again_later_is_the_same_entity(tmp_path: Path) -> None:
    home = over(tmp_path, {"f1.txt": F1})
    before, _ = read(home)
    add(home, {"f2.txt": F2})
    after, _ = read(home)
    named = [[row["entity_id"] for row in found.rows["nodes"] if row["name"] == "Tinworks"] for found in (before, after)]
    assert named[0] == named[1]
    assert len(named[1]) == 1
    bound = {row["document"] for row in after.rows["bindings"] if row["element_id"] == named[1][0]}
    assert bound == {"f1.txt", "f2.txt"}


def test_ids_06_a_paragraph_at_the_top_leaves_nearly_all_chunks_of_a_long_text_their_ids(tmp_path: Path) -> None:
    text = "\n\n".join(f"On day {n} Odo Fenn counted {n * 7 % 31} bells, wrote to house {n * n % 97}, and kept {n * 13 % 53} bees." for n in range(2400))
    home = over(tmp_path, {"diary.txt": text})
    before, _ = read(home)
    add(home, {"diary.txt": f"Mara Quill found this diary in a tin box.\n\n{text}"})
    after, _ = read(home)
    kept = before.column("chunks", "chunk_id") & after.column("chunks", "chunk_id")
    assert len(kept) >= 0.95 * len(before.column("chunks", "chunk_id"))


def test_ids_07_a_moved_file_is_not_read_again_and_is_cited_by_its_new_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = over(tmp_path, {"f1.txt": F1, "f3.txt": F3})
    before, _ = read(home)
    (corpus_of(home) / "f1.txt").rename(corpus_of(home) / 'f1: "moved".txt')
    monkeypatch.setattr(embedding, "encode_texts", lambda *given, **named: pytest.fail("computed again"))
    for verb in ("extract_chunks", "chunk_document", "profile_document"):
        monkeypatch.setattr(workers, verb, lambda *given, **named: pytest.fail("computed again"))
    reports = refreshed(home)
    assert {name: reports[name].computed for name in ("chunk_embeddings", "entity_records")} == {"chunk_embeddings": 0, "entity_records": 0}
    after = stored(home)
    assert after.column("documents", "document") == {'f1: "moved".txt', "f3.txt"}
    assert before.column("nodes", "entity_id") == after.column("nodes", "entity_id")
    with QueryEngine(home) as engine:
        outcome = engine.ask("When was Tinworks founded?")
    assert {citation.document for citation in outcome.citations} == {'f1: "moved".txt'}
