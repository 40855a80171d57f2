"""LCK: readers and a writer, kills, and what is written counted against what was meant."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import lancedb
import pytest

from pagerag_pipeline import cli, query
from pagerag_pipeline.health import status
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import session as session_module
from pagerag_pipeline.refresh import workers
from pagerag_pipeline.refresh.mapper import resolve
from pagerag_pipeline.refresh.products import PRODUCT_FUNCTIONS
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Extraction, Record, Unit
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.generation_audit import AuditError
from pagerag_pipeline.stores.graph import GraphError, GraphLimit, GraphReader
from pagerag_pipeline.stores.work import WORK_FILE, WorkLayoutError
from pagerag_pipeline_tests.cases.conftest import Command
from pagerag_pipeline_tests.cases.processes import killed, pipe, read_until, started
from pagerag_pipeline_tests.cases.stored import stored
from pagerag_pipeline_tests.homes import (
    F1,
    F2,
    F3,
    STUB_MODELS,
    build,
    copy_home,
    corpus_of,
    digests,
    make_home,
    refreshed,
    write_files,
)

WHEN = "When was Tinworks founded?"
EDITED = F1.replace("1901", "1902")


# --- readers beside a writer -------------------------------------------------------------------------


def test_lck_03_two_query_processes_answer_while_a_third_builds(home: Path) -> None:
    readers = [pipe() for _ in range(2)]
    processes = [started(read_until, home, WHEN, end) for _, end in readers]
    firsts = [mine.recv() for mine, _ in readers]
    old = generations.current_name(home)
    assert firsts == [("answered", "1901", old, "")] * 2
    write_files(corpus_of(home), {"f1.txt": EDITED})
    refreshed(home)
    new = generations.current_name(home)
    for (mine, _), process in zip(readers, processes, strict=True):
        told = mine.recv()
        while told[1] == "1901":
            assert told == ("answered", "1901", old, "")
            told = mine.recv()
        assert told == ("answered", "1902", new, "")
        mine.send("stop")
        while process.is_alive() and (mine.poll(0.1) or True):
            if mine.poll():
                mine.recv()
        assert process.exitcode == 0


# --- killed while it writes ----------------------------------------------------------------------------

STEPS = (
    ("pagerag_pipeline.stores.scan:note_files", 1, True),
    ("pagerag_pipeline.stores.work:_remember", 2, False),
    ("pagerag_pipeline.stores.work:_bind", 4, True),
    ("pagerag_pipeline.stores.knowledge:consolidate", 1, True),
    ("pagerag_pipeline.stores.vectors:VectorStore.index", 1, False),
    ("pagerag_pipeline.stores.export:audit_generation", 1, False),
    ("pagerag_pipeline.refresh.publish:build_graph", 1, True),
    ("pagerag_pipeline.stores.generations:switch", 1, False),
)
"""Rows appended but not committed, tables of three stores half written, a generation in place but not switched to."""


def test_lck_05_killed_while_any_store_is_written_the_old_generation_answers_and_the_next_refresh_says_what_it_takes_up(
    home: Path, tmp_path: Path
) -> None:
    old = generations.current_name(home)
    write_files(corpus_of(home), {"f1.txt": EDITED, "f4.txt": "Ada Moss bought Low Farm in 1920. Ada Moss met Odo Fenn."})
    with QueryEngine(home) as engine:
        for step, call, after in STEPS:
            assert killed(home, step, call=call, after=after) == -9, step
            assert generations.current_name(home) == old
            told = status(home)
            assert (told["refresh"]["status"], told["holder"]) == ("abandoned", None), step
            assert engine.ask(WHEN).answer == "1901", step
    last = refreshed(home)
    told = last["source_documents"].details["recovered"]
    assert re.search(rf"died at hybrid_repository \(\d of 4\)\. What it had committed is kept .* generation {old} answers\.$", told)
    assert last["hybrid_repository"].computed == sum(report.computed for report in last.values()) == 1
    found = stored(home)
    assert found.faults == []
    files = {path.name: path.read_text(encoding="utf-8") for path in corpus_of(home).iterdir()}
    clean = make_home(tmp_path / "clean", files)
    assert digests(last) == digests(refreshed(clean))
    assert found.rows == stored(clean).rows


def test_lck_05_killed_during_cleanup_the_new_generation_is_there(home: Path) -> None:
    write_files(corpus_of(home), {"f1.txt": EDITED})
    assert killed(home, "pagerag_pipeline.stores.generations:collect") == -9
    assert status(home)["refresh"]["status"] == "abandoned"
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1902"
    assert sum(report.computed for report in refreshed(home).values()) == 0
    assert stored(home).faults == []
    assert "recovered" not in refreshed(home)["source_documents"].details, "it is told once"


def test_lck_05_a_damaged_log_is_set_aside_and_told_on_the_command_line(home: Path, pagerag: Command, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(corpus_of(home), {"f1.txt": EDITED})
    assert killed(home, "pagerag_pipeline.stores.work:_bind", call=3, after=True) == -9
    log = home / f"{WORK_FILE}.wal"
    content = log.read_bytes()
    log.write_bytes(content[: len(content) // 4] + b"\xff" * (len(content) // 2) + content[len(content) // 4 * 3 :])
    assert cli.main(["refresh", "--home", str(home)]) == cli.DONE
    told = capsys.readouterr().out
    assert "died at" in told and "The write-ahead log of work.duckdb was damaged and is set aside as work.duckdb.wal.damaged" in told
    assert stored(home).faults == []
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1902"


@pytest.mark.parametrize("kept", [0, 5_000])
def test_lck_05_a_damaged_work_file_is_named_with_the_way_out_and_the_way_out_works(home: Path, kept: int) -> None:
    path = home / WORK_FILE
    path.write_bytes(path.read_bytes()[:kept] + b"\0" * 10_000)
    with pytest.raises(WorkLayoutError, match=r"work\.duckdb .*still answers\. Move the file away and refresh again"):
        refreshed(home)
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1901"
    before = generations.current(home)
    path.unlink()
    refreshed(home)
    assert generations.current(home) == before


def _tables(home: Path, folder: Path) -> Path:
    return folder / generations.TABLES_FILE


def _graph(home: Path, folder: Path) -> Path:
    return folder / generations.GRAPH_FILE


def _vectors(home: Path, folder: Path) -> Path:
    return home / "vectors"


@pytest.mark.parametrize("part", [_tables, _graph, _vectors])
def test_lck_05_a_part_of_a_generation_that_is_gone_is_written_again(home: Path, part: Any) -> None:
    path = part(home, generations.generation_folder(home, str(generations.current_name(home))))
    path.rename(home / "gone")
    with QueryEngine(home) as engine:
        told = engine.ask(WHEN)
        assert told.answer == "1901" or (told.status == "failed" and told.answer is None)
    reports = refreshed(home)
    assert reports["hybrid_repository"].details["published"] and sum(report.computed for report in reports.values()) == 1
    assert "could not stay: " in reports["hybrid_repository"].details["recovered"] and "is missing" in reports["hybrid_repository"].details["recovered"]
    assert stored(home).faults == []
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1901"


# --- one writer ------------------------------------------------------------------------------------------


class ThreadMapper:
    """Eight workers at once, results as they come."""

    def __init__(self, start: str, given: tuple[Any, ...]) -> None:
        self._start, self._given = resolve(start), given
        self._pool = ThreadPoolExecutor(8)

    def map(self, function: str, batches: Iterator[Any], *, told: object = None) -> Iterator[tuple[Any, Any]]:
        running: dict[Future[Any], Any] = {self._pool.submit(self._work, function, batch): batch for batch in batches}
        while running:
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()

    def _work(self, function: str, batch: Any) -> Any:
        self._start(*self._given)
        return resolve(function)(batch)

    def close(self) -> None:
        self._pool.shutdown()


def test_lck_06_thirty_units_written_alone_by_eight_workers_do_not_conflict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{n:02}.txt": f"Note {n}. Nell Orme sold {n} barrels to Odo Fenn." for n in range(30)}
    home = make_home(tmp_path, files, settings=f"{STUB_MODELS}\n[refresh]\nbatch_units = 1\n")
    monkeypatch.setattr(session_module, "open_mapper", lambda start, given, settings: ThreadMapper(start, given))
    reports = refreshed(home)
    assert reports["chunks"].computed == reports["chunk_embeddings"].computed == 30 and not any(report.failed for report in reports.values())
    found = stored(home)
    assert found.faults == [] and len(found.rows["vectors_passages"]) == 30
    assert len(lancedb.connect(str(home / "vectors")).open_table("passages").list_versions()) < 10, "rows are added together, not one by one"


# --- written and meant ---------------------------------------------------------------------------------------


def _until_publish(session: Session) -> None:
    for name, product in PRODUCT_FUNCTIONS.items():
        if name != "hybrid_repository":
            product(session)


DAMAGES = {
    "quotes_of_bindings": "UPDATE bindings SET chunk_id = 'absent' WHERE chunk_id = (SELECT min(chunk_id) FROM bindings WHERE document = 'f3.txt')",
    "edges_without_binding": "DELETE FROM bindings WHERE element_id = (SELECT min(edge_id) FROM edges)",
    "edges_without_node": "DELETE FROM nodes WHERE name = 'Odo Fenn'",
}


@pytest.mark.parametrize("fault", sorted(DAMAGES))
def test_lck_09_what_stands_on_nothing_fails_the_publish_and_is_named(home: Path, fault: str) -> None:
    old = generations.current_name(home)
    write_files(corpus_of(home), {"f1.txt": EDITED})
    with pytest.raises(AuditError) as caught, Session.open(home) as session:
        _until_publish(session)
        session.tables.execute(DAMAGES[fault])
        PRODUCT_FUNCTIONS["hybrid_repository"](session)
    count, ids = caught.value.faults[fault]
    assert count == len(ids) > 0 and all(one in str(caught.value) for one in ids)
    assert generations.current_name(home) == old and status(home)["refresh"]["status"] == "failed"
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1901"


def test_lck_09_a_graph_that_holds_fewer_rows_than_were_meant_is_not_published(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = generations.current_name(home)
    write_files(corpus_of(home), {"f1.txt": F1.replace("Harbour Lane", "Mill Lane")})
    from pagerag_pipeline.stores import graph

    counted = graph._count
    monkeypatch.setattr(graph, "_count", lambda connection, pattern: counted(connection, pattern) - 1)
    with pytest.raises(GraphError):
        refreshed(home)
    assert generations.current_name(home) == old


def test_lck_10_a_graph_query_that_is_stopped_at_its_limit_leaves_the_answer_to_the_text_and_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: object, **named: object) -> None:
        raise GraphLimit("a graph query was stopped after 1 ms (store.kuzu_timeout_ms)")

    monkeypatch.setattr(GraphReader, "edges", stopped)
    with QueryEngine(home) as engine:
        outcome = engine.ask("How are Mara Quill and Odo Fenn related through Tinworks?")
        founded = engine.ask("Who founded Tinworks?")
    assert any("kuzu_timeout_ms" in str(step.get("stopped")) for step in outcome.trace)
    assert outcome.status != "failed" and outcome.evidence
    assert founded.answer == "Mara Quill"


ODD = 'O\'Hara`s "Inn" \\\\.'


def test_lck_12_a_name_of_quotes_and_backslashes_is_stored_and_found_verbatim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = f"In 1912 Odo Fenn bought {ODD}"
    name = "it's; -- \"odd\".txt"

    def read(texts: list[str], *given: object, **named: object) -> list[Extraction]:
        unit = Unit("relation", "Odo Fenn", "PERSON", "bought", ODD, "ORG", "asserted", 0.9, 0, len(said), said)
        record = Record(ODD, "ORG", "property", "bought_date", "1912", False, "asserted", (), 0, len(said), said)
        return [Extraction((Span(0, len(text)),), (), (unit,), (record,)) for text in texts]

    monkeypatch.setattr(workers, "extract_chunks", read)
    home = make_home(tmp_path, {name: said})
    refreshed(home)
    found = stored(home)
    assert found.faults == []
    assert ODD in found.column("graph_nodes", "name") & found.column("nodes", "name") & found.column("aliases", "alias") & found.column("records", "entity")
    assert found.column("documents", "document") == {name}
    (identity,) = (node["id"] for node in found.rows["graph_nodes"] if node["name"] == ODD)
    folder = generations.generation_folder(home, found.manifest.generation)
    with GraphReader(folder / generations.GRAPH_FILE, load_settings(home).store) as graph:
        assert [edge.predicate for edge in graph.neighbors([identity], limit=5)] == ["bought"]
    with QueryEngine(home) as engine:
        outcome = engine.ask(f"Who bought {ODD}?")
    assert (outcome.answer, [c.quote for c in outcome.citations], [c.document for c in outcome.citations]) == ("Odo Fenn", [said], [name])


# --- two homes in one process -----------------------------------------------------------------------------------

OTHER = F1.replace("1901", "1877").replace("Mara Quill", "Ada Moss")


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another home, with other contents and other settings, only to be copied."""
    return build(tmp_path_factory.mktemp("second"), {"f1.txt": OTHER}, settings=f"{STUB_MODELS}\n[chunk]\npassage_tokens = 20\n")


@pytest.fixture
def other(second: Path, tmp_path: Path) -> Path:
    """A second home, the test's own."""
    return copy_home(second, tmp_path / "other")


def test_lck_13_four_threads_ask_two_homes_in_one_process_while_one_is_refreshed(home: Path, other: Path) -> None:
    expected = {home: {"1901", "1902"}, other: {"1877"}}
    told: list[tuple[Path, str | None]] = []
    with QueryEngine(home) as first, QueryEngine(other) as second:

        def work(place: Path, engine: QueryEngine) -> None:
            told.extend((place, engine.ask(WHEN).answer) for _ in range(6))

        threads = [threading.Thread(target=work, args=pair) for pair in [(home, first), (other, second)] * 2]
        for thread in threads:
            thread.start()
        write_files(corpus_of(home), {"f1.txt": EDITED})
        refreshed(home)
        for thread in threads:
            thread.join()
        assert len(told) == 24 and all(answer in expected[place] for place, answer in told)
        assert (first.ask(WHEN).answer, second.ask(WHEN).answer) == ("1902", "1877")


def test_lck_13_a_question_that_hangs_in_one_home_does_not_hold_up_the_other(home: Path, other: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered, free = threading.Event(), threading.Event()
    gather = query.SYSTEMS["page"]

    def hanging(asked: Any, means: Any) -> Any:
        if means.repository.documents() != ("f1.txt",):
            entered.set()
            assert free.wait(60)
        return gather(asked, means)

    monkeypatch.setitem(query.SYSTEMS, "page", hanging)
    with QueryEngine(home) as first, QueryEngine(other) as second:
        thread = threading.Thread(target=first.ask, args=(WHEN,))
        thread.start()
        try:
            assert entered.wait(60)
            assert second.ask(WHEN).answer == "1877"
        finally:
            free.set()
            thread.join()


def test_lck_13_refreshes_of_two_homes_that_take_turns_use_their_own_settings(tmp_path: Path) -> None:
    texts = {"f1.txt": " ".join([F1, F2, F3] * 3)}
    small = f"{STUB_MODELS}\n[chunk]\npassage_tokens = 20\n\n[summarize]\nsummary_tokens = 30\n"
    pairs = [(tmp_path / "a", STUB_MODELS), (tmp_path / "b", small)]
    homes = [make_home(folder, texts, settings=settings) for folder, settings in pairs]
    with Session.open(homes[0]) as one, Session.open(homes[1]) as two:
        turns = [(product(one).digest, product(two).digest) for product in PRODUCT_FUNCTIONS.values()]
    alone = [digests(refreshed(make_home(folder / "alone", texts, settings=settings))) for folder, settings in pairs]
    assert [first for first, _ in turns] == list(alone[0].values())
    assert [second for _, second in turns] == list(alone[1].values())
    assert turns[2][0] != turns[2][1]


def test_lck_13_refreshes_of_two_homes_in_two_threads_do_not_meet(home: Path, other: Path) -> None:
    write_files(corpus_of(home), {"f1.txt": EDITED})
    write_files(corpus_of(other), {"f2.txt": F2})
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(refreshed, [home, other]))
    for place, years in ((home, ("1902", "1877")), (other, ("1877", "1902"))):
        found = stored(place)
        assert found.faults == []
        assert found.holding(years[0]) and not found.holding(years[1])
    assert stored(other).column("documents", "document") == {"f1.txt", "f2.txt"}
