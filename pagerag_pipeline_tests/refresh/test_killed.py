"""Killed anywhere: the old generation answers throughout, the next run resumes and ends in the clean digests."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.generations import current
from pagerag_pipeline.stores.locks import read_progress
from pagerag_pipeline.stores.work import open_work
from pagerag_pipeline_tests.homes import F1, F2, STUB_MODELS, corpus_of, digests, refreshed, write_files
from pagerag_pipeline_tests.refresh.conftest import FirstBuilds

QUESTION = "When did Mara Quill found Tinworks?"
SMALL_BATCHES = f"{STUB_MODELS}\n[refresh]\nbatch_units = 4\n"


def _pages(count: int, word: str) -> dict[str, str]:
    return {f"page{i:03}.txt": f"{F2} On page {i} the {word} of Tinworks rang {i} times for Odo Fenn." for i in range(count)}


def _start(home: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "pagerag_pipeline_tests.refresh.killed", str(home)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline().strip() == "begun"
    return process


def _remembered(home: Path) -> int:
    with open_work(home, load_settings(home).store) as tables:
        return int(tables.rows("SELECT count(*) FROM memory_chunk_embeddings")[0][0])


def _kill_and_resume(home: Path, delays: list[float]) -> None:
    first = current(home)
    assert first is not None
    with QueryEngine(home) as engine:
        for delay in delays:
            process = _start(home)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait()
            progress = read_progress(home)
            assert progress is not None and progress.status in ("abandoned", "done")
            outcome = engine.ask(QUESTION)
            assert outcome.status == "answered" and "1901" in (outcome.answer or "")


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_refresh_leaves_the_old_generation_and_resumes(tmp_path: Path, first_builds: FirstBuilds, seed: int) -> None:
    _kill_test(tmp_path, first_builds, seed, kills=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_fifty_kills(tmp_path: Path, first_builds: FirstBuilds, seed: int) -> None:
    _kill_test(tmp_path, first_builds, seed, kills=5)


def _kill_test(tmp_path: Path, first_builds: FirstBuilds, seed: int, *, kills: int) -> None:
    chance = random.Random(seed)
    home = first_builds.home(tmp_path, {"founding.txt": F1}, settings=SMALL_BATCHES)
    write_files(corpus_of(home), _pages(40, "bell"))
    _kill_and_resume(home, [chance.uniform(0.0, 2.5) for _ in range(kills)])
    kept = _remembered(home)
    last = refreshed(home)
    built = first_builds.reports({"founding.txt": F1, **_pages(40, "bell")}, settings=SMALL_BATCHES)
    assert digests(last) == digests(built)
    assert kept + last["chunk_embeddings"].computed == built["chunk_embeddings"].computed
