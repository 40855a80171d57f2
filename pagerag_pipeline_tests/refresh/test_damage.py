"""What is damaged in a published generation is told to those who ask, found by the next refresh, and published anew without a model."""

import errno
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import publish
from pagerag_pipeline.refresh.publish import is_published
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.damaged import DiskFull
from pagerag_pipeline.stores.documents import show_document
from pagerag_pipeline.stores.generations import GenerationError
from pagerag_pipeline.stores.tables import TablesLocked
from pagerag_pipeline.stores.work import WORK_FILE, WorkLayoutError
from pagerag_pipeline_tests.homes import F1, F2, F3, build, copy_home, corpus_of, digests, make_home, refreshed, write_files

WHEN = "When did Mara Quill found Tinworks?"
HOW = "How are Mara Quill and Odo Fenn connected?"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A refreshed home, only to be copied; refreshed twice, so that the vector tables have versions."""
    folder = tmp_path_factory.mktemp("pristine")
    build(folder, {"f1.txt": F1, "f3.txt": F3})
    return build(folder, {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3})


@pytest.fixture
def home(pristine: Path, tmp_path: Path) -> Path:
    """A home of the test's own, which knows where it lies."""
    copied = copy_home(pristine, tmp_path / "own")
    refreshed(copied)
    return copied


def folder_of(home: Path) -> Path:
    return generations.generation_folder(home, str(generations.current_name(home)))


def tables(home: Path) -> list[Path]:
    return [folder_of(home) / generations.TABLES_FILE]


def graph(home: Path) -> list[Path]:
    return [folder_of(home) / generations.GRAPH_FILE]


def vector_data(home: Path) -> list[Path]:
    return sorted((home / "vectors").glob("*.lance/data/*"))


def vector_indexes(home: Path) -> list[Path]:
    return sorted(path for path in (home / "vectors").glob("*.lance/_indices/*/*") if path.is_file())


def vector_versions(home: Path) -> list[Path]:
    return sorted((home / "vectors").glob("*.lance/_versions/*.manifest"))


def halved(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[: len(content) // 2])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(min(4096, len(content) // 2), len(content), 53):
        content[place] ^= 0x5A
    path.unlink()
    path.write_bytes(content)


Parts = Callable[[Path], list[Path]]
Harm = Callable[[Path], None]
ANSWERED_BY = {tables: WHEN, graph: HOW, vector_data: WHEN, vector_indexes: WHEN, vector_versions: WHEN}
VECTORS = (vector_data, vector_indexes, vector_versions)
CASES = [(tables, halved), (tables, flipped), (graph, flipped), *((part, harm) for part in VECTORS for harm in (flipped, Path.unlink))]


def ids(value: object) -> str:
    return getattr(value, "__name__", "")


@pytest.mark.parametrize(("part", "harm"), CASES, ids=ids)
def test_what_is_damaged_is_told_and_published_anew(home: Path, part: Parts, harm: Harm) -> None:
    before, old = generations.current(home), generations.current_name(home)
    harmed = part(home)
    for path in harmed:
        harm(path)
    with QueryEngine(home) as engine:
        told = engine.ask(ANSWERED_BY[part])
        if told.status == "failed":
            assert f"{home}" in told.error and "pagerag refresh" in told.error and len(told.error.splitlines()) == 1, told.error
            assert "rror:" not in told.error, "an engine's own words"
        assert told.status == "failed" or part in VECTORS, "it cannot have been read"
        reports = refreshed(home)
        last = reports["hybrid_repository"]
        assert last.details["published"] and sum(report.computed for report in reports.values()) == 1
        assert "could not stay: " in last.details["recovered"] and "damaged" in last.details["recovered"] or harm is Path.unlink
        assert before is not None and last.digest == before.products["hybrid_repository"]["digest"]
        assert (engine.ask(WHEN).answer, engine.ask(HOW).status) == ("1901", "answered")
    again = refreshed(home)["hybrid_repository"]
    assert not again.details["published"] and "recovered" not in again.details
    assert generations.list_generations(home)[-2:] == [old, generations.current_name(home)]


@pytest.mark.parametrize(("part", "harm"), [(graph, flipped), (vector_data, Path.unlink), (vector_indexes, flipped)], ids=ids)
def test_damage_is_not_carried_into_the_generation_after_an_edit(home: Path, tmp_path: Path, part: Parts, harm: Harm) -> None:
    for path in part(home):
        harm(path)
    write_files(corpus_of(home), {"f9.txt": "...  5"})
    last = refreshed(home)
    assert "could not stay: " in last["hybrid_repository"].details["recovered"]
    with QueryEngine(home) as engine:
        assert (engine.ask(WHEN).answer, engine.ask(HOW).status) == ("1901", "answered")
    clean = make_home(tmp_path / "clean", {path.name: path.read_text(encoding="utf-8") for path in corpus_of(home).iterdir()})
    assert digests(last) == digests(refreshed(clean))


@pytest.mark.parametrize("part", [tables, graph])
def test_damage_is_found_by_a_forced_refresh_and_by_a_look_too(home: Path, part: Parts) -> None:
    with Session.open(home) as session:
        assert is_published(session)
    flipped(part(home)[0])
    with Session.open(home) as session:
        assert not is_published(session)
    assert refreshed(home, force=True)["hybrid_repository"].details["published"]


def test_a_refresh_without_change_opens_no_vector_table(home: Path) -> None:
    code = """
import sys
from pathlib import Path
from pagerag_pipeline_tests.homes import refreshed
assert sum(report.computed for report in refreshed(Path(sys.argv[1])).values()) == 0
assert not {"lancedb", "kuzu"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code, str(home)], check=True)


def test_without_seals_of_their_files_the_rows_of_vectors_are_read_and_sealed_again(home: Path) -> None:
    (home / "vectors.json").write_bytes(b"\xff")
    assert not refreshed(home)["hybrid_repository"].details["published"]
    sealed = (home / "vectors.json").read_bytes()
    assert sealed.startswith(b"{")
    (home / "vectors.json").unlink()
    for path in vector_data(home):
        path.unlink()
    assert refreshed(home)["hybrid_repository"].details["published"]


def test_show_and_retrieve_name_the_damage_and_the_way_out(home: Path) -> None:
    halved(tables(home)[0])
    with pytest.raises(GenerationError, match=r"tables\.duckdb is damaged: it has .* Run `pagerag refresh`"), QueryEngine(home) as engine:
        engine.retrieve(WHEN)
    with pytest.raises(GenerationError, match=r"tables\.duckdb .* Run `pagerag refresh`"):
        show_document(home, load_settings(home), "f1.txt")


@pytest.mark.parametrize("harm", [halved, flipped])
def test_a_damaged_work_file_is_named_with_the_way_out_and_the_way_out_works(home: Path, harm: Harm) -> None:
    before = generations.current(home)
    harm(home / WORK_FILE)
    with pytest.raises(WorkLayoutError, match=r"work\.duckdb .*still answers\. Move the file away and refresh again"):
        refreshed(home)
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1901"
    (home / WORK_FILE).unlink()
    refreshed(home)
    assert generations.current(home) == before


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "kept.txt").write_text("someone's")


def as_bytes(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\0")


@pytest.mark.parametrize("harm", [as_bytes, as_folder])
def test_a_name_of_the_current_generation_that_cannot_be_read_is_told_and_written_anew(home: Path, harm: Harm) -> None:
    harm(home / "CURRENT")
    with QueryEngine(home) as engine:
        told = engine.ask(WHEN)
        assert told.status == "failed" and "CURRENT" in told.error and "pagerag refresh" in told.error
        with pytest.raises(GenerationError):
            engine.retrieve(WHEN)
        assert refreshed(home)["hybrid_repository"].details["published"]
        assert engine.ask(WHEN).answer == "1901"
    assert harm is as_bytes or list(home.glob("CURRENT.set-aside-*/kept.txt"))


def test_a_manifest_of_other_types_is_told(home: Path) -> None:
    path = folder_of(home) / "manifest.json"
    for put in ('"fingerprints": null', '"fingerprints": {}'):
        path.write_text(path.read_text(encoding="utf-8").rstrip().removesuffix("}") + f", {put}}}", encoding="utf-8")
        with QueryEngine(home) as engine:
            told = engine.ask(WHEN)
        assert told.status == "failed" and "manifest.json" in told.error and "pagerag refresh" in told.error


def test_a_folder_that_lost_its_manifest_is_collected(home: Path) -> None:
    lost = folder_of(home)
    (lost / "manifest.json").unlink()
    for number in range(4):
        write_files(corpus_of(home), {"f9.txt": f"Ada Moss met Odo Fenn in 190{number}."})
        refreshed(home)
    assert not lost.exists()


def test_a_file_that_others_opened_in_this_process_is_named_with_the_right_advice(home: Path) -> None:
    other = duckdb.connect(str(tables(home)[0]), read_only=True)
    with QueryEngine(home) as engine, pytest.raises(TablesLocked, match="in this process already") as caught:
        engine.retrieve(WHEN)
    assert "refresh" not in str(caught.value)
    other.close()


FULL = [OSError(errno.ENOSPC, "No space left on device"), RuntimeError("IO exception: Cannot write to file: No space left on device")]


@pytest.mark.parametrize(("step", "error"), list(zip(["export_generation", "build_graph"], FULL, strict=True)))
def test_a_full_disk_is_told_in_one_line_with_its_folder(home: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, step: str) -> None:
    def full(*given: object, **named: object) -> None:
        raise error

    write_files(corpus_of(home), {"f1.txt": F1.replace("1901", "1902") + " Ada Moss met Odo Fenn."})
    with monkeypatch.context() as patch:
        patch.setattr(publish, step, full)
        with pytest.raises(DiskFull, match=f"{home}: the disk is full.* still answers"):
            refreshed(home)
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1901"
        refreshed(home)
        assert engine.ask(WHEN).answer == "1902"


@pytest.mark.parametrize("kilobytes", [1, 300])
def test_a_limit_on_files_is_told_like_a_full_disk(home: Path, kilobytes: int) -> None:
    write_files(corpus_of(home), {"f1.txt": F1.replace("1901", "1902")})
    code = """
import resource, sys
from pathlib import Path
from pagerag_pipeline_tests.homes import refreshed
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
refreshed(Path(sys.argv[1]))
"""
    done = subprocess.run([sys.executable, "-c", code, str(home), str(kilobytes * 1024)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.strip().splitlines()[-1].startswith("pagerag_pipeline.stores.damaged.DiskFull: There is no room")
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1901"
    refreshed(home)


def test_a_home_that_is_copied_elsewhere_answers_and_refreshes(home: Path, tmp_path: Path) -> None:
    moved = tmp_path / "else where" / "moved"
    shutil.copytree(home, moved)
    shutil.rmtree(home)
    with QueryEngine(moved) as engine:
        assert engine.ask(WHEN).answer == "1901"
    assert sum(report.computed for report in refreshed(moved).values()) == 0
    write_files(corpus_of(home), {"f1.txt": F1.replace("1901", "1902")})
    refreshed(moved)
    with QueryEngine(moved) as engine:
        assert (engine.ask(WHEN).answer, engine.ask(HOW).status) == ("1902", "answered")
    assert not home.exists()


def test_leases_and_locks_that_were_deleted_are_made_again(home: Path) -> None:
    for path in [*home.glob("*.lock"), *home.glob("generations/*/lease")]:
        path.unlink()
    with QueryEngine(home) as engine:
        assert "pagerag refresh" in engine.ask(WHEN).error
        assert refreshed(home)["hybrid_repository"].details["published"]
        assert engine.ask(WHEN).answer == "1901"
    assert not refreshed(home)["hybrid_repository"].details["published"]
