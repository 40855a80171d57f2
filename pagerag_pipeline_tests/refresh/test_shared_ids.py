"""Documents of several files that claim one id: each has its own, by what the corpus holds now."""

import json
from pathlib import Path

import duckdb

from pagerag_pipeline.stores.generations import TABLES_FILE, current, generation_folder
from pagerag_pipeline_tests.homes import F1, F2, F3, corpus_of, digests, make_home, refreshed, write_files
from pagerag_pipeline_tests.refresh.conftest import FirstBuilds

ROWS = "".join(json.dumps({"doc_id": own, "text": text}) + "\n" for own, text in (("x.txt", F1), ("y", F3)))
PLAIN = {"d.jsonl#x.txt": F2}


def _documents(home: Path) -> dict[str, tuple[str, str]]:
    """Path and text by id, as published."""
    manifest = current(home)
    assert manifest is not None
    with duckdb.connect(str(generation_folder(home, manifest.generation) / TABLES_FILE), read_only=True) as tables:
        found = tables.execute("SELECT document, path, text FROM data.documents").fetchall()
    assert len({document for document, _, _ in found}) == len(found)
    return {document: (path, text) for document, path, text in found}


def test_a_plain_file_keeps_its_id_and_the_row_is_told_by_its_file(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path, {"d.jsonl": ROWS, **PLAIN})
    ((path, note),) = first_builds.reports({"d.jsonl": ROWS, **PLAIN})["source_documents"].details["notes"]
    documents = _documents(home)
    assert documents.pop("d.jsonl#x.txt") == ("d.jsonl#x.txt", F2)
    assert documents.pop("d.jsonl#y") == ("d.jsonl", F3)
    ((other, held),) = documents.items()
    assert held == ("d.jsonl", F1) and other.startswith("d.jsonl#x.txt~")
    assert path == "d.jsonl" and "'d.jsonl#x.txt'" in note and other in note


def test_a_claimant_that_comes_and_goes_leaves_what_a_clean_build_has(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path, {"d.jsonl": ROWS})
    alone = first_builds.digests({"d.jsonl": ROWS})
    write_files(corpus_of(home), PLAIN)
    both = refreshed(home)
    assert digests(both) == first_builds.digests({"d.jsonl": ROWS, **PLAIN})
    assert both["chunks"].computed == 1
    (corpus_of(home) / "d.jsonl#x.txt").unlink()
    back = refreshed(home)
    assert digests(back) == alone
    assert back["source_documents"].details["notes"] == []
    write_files(corpus_of(home), PLAIN)
    (corpus_of(home) / "d.jsonl").unlink()
    assert digests(refreshed(home)) == first_builds.digests(PLAIN)


def test_a_mark_that_another_row_has_as_its_id_is_passed_over(tmp_path: Path, first_builds: FirstBuilds) -> None:
    first = first_builds.home(tmp_path / "first", {"d.jsonl": ROWS, **PLAIN})
    (marked,) = (document for document in _documents(first) if "~" in document)
    rows = ROWS + json.dumps({"doc_id": marked.partition("#")[2], "text": F2})
    refreshed(make_home(tmp_path / "second", {"d.jsonl": rows, **PLAIN}))
    documents = _documents(tmp_path / "second" / "home")
    assert documents[marked] == ("d.jsonl", F2)
    assert sorted(documents.values()) == sorted([("d.jsonl", F1), ("d.jsonl", F2), ("d.jsonl", F3), ("d.jsonl#x.txt", F2)])


def test_rows_of_two_files_may_claim_one_id(tmp_path: Path) -> None:
    one, two = (json.dumps({"doc_id": own, "text": text}) for own, text in (("b.jsonl#c.txt", F1), ("c.txt", F2)))
    home = make_home(tmp_path, {"a.jsonl": one, "a.jsonl#b.jsonl": two, "a.jsonl#b.jsonl#c.txt": F3})
    assert len(refreshed(home)["source_documents"].details["notes"]) == 2
    documents = _documents(home)
    assert documents["a.jsonl#b.jsonl#c.txt"] == ("a.jsonl#b.jsonl#c.txt", F3)
    assert sorted(documents.values()) == [("a.jsonl", F1), ("a.jsonl#b.jsonl", F2), ("a.jsonl#b.jsonl#c.txt", F3)]


def test_an_id_in_other_words_is_not_a_loss(tmp_path: Path) -> None:
    rows = "".join(json.dumps({"doc_id": f"{n}.txt", "text": f"{F1} {n}."}) + "\n" for n in range(30))
    home = make_home(tmp_path, {"d.jsonl": rows})
    refreshed(home)
    write_files(corpus_of(home), {f"d.jsonl#{n}.txt": F2 for n in range(30)})
    refreshed(home)
    assert refreshed(home)["source_documents"].rows == 60
