"""INC: documents that come, change and go, told by what the three stores hold afterwards and by what is answered."""

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import dagster as dg
import duckdb
import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.definitions import house
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import documents, embedding, publish, workers
from pagerag_pipeline.refresh.ledger import LostUnits
from pagerag_pipeline.refresh.products import PRODUCT_FUNCTIONS
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.asking import Outcome
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.corpus import corpus_digest, list_corpus
from pagerag_pipeline.stores.locks import read_progress
from pagerag_pipeline.stores.work import WORK_FILE, WorkLayoutError
from pagerag_pipeline_tests.cases.conftest import Command
from pagerag_pipeline_tests.cases.stored import Stored, stored
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, build, corpus_of, digests, make_home, refreshed, write_files

WHEN = "When was Tinworks founded?"
VERBS = ("parse_file", "profile_document", "chunk_document", "encode_texts", "extract_chunks", "gate_units", "summarize_texts", "report_community")
"""What a worker calls to compute anything."""
TRUSTED_SECONDS = 0.1
"""Times of change that lie this far back are trusted by a refresh, where the file system stamps finer than seconds."""


def ask(home: Path, question: str) -> Outcome:
    with QueryEngine(home) as engine:
        return engine.ask(question)


def edges(found: Stored) -> set[tuple[str, str, str]]:
    names = {node["id"]: node["name"] for node in found.rows["graph_nodes"]}
    return {(names[edge["head"]], edge["predicate"], names[edge["tail"]]) for edge in found.rows["graph_edges"]}


def rooms(found: Stored, house: str) -> set[str]:
    return {tail for head, predicate, tail in edges(found) if (head, predicate) == (house, "has")}


# --- one history: built, edited all over, refreshed ------------------------------------------------------

INN = "The inn has four rooms: the Red Room, the Blue Room, the Green Room and the Attic."
MILL = "Ann Hale founded Millworks."
FIRST = {
    "inn.txt": INN,
    "tower.txt": "The tower has a Blue Room, a Bell Room and a Cellar.",
    "p.txt": "A born 987, B born 988.",
    "roof.txt": "Tinworks has a red roof.",
    "bell.txt": "Tinworks has a bell.",
    "founding.txt": "Mara Quill founded Tinworks.",
    "sale.txt": "Odo Fenn bought Tinworks.",
    "f3.txt": F3,
    "mill.txt": f"{MILL} {MILL}",
    "copy of mill.txt": MILL,
}
GONE = ("roof.txt", "founding.txt", "f3.txt", "copy of mill.txt")
SECOND = {name: text for name, text in FIRST.items() if name not in GONE} | {
    "inn.txt": "The inn has four rooms: the Red Room, the Blue Parlor, the Green Room and the Den.",
    "p.txt": "A born 986, B born 988.",
    "mill.txt": MILL,
}
REAL_MODELS = ""


class Edited(NamedTuple):
    """A home, and what its stores held before and after the edit."""

    home: Path
    before: Stored
    after: Stored


@pytest.fixture(scope="module", params=[pytest.param(STUB_MODELS, id="stub"), pytest.param(REAL_MODELS, id="real", marks=pytest.mark.models)])
def edited(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Edited:
    folder = tmp_path_factory.mktemp("edited")
    home = build(folder, FIRST, settings=request.param)
    before = stored(home)
    assert ask(home, "What color is the roof of Tinworks?").answer == "red"
    build(folder, SECOND, settings=request.param)
    after = stored(home)
    assert before.faults == after.faults == []
    return Edited(home, before, after)


def refused(home: Path, question: str) -> Outcome:
    outcome = ask(home, question)
    assert (outcome.status, outcome.answer) == ("refused", None)
    return outcome


def test_inc_02_what_a_deleted_document_said_is_refused_without_evidence(edited: Edited) -> None:
    assert refused(edited.home, "Where did Sister Bell keep bees?").citations == ()
    assert refused(edited.home, "Who lives at Low Farm?").evidence == ()
    assert edited.after.holding("bees") == edited.after.holding("Low Farm") == []


def test_inc_04_after_an_edit_the_graph_holds_exactly_the_rooms_of_the_new_version(edited: Edited) -> None:
    assert rooms(edited.before, "inn") == {"Red Room", "Blue Room", "Green Room", "Attic"}
    assert rooms(edited.after, "inn") == {"Red Room", "Blue Parlor", "Green Room", "Den"}
    assert edited.after.holding("Attic") == []
    blue = next(node["id"] for node in edited.after.rows["graph_nodes"] if node["name"] == "Blue Room")
    assert {b["document"] for b in edited.after.rows["bindings"] if b["element_id"] == blue} == {"tower.txt"}


@pytest.mark.parametrize("question", ["How many years older is A than B?", "How many years older is A?"])
def test_inc_05_a_changed_year_is_what_is_computed_with_and_cited(edited: Edited, question: str) -> None:
    outcome = ask(edited.home, question)
    assert outcome.answer is not None and outcome.answer.startswith("2 years")
    assert [citation.quote for citation in outcome.citations] == ["A born 986, B born 988."]
    assert not any("987" in item.text for item in outcome.evidence) and edited.after.holding("987") == []


def test_inc_19_what_a_deleted_document_said_of_a_thing_is_in_no_description_of_it(edited: Edited) -> None:
    outcome = refused(edited.home, "What color is the roof of Tinworks?")
    assert not any("red" in item.text.split() for item in outcome.evidence)
    assert {"records", "tree", "tree_quotes", "vectors_passages", "vectors_summaries"} <= set(edited.before.holding("red roof"))
    assert edited.after.holding("red roof") == edited.after.holding("roof") == []
    assert "bell" in (ask(edited.home, "What does Tinworks have?").answer or "")


def test_inc_24_an_entity_that_survives_as_an_object_stays(edited: Edited) -> None:
    assert ("Mara Quill", "founded", "Tinworks") in edges(edited.before)
    assert ("Odo Fenn", "bought", "Tinworks") in edges(edited.after)
    assert edited.after.holding("Mara") == []
    works = next(node["id"] for node in edited.after.rows["graph_nodes"] if node["name"] == "Tinworks")
    assert {b["document"] for b in edited.after.rows["bindings"] if b["element_id"] == works} == {"sale.txt", "bell.txt"}


def test_inc_32_one_sentence_three_times_is_one_edge_with_three_spans(edited: Edited) -> None:
    """Weight is the number of distinct spans; confidence is 1 - prod(1 - c) over them, capped."""
    places = []
    for found in (edited.before, edited.after):
        heads = [node["entity_id"] for node in found.rows["nodes"] if node["name"] == "Ann Hale"]
        (edge,) = (edge for edge in found.rows["edges"] if edge["head"] in heads)
        bound = [(b["document"], b["start_at"]) for b in found.rows["bindings"] if b["element_id"] == edge["edge_id"]]
        assert edge["weight"] == len(bound) == len(set(bound))
        places.append((sorted(bound), edge["confidence"]))
    assert places[0][0] == [("copy of mill.txt", 0), ("mill.txt", 0), ("mill.txt", 28)]
    assert places[1][0] == [("mill.txt", 0)]
    assert places[0][1] == 0.99 > places[1][1]


@pytest.mark.parametrize(("stamped", "later"), [(1_750_000_000_123_000_000, 8_000_000), (1_750_000_000_000_000_000, 1_400_000_000)])
def test_inc_05_an_edit_of_equal_length_within_one_tick_of_the_file_system_is_seen(
    home: Path, monkeypatch: pytest.MonkeyPatch, stamped: int, later: int
) -> None:
    """A file system may stamp by ticks of milliseconds or by whole seconds: what was written within the tick is read again."""
    path = corpus_of(home) / "f1.txt"
    monkeypatch.setattr(documents, "time", SimpleNamespace(time_ns=lambda: stamped + later))
    for year in ("1902", "1903"):
        path.write_text(F1.replace("1901", year), encoding="utf-8")
        os.utime(path, ns=(stamped, stamped))
        refreshed(home)
    assert ask(home, WHEN).answer == "1903"


# --- nothing changed ---------------------------------------------------------------------------------


def _on_disk(home: Path) -> dict[str, tuple[int, int]]:
    """Size and time of change of everything that readers see."""
    paths = [home / "CURRENT", *(home / "generations").rglob("*"), *(home / "vectors").rglob("*")]
    return {str(path.relative_to(home)): (path.stat().st_size, path.stat().st_mtime_ns) for path in paths if path.is_file()}


def _in_work(home: Path) -> dict[str, list[tuple[object, ...]]]:
    with duckdb.connect(str(home / WORK_FILE)) as connection:
        names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: connection.execute(f"SELECT rowid, * FROM {name} ORDER BY rowid").fetchall() for name in names}


def test_inc_06_and_34_untouched_and_merely_touched_files_leave_every_row_and_file_as_it_is(
    home: Path, pagerag: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for verb in VERBS:
        place = embedding if verb == "encode_texts" else workers
        monkeypatch.setattr(place, verb, lambda *given, verb=verb, **named: pytest.fail(f"{verb} was called"))
    time.sleep(TRUSTED_SECONDS)
    refreshed(home)  # reads the copied files once
    before, rows = _on_disk(home), _in_work(home)
    code, told, _ = pagerag("refresh", "--home", home)
    assert (code, told["unchanged"], told["published"]) == (cli.DONE, True, False)
    assert _on_disk(home) == before and _in_work(home) == rows
    for path in corpus_of(home).iterdir():
        path.touch()
    assert cli.main(["refresh", "--home", str(home)]) == cli.DONE
    assert "Nothing changed" in capsys.readouterr().out
    rows.pop("files")
    after = _in_work(home)
    after.pop("files")
    assert _on_disk(home) == before and after == rows


def test_an_edit_that_keeps_size_and_modification_time_is_seen_by_refresh_and_listing(home: Path) -> None:
    time.sleep(TRUSTED_SECONDS)
    refreshed(home)
    path = corpus_of(home) / "f3.txt"
    seen, listing = path.stat(), corpus_digest(list_corpus(corpus_of(home)).files)
    path.write_text(path.read_text(encoding="utf-8").replace("bees", "cows"), encoding="utf-8")
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (seen.st_size, seen.st_mtime_ns)
    assert corpus_digest(list_corpus(corpus_of(home)).files) != listing
    report = refreshed(home)["source_documents"]
    assert (report.changed, report.computed, report.details["files_read"]) == (1, 1, 1)


# --- an empty store, an older store --------------------------------------------------------------------


def test_inc_08_an_empty_store_gets_a_full_build(three: Path, tmp_path: Path) -> None:
    home = make_home(tmp_path, {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3})
    (home / "vectors").mkdir()
    (home / "generations").mkdir()
    with duckdb.connect(str(home / WORK_FILE)):
        pass
    reports = refreshed(home)
    assert all(report.computed for report in reports.values())
    built = generations.current(three)
    assert built is not None and digests(reports) == {name: product["digest"] for name, product in built.products.items()}


@pytest.mark.parametrize("older", ["UPDATE meta SET value = '0'", "DROP TABLE meta"])
def test_inc_08_an_older_work_file_is_named_with_the_way_out_and_the_way_out_works(home: Path, older: str) -> None:
    with duckdb.connect(str(home / WORK_FILE)) as connection:
        connection.execute(older)
    with pytest.raises(WorkLayoutError, match=r"layout version (0|none); .* still answers\. Move the file away"):
        refreshed(home)
    assert ask(home, WHEN).answer == "1901"
    former = generations.current(home)
    (home / WORK_FILE).unlink()
    refreshed(home)
    assert generations.current(home) == former
    assert stored(home).faults == []


def _older_layout(manifest: dict[str, object]) -> None:
    manifest["layout"] = "0"


def _without_a_field(manifest: dict[str, object]) -> None:
    del manifest["vectors"]


def _another_engine(manifest: dict[str, object]) -> None:
    manifest["engines"] = {"duckdb": "1.0.0"}


@pytest.mark.parametrize("make_older", [_older_layout, _without_a_field, _another_engine])
def test_inc_08_a_generation_of_an_older_program_is_published_anew(home: Path, make_older: object) -> None:
    path = home / "generations" / str(generations.current_name(home)) / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    make_older(manifest)  # type: ignore[operator]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    outcome = ask(home, WHEN)
    if outcome.status == "failed":
        assert "Refresh to publish a new generation" in outcome.error or "Run `pagerag refresh`: it publishes" in outcome.error
    reports = refreshed(home)
    assert reports["hybrid_repository"].details["published"] and "could not stay" in reports["hybrid_repository"].details["recovered"]
    assert sum(report.computed for report in reports.values()) == 1
    assert ask(home, WHEN).answer == "1901"
    assert stored(home).faults == []


# --- documents in, documents out -------------------------------------------------------------------------

READMES = {"a/readme.md": F1, "b/readme.md": F3}
FILLER = {f"c/{n:02}.txt": f"Filler {n}: the clerk Nell Orme counted {n + 7} barrels." for n in range(40)}


def test_inc_12_and_13_equal_names_in_two_folders_are_two_documents_among_many(tmp_path: Path) -> None:
    home = make_home(tmp_path, {**READMES, **FILLER}, settings=f"{STUB_MODELS}\n[refresh]\nbatch_units = 4\n")
    reports = refreshed(home)
    assert reports["source_documents"].rows == reports["document_profiles"].rows == 42
    found = stored(home)
    assert found.column("documents", "document") == {*READMES, *FILLER} == found.column("chunks", "document")
    assert len(found.rows["documents"]) == 42 and found.faults == []
    with QueryEngine(home) as engine:
        assert [c.document for c in engine.ask(WHEN).citations] == ["a/readme.md"]
        assert [c.document for c in engine.ask("Where did Sister Bell keep bees?").citations] == ["b/readme.md"]


def test_inc_13_units_that_do_not_come_back_fail_the_run(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = generations.current(home)
    write_files(corpus_of(home), {"f4.txt": "Ada Moss sold Low Farm to Odo Fenn in 1920.", "f5.txt": "Nell Orme bought the bell of Tinworks."})
    for verb in ("parse_batch", "profile_batch", "chunk_batch", "embed_batch", "extract_batch", "gate_batch", "summarize_batch"):
        with monkeypatch.context() as patch:
            whole = getattr(workers, verb)
            patch.setattr(workers, verb, lambda tasks, whole=whole: whole(tasks)[1:])
            with pytest.raises(LostUnits, match=r"(2 units went out, 1|1 units went out, 0) came back"):
                refreshed(home)
        progress = read_progress(home)
        assert progress is not None and progress.status == "failed" and "LostUnits" in progress.error, verb
        assert generations.current(home) == before
    assert refreshed(home)["source_documents"].rows == 5
    assert len(stored(home).rows["documents"]) == 5


# --- governance ---------------------------------------------------------------------


def test_inc_17_a_suppressed_entity_leaves_every_store_and_comes_back(home: Path) -> None:
    before = stored(home)
    assert ("Tinworks", "located_at", "Harbour Lane") in edges(before)
    (home / "governance.toml").write_text('suppress = ["harbour LANE"]\n', encoding="utf-8")
    reports = refreshed(home)
    assert all(reports[name].computed == 0 for name in ("source_documents", "chunks", "chunk_embeddings", "entity_records"))
    found = stored(home)
    assert found.faults == []
    assert edges(found) == edges(before) - {("Tinworks", "located_at", "Harbour Lane")}
    knowledge = {"nodes", "edges", "aliases", "bindings", "records", "members", "reports", "report_quotes", "graph_nodes", "graph_edges", "vectors_reports"}
    assert not knowledge & set(found.holding("Harbour"))
    assert ask(home, "Where does Tinworks stand?").answer == "Harbour Lane", "the text is the floor"
    (home / "governance.toml").unlink()
    refreshed(home)
    after = stored(home)
    assert after.rows == before.rows


# --- answers that are kept --------------------------------------------------------------------------------


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def test_inc_28_a_kept_answer_of_another_generation_or_of_none_is_not_given_again(tmp_path: Path, instance: dg.DagsterInstance) -> None:
    home = make_home(tmp_path, {"f1.txt": F1})
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text(json.dumps({"qid": "q", "question": WHEN}), encoding="utf-8")
    job = house(home).resolve_job_def("answer_questions")
    config = {"ops": {"answer_file": {"config": {"questions": str(questions), "out": str(out)}}}}

    def answered() -> tuple[object, ...]:
        assert job.execute_in_process(instance=instance, run_config=config).success
        outcome = json.loads(out.read_text(encoding="utf-8"))
        return outcome["status"], outcome["reason"], outcome["answer"], outcome["generation"]

    assert answered() == ("refused", "no_index", None, "")
    refreshed(home)
    assert answered() == ("answered", None, "1901", generations.current_name(home))
    write_files(corpus_of(home), {"f1.txt": F1.replace("1901", "1902")})
    refreshed(home)
    assert answered() == ("answered", None, "1902", generations.current_name(home))


# --- a blank page -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", ["...", "\u2026\n\n* * *\n"])
def test_inc_35_a_blank_page_leaves_communities_and_summaries_untouched(home: Path, blank: str) -> None:
    before = stored(home)
    write_files(corpus_of(home), {"blank.txt": blank})
    reports = refreshed(home)
    assert [path for path, _ in reports["source_documents"].details["skipped"]] == ["blank.txt"]
    assert {name for name, report in reports.items() if report.computed} == {"source_documents", "hybrid_repository"}
    assert stored(home).rows == before.rows


# --- an edit while a refresh runs ----------------------------------------------------------------------------


class Readers:
    """Threads that ask the same question over and over, on one engine, and note what each was told."""

    def __init__(self, home: Path) -> None:
        self.answers: tuple[list[tuple[str, str | None]], ...] = ([], [])
        self._engine = QueryEngine(home)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(told,)) for told in self.answers]

    def _ask(self, told: list[tuple[str, str | None]]) -> None:
        while not self._stop.is_set():
            outcome = self._engine.ask(WHEN)
            told.append((outcome.status, outcome.answer))
            time.sleep(0.05)

    def __enter__(self) -> "Readers":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._engine.close()


def test_inc_36_readers_see_old_or_new_and_the_next_refresh_sees_an_edit_made_meanwhile(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = corpus_of(home) / "f1.txt"
    seen: dict[str, str | None] = {}

    def edit_and_ask(when: str, year: str) -> None:
        path.write_text(F1.replace("1901", year), encoding="utf-8")
        seen[when] = ask(home, WHEN).answer

    collect = generations.collect
    monkeypatch.setattr(generations, "collect", lambda *given: (edit_and_ask("during cleanup", "1904"), collect(*given))[1])
    path.write_text(F1.replace("1901", "1902"), encoding="utf-8")
    with Readers(home) as readers:
        with Session.open(home) as session:
            for name, product in PRODUCT_FUNCTIONS.items():
                product(session)
                if name == "source_documents":
                    edit_and_ask("after the scan", "1903")
        assert seen == {"after the scan": "1901", "during cleanup": "1902"}
        monkeypatch.undo()
        assert refreshed(home)["source_documents"].changed == 1
        assert ask(home, WHEN).answer == "1904"
    for told in readers.answers:
        assert set(told) <= {("answered", year) for year in ("1901", "1902", "1904")}
        assert len(told) > 2 and told == sorted(told)


def test_inc_36_a_refresh_that_does_not_land_is_failed_and_readers_keep_the_old(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(corpus_of(home), {"f1.txt": F1.replace("1901", "1902").replace("Harbour Lane", "Mill Lane")})

    def broken(*given: object, **named: object) -> None:
        raise OSError("the disk does not answer")

    for room, step in ((publish, "sync_vectors"), (publish, "export_generation"), (publish, "build_graph"), (generations, "switch")):
        with monkeypatch.context() as patch:
            patch.setattr(room, step, broken)
            with pytest.raises(OSError, match="does not answer"):
                refreshed(home)
        progress = read_progress(home)
        assert progress is not None and progress.status == "failed" and "does not answer" in progress.error, step
        assert ask(home, WHEN).answer == "1901", step
    refreshed(home)
    assert ask(home, WHEN).answer == "1902"
    assert stored(home).faults == [] and [path.name for path in (home / "generations").glob(".*")] == []
