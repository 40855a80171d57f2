"""RES: what a killed, failed or repeated refresh leaves, finds and computes again."""

import time
from pathlib import Path

import dagster as dg
import duckdb
import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.definitions import house
from pagerag_pipeline.defs.sensors import corpus_sensor
from pagerag_pipeline.health import status
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import workers
from pagerag_pipeline.settings import ScheduleSettings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.corpus import list_corpus
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.work import WORK_FILE
from pagerag_pipeline_tests.cases.conftest import Command
from pagerag_pipeline_tests.cases.processes import killed
from pagerag_pipeline_tests.cases.stored import stored
from pagerag_pipeline_tests.homes import F1, F2, STUB_MODELS, build, corpus_of, make_home, refreshed, write_files

FIVE = {f"{n}.txt": f"Letter {n}. Mara Quill wrote to Odo Fenn of Tinworks and of bell {n}." for n in range(5)}
SMALL_BATCHES = f"{STUB_MODELS}\n[refresh]\nbatch_units = 2\n\n[schedule]\ndebounce_seconds = 0\n"

HALF_KNOWN = (
    "SELECT key FROM parsed ANTI JOIN memory_source_documents USING (key)",
    "SELECT key FROM memory_source_documents ANTI JOIN parse_notes USING (key)",
    "SELECT text_id FROM parsed ANTI JOIN texts USING (text_id)",
    "SELECT unit FROM ledger_source_documents l ANTI JOIN parsed p ON p.key = l.key",
)
"""What a file that is known by half would show."""


def work_rows(home: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(home / WORK_FILE)) as connection:
        return connection.execute(sql).fetchall()


# --- killed, and started again ------------------------------------------------------------------------

KILLS = (
    ("pagerag_pipeline.stores.scan:note_files", 1, True, 0),
    ("pagerag_pipeline.stores.work:_append", 2, True, 0),
    ("pagerag_pipeline.stores.work:commit", 2, True, 4),
    ("pagerag_pipeline.stores.work:settle", 1, False, 5),
)
"""Step to die at, and how many of the five files are parsed by then."""


def test_res_05_and_06_and_07_five_files_are_pending_or_absent_after_a_kill_and_the_next_refresh_takes_them_up(tmp_path: Path) -> None:
    home = make_home(tmp_path / "killed", FIVE, settings=SMALL_BATCHES)
    for step, call, after, parsed in KILLS:
        assert killed(home, step, call=call, after=after) == -9, step
        told = status(home)
        assert (told["refresh"]["status"], told["holder"], told["generation"]) == ("abandoned", None, None), step
        assert [work_rows(home, sql) for sql in HALF_KNOWN] == [[]] * len(HALF_KNOWN), step
        assert work_rows(home, "SELECT count(*) FROM memory_source_documents") == [(parsed,)], step
        assert work_rows(home, "SELECT count(*) FROM ledger_source_documents") == [(0,)], step
    with QueryEngine(home) as engine:
        assert engine.ask("Who wrote to Odo Fenn?").reason == "no_index"
    with dg.DagsterInstance.ephemeral() as instance:
        tick = corpus_sensor(home, ScheduleSettings())(dg.build_sensor_context(instance=instance))
        assert isinstance(tick, dg.SensorResult) and len(tick.run_requests or []) == 1, "no new file, yet a refresh is asked for"
    reports = refreshed(home)
    assert (reports["source_documents"].computed, reports["source_documents"].rows) == (0, 5)
    assert status(home)["refresh"]["status"] == "done"
    assert [work_rows(home, sql) for sql in HALF_KNOWN] == [[]] * len(HALF_KNOWN) and stored(home).faults == []


def test_res_04_a_unit_that_fails_is_the_one_that_the_rerun_computes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = home / "pagerag.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "\n[refresh]\nmax_failed_share = 0.3\n", encoding="utf-8")
    write_files(corpus_of(home), {"f4.txt": "Ada Moss bought Low Farm.", "f5.txt": "Nell Orme sold Low Farm."})
    whole = workers.extract_chunks

    def extract(texts: list[str], *given: object, **named: object) -> object:
        if any("Nell" in text for text in texts):
            raise TimeoutError("no answer within 60 s")
        return whole(texts, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "extract_chunks", extract)
    records = refreshed(home)["entity_records"]
    assert (records.computed, records.failed) == (1, 1)
    assert records.details["failures"][0][1] == "TimeoutError: no answer within 60 s"
    assert stored(home).faults == []
    asked: list[str] = []
    monkeypatch.setattr(workers, "extract_chunks", lambda texts, *given, **named: (asked.extend(texts), whole(texts, *given, **named))[1])
    assert refreshed(home)["entity_records"].failed == 0
    assert asked == ["Nell Orme sold Low Farm."]


def test_res_07_after_a_kill_the_status_is_abandoned_and_a_rerun_is_allowed_at_once(home: Path, pagerag: Command) -> None:
    write_files(corpus_of(home), {"f4.txt": "Ada Moss bought Low Farm."})
    assert killed(home, "pagerag_pipeline.refresh.products:knowledge.assemble") == -9
    told = pagerag("status", "--home", home).object
    assert (told["refresh"]["status"], told["refresh"]["product"], told["holder"]) == ("abandoned", "raw_graph", None)
    code, told, _ = pagerag("refresh", "--home", home)
    by_name = {product["product"]: product["computed"] for product in told["products"]}
    assert code == cli.DONE and told["published"]
    assert all(by_name[name] == 0 for name in PRODUCTS[:5]) and by_name["raw_graph"] == 1
    assert pagerag("status", "--home", home).object["refresh"]["status"] == "done"


# --- what a rerun computes again ------------------------------------------------------------------------


def test_res_10_other_settings_of_summaries_make_summaries_anew_and_nothing_before_them(home: Path) -> None:
    settings = home / "pagerag.toml"
    settings.write_text(settings.read_text(encoding="utf-8") + "\n[summarize]\nsummary_tokens = 20\n", encoding="utf-8")
    computed = {name for name, report in refreshed(home).items() if report.computed}
    assert computed == {"communities", "summary_tree", "hybrid_repository"}


# --- nothing to hold --------------------------------------------------------------------------------------


def test_res_12_a_corpus_of_one_empty_file_materializes_an_explicit_empty_result(tmp_path: Path, pagerag: Command) -> None:
    home = make_home(tmp_path, {"empty.txt": ""})
    code, told, _ = pagerag("refresh", "--home", home)
    assert (code, told["skipped"]) == (cli.DONE, [["empty.txt", "empty"]])
    assert [(product["product"], product["rows"], product["failed"]) for product in told["products"]] == [(name, 0, 0) for name in PRODUCTS]
    assert told["published"] and told["generation"]
    found = stored(home)
    assert found.faults == [] and not any(found.rows.values())
    with QueryEngine(home) as engine:
        outcome = engine.ask("When was Tinworks founded?")
        assert (outcome.status, outcome.reason, outcome.evidence, outcome.generation) == ("refused", "no_evidence", (), told["generation"])
        assert engine.retrieve("When was Tinworks founded?") == []
    assert not any(report.computed for report in refreshed(home).values())


def test_res_12_an_empty_file_among_others_is_named_and_holds_no_row(home: Path) -> None:
    before = stored(home)
    write_files(corpus_of(home), {"empty.txt": ""})
    reports = refreshed(home)
    assert reports["source_documents"].details["skipped"] == [["empty.txt", "empty"]]
    assert (reports["source_documents"].rows, reports["source_documents"].units) == (3, 4)
    assert stored(home).rows == before.rows


# --- many documents -----------------------------------------------------------------------------------------


def test_res_14_ten_thousand_documents_make_no_partition_and_cost_the_definitions_nothing(tmp_path: Path) -> None:
    home = make_home(tmp_path, {})
    corpus = corpus_of(home)
    for n in range(10_000):
        folder = corpus / f"{n // 500:02}"
        folder.mkdir(exist_ok=True)
        (folder / f"{n:05}.txt").touch()
    begun = time.perf_counter()
    definitions = house(home)
    graph = definitions.resolve_asset_graph()
    loaded = time.perf_counter() - begun
    assert all(graph.get(key).partitions_def is None for key in graph.get_all_asset_keys())
    assert loaded < 5
    begun = time.perf_counter()
    assert len(list_corpus(corpus).files) == 10_000
    assert time.perf_counter() - begun < 5


@pytest.mark.slow
def test_res_14_ten_thousand_documents_are_built_once_and_looked_over_in_seconds(tmp_path: Path) -> None:
    files = {f"{n // 500:02}/{n:05}.txt": f"Letter {n}. Mara Quill {n % 97} wrote to Odo Fenn {n % 89} of bell {n}." for n in range(10_000)}
    home = make_home(tmp_path, files)
    assert refreshed(home)["source_documents"].rows == 10_000
    refreshed(home)
    begun = time.perf_counter()
    assert sum(report.computed for report in refreshed(home).values()) == 0
    assert time.perf_counter() - begun < 30
    assert load_settings(home).refresh.max_failed_share < 1


# --- gone ------------------------------------------------------------------------------------------------------


def test_res_15_the_rows_of_a_deleted_document_leave_every_store(home: Path) -> None:
    assert {"documents", "chunks", "records", "nodes", "graph_nodes", "tree_quotes", "vectors_passages", "vocabulary"} <= set(stored(home).holding("bell"))
    (corpus_of(home) / "f3.txt").unlink()
    reports = refreshed(home)
    assert reports["source_documents"].deleted == 1
    found = stored(home)
    assert found.faults == []
    for word in ("bees", "bell", "Low Farm", "f3.txt"):
        assert found.holding(word) == []
    for ledger in ("source_documents", "document_profiles", "chunks", "entity_records"):
        assert work_rows(home, f"SELECT count(*) FROM ledger_{ledger}") == [(2,)]
    clean = build(home.parent.parent / "clean", {"f1.txt": F1, "f2.txt": F2})
    assert stored(clean).rows == found.rows
