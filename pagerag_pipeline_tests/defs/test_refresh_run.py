"""A run of the refresh job: what it tells, who holds the home meanwhile, and how it ends."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from pagerag_pipeline.definitions import house
from pagerag_pipeline.defs.jobs import REFRESH_JOB
from pagerag_pipeline.defs.resources import RefreshResource
from pagerag_pipeline.defs.runs import PROCESS_TAG, SKIPPED_TAG, RefreshRun, end_abandoned_runs, run_refresh, sign
from pagerag_pipeline.refresh import products, workers
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.knowledge import Extraction
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.locks import RefreshLock, holder, read_progress
from pagerag_pipeline_tests.homes import F1, F2, corpus_of, make_home, write_files


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path, {"f1.txt": F1, "f2.txt": F2})


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def run(home: Path, instance: dg.DagsterInstance, **config: bool) -> RefreshRun:
    return run_refresh(house(home).resolve_job_def(REFRESH_JOB), instance, {"refresh": {"home": str(home), **config}})


def latest(instance: dg.DagsterInstance, product: str) -> dg.AssetMaterialization:
    event = instance.get_latest_materialization_event(dg.AssetKey(product))
    assert event is not None and event.asset_materialization is not None
    return event.asset_materialization


def test_every_product_is_materialized_with_its_report_and_its_digest_as_data_version(home: Path, instance: dg.DagsterInstance):
    result = run(home, instance)
    assert (result.status, result.published, result.unchanged) == ("done", True, False)
    assert [report.product for report in result.reports] == list(PRODUCTS)
    for report in result.reports:
        told = latest(instance, report.product)
        value = {name: entry.value for name, entry in told.metadata.items()}
        assert value["dagster/row_count"] == report.rows and value["rows_computed"] == report.computed
        assert {"documents_added", "documents_changed", "documents_deleted", "rows_reused", "calls", "tokens", "seconds"} <= set(value)
        assert f"| rows | {report.rows:,} |" in value["summary"]
        assert (told.tags or {})["dagster/data_version"] == report.digest == value["digest"]
    assert result.reports[0].added == 2


def test_every_declared_check_is_evaluated_and_passes(home: Path, instance: dg.DagsterInstance):
    run_id = run(home, instance).run_id
    records = instance.get_records_for_run(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION).records
    evaluated = [record.event_log_entry.dagster_event.asset_check_evaluation_data for record in records]  # type: ignore[union-attr]
    declared = set(house(home).resolve_asset_graph().asset_check_keys)
    assert {one.asset_check_key for one in evaluated} == declared
    assert all(one.passed for one in evaluated), [one for one in evaluated if not one.passed]


def test_the_corpus_folder_is_observed_with_the_digest_of_its_listing(home: Path, instance: dg.DagsterInstance):
    run(home, instance)
    records = instance.fetch_observations(dg.AssetKey("corpus_folder"), limit=1).records
    assert records[0].asset_observation is not None
    assert (records[0].asset_observation.tags or {})["dagster/data_version"]


def test_a_second_run_computes_nothing_and_keeps_every_data_version(home: Path, instance: dg.DagsterInstance):
    first = run(home, instance)
    second = run(home, instance)
    assert second.unchanged and not second.published
    assert second.generation == first.generation and str(second.generation) in second.in_words
    assert [report.digest for report in second.reports] == [report.digest for report in first.reports]


def test_one_session_serves_the_run_and_is_closed_with_it(home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch):
    opened: list[Session] = []
    open_session = Session.open.__func__  # type: ignore[attr-defined]

    def counted(cls: type[Session], *arguments: object, **named: object) -> Session:
        opened.append(open_session(cls, *arguments, **named))
        return opened[-1]

    monkeypatch.setattr(Session, "open", classmethod(counted))
    seen: list[object] = []
    chunks = products.chunks

    def watched(session: Session) -> ProductReport:
        seen.append(holder(home))
        return chunks(session)

    monkeypatch.setattr(products, "chunks", watched)
    run(home, instance)
    assert len(opened) == 1
    assert seen and seen[0] is not None
    assert holder(home) is None
    with pytest.raises(RuntimeError):
        _ = opened[0].tables
    progress = read_progress(home)
    assert progress is not None and progress.status == "done"


def test_a_failure_lets_go_of_the_home_and_says_so(home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch):
    def broken(session: Session) -> ProductReport:
        raise OSError("no space left")

    monkeypatch.setattr(products, "chunks", broken)
    result = run(home, instance)
    assert (result.status, result.kind, result.error) == ("failed", "OSError", "no space left")
    assert [report.product for report in result.reports] == ["source_documents", "document_profiles"]
    assert holder(home) is None
    progress = read_progress(home)
    assert progress is not None and progress.status == "failed" and "no space left" in progress.error
    recorded = instance.get_run_by_id(result.run_id)
    assert recorded is not None and recorded.status == dg.DagsterRunStatus.FAILURE


def test_a_broken_check_stops_what_comes_next_and_fails_the_refresh(
    home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
):
    chunks = products.chunks

    def without_texts(session: Session) -> ProductReport:
        report = chunks(session)
        session.tables.execute("DELETE FROM contents")
        return report

    monkeypatch.setattr(products, "chunks", without_texts)
    result = run(home, instance)
    assert result.status == "failed" and "no_chunks_without_text" in result.error
    assert [report.product for report in result.reports] == list(PRODUCTS[:3])
    progress = read_progress(home)
    assert progress is not None and progress.status == "failed"


BROKEN = {
    "elements_without_evidence": "DELETE FROM bindings WHERE element_kind = 'node'",
    "bindings_beside_the_text": "UPDATE bindings SET quote = 'said otherwise'",
    "edges_from_a_node_to_itself": "UPDATE edges SET tail = head",
    "edges_of_other_types": "UPDATE nodes SET type = 'PRODUCT'",
    "quarantine_in_the_graph": "UPDATE unit_states SET state = 'rejected'",
    "units_unaccounted_for": "DELETE FROM unit_states",
}


def test_a_broken_graph_is_not_clustered_nor_published(home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch):
    """One damage for several checks at once: each is shown to fire alone in `stores/test_audits.py`."""
    governed_graph = products.governed_graph

    def broken(session: Session) -> ProductReport:
        report = governed_graph(session)
        for damage in BROKEN.values():
            session.tables.execute(damage)
        return report

    monkeypatch.setattr(products, "governed_graph", broken)
    result = run(home, instance)
    assert result.status == "failed" and not result.published
    assert all(f"no_{check}" in result.error for check in BROKEN if check != "edges_of_other_types")
    assert not {"communities", "hybrid_repository"} & {report.product for report in result.reports}


def test_a_reader_that_finds_nothing_has_failed_and_so_has_the_refresh(
    home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
):
    """EXT-11: ten facts, and nothing read of them."""
    facts = " ".join(f"{who} founded {what} in {1900 + n}." for n, (who, what) in enumerate(FACTS))
    write_files(corpus_of(home), {"facts.txt": facts})
    monkeypatch.setattr(workers, "extract_chunks", lambda texts, *given, **named: [Extraction((), (), (), ()) for _ in texts])
    result = run(home, instance)
    assert result.status == "failed" and "no_texts_that_gave_nothing" in result.error and not result.published
    raw = next(report for report in result.reports if report.product == "raw_graph")
    assert raw.details["texts_that_gave_nothing"] == 1
    assert not {"governed_graph", "hybrid_repository"} & {report.product for report in result.reports}


FACTS = (
    ("Mara Quill", "Tinworks"), ("Odo Fenn", "Low Farm"), ("Ada Moss", "Tin Hall"), ("Ben Lund", "Stone Court"), ("Cora Dell", "Alder Grange"),
    ("Nell Orme", "Garrow Mill"), ("Piers Vane", "Quern Bakery"), ("Hugh Tarn", "Salt House"), ("Ivy Crowe", "Bell Yard"), ("Jon Marsh", "Cable Row"),
)  # fmt: skip


def test_a_run_that_finds_the_home_held_ends_as_a_no_op_that_names_the_holder(home: Path, instance: dg.DagsterInstance):
    lock = RefreshLock(home)
    lock.acquire(False, "a refresh by hand")
    try:
        result = run(home, instance)
    finally:
        lock.release()
    assert result.status == "held" and "a refresh by hand" in result.error
    recorded = instance.get_run_by_id(result.run_id)
    assert recorded is not None and recorded.status == dg.DagsterRunStatus.SUCCESS
    assert "a refresh by hand" in recorded.tags[SKIPPED_TAG]
    assert instance.get_latest_materialization_event(dg.AssetKey("source_documents")) is None


def test_a_partial_materialization_holds_the_home_until_its_run_ends(home: Path, instance: dg.DagsterInstance):
    run(home, instance)
    write_files(corpus_of(home), {"f3.txt": "Sister Bell kept bees at Low Farm."})
    job = house(home).resolve_implicit_global_asset_job_def()
    result = job.execute_in_process(instance=instance, asset_selection=[dg.AssetKey("source_documents"), dg.AssetKey("chunks")])
    assert result.success and holder(home) is None
    assert latest(instance, "source_documents").metadata["documents_added"].value == 1
    assert run(home, instance).published


def test_checks_can_be_evaluated_alone(home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch):
    run(home, instance)
    monkeypatch.setattr(products, "chunks", lambda session: pytest.fail("nothing is to be brought up to date"))
    keys = [key for key in house(home).resolve_asset_graph().asset_check_keys if key.asset_key == dg.AssetKey("chunks")]
    job = dg.define_asset_job("checks", selection=dg.AssetSelection.checks(*keys), executor_def=dg.in_process_executor)
    result = dg.Definitions.merge(house(home), dg.Definitions(jobs=[job])).resolve_job_def("checks").execute_in_process(instance=instance)
    evaluations = result.get_asset_check_evaluations()
    assert result.success and evaluations and all(one.passed for one in evaluations)
    assert holder(home) is None


def test_the_guard_can_be_overruled_from_the_run_configuration(home: Path, instance: dg.DagsterInstance):
    run(home, instance)
    for path in corpus_of(home).iterdir():
        path.unlink()
    assert run(home, instance).kind == "CorpusGuard"
    assert run(home, instance, force=True).status == "done"


def test_a_run_whose_process_died_is_ended_and_a_living_one_is_not(instance: dg.DagsterInstance):
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    run_id = "8d6b43a0-0000-4000-8000-000000000001"
    instance.add_run(dg.DagsterRun(job_name=REFRESH_JOB, run_id=run_id, status=dg.DagsterRunStatus.STARTED))
    sign(instance, run_id, process.pid)
    recorded = instance.get_run_by_id(run_id)
    assert recorded is not None and recorded.tags[PROCESS_TAG].startswith(f"{socket.gethostname()}|{process.pid}|")
    assert end_abandoned_runs(instance) == []
    process.kill()
    process.wait()
    assert end_abandoned_runs(instance) == [run_id]
    recorded = instance.get_run_by_id(run_id)
    assert recorded is not None and recorded.status == dg.DagsterRunStatus.FAILURE


def test_a_session_is_asked_for_only_after_it_was_opened():
    with pytest.raises(RuntimeError, match="opened"):
        _ = RefreshResource().session
