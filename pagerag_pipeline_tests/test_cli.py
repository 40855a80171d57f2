"""The commands, in this process where that is enough and as processes of their own where it is not."""

import ast
import builtins
import io
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from pagerag_pipeline import cli
from pagerag_pipeline.arguments import SYSTEMS, parser
from pagerag_pipeline.defs.instance import open_instance
from pagerag_pipeline.health import MODELS, NEEDED
from pagerag_pipeline.query import SYSTEMS as KNOWN_SYSTEMS
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh import products
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.locks import RefreshLock
from pagerag_pipeline.stores.tables import open_tables
from pagerag_pipeline_tests.homes import F1, F2, F3, corpus_of, make_home, write_files
from pagerag_pipeline_tests.homes import refreshed as refresh_products

ROOT = Path(__file__).resolve().parent.parent
FILES = {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3}
HEAVY = ("dagster", "duckdb", "igraph", "kuzu", "lancedb", "leidenalg", "numpy", "polars", "sentence_transformers", "spacy", "torch")

PAUSED = """
import sys, time
from pagerag_pipeline import cli
from pagerag_pipeline.refresh import products

chunks = products.chunks

def paused(session):
    session.progress("chunks", 0, 7)
    print("paused", file=sys.stderr, flush=True)
    time.sleep(300)
    return chunks(session)

products.chunks = paused
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def quick_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of this process are recorded in memory: on a slow disk an instance's own files cost more than a small refresh."""
    monkeypatch.setattr("pagerag_pipeline.defs.instance.open_instance", lambda home: dg.DagsterInstance.ephemeral())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path, FILES)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A refreshed home that tests only read."""
    home = make_home(tmp_path_factory.mktemp("built"), {**FILES, "odd/strange.md": "# Odd \u2014 \ud55c\n\nMara Quill hid the \U0001f600 stamp in Tinworks.\n"})
    refresh_products(home)
    return home


@pytest.fixture
def refreshed(built: Path, tmp_path: Path) -> Path:
    """A refreshed home of the test's own: a copy, with the times of change, so nothing has to be built."""
    shutil.copytree(built.parent, tmp_path / "copy")
    toml = tmp_path / "copy" / "home" / "pagerag.toml"
    toml.write_text(toml.read_text(encoding="utf-8").replace(str(built.parent), str(tmp_path / "copy")), encoding="utf-8")
    return toml.parent


@pytest.fixture
def paused(refreshed: Path) -> Iterator[subprocess.Popen[str]]:
    """A refresh of `refreshed` in another process that stands still at the chunks, holding the lock."""
    write_files(corpus_of(refreshed), {"f4.txt": "Ada Moss bought Low Farm in 1920."})
    process = subprocess.Popen(
        [sys.executable, "-c", PAUSED, "refresh", "--home", str(refreshed)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        assert any("paused" in line for line in process.stderr)
        yield process
    finally:
        process.kill()
        process.wait()


def ran(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, Any, str]:
    """Exit code, the object printed under --json, and standard error."""
    capsys.readouterr()
    code = cli.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, json.loads(captured.out) if captured.out and ("--json" in arguments or "retrieve" in arguments) else None, captured.err


def process(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "pagerag_pipeline.cli", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, env={**os.environ, **environment}, check=False)


# --- the command line itself -----------------------------------------------------------------------


def test_help_imports_no_room_and_is_there_at_once():
    code = f"import sys\nfrom pagerag_pipeline.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\nprint([m for m in {HEAVY} if m in sys.modules])"
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Of the processor: the clock on the wall tells more of what else the machine does.
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert out.splitlines()[-1] == "[]"
    assert min(seconds) < 0.5


@pytest.mark.parametrize("command", sorted(cli.COMMANDS))
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        parser().parse_args([command, "--help"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert "--home DIR" in told and "--json" in told
    assert len(told.splitlines()) > 5


def test_the_systems_offered_are_those_of_the_engine():
    assert set(SYSTEMS) == set(KNOWN_SYSTEMS)


def test_home_and_json_may_stand_before_and_after_the_command():
    before = parser().parse_args(["--home", "h", "--json", "status"])
    after = parser().parse_args(["status", "--home", "h", "--json"])
    assert (before.home, before.json) == (after.home, after.json) == ("h", True)
    assert parser().parse_args(["status"]).json is False


# --- refresh ---------------------------------------------------------------------------------------


def test_the_first_refresh_names_the_corpus_and_a_later_one_must_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PAGERAG_EMBED_MODEL", "hash")
    monkeypatch.setenv("PAGERAG_EXTRACT_TAGGER", "rules")
    home, corpus = tmp_path / "new" / "home", tmp_path / "corpus"
    write_files(corpus, FILES)
    assert ran(capsys, "refresh", "--home", home, "--json")[0] == cli.MISUSE
    assert ran(capsys, "refresh", "--home", home, "--corpus", tmp_path / "nowhere")[0] == cli.MISUSE
    assert not home.exists()
    code, told, _ = ran(capsys, "refresh", "--home", home, "--corpus", corpus, "--json")
    assert code == cli.DONE and told["published"] is True
    assert load_settings(home).corpus.folder == str(corpus)
    (tmp_path / "other").mkdir()
    code, _, error = ran(capsys, "refresh", "--home", home, "--corpus", tmp_path / "other")
    assert code == cli.MISUSE and str(corpus) in error
    assert ran(capsys, "refresh", "--home", home, "--corpus", corpus, "--json")[1]["unchanged"] is True


def test_a_refresh_tells_every_product_and_a_second_one_that_nothing_changed(home: Path, capsys: pytest.CaptureFixture[str]):
    code, first, _ = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.DONE
    assert [product["product"] for product in first["products"]] == list(PRODUCTS)
    assert all(product["computed"] > 0 for product in first["products"])
    assert first["status"] == "done" and first["published"] and not first["unchanged"]
    code, second, _ = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.DONE and second["unchanged"] and not second["published"]
    assert second["generation"] == first["generation"]
    assert [product["computed"] for product in second["products"]] == [0] * len(PRODUCTS)
    capsys.readouterr()
    assert cli.main(["refresh", "--home", str(home)]) == cli.DONE
    assert "Nothing changed" in capsys.readouterr().out


def test_one_edit_is_told_as_one_changed_document(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    write_files(corpus_of(refreshed), {"f3.txt": "Sister Bell kept geese at Low Farm."})
    _, told, _ = ran(capsys, "refresh", "--home", refreshed, "--json")
    documents = told["products"][0]
    assert (documents["added"], documents["changed"], documents["deleted"]) == (0, 1, 0)
    assert (documents["computed"], documents["reused"]) == (1, 3)


def test_a_skipped_file_is_listed_and_strict_makes_it_four(home: Path, capsys: pytest.CaptureFixture[str]):
    write_files(corpus_of(home), {"empty.txt": ""})
    code, told, _ = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.DONE
    assert [path for path, _ in told["skipped"]] == ["empty.txt"]
    assert ran(capsys, "refresh", "--home", home, "--json", "--strict")[0] == cli.SKIPPED
    cli.main(["refresh", "--home", str(home)])
    assert "skipped empty.txt: " in capsys.readouterr().out


def test_what_was_repaired_or_left_out_is_told(home: Path, capsys: pytest.CaptureFixture[str]):
    write_files(corpus_of(home), {"rows.jsonl": '{"doc_id": "1", "text": "Sister Bell kept geese."}\nnot JSON\n{"doc_id": "2"}\n'})
    cli.main(["refresh", "--home", str(home)])
    assert "noted rows.jsonl: line 2: not JSON; line 3: no text" in capsys.readouterr().out.splitlines()


def test_a_dry_run_tells_and_does_nothing(home: Path, capsys: pytest.CaptureFixture[str]):
    code, plan, _ = ran(capsys, "refresh", "--home", home, "--dry-run", "--json")
    assert code == cli.DONE
    assert sorted(plan["new"]) == sorted(FILES)
    status = ran(capsys, "status", "--home", home, "--json")[1]
    assert (status["generation"], status["refresh"]["status"]) == (None, "none")
    cli.main(["refresh", "--home", str(home), "--dry-run"])
    assert "new: f1.txt" in capsys.readouterr().out


def test_a_dry_run_makes_no_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    write_files(tmp_path / "corpus", FILES)
    code, plan, _ = ran(capsys, "refresh", "--home", tmp_path / "new" / "home", "--corpus", tmp_path / "corpus", "--dry-run", "--json")
    assert code == cli.DONE and sorted(plan["new"]) == sorted(FILES) and not plan["nothing_to_do"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus"]


def test_a_dry_run_changes_nothing_of_a_home(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    def state() -> dict[str, tuple[int, bytes]]:
        return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in sorted(refreshed.rglob("*")) if path.is_file()}

    write_files(corpus_of(refreshed), {"f1.txt": "Ada Moss bought Low Farm in 1920."})
    (corpus_of(refreshed) / "f2.txt").unlink()
    before = state()
    code, plan, _ = ran(capsys, "refresh", "--home", refreshed, "--dry-run", "--json")
    assert code == cli.DONE and (plan["changed"], plan["gone"]) == (["f1.txt"], ["f2.txt"])
    assert state() == before


def test_a_dry_run_beside_a_refresh_says_that_one_runs(home: Path, capsys: pytest.CaptureFixture[str]):
    with RefreshLock(home) as lock:
        lock.acquire(False, "a test")
        (home / "work.duckdb").touch()
        code, _, error = ran(capsys, "refresh", "--home", home, "--dry-run")
    assert code == cli.REFUSED and "a test by process" in error and "--wait" in error and len(error.splitlines()) == 1


@pytest.mark.parametrize("command", ["refresh", "dry run", "ui"])
def test_a_home_that_cannot_be_made_is_told_in_one_line(tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]):
    write_files(tmp_path / "corpus", FILES)
    (tmp_path / "file").write_text("", encoding="utf-8")
    corpus = () if command == "ui" else ("--corpus", tmp_path / "corpus", *(["--dry-run"] if command == "dry run" else []))
    code, _, error = ran(capsys, command if command == "ui" else "refresh", "--home", tmp_path / "file" / "home", *corpus)
    assert code == cli.MISUSE and len(error.splitlines()) == 1
    assert error == f"pagerag: The home {tmp_path / 'file' / 'home'} cannot be used: {tmp_path / 'file'} is not a folder. Name another one with --home.\n"


@pytest.mark.parametrize("wrong", ["corpus", "governance.toml", "ontology.toml", "question"])
def test_a_mistake_that_is_knowable_at_once_is_told_before_dagster_or_a_model_is_imported(home: Path, wrong: str):
    if wrong == "corpus":
        shutil.rmtree(corpus_of(home))
    else:
        (home / wrong).write_text("[", encoding="utf-8")
    arguments = ["ask", " "] if wrong == "question" else ["refresh"]
    code = f"import sys\nfrom pagerag_pipeline.cli import main\ncode = main({[*arguments, '--home', str(home)]})\nprint(code, [m for m in {sorted({*HEAVY} - {'numpy'})} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"[23] \[\]", out.splitlines()[-1])
    assert not (home / "dagster").exists() and not (home / "refresh.lock").exists()


def test_status_counts_the_rows_that_the_refresh_told(home: Path, capsys: pytest.CaptureFixture[str]):
    write_files(corpus_of(home), {"rows.jsonl": '{"doc_id": "1", "text": "Sister Bell kept geese."}\n{"doc_id": "2", "text": "Odo Fenn sold bees."}\n'})
    _, told, _ = ran(capsys, "refresh", "--home", home, "--json")
    _, status, _ = ran(capsys, "status", "--home", home, "--json")
    assert {name: product["rows"] for name, product in status["products"].items()} == {one["product"]: one["rows"] for one in told["products"]}
    assert status["products"]["source_documents"]["rows"] == 5


def test_a_refresh_tells_its_peak_memory_and_a_failed_first_one_that_nothing_is_published(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def broken(session: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(products, "raw_graph", broken)
    assert cli.main(["refresh", "--home", str(home)]) == cli.FAILED
    assert capsys.readouterr().out.splitlines()[-1] == "The refresh failed; nothing is published yet."
    cli.main(["status", "--home", str(home)])
    assert re.search(r"^refresh     failed 20\S+: RuntimeError: the disk is full$", capsys.readouterr().out, re.MULTILINE)
    monkeypatch.undo()
    monkeypatch.setattr("pagerag_pipeline.defs.instance.open_instance", lambda home: dg.DagsterInstance.ephemeral())
    assert cli.main(["refresh", "--home", str(home)]) == cli.DONE
    assert re.fullmatch(r"peak memory: \d[\d,]+ MiB", capsys.readouterr().out.splitlines()[-2])


def test_a_dry_run_tells_that_there_is_nothing_to_do_and_when_there_is(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    def plan() -> dict[str, Any]:
        return ran(capsys, "refresh", "--home", refreshed, "--dry-run", "--json")[1]

    touched = plan()
    assert touched["nothing_to_do"] and not touched["new"] and not touched["changed"]
    cli.main(["refresh", "--home", str(refreshed), "--dry-run"])
    assert "nothing to do" in capsys.readouterr().out.splitlines()[-1]
    (refreshed / "governance.toml").write_text('suppress = ["Tinworks"]\n', encoding="utf-8")
    governed = plan()
    assert not governed["nothing_to_do"] and governed["derived_again"] == ["governed_graph"] and not governed["stale_units"]
    cli.main(["refresh", "--home", str(refreshed), "--dry-run"])
    assert "to be derived again: governed_graph (governance.toml, " in capsys.readouterr().out
    (refreshed / "governance.toml").unlink()
    assert plan()["nothing_to_do"] and plan()["derived_again"] == []
    (refreshed / "CURRENT").unlink()
    assert not plan()["nothing_to_do"]


def test_a_dry_run_gives_the_verdict_of_the_guard_and_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    rows = [json.dumps({"doc_id": f"d{n}", "text": f"Letter {n} went to Tinworks."}) for n in range(12)]
    home = make_home(tmp_path, {"f1.txt": F1, "rows.jsonl": "\n".join(rows)})
    refresh_products(home)

    def told(*more: str) -> tuple[int, str]:
        code, plan, _ = ran(capsys, "refresh", "--home", home, "--dry-run", "--json", *more)
        return code, plan["refused"]

    assert told() == (cli.DONE, "")
    write_files(corpus_of(home), {"rows.jsonl": "\n".join(f"{row} " for row in rows)})  # another content, the same documents
    assert told() == (cli.DONE, "")
    write_files(corpus_of(home), {"rows.jsonl": rows[0]})
    code, refused = told()
    assert code == cli.REFUSED and "11 of the 13 indexed ones would be lost" in refused
    assert told("--force") == (cli.DONE, "")
    code, plan, _ = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.REFUSED and plan["error"] == refused
    cli.main(["refresh", "--home", str(home), "--dry-run"])
    assert f"would be refused: {refused}" in capsys.readouterr().out
    assert ran(capsys, "status", "--home", home, "--json")[1]["products"]["source_documents"]["rows"] == 13


def test_an_emptied_corpus_is_refused_until_forced_and_the_index_answers_meanwhile(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    shutil.rmtree(corpus_of(refreshed))
    corpus_of(refreshed).mkdir()
    code, told, error = ran(capsys, "refresh", "--home", refreshed, "--json")
    assert code == cli.REFUSED
    assert told["kind"] == "CorpusGuard" and told["status"] == "refused"
    assert f"pagerag refresh --home {refreshed} --force" in told["error"] and "--force" in error
    cli.main(["refresh", "--home", str(refreshed)])
    assert re.fullmatch(r"The refresh was refused; generation \S+ stays\.", capsys.readouterr().out.splitlines()[-1])
    assert "founded" in json.dumps(ran(capsys, "ask", "Who founded Tinworks?", "--home", refreshed, "--json")[1])
    code, told, _ = ran(capsys, "refresh", "--home", refreshed, "--force", "--json")
    assert code == cli.DONE and told["products"][0]["deleted"] == 4
    assert ran(capsys, "ask", "Who founded Tinworks?", "--home", refreshed, "--json")[1]["evidence"] == []


def test_a_corpus_folder_that_is_gone_is_refused(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    corpus_of(refreshed).rename(refreshed.parent / "elsewhere")
    code, _, error = ran(capsys, "refresh", "--home", refreshed)
    assert code == cli.REFUSED and str(corpus_of(refreshed)) in error


def test_a_work_file_of_another_layout_is_refused_in_words(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    with open_tables(refreshed / "work.duckdb", load_settings(refreshed).store) as tables:
        tables.execute("UPDATE meta SET value = '0' WHERE name = 'work_version'")
    code, told, _ = ran(capsys, "refresh", "--home", refreshed, "--json")
    assert code == cli.REFUSED and "layout version 0" in told["error"]
    assert ran(capsys, "ask", "Who founded Tinworks?", "--home", refreshed, "--json")[1]["generation"]


def test_settings_that_cannot_be_used_are_misuse_in_one_line(home: Path, capsys: pytest.CaptureFixture[str]):
    (home / "pagerag.toml").write_text("[embed]\nmodel = 3\n", encoding="utf-8")
    code, told, error = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.MISUSE and told["kind"] == "SettingsError"
    assert len(error.splitlines()) == 1 and "embed.model" in error


@pytest.mark.parametrize("written", [b'suppress = "Harbour Lane"', b"suppress = [", b'suppres = ["Harbour Lane"]', b"\xff\xfe\x00"])
def test_a_governance_file_that_cannot_be_used_is_misuse_before_any_work(home: Path, written: bytes, capsys: pytest.CaptureFixture[str]):
    (home / "governance.toml").write_bytes(written)
    code, told, error = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.MISUSE and told["kind"] == "OverridesError"
    assert "governance.toml" in error and not (home / "work.duckdb").exists()
    assert ran(capsys, "refresh", "--home", home, "--dry-run")[0] == cli.MISUSE


@pytest.mark.parametrize("written", [b"relations = {}", b"[predicates]\nowns = 3", b"[predicates]\nowns = { head = 'wizard' }", b"\xff\xfe\x00"])
def test_an_ontology_that_cannot_be_used_is_misuse_before_any_work(home: Path, written: bytes, capsys: pytest.CaptureFixture[str]):
    (home / "ontology.toml").write_bytes(written)
    code, told, error = ran(capsys, "refresh", "--home", home, "--json")
    assert code == cli.MISUSE and told["kind"] == "OntologyError"
    assert "ontology.toml" in error and not (home / "work.duckdb").exists()
    assert ran(capsys, "refresh", "--home", home, "--dry-run")[0] == cli.MISUSE


def test_a_damaged_generation_refuses_to_start_in_words(refreshed: Path, capsys: pytest.CaptureFixture[str]):
    (refreshed / "CURRENT").write_text("20200101T000000\n", encoding="utf-8")
    code, _, error = ran(capsys, "retrieve", "--question", "Who founded Tinworks?", "--home", refreshed)
    assert code == cli.REFUSED and error.startswith("pagerag: There is no generation 20200101T000000")


def test_every_error_raised_on_purpose_has_its_exit_code_and_no_other_has():
    assert set(cli.EXIT_CODES) == set(error_classes()) - CAUGHT_BELOW


CAUGHT_BELOW = {"Fault", "NotText", "Stopped", "Unjudged", "Unmade", "Unreadable"}
"""Errors that never leave the room they are raised in: a file that cannot be parsed is a skipped file with a reason, a call, unit or measure without a reply a
failure; and one that is raised as its kinds alone."""


def error_classes() -> Iterator[str]:
    """Names of the public exception classes of the package, by what they derive from."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "pagerag_pipeline").rglob("*.py"))]
    bases = {node.name: [base.id for base in node.bases if isinstance(base, ast.Name)] for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}

    def is_error(name: str) -> bool:
        known = getattr(builtins, name, None)
        return isinstance(known, type) and issubclass(known, BaseException) or any(map(is_error, bases.get(name, [])))

    return (name for name in bases if is_error(name) and not name.startswith("_"))


def test_a_failed_refresh_says_why_and_leaves_the_generation_before(
    refreshed: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    _, first, _ = ran(capsys, "status", "--home", refreshed, "--json")
    write_files(corpus_of(refreshed), {"f1.txt": "Mara Quill founded Tinworks in 1900."})

    def broken(session: object) -> None:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(products, "raw_graph", broken)
    code, told, error = ran(capsys, "refresh", "--home", refreshed, "--json")
    assert code == cli.FAILED and told["status"] == "failed" and "the disk is full" in told["error"]
    finished = {product["product"] for product in told["products"]}
    assert finished >= set(PRODUCTS[: PRODUCTS.index("raw_graph")]) and not finished & {"raw_graph", "governed_graph", "hybrid_repository"}
    _, status, _ = ran(capsys, "status", "--home", refreshed, "--json")
    assert status["refresh"]["status"] == "failed" and "the disk is full" in status["refresh"]["error"]
    assert status["generation"] == first["generation"] and status["holder"] is None
    monkeypatch.undo()
    code, told, _ = ran(capsys, "refresh", "--home", refreshed, "--json")
    assert code == cli.DONE and told["published"] and told["products"][0]["computed"] == 0


def test_the_command_and_the_ui_share_one_history(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    assert cli.main(["refresh", "--home", str(home)]) == cli.DONE
    with open_instance(home) as instance:
        (run,) = instance.get_runs()
        assert (run.job_name, run.status) == ("refresh_corpus", dg.DagsterRunStatus.SUCCESS)
        assert run.tags[".dagster/repository"] == "__repository__@pagerag_pipeline.definitions"
        assert all(instance.get_latest_materialization_event(dg.AssetKey(name)) for name in PRODUCTS)


# --- while a refresh runs, and after it was killed ---------------------------------------------------


def test_a_running_refresh_is_told_by_status_and_refuses_a_second_one(
    refreshed: Path, paused: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
):
    _, status, _ = ran(capsys, "status", "--home", refreshed, "--json")
    assert status["refresh"]["status"] == "running" and status["refresh"]["product"] == "chunks"
    assert status["holder"]["pid"] == paused.pid
    assert status["corpus"]["state"] == "changed"
    code, told, _ = ran(capsys, "refresh", "--home", refreshed, "--json")
    assert code == cli.REFUSED and str(paused.pid) in told["error"]


def test_two_readers_answer_while_a_refresh_runs(refreshed: Path, paused: subprocess.Popen[str]):
    with QueryEngine(refreshed) as engine:
        here = engine.ask("Who founded Tinworks?")
        there = process("ask", "Who founded Tinworks?", "--home", refreshed, "--json")
    assert there.returncode == 0
    assert json.loads(there.stdout)["generation"] == here.generation != ""
    assert json.loads(there.stdout)["evidence"]


def test_a_killed_refresh_reads_as_abandoned_and_the_next_one_takes_up_its_work(
    refreshed: Path, paused: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]
):
    paused.send_signal(signal.SIGKILL)
    paused.wait()
    _, status, _ = ran(capsys, "status", "--home", refreshed, "--json")
    assert status["refresh"]["status"] == "abandoned" and status["holder"] is None
    left = {path.name: path.read_bytes() for path in refreshed.glob("work.duckdb*")}
    assert ran(capsys, "refresh", "--home", refreshed, "--dry-run", "--json")[1]["nothing_to_do"] is False
    assert {path.name: path.read_bytes() for path in refreshed.glob("work.duckdb*")} == left
    code, told, _ = ran(capsys, "refresh", "--home", refreshed, "--json")
    assert code == cli.DONE and told["published"]
    by_name = {product["product"]: product for product in told["products"]}
    assert by_name["source_documents"]["computed"] == by_name["document_profiles"]["computed"] == 0
    assert by_name["chunks"]["computed"] == 1
    assert ran(capsys, "status", "--home", refreshed, "--json")[1]["refresh"]["status"] == "done"


def test_an_interrupted_refresh_ends_cleanly(refreshed: Path, paused: subprocess.Popen[str], capsys: pytest.CaptureFixture[str]):
    paused.send_signal(signal.SIGINT)
    out, error = paused.communicate(timeout=60)
    assert paused.returncode == cli.FAILED
    assert "Traceback" not in error and "Interrupted" in error and out == ""
    _, status, _ = ran(capsys, "status", "--home", refreshed, "--json")
    assert status["refresh"]["status"] == "failed" and status["holder"] is None


def test_a_waiting_refresh_goes_on_when_the_home_is_free(home: Path, capsys: pytest.CaptureFixture[str]):
    lock = RefreshLock(home)
    lock.acquire(False, "a test")
    waiting = subprocess.Popen(
        [sys.executable, "-m", "pagerag_pipeline.cli", "refresh", "--wait", "--home", str(home), "--json"], cwd=ROOT, stdout=subprocess.PIPE
    )
    time.sleep(1)
    assert waiting.poll() is None
    lock.release()
    out, _ = waiting.communicate(timeout=120)
    assert waiting.returncode == 0 and json.loads(out)["published"]


def test_status_of_a_home_that_is_not_there_makes_none_and_says_what_to_do_next(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, status, _ = ran(capsys, "status", "--home", tmp_path / "none", "--json")
    assert code == cli.DONE and status["generation"] is None and status["refresh"]["status"] == "none"
    assert not (tmp_path / "none").exists()
    assert cli.main(["status", "--home", str(tmp_path / "none")]) == cli.DONE
    told = capsys.readouterr().out.splitlines()
    assert any("none published yet" in line for line in told)
    assert told[-1] == f"next        run `pagerag refresh --home {tmp_path / 'none'} --corpus DIR`"
    cli.main(["doctor", "--home", str(tmp_path / "none")])
    doctor = capsys.readouterr().out
    assert doctor.splitlines()[-1].endswith("--corpus DIR`") and "documents extra: PDF, Office files and RTF are read" in doctor
    assert "not set (not set)" not in doctor and "corpus: not set" in doctor
    cli.main(["status", "--home", str(built)])
    assert "next  " not in capsys.readouterr().out


# --- asking ----------------------------------------------------------------------------------------

KEYS = {
    "qid", "question", "system", "status", "answer", "claims", "missing", "reason", "confidence", "citations", "evidence", "plan", "trace",
    "usage", "generation",
}  # fmt: skip


def test_ask_prints_one_object_with_all_that_is_promised(built: Path, capsys: pytest.CaptureFixture[str]):
    code, told, _ = ran(capsys, "ask", "Who founded Tinworks?", "--home", built, "--json")
    assert code == cli.DONE and set(told) >= KEYS
    spans = [span for item in told["evidence"] for span in item["spans"]]
    assert spans
    for span in [*spans, *told["citations"]]:
        text = ran(capsys, "show", "document", span["document"], "--home", built, "--json")[1]["text"]
        assert text[span["start"] : span["end"]] == span["quote"]


def test_ask_keeps_to_the_documents_that_are_named(built: Path, capsys: pytest.CaptureFixture[str]):
    _, told, _ = ran(capsys, "ask", "Who founded Tinworks?", "--documents", "f2.txt", "--home", built, "--json")
    assert {span["document"] for item in told["evidence"] for span in item["spans"]} <= {"f2.txt"}
    assert ran(capsys, "ask", "Who?", "--documents", "f9.txt", "--home", built)[0] == cli.MISUSE


@pytest.mark.parametrize(
    "arguments",
    [
        ("--documents", "f2.txt", "Who bought Tinworks?"), ("--documents", "f1.txt", "f2.txt", "Who bought Tinworks?"),
        ("Who bought Tinworks?", "--documents", "f1.txt", "f2.txt"), ("--documents", "f1.txt", "--documents", "f2.txt", "Who bought Tinworks?"),
        ("--documents", "f2.txt", "--budget", "900", "Who bought Tinworks?"),
    ],
)  # fmt: skip
def test_the_question_may_stand_on_either_side_of_the_documents(built: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    code, told, _ = ran(capsys, "ask", *arguments, "--home", built, "--json")
    assert (code, told["question"]) == (cli.DONE, "Who bought Tinworks?")
    assert {span["document"] for item in told["evidence"] for span in item["spans"]} <= {one for one in arguments if one.endswith(".txt")}


@pytest.mark.parametrize("documents", [("Who bought Tinworks?",), ("f1.txt", "f9.txt"), ("f9.txt", "Who bought Tinworks?")])
def test_a_name_of_no_document_is_misuse_before_any_question_is_read(built: Path, documents: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    code, _, error = ran(capsys, "ask", "--documents", *documents, "--home", built)
    assert code == cli.MISUSE
    assert ("it stands before --documents, or after its last ID" in error) is (documents[-1] != "Who bought Tinworks?" or len(documents) == 1)


def test_nothing_on_standard_input_is_told(built: Path):
    command = [sys.executable, "-m", "pagerag_pipeline.cli", "ask", "--home", str(built)]
    done = subprocess.run(command, cwd=ROOT, input="\n \n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (cli.MISUSE, "") and "No question came" in done.stderr


@pytest.mark.parametrize("end", ["exit", ":q", "QUIT", EOFError()])
def test_the_prompt_ends_at_a_word_on_a_terminal(built: Path, end: str | Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    lines = iter(["Who founded Tinworks?", end, "Who bought Tinworks?"])

    def typed(prompt: str) -> str:
        assert prompt == "? "
        line = next(lines)
        if isinstance(line, Exception):
            raise line
        return line

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert cli.main(["ask", "--home", str(built), "--json"]) == cli.DONE
    assert [json.loads(line)["question"] for line in capsys.readouterr().out.splitlines()] == ["Who founded Tinworks?"]


def test_without_an_index_asking_is_a_refusal_and_ranking_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    code, told, _ = ran(capsys, "ask", "Who?", "--home", tmp_path / "none", "--json")
    assert (code, told["status"], told["reason"], told["evidence"]) == (cli.DONE, "refused", "no_index", [])
    assert ran(capsys, "retrieve", "--question", "Who?", "--home", tmp_path / "none")[0] == cli.REFUSED


def test_ask_without_a_question_answers_every_line(built: Path):
    command = [sys.executable, "-m", "pagerag_pipeline.cli", "ask", "--home", str(built), "--json"]
    done = subprocess.run(command, cwd=ROOT, input="Who founded Tinworks?\n\nWho bought Tinworks?\nexit\n", capture_output=True, text=True, check=True)
    assert [json.loads(line)["question"] for line in done.stdout.splitlines()] == ["Who founded Tinworks?", "Who bought Tinworks?", "exit"]


def test_a_file_of_questions_is_answered_and_ranked_line_by_line(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    questions = tmp_path / "questions.jsonl"
    lines = [{"qid": "a", "question": "Who founded Tinworks?", "answers": ["Mara Quill"]}, {"qid": "b", "question": "Who?", "doc_ids": ["f9.txt"]}]
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "answers.jsonl"
    assert cli.main(["answer", str(questions), "--out", str(out), "--home", str(built)]) == cli.FAILED
    answers = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(one["qid"], one["status"] == "failed") for one in answers] == [("a", False), ("b", True)]
    assert "f9.txt" in answers[1]["error"]
    questions.write_text(json.dumps(lines[0]), encoding="utf-8")
    code, ranking, _ = ran(capsys, "retrieve", questions, "--top", "2", "--home", built)
    assert code == cli.DONE and ranking["qid"] == "a" and 1 <= len(ranking["results"]) <= 2
    first = ranking["results"][0]
    assert set(first) == {"document", "chunk_id", "score", "section", "start", "end", "text"}
    text = ran(capsys, "show", "document", first["document"], "--home", built, "--json")[1]["text"]
    assert text[first["start"] : first["end"]].startswith(first["text"]) and first["text"]
    cli.main(["retrieve", "--question", "Who founded Tinworks?", "--home", str(built)])
    assert f"[{first['start']}, {first['end']})" in (shown := capsys.readouterr().out) and "Mara Quill founded" in shown
    questions.write_text("{}\n", encoding="utf-8")
    assert ran(capsys, "answer", questions, "--home", built)[0] == cli.MISUSE


@pytest.mark.parametrize(
    "arguments",
    [
        ("retrieve",), ("retrieve", "q.jsonl", "--question", "Who?"), ("retrieve", "--question", " "), ("ask", ""), ("ask", " \n"),
        ("answer", "nowhere.jsonl"), ("retrieve", "nowhere.jsonl"), ("retrieve", "--question", "Who?", "--out", "nowhere/out.jsonl"),
    ],
)  # fmt: skip
def test_a_command_line_that_cannot_be_meant_is_told_in_one_line(built: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    code, told, error = ran(capsys, *arguments, "--home", built, "--json")
    assert code == cli.MISUSE and told["kind"] == "Misuse"
    (line,) = error.splitlines()
    assert all(name in line for name in ("nowhere", "--out" if "--out" in arguments else "FILE") if "nowhere" in "".join(arguments))


def test_an_option_that_no_command_has_shows_the_usage_of_the_command(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["ask", "Who?", "--bogus"])
    assert stopped.value.code == cli.MISUSE
    assert (told := capsys.readouterr().err).startswith("usage: pagerag ask ") and "--bogus" in told


def test_the_version_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: "1.2.3" if name == "pagerag_pipeline" else "")
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == "pagerag 1.2.3\n"


def test_a_file_without_questions_is_told_and_gives_no_line(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    assert ran(capsys, "answer", tmp_path / "empty.jsonl", "--home", built) == (cli.DONE, None, f"pagerag: {tmp_path / 'empty.jsonl'} holds no question.\n")


def test_show_finds_a_document_by_the_end_of_its_path(built: Path, capsys: pytest.CaptureFixture[str]):
    code, told, _ = ran(capsys, "show", "document", "strange.md", "--home", built, "--json")
    assert code == cli.DONE
    assert told["document"] == "odd/strange.md" and {"title", "profile", "sections", "text"} <= set(told)
    assert "".join(told["text"][s["start"] : s["end"]] for s in told["sections"]) == told["text"]
    code, _, error = ran(capsys, "show", "document", "strang", "--home", built)
    assert code == cli.MISUSE and "odd/strange.md" in error


@pytest.mark.parametrize("encoding", ["cp932", "gbk", "cp1252", "ascii", "utf-8"])
def test_no_encoding_of_the_console_ends_a_run(built: Path, encoding: str, monkeypatch: pytest.MonkeyPatch):
    def printed(*options: str) -> bytes:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", console := io.TextIOWrapper(io.BytesIO(), encoding=encoding))
            assert cli.main(["show", "document", "strange.md", "--home", str(built), *options]) == cli.DONE
            console.flush()
            return bytes(console.buffer.getvalue())  # type: ignore[attr-defined]

    assert b"stamp" in printed()
    assert "\U0001f600" in json.loads(printed("--json").decode(encoding))["text"]


def test_the_encoding_of_a_process_is_kept_to(built: Path):
    shown = process("show", "document", "strange.md", "--home", built, PYTHONIOENCODING="cp932")
    assert shown.returncode == 0 and b"stamp" in shown.stdout and b"\\U0001f600" in shown.stdout


def test_standard_output_holds_nothing_but_the_object(built: Path):
    done = process("refresh", "--home", built, "--json")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1 and json.loads(done.stdout)["status"] == "done"


def test_doctor_looks_for_packages_that_are_dependencies():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert {*NEEDED, *MODELS.values()} <= {re.split(r"[<>=]", one)[0] for one in declared}


def test_doctor_tells_which_chat_model_answers_and_no_key(built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def chat() -> str:
        (found,) = (finding["found"] for finding in ran(capsys, "doctor", "--home", built, "--json")[1]["findings"] if finding["name"] == "chat")
        return str(found)

    assert chat() == "off: everything runs here"
    monkeypatch.setenv("PAGERAG_CHAT_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("PAGERAG_CHAT_MODEL", "small")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert chat().startswith("small at http://127.0.0.1:9/v1, without a key; questions and the next refresh ask it")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "OPENAI_API_KEY" in chat() and "sk-secret" not in chat()


def test_doctor_tells_what_it_looked_at(built: Path, capsys: pytest.CaptureFixture[str]):
    code, told, _ = ran(capsys, "doctor", "--home", built, "--json")
    assert code == (cli.DONE if all(finding["ok"] for finding in told["findings"]) else cli.FAILED)
    assert {"python", "kuzu", "settings", "home", "corpus", "lock"} <= {finding["name"] for finding in told["findings"]}
    (corpus,) = (finding["found"] for finding in told["findings"] if finding["name"] == "corpus")
    assert corpus == f"{corpus_of(built)} (as refreshed)"
    (built.parent / "other").mkdir(exist_ok=True)
    (built.parent / "other" / "pagerag.toml").write_text("[nonsense]\n", encoding="utf-8")
    code, told, _ = ran(capsys, "doctor", "--home", built.parent / "other", "--json")
    assert code == cli.FAILED and told["findings"][-1]["name"] == "settings" and "nonsense" in told["findings"][-1]["found"]
