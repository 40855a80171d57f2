"""The sensor's decisions, with a clock of the test's own, and its ticks over a real folder."""

import json
import os
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest

from pagerag_pipeline.defs.sensors import LONGEST_RETRY_SECONDS, RETRY_SECONDS, Sight, Watch, corpus_sensor, decide
from pagerag_pipeline.settings import ScheduleSettings
from pagerag_pipeline.stores.corpus import corpus_digest, list_corpus
from pagerag_pipeline.stores.locks import Holder, RefreshLock
from pagerag_pipeline.stores.refreshed import Refreshed, write_refreshed

DEBOUNCE = 30.0
SIGHT = Sight(now=1000.0, digest="B", refreshed="A", busy=None, run=None)
FAILURE = dg.DagsterRunStatus.FAILURE


def asked(watch: Watch, sight: Sight) -> tuple[Watch, bool, str]:
    after, reason = decide(watch, sight, DEBOUNCE)
    return after, not reason, reason


def test_an_unchanged_corpus_asks_for_nothing():
    watch, run, reason = asked(Watch(), replace(SIGHT, digest="A"))
    assert (watch, run) == (Watch(), False)
    assert "as the latest refresh saw it" in reason


def test_a_change_starts_a_refresh_only_once_it_has_come_to_rest():
    watch, run, reason = asked(Watch(), SIGHT)
    assert not run and "quiet for 30 s" in reason
    watch, run, _ = asked(watch, replace(SIGHT, now=1020.0, digest="C"))
    assert not run
    watch, run, _ = asked(watch, replace(SIGHT, now=1049.0, digest="C"))
    assert not run
    watch, run, _ = asked(watch, replace(SIGHT, now=1050.0, digest="C"))
    assert run and watch.run_key.startswith("C:")


def test_a_change_is_asked_for_once_while_its_run_is_going():
    watch, _, _ = asked(Watch("B", 900.0), SIGHT)
    later, run, reason = asked(watch, replace(SIGHT, now=1060.0, run=dg.DagsterRunStatus.STARTED))
    assert not run and later == watch
    assert "started" in reason


def test_a_failed_refresh_is_tried_again_ever_more_rarely_under_new_keys():
    watch, sight, keys, pauses = Watch("B", 900.0), SIGHT, [], []
    for _ in range(12):
        watch, run, _ = asked(watch, sight)
        assert run
        keys.append(watch.run_key)
        watch, run, reason = asked(watch, replace(sight, run=FAILURE))
        assert not run and "has not succeeded" in reason
        pauses.append(watch.not_before - sight.now)
        early = replace(sight, now=watch.not_before - 1)
        assert not asked(watch, early)[1]
        sight = replace(sight, now=watch.not_before)
    assert len(set(keys)) == 12
    assert pauses[:3] == [RETRY_SECONDS, 2 * RETRY_SECONDS, 4 * RETRY_SECONDS]
    assert pauses[-1] == LONGEST_RETRY_SECONDS


def test_a_change_of_the_corpus_ends_the_pause_after_failures():
    watch = Watch("B", 900.0, "", attempts=5, not_before=9999.0)
    watch, _, _ = asked(watch, replace(SIGHT, digest="C"))
    assert asked(watch, replace(SIGHT, digest="C", now=1031.0))[1]


def test_going_back_to_an_older_state_is_a_new_change_with_a_new_key():
    first, _, _ = asked(Watch("A", 100.0), replace(SIGHT, digest="A", refreshed="B", now=200.0))
    again, _ = decide(Watch(), replace(SIGHT, digest="A", refreshed="B", now=5000.0), 0.0)
    assert first.run_key.startswith("A:") and again.run_key.startswith("A:")
    assert first.run_key != again.run_key


def test_a_held_home_is_named_and_costs_no_attempt():
    busy = Holder(pid=4711, started="2026-01-01T00:00:00+00:00", purpose="refresh_corpus", host="here")
    watch, run, reason = asked(Watch("B", 900.0), replace(SIGHT, busy=busy))
    assert not run and "4711" in reason and "here" in reason
    assert watch.attempts == 0
    assert asked(watch, SIGHT)[1]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text("Mara Quill founded Tinworks.", encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    (home / "pagerag.toml").write_text('[corpus]\nfolder = "corpus"\n[schedule]\ndebounce_seconds = 0\n', encoding="utf-8")
    return home


def tick(home: Path, instance: dg.DagsterInstance, cursor: str | None) -> dg.SensorResult | dg.SkipReason:
    context = dg.build_sensor_context(instance=instance, cursor=cursor)
    result = corpus_sensor(home, ScheduleSettings())(context)
    assert isinstance(result, dg.SensorResult | dg.SkipReason)
    return result


def test_ticks_ask_until_the_refresh_has_seen_the_listing(home: Path):
    with dg.DagsterInstance.ephemeral() as instance:
        first = tick(home, instance, None)
        assert isinstance(first, dg.SensorResult) and len(first.run_requests or []) == 1
        assert json.loads(first.cursor or "")["digest"] == corpus_digest(list_corpus(home.parent / "corpus").files)
        write_refreshed(home, Refreshed(corpus_digest(list_corpus(home.parent / "corpus").files), "g1", "now"))
        second = tick(home, instance, first.cursor)
        assert isinstance(second, dg.SensorResult) and not second.run_requests
        os.utime(home.parent / "corpus" / "a.txt", ns=(1, 1))
        third = tick(home, instance, second.cursor)
        assert isinstance(third, dg.SensorResult) and len(third.run_requests or []) == 1


def test_a_tick_names_the_process_that_refreshes(home: Path):
    lock = RefreshLock(home)
    lock.acquire(False, "refresh by hand")
    try:
        with dg.DagsterInstance.ephemeral() as instance:
            result = tick(home, instance, None)
        assert isinstance(result, dg.SensorResult) and not result.run_requests
        assert str(os.getpid()) in str(result.skip_reason) and "refresh by hand" in str(result.skip_reason)
    finally:
        lock.release()


def test_a_missing_corpus_folder_is_a_reason_not_a_failure(home: Path):
    (home.parent / "corpus" / "a.txt").unlink()
    (home.parent / "corpus").rmdir()
    with dg.DagsterInstance.ephemeral() as instance:
        result = tick(home, instance, None)
    assert isinstance(result, dg.SkipReason) and "does not exist" in str(result.skip_message)
