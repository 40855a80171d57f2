"""The refresh lock excludes, names its holder and ends with its process; progress of a dead process reads as abandoned."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pagerag_pipeline.stores.locks import Held, Progress, RefreshLock, holder, kept_still, read_progress, write_progress


def _other_holder(home: Path) -> subprocess.Popen[str]:
    code = """
import sys
from pathlib import Path
from pagerag_pipeline.stores.locks import Progress, RefreshLock, write_progress
lock = RefreshLock(Path(sys.argv[1]))
lock.acquire(False, "nightly refresh")
write_progress(Path(sys.argv[1]), Progress(run="r1", product="chunks", done=3, total=9, status="running"))
print("held", flush=True)
sys.stdin.readline()
"""
    process = subprocess.Popen([sys.executable, "-c", code, str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_free_home_has_no_holder_even_before_it_exists(tmp_path: Path):
    assert holder(tmp_path / "none") is None
    lock = RefreshLock(tmp_path / "home")
    lock.acquire(False, "refresh")
    lock.release()
    lock.release()
    assert holder(tmp_path / "home") is None


def test_two_locks_in_one_process_exclude_each_other(tmp_path: Path):
    with RefreshLock(tmp_path) as first:
        first.acquire(False, "partial materialization")
        with pytest.raises(Held) as caught:
            RefreshLock(tmp_path).acquire(False, "second")
        assert caught.value.holder.pid == os.getpid() and caught.value.holder.purpose == "partial materialization"
        assert "partial materialization" in str(caught.value) and str(os.getpid()) in str(caught.value)
        with pytest.raises(RuntimeError, match="already taken"):
            first.acquire(False, "again")
    second = RefreshLock(tmp_path)
    second.acquire(False, "second")
    second.release()


def test_homes_do_not_disturb_each_other(tmp_path: Path):
    with RefreshLock(tmp_path / "a") as one, RefreshLock(tmp_path / "b") as two:
        one.acquire(False, "a")
        two.acquire(False, "b")
        assert holder(tmp_path / "a") != holder(tmp_path / "b")


def test_a_lock_of_another_process_is_named_and_ends_when_it_is_killed(tmp_path: Path):
    process = _other_holder(tmp_path)
    try:
        with pytest.raises(Held) as caught:
            RefreshLock(tmp_path).acquire(False, "mine")
        assert caught.value.holder == holder(tmp_path)
        assert (caught.value.holder.pid, caught.value.holder.purpose) == (process.pid, "nightly refresh")
    finally:
        process.kill()
        process.wait()
    assert holder(tmp_path) is None
    with RefreshLock(tmp_path) as lock:
        lock.acquire(False, "mine")
        found = holder(tmp_path)
        assert found is not None and found.purpose == "mine"


def test_waiting_ends_with_the_release(tmp_path: Path):
    first, second = RefreshLock(tmp_path), RefreshLock(tmp_path)
    first.acquire(False, "first")
    thread = threading.Thread(target=second.acquire, args=(True, "second"))
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    first.release()
    thread.join(timeout=5)
    found = holder(tmp_path)
    assert found is not None and found.purpose == "second"
    second.release()


def test_asking_for_the_holder_never_makes_an_acquisition_fail(tmp_path: Path):
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            holder(tmp_path)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(50):
            lock = RefreshLock(tmp_path)
            lock.acquire(False, "refresh")
            lock.release()
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_forked_worker_does_not_keep_the_lock_alive(tmp_path: Path):
    lock = RefreshLock(tmp_path)
    lock.acquire(False, "parent")
    worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(30,))
    worker.start()
    try:
        assert holder(tmp_path) is not None
        lock.release()
        assert holder(tmp_path) is None
    finally:
        worker.kill()
        worker.join()


def test_a_killed_parent_frees_the_lock_though_its_forked_worker_lives(tmp_path: Path):
    code = """
import os, sys, time
from pathlib import Path
from pagerag_pipeline.stores.locks import RefreshLock
lock = RefreshLock(Path(sys.argv[1]))
lock.acquire(False, "parent")
worker = os.fork()
if not worker:
    print(os.getpid(), flush=True)
    time.sleep(30)
time.sleep(30)
"""
    parent = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    try:
        assert holder(tmp_path) is not None
        parent.kill()
        parent.wait()
        os.kill(worker, 0)
        assert holder(tmp_path) is None
    finally:
        os.kill(worker, signal.SIGKILL)


def test_a_home_that_was_removed_and_made_again_is_locked_anew(tmp_path: Path):
    home = tmp_path / "home"
    with RefreshLock(home) as old, RefreshLock(home) as new:
        old.acquire(False, "old")
        (home / "refresh.lock").unlink()
        new.acquire(False, "new")
        found = holder(home)
        assert found is not None and found.purpose == "new"


def test_progress_is_read_as_written(tmp_path: Path):
    assert read_progress(tmp_path) is None
    write_progress(tmp_path, Progress(run="r1", product="chunks", done=1, total=2, status="running"))
    read = read_progress(tmp_path)
    assert read is not None and (read.run, read.product, read.done, read.total, read.status, read.pid) == (
        "r1", "chunks", 1, 2, "running", os.getpid(),
    )  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


def test_progress_of_a_killed_process_is_abandoned(tmp_path: Path):
    process = _other_holder(tmp_path)
    running = read_progress(tmp_path)
    process.kill()
    # Not yet waited for: a zombie is as dead as a reaped process.
    deadline = time.monotonic() + 5
    while (read := read_progress(tmp_path)) and read.status == "running" and time.monotonic() < deadline:
        time.sleep(0.01)
    process.wait()
    after = read_progress(tmp_path)
    assert running is not None and running.status == "running"
    assert read is not None and read.status == "abandoned" and after is not None and after.status == "abandoned"


def test_a_pid_that_was_used_again_does_not_pass_for_the_dead_run(tmp_path: Path):
    write_progress(tmp_path, Progress(run="r1", product="chunks", done=1, total=2, status="running", process="boot:1"))
    read = read_progress(tmp_path)
    assert read is not None and read.status == "abandoned"


def test_finished_progress_stays_finished_after_its_process(tmp_path: Path):
    write_progress(tmp_path, Progress(run="r1", product="", done=2, total=2, status="done", pid=2**22 + 1, process="x"))
    read = read_progress(tmp_path)
    assert read is not None and read.status == "done"


def test_a_damaged_progress_file_reads_as_none(tmp_path: Path):
    (tmp_path / "progress.json").write_text(json.dumps({"what": 1}), encoding="utf-8")
    assert read_progress(tmp_path) is None


def test_who_looks_keeps_refreshes_out_and_leaves_no_trace(tmp_path: Path):
    with kept_still(tmp_path / "none"):
        assert not (tmp_path / "none").exists()
    with RefreshLock(tmp_path) as lock:
        lock.acquire(False, "refresh")
        with pytest.raises(Held, match="--wait"), kept_still(tmp_path):
            pass
    before = (tmp_path / "refresh.lock").read_bytes()
    with kept_still(tmp_path), kept_still(tmp_path):
        assert holder(tmp_path) is None
        with pytest.raises(Held):
            RefreshLock(tmp_path).acquire(False, "refresh")
    assert (tmp_path / "refresh.lock").read_bytes() == before


def test_one_who_only_looks_is_not_told_as_the_refresh_that_ended_before(tmp_path: Path):
    ended = _other_holder(tmp_path)
    ended.kill()
    ended.wait()
    with kept_still(tmp_path), pytest.raises(Held) as caught:
        RefreshLock(tmp_path).acquire(False, "refresh")
    assert "dry run" in str(caught.value) and str(ended.pid) not in str(caught.value)
