"""Products: same digests on every back end, guarded against loss, failures kept to their unit, nothing left of what is deleted."""

from pathlib import Path

import duckdb
import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import workers
from pagerag_pipeline.refresh.documents import CorpusGuard
from pagerag_pipeline.refresh.ledger import TooManyFailures
from pagerag_pipeline.refresh.products import PRODUCT_FUNCTIONS
from pagerag_pipeline.refresh.publish import LAST, LEDGER_PRODUCTS, TABLE_PRODUCTS
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.documents import ParsedDocument, Profile
from pagerag_pipeline.settings import ProfileSettings
from pagerag_pipeline.stores import work
from pagerag_pipeline.stores.generations import TABLES_FILE, current, generation_folder
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.locks import Held
from pagerag_pipeline.stores.work import WORK_FILE, WorkLayoutError
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, corpus_of, digests, make_home, refreshed, write_files
from pagerag_pipeline_tests.refresh.conftest import FirstBuilds

REAL_MODELS = "[refresh]\nbatch_units = 3\n"
PROCESSES = '[refresh]\nbackend = "process"\nworkers = 2\nbatch_units = 3\n'
ONE, TWO, THREE = ({"a.txt": F1}, {"a.txt": F1, "b.txt": F2}, {"a.txt": F1, "b.txt": F2, "c.txt": F3})
STORY = "\n\n".join(f"Chapter {n}\n\nOn day {n} Mara Quill rang the bell of Tinworks, because Odo Fenn had come to Low Farm." for n in range(1, 13))


def _history(folder: Path, settings: str) -> dict[str, str]:
    """Build, edit one sentence, rename, delete: the same steps whatever the settings."""
    home = make_home(folder, {"founding.txt": F1, "sale.txt": F2, "bees.txt": F3, "story.txt": STORY}, settings=settings)
    refreshed(home)
    corpus = corpus_of(home)
    write_files(corpus, {"story.txt": STORY.replace("On day 7", "In the night of day 7")})
    (corpus / "sale.txt").rename(corpus / "the sale.txt")
    (corpus / "bees.txt").unlink()
    return digests(refreshed(home))


def _clean(folder: Path, settings: str) -> dict[str, str]:
    files = {"founding.txt": F1, "the sale.txt": F2, "story.txt": STORY.replace("On day 7", "In the night of day 7")}
    return digests(refreshed(make_home(folder, files, settings=settings)))


def test_back_ends_and_a_clean_build_end_in_the_same_digests(tmp_path: Path) -> None:
    inline = _history(tmp_path / "inline", STUB_MODELS)
    assert _history(tmp_path / "process", STUB_MODELS + PROCESSES) == inline
    assert _clean(tmp_path / "clean", STUB_MODELS) == inline


@pytest.mark.models
def test_real_models_end_in_the_digests_of_a_clean_build_on_both_back_ends(tmp_path: Path) -> None:
    inline = _history(tmp_path / "inline", REAL_MODELS)
    assert _history(tmp_path / "process", PROCESSES) == inline
    assert _clean(tmp_path / "clean", REAL_MODELS) == inline


def test_a_listing_that_is_empty_is_refused_and_leaves_the_index(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path, TWO)
    before = current(home)
    for path in corpus_of(home).iterdir():
        path.unlink()
    with pytest.raises(CorpusGuard, match="2 of the 2 indexed ones would be lost"):
        refreshed(home)
    assert current(home) == before
    assert refreshed(home, force=True)["source_documents"].deleted == 2


def test_losing_most_of_many_documents_is_refused(tmp_path: Path) -> None:
    home = make_home(tmp_path, {f"{n}.txt": f"Note {n} of Odo Fenn." for n in range(20)})
    refreshed(home)
    for n in range(11):
        (corpus_of(home) / f"{n}.txt").unlink()
    with pytest.raises(CorpusGuard, match="--force"):
        refreshed(home)


def test_the_functions_stand_in_the_order_of_the_products() -> None:
    assert tuple(PRODUCT_FUNCTIONS) == PRODUCTS
    assert (*LEDGER_PRODUCTS, *TABLE_PRODUCTS, LAST) == PRODUCTS


def test_the_digest_of_a_ledger_is_found_out_once_per_change(tmp_path: Path, first_builds: FirstBuilds, monkeypatch: pytest.MonkeyPatch) -> None:
    home = first_builds.home(tmp_path, TWO)
    before = digests(refreshed(home))
    assert before == first_builds.digests(TWO)
    asked: list[str] = []
    whole = work._digest_of
    monkeypatch.setattr(work, "_digest_of", lambda tables, query: (asked.append(query), whole(tables, query))[1])
    assert digests(refreshed(home)) == before
    assert asked and len(asked) == len(set(asked))
    write_files(corpus_of(home), {"b.txt": F3})
    after = digests(refreshed(home))
    assert after == first_builds.digests({"a.txt": F1, "b.txt": F3})


def test_a_missing_corpus_folder_is_refused(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"a.txt": F1})
    corpus_of(home).rename(tmp_path / "elsewhere")
    with pytest.raises(CorpusGuard, match="is not there"):
        refreshed(home)


def test_a_work_file_of_another_layout_is_named_and_the_generation_still_answers(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path, ONE)
    with duckdb.connect(str(home / WORK_FILE)) as connection:
        connection.execute("UPDATE meta SET value = '0' WHERE name = 'work_version'")
    with pytest.raises(WorkLayoutError, match="layout version 0"):
        refreshed(home)
    with QueryEngine(home) as engine:
        assert engine.ask("When did Mara Quill found Tinworks?").status == "answered"


def test_a_second_session_is_told_who_holds_the_home(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path, ONE)
    with Session.open(home, purpose="the first"), pytest.raises(Held, match="the first"):
        Session.open(home)
    refreshed(home)


def test_a_failing_document_fails_alone_and_is_tried_again(tmp_path: Path, first_builds: FirstBuilds, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, THREE, settings=f"{STUB_MODELS}\n[refresh]\nmax_failed_share = 0.5\n")
    whole = workers.profile_document

    def failing(document: ParsedDocument, settings: ProfileSettings) -> Profile:
        if "Odo" in document.text:
            raise RuntimeError("no profile today")
        return whole(document, settings)

    monkeypatch.setattr(workers, "profile_document", failing)
    first = refreshed(home)
    assert (first["document_profiles"].computed, first["document_profiles"].failed) == (2, 1)
    assert first["document_profiles"].details["failures"] == [["b.txt", "RuntimeError: no profile today"]]
    monkeypatch.undo()
    second = refreshed(home)
    assert (second["document_profiles"].computed, second["document_profiles"].failed) == (1, 0)
    assert digests(second) == first_builds.digests(THREE)


def test_a_file_that_failed_counts_as_failed_and_not_as_reused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, THREE, settings=f"{STUB_MODELS}\n[refresh]\nmax_failed_share = 0.5\n")
    whole = workers.parse_file
    monkeypatch.setattr(workers, "parse_file", lambda path, data, settings: 1 / 0 if path == "b.txt" else whole(path, data, settings))
    first = refreshed(home)["source_documents"]
    assert (first.computed, first.reused, first.failed, first.units) == (2, 0, 1, 3)


def test_another_least_size_of_reports_is_obeyed(tmp_path: Path, first_builds: FirstBuilds) -> None:
    first = first_builds.reports(THREE)["communities"].details
    first_builds.home(tmp_path, THREE)
    fewer = refreshed(make_home(tmp_path, THREE, settings=f"{STUB_MODELS}\n[cluster]\nmin_report = 100\n"))["communities"].details
    assert first["reports"] > 0
    assert (fewer["communities"], fewer["reports"]) == (first["communities"], 0)


def test_too_many_failures_fail_the_product_and_keep_what_succeeded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, TWO)
    whole = workers.profile_document
    monkeypatch.setattr(workers, "profile_document", lambda d, s: whole(d, s) if "Odo" in d.text else 1 / 0)
    with pytest.raises(TooManyFailures, match=r"document_profiles: 1 of 2 units failed.*a\.txt: ZeroDivisionError"):
        refreshed(home)
    assert current(home) is None
    monkeypatch.undo()
    assert refreshed(home)["document_profiles"].computed == 1


def test_nothing_of_a_deleted_document_is_left_in_the_new_generation(tmp_path: Path, first_builds: FirstBuilds) -> None:
    home = first_builds.home(tmp_path, THREE)
    (corpus_of(home) / "c.txt").unlink()
    refreshed(home)
    manifest = current(home)
    assert manifest is not None
    with duckdb.connect(str(generation_folder(home, manifest.generation) / TABLES_FILE), read_only=True) as connection:
        tables = connection.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'data'").fetchall()
        assert len(tables) > 10
        for (table,) in tables:
            found = connection.execute(f"SELECT count(*) FROM data.{table} t WHERE CAST(t AS VARCHAR) ILIKE '%bees%'").fetchone()
            assert found == (0,), table
    with QueryEngine(home) as engine:
        outcome = engine.ask("Where did Sister Bell keep bees?")
    assert (outcome.status, outcome.evidence) == ("refused", ())
