"""CST, RES, EXT, COM and CTX where a chat model builds: what a refresh asks, spends, keeps of what failed, and never asks twice."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh.asking import CeilingReached
from pagerag_pipeline.refresh.estimating import estimate
from pagerag_pipeline.refresh.ledger import TooManyFailures
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.settings_file import load_settings, with_ceilings
from pagerag_pipeline.stores.generations import current_name
from pagerag_pipeline.stores.locks import read_progress
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.stories import show_entity
from pagerag_pipeline.stores.work import WORK_FILE
from pagerag_pipeline_tests.cases.conftest import Command
from pagerag_pipeline_tests.chat_replies import asked, prompt_of, reply
from pagerag_pipeline_tests.homes import STUB_MODELS, copy_home, corpus_of, digests, make_home, refreshed, write_files
from pagerag_pipeline_tests.scripted_server import Behavior, Say, ScriptedServer, scripted_server

SMALL = f"{STUB_MODELS}\n[chunk]\nchunk_tokens = 60\nchunk_min_tokens = 30\npassage_tokens = 40\ncontext_tokens = 10\n\n[summarize]\nsummary_tokens = 24\n"
NAMES = ("Mara Quill", "Odo Fenn", "Ida Holt", "Sister Bell", "Tam Rook")


def day(number: int) -> str:
    """A paragraph of about one chunk."""
    first, second, third = (NAMES[(number + step) % len(NAMES)] for step in (0, 1, 3))
    return (
        f"On day {number} {first} met {second} at the mill and they spoke of tin. Later {second} wrote to {third} about bell {number}. "
        f"The bell was rung {number * 7} times before noon. Nobody in the yard had asked for that, and the clerk noted it in his book."
    )


BOOK = "\n\n".join(day(number) for number in range(14))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.says(reply)
        yield running


def home_of(folder: Path, server: ScriptedServer, files: dict[str, str], **chat: Any) -> Path:
    """A home in chat mode over some files, not refreshed yet."""
    knobs: dict[str, Any] = {"base_url": server.base_url, "model": "small", "backoff_seconds": 0.01, "backoff_most": 0.05, **chat}
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in knobs.items())
    return make_home(folder, files, settings=f"{SMALL}\n[chat]\n{lines}\n")


def unless(marked: str, other: Behavior, *, prompt: str = "extract") -> Behavior:
    """A behavior that says something else to requests of a prompt that hold a mark."""

    def behavior(request: dict[str, Any]) -> Say:
        if prompt_of(request) == prompt and marked in asked(request):
            return other if isinstance(other, Say) else other(request)
        return reply(request)

    return behavior


def told(server: ScriptedServer, since: int = 0) -> Counter[str]:
    """Calls by prompt."""
    return Counter(prompt_of(request) for request in server.requests[since:])


def work_rows(home: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(home / WORK_FILE), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_cst_02_03_and_05_a_build_tells_what_it_spent_and_was_expected_to_and_a_second_one_asks_nothing(tmp_path: Path, server: ScriptedServer) -> None:
    home = home_of(tmp_path, server, {"book.txt": BOOK, "note.txt": day(99)})
    before = {one["stage"]: one for one in estimate(home, load_settings(home))["stages"]}
    assert server.calls == 0 and not (home / WORK_FILE).exists()
    reports = refreshed(home)
    spent = {name: report.details["chat"] for name, report in reports.items() if "chat" in report.details}
    assert set(spent) == {"document_profiles", "entity_records", "communities", "summary_tree"}
    by_prompt = Counter({prompt.removesuffix("_narrative"): one["calls"] for chat in spent.values() for prompt, one in chat["prompts"].items()})
    assert set(by_prompt) == {"profile", "extract", "summarize", "report"}
    # A probe of the server is paid by the unit that needed it.
    assert not told(server) - by_prompt and (by_prompt - told(server)).total() == len(server.probes)
    assert spent["entity_records"]["documents"]["note.txt"]["calls"] == 1 and spent["entity_records"]["documents"]["book.txt"]["calls"] > 9
    for chat in spent.values():
        for stage, one in chat["stages"].items():
            assert one["expected"]["calls"][0] <= one["calls"] <= one["expected"]["calls"][1] + len(server.probes), stage
            assert 0.2 < one["ratio"] < 2.0, (stage, one)
            assert 0.5 < one["calls"] / max(before[stage]["calls"][1], 1) <= 3.0 or stage == "reports", (stage, before[stage])
    run = reports["hybrid_repository"].details["chat_run"]
    assert run["calls"] == server.calls + len(server.probes) and run["tokens"] > 0
    calls = server.calls
    again = refreshed(home)
    assert server.calls == calls and digests(again) == digests(reports)
    assert [one["calls"] for one in estimate(home, load_settings(home))["stages"]] == [(0, 0)] * 4


def test_cst_04_a_build_stops_at_its_cap_publishes_nothing_and_goes_on_without_paying_twice(tmp_path: Path, server: ScriptedServer, pagerag: Command) -> None:
    home = home_of(tmp_path / "capped", server, {"book.txt": BOOK})
    stopped = pagerag("refresh", "--home", home, "--max-calls", "12")
    assert (stopped.code, stopped.object["status"], stopped.object["kind"]) == (3, "stopped", "CeilingReached")
    assert "chat.max_calls = 12" in stopped.error and "goes on from there" in stopped.error
    standing = pagerag("status", "--home", home).object
    assert standing["refresh"]["status"] == "stopped" and standing["refresh"]["error"].startswith("Stopped in ") and "goes on" in standing["next"]
    assert server.calls + len(server.probes) <= 12 and current_name(home) is None
    assert work_rows(home, "SELECT count(*) FROM ledger_entity_records WHERE status <> 'ok'") == [(0,)]
    first = server.calls
    with pytest.raises(CeilingReached):
        refreshed(home, settings=with_ceilings(load_settings(home), max_tokens=9_000))
    assert server.calls > first
    reports = refreshed(home)
    assert read_progress(home) is not None and pagerag("status", "--home", home).object["next"] == ""
    calls, server.requests = server.calls, []
    clean = refreshed(home_of(tmp_path / "clean", server, {"book.txt": BOOK}))
    assert calls == server.calls and digests(reports) == digests(clean)


def test_a_ceiling_in_dollars_needs_a_price_and_one_at_all_a_model(tmp_path: Path, server: ScriptedServer, pagerag: Command) -> None:
    home = home_of(tmp_path, server, {"note.txt": day(1)})
    unpriced = pagerag("refresh", "--home", home, "--max-usd", "1")
    assert unpriced.code == 2 and "[[chat.prices]]" in unpriced.error and server.calls == 0
    plain = make_home(tmp_path / "plain", {"note.txt": day(1)})
    assert pagerag("refresh", "--home", plain, "--max-calls", "1").code == 2
    told_estimate = pagerag("estimate", "--home", home)
    assert told_estimate.code == 0 and told_estimate.object["unpriced"] == ["small"] and told_estimate.object["total"]["calls"][0] >= 2
    assert pagerag("estimate", "--home", plain).object["stages"] == []


def test_a_killed_build_loses_no_more_than_calls_in_flight(tmp_path: Path, server: ScriptedServer) -> None:
    clean = home_of(tmp_path / "clean", server, {"book.txt": BOOK})
    built = refreshed(clean)
    whole, server.requests = server.calls, []
    server.says(lambda request: replace(reply(request), delay=0.05))
    home = home_of(tmp_path / "killed", server, {"book.txt": BOOK})
    process = subprocess.Popen([sys.executable, "-m", "pagerag_pipeline_tests.refresh.killed", str(home)], stdout=subprocess.PIPE, text=True)
    while server.calls < 10 and process.poll() is None:
        time.sleep(0.01)
    process.kill()
    process.wait()
    killed = server.calls
    assert 10 <= killed < whole
    server.says(reply)
    reports = refreshed(home)
    in_flight = 2 * load_settings(home).chat.concurrency + 1
    assert whole <= server.calls <= whole + in_flight and digests(reports) == digests(built)


def test_res_10_another_summary_model_asks_for_summaries_and_reports_alone_and_no_way_back_costs_anything(tmp_path: Path, server: ScriptedServer) -> None:
    home = home_of(tmp_path, server, {"book.txt": BOOK})
    first = refreshed(home)
    settings = load_settings(home)
    calls = server.calls
    other = refreshed(home, settings=replace(settings, chat=replace(settings.chat, summarize_model="other")))
    assert set(told(server, calls)) == {"summarize", "report"} and {request["model"] for request in server.requests[calls:]} == {"other"}
    assert {name for name, value in digests(other).items() if value != digests(first)[name]} <= {"communities", "summary_tree", "hybrid_repository"}
    calls = server.calls
    offline = refreshed(home, settings=replace(settings, build=replace(settings.build, ask=False)))
    assert "chat" not in offline["entity_records"].details
    assert digests(offline) == digests(refreshed(make_home(tmp_path / "plain", {"book.txt": BOOK}, settings=SMALL))), "as if no server had ever been set"
    back = refreshed(home)
    assert server.calls == calls and digests(back) == digests(first) != digests(offline)


def test_ext_05_one_broken_chunk_fails_alone_and_is_asked_for_again_alone(tmp_path: Path, server: ScriptedServer) -> None:
    files = {f"{n:02}.txt": day(n) for n in range(10)}
    server.says(unless("bell 7.", Say("no JSON at all, sorry to say {")))
    home = home_of(tmp_path, server, files)
    reports = refreshed(home)
    (failure,) = reports["entity_records"].details["failures"]
    assert failure[1].startswith("malformed: ") and reports["entity_records"].failed == 1
    assert work_rows(home, "SELECT count(DISTINCT l.unit) FROM ledger_entity_records l JOIN units u ON u.key = l.key") == [(9,)]
    assert work_rows(home, "SELECT sum(calls) FROM spending WHERE NOT kept") == [(2,)]
    assert "no JSON at all" not in str(work_rows(home, "SELECT * FROM contents")) and current_name(home) is not None
    calls = server.calls
    server.says(reply)
    mended = refreshed(home)
    again = told(server, calls)
    assert again["extract"] == 1 and again["profile"] == 0 and mended["entity_records"].failed == 0


def test_too_many_failures_fail_the_product_which_says_which_and_keeps_the_rest(tmp_path: Path, server: ScriptedServer) -> None:
    server.says(unless("Odo Fenn", Say("{")))
    home = home_of(tmp_path, server, {f"{n:02}.txt": day(n) for n in range(5)})
    with pytest.raises(TooManyFailures, match=r"entity_records: \d of 5 units failed, more than the share of 0\.2.*malformed"):
        refreshed(home)
    kept = work_rows(home, "SELECT count(*) FROM ledger_entity_records WHERE status = 'ok'")[0][0]
    assert 0 < kept < 5 and current_name(home) is None
    calls = server.calls
    server.says(reply)
    refreshed(home)
    assert told(server, calls)["extract"] == 5 - kept


def test_ext_03_a_report_that_failed_is_missed_and_told_and_made_by_the_next_refresh(tmp_path: Path, server: ScriptedServer) -> None:
    clubs = [("Anna Reed", "Bert Moss", "Cora Lind"), ("Dora Hale", "Emil Frost", "Fay Green"), ("Gus Harte", "Hanna Ives", "Ivo Jess")]
    files = {f"{club[0]}.txt": f"{club[0]} met {club[1]} there. {club[1]} saw {club[2]} once. {club[2]} wrote to {club[0]} twice." for club in clubs}
    server.says(unless("Anna Reed", Say("", refusal="I would rather not."), prompt="report"))
    home = home_of(tmp_path, server, files)
    settings = load_settings(home)
    lenient = replace(settings, build=replace(settings.build, max_failed_share=0.5))
    reports = refreshed(home, settings=lenient)
    failed, made = (work_rows(home, f"SELECT count(*) FROM ledger_reports WHERE status = '{status}'")[0][0] for status in ("failed", "ok"))
    assert failed and made and reports["communities"].failed == 1
    assert work_rows(home, "SELECT count(*) FROM reports") == [(made,)]
    assert work_rows(home, "SELECT error FROM ledger_reports WHERE status = 'failed'")[0][0].startswith("refused: ")
    with QueryEngine(home, replace(lenient, chat=replace(settings.chat, base_url="", model=""))) as engine:
        assert engine.ask("Who met Bert Moss there?").status in ("answered", "partial", "refused")
    calls = server.calls
    server.says(reply)
    mended = refreshed(home, settings=lenient)
    assert told(server, calls) == {"report": 1} and mended["communities"].failed == 0
    assert work_rows(home, "SELECT count(*) FROM reports") == [(made + failed,)]


def test_res_01_a_build_waits_as_long_as_a_slow_server_asks_and_loses_nothing(tmp_path: Path, server: ScriptedServer) -> None:
    slow: list[Behavior] = [Say("slow down", status=429, headers={"retry-after": "0.1"})] * 6
    server.says(*[reply] * 5, *slow, reply)
    reports = refreshed(home_of(tmp_path, server, {"book.txt": BOOK}))
    assert reports["entity_records"].failed == 0 and reports["entity_records"].details["chat"]["calls"] >= 6
    assert sum(server_calls for server_calls in told(server).values()) == server.calls


def test_res_04_a_call_that_is_never_answered_fails_its_unit_and_the_rerun_makes_one_call(tmp_path: Path, server: ScriptedServer) -> None:
    server.says(unless("bell 3.", Say({}, delay=1.0)))
    home = home_of(tmp_path, server, {f"{n:02}.txt": day(n) for n in range(6)}, timeout_seconds=0.3, attempts=1)
    reports = refreshed(home)
    assert [error.partition(":")[0] for _, error in reports["entity_records"].details["failures"]] == ["timeout"]
    server.says(reply)
    calls = server.calls
    assert refreshed(home)["entity_records"].failed == 0 and told(server, calls)["extract"] == 1
    assert work_rows(home, "SELECT max(attempts) FROM ledger_entity_records") == [(0,)]


def test_ext_11_a_model_that_reads_nothing_is_told(tmp_path: Path, server: ScriptedServer) -> None:
    server.says(unless("", Say({"units": []})))
    report = refreshed(home_of(tmp_path, server, {"book.txt": BOOK}))["entity_records"]
    assert report.details["left_out"]["texts_without_units"] > 0 and "read nothing in" in report.details["warnings"][0]


def test_com_03_the_same_output_for_any_delay(tmp_path: Path, server: ScriptedServer) -> None:
    first = refreshed(home_of(tmp_path / "one", server, {"book.txt": BOOK}))
    server.says(lambda request: replace(reply(request), delay=(len(asked(request)) * 7919 % 13) / 200))
    late = refreshed(home_of(tmp_path / "two", server, {"book.txt": BOOK}, concurrency=7))
    assert digests(first) == digests(late)


def test_records_and_passages_by_a_model_when_they_are_switched_on(tmp_path: Path, server: ScriptedServer) -> None:
    home = home_of(tmp_path, server, {"book.txt": BOOK})
    settings = load_settings(home)
    whole = replace(settings, build=replace(settings.build, partition=True, records=True, glean_rounds=1))
    reports = refreshed(home, settings=whole)
    prompts = told(server)
    assert prompts["records"] >= prompts["extract"] == prompts["glean"] > 9
    assert work_rows(home, "SELECT count(*) > 0 FROM ledger_passage_records l JOIN records r ON r.key = l.key") == [(True,)]
    assert refreshed(home, settings=whole)["entity_records"].details["chat"]["calls"] == 0
    calls = server.calls
    assert digests(refreshed(home, settings=settings)) != digests(reports) and told(server, calls)["extract"] == prompts["extract"]
    assert work_rows(home, "SELECT count(*) FROM ledger_passage_records") == [(0,)]


def test_one_edited_sentence_asks_for_what_it_touches(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagerag_pipeline.indexing.asking.profile._EXCERPT", 200)
    home = home_of(tmp_path, server, {"book.txt": BOOK})
    refreshed(home)
    calls = server.calls
    write_files(corpus_of(home), {"book.txt": BOOK.replace("rung 70 times", "rung 71 times")})
    refreshed(home)
    again = told(server, calls)
    levels = work_rows(home, "SELECT max(level) FROM tree")[0][0]
    assert again["profile"] == 0 and 1 <= again["extract"] <= 3 and again["summarize"] <= 2 * levels, "the profile reads three excerpts"
    calls = server.calls
    write_files(corpus_of(home), {"book.txt": f"A preface. {BOOK}"})
    refreshed(home)
    assert told(server, calls)["profile"] == 1


def test_what_a_summary_says_is_told_only_to_who_may_see_all_that_it_was_made_of(tmp_path: Path, server: ScriptedServer) -> None:
    def digested(request: dict[str, Any]) -> Say:
        if prompt_of(request) != "summarize":
            return reply(request)
        return Say({"statements": [{"text": f"Told as {content_id(asked(request))[:8]}.", "labels": ["S1"]}]})

    server.says(digested)
    files = {f"{n}.txt": "\n\n".join(day(n + more) for more in (0, 40, 80)) for n in range(3)}
    home = home_of(tmp_path, server, files)
    refreshed(home)
    repository = open_repository(home, load_settings(home))
    try:
        ((root, told_by),) = repository.rows("SELECT embed_key, text FROM data.tree WHERE document = '' AND level > 0")
        ((own, own_text, document),) = repository.rows("SELECT embed_key, text, document FROM data.tree WHERE document = '1.txt' AND level > 0")
        ((cited, quote),) = repository.rows("SELECT q.document, q.quote FROM data.tree_quotes q JOIN data.tree t USING (node_id) WHERE t.embed_key = ?", [root])
        assert repository.summaries([root], Scope())[0].text == told_by == repository.summaries([root], Scope(tuple(files)))[0].text
        assert repository.summaries([root], Scope((cited,)))[0].text == quote != told_by
        assert repository.summaries([own], Scope((document,)))[0].text == own_text
    finally:
        repository.close()


def test_pk_2_what_much_is_said_of_is_condensed_once_where_that_is_switched_on(tmp_path: Path, server: ScriptedServer) -> None:
    text = "\n\n".join(day(number) for number in range(3))
    home = home_of(tmp_path, server, {"a.txt": text})
    settings = load_settings(home)
    on = replace(settings, build=replace(settings.build, describe=True, condense_tokens=30))
    refreshed(home)
    (expected,) = [one["calls"] for one in estimate(home, on)["stages"] if one["stage"] == "descriptions"]
    calls = server.calls
    reports = refreshed(home, settings=on)
    condensed = told(server, calls)["describe"]
    assert told(server, calls) == {"describe": condensed} and 1 <= condensed <= expected[1]
    assert work_rows(home, "SELECT count(*) FROM description_memory WHERE condensed") == [(condensed,)]
    found = show_entity(home, on, "Odo Fenn")["description"]
    assert found["condensed"] and found["quotes"] and all(text[one["start"] : one["end"]] == one["quote"] for one in found["quotes"])
    calls = server.calls
    assert digests(refreshed(home, settings=on)) == digests(reports) and estimate(home, on)["total"]["calls"] == (0, 0)
    refreshed(home)
    assert show_entity(home, settings, "Odo Fenn")["description"] is None
    assert digests(refreshed(home, settings=on)) == digests(reports) and server.calls == calls


def test_a_server_may_be_left_to_questions_and_a_refresh_asks_it_nothing(tmp_path: Path, server: ScriptedServer, pagerag: Command) -> None:
    home = home_of(tmp_path, server, {"note.txt": day(1)})
    (finding,) = [one for one in pagerag("doctor", "--home", home).object["findings"] if one["name"] == "chat"]
    assert "the next refresh ask it" in finding["found"] and any("ask = false" in note for note in pagerag("estimate", "--home", home).object["notes"])
    (home / "pagerag.toml").write_text((home / "pagerag.toml").read_text(encoding="utf-8") + "\n[build]\nask = false\n", encoding="utf-8")
    (finding,) = [one for one in pagerag("doctor", "--home", home).object["findings"] if one["name"] == "chat"]
    assert "a refresh does not" in finding["found"] and pagerag("estimate", "--home", home).object["stages"] == []
    capped = pagerag("refresh", "--home", home, "--max-calls", "1")
    assert capped.code == 2 and "ask = false" in capped.error
    reports = refreshed(home)
    assert server.paths.total() == 0 and not any("chat" in report.details for report in reports.values())
    with QueryEngine(home) as engine:
        assert engine.ask("Who wrote about bell 1?").usage.calls > 0


def test_settings_of_the_build_are_switches(tmp_path: Path, server: ScriptedServer) -> None:
    home = home_of(tmp_path, server, {"note.txt": day(1)})
    settings: Settings = load_settings(home)
    off = replace(settings, build=replace(settings.build, profile=False, extract=False, summarize=False, report=False))
    assert "chat" not in refreshed(home, settings=off)["entity_records"].details and server.calls == 0
    copied = copy_home(home, tmp_path / "copy")
    assert refreshed(copied, settings=replace(off, corpus=load_settings(copied).corpus))["entity_records"].failed == 0


NOTES = {f"{n}.txt": day(n) for n in range(3)}


def test_an_estimate_after_a_stop_covers_what_is_left(tmp_path: Path, server: ScriptedServer) -> None:
    home = home_of(tmp_path, server, NOTES)
    left = []
    while True:
        calls = server.calls + len(server.probes)
        least, most = estimate(home, load_settings(home))["total"]["calls"]
        try:
            refreshed(home, settings=with_ceilings(load_settings(home), max_calls=4))
        except CeilingReached:
            left.append((calls, least, most))
        else:
            break
    whole = server.calls + len(server.probes)
    assert len(left) >= 2 and all(least <= whole - calls <= most + len(server.probes) for calls, least, most in left), (whole, left)


def test_a_server_that_dies_in_the_middle_and_comes_back_is_paid_once(tmp_path: Path, server: ScriptedServer) -> None:
    home = home_of(tmp_path, server, NOTES, attempts=2, total_seconds=1.0)
    server.says(*[reply] * 4, Say("down", status=503))
    with pytest.raises(TooManyFailures, match="503"):
        refreshed(home)
    assert current_name(home) is None
    kept = work_rows(home, "SELECT count(*) FROM spending WHERE kept")[0][0]
    assert kept == 4
    server.says(reply)
    server.requests = []
    reports = refreshed(home)
    asked_again = server.calls
    server.requests = []
    assert digests(refreshed(home_of(tmp_path / "clean", server, NOTES))) == digests(reports) and asked_again == server.calls - kept


@pytest.mark.parametrize(("status", "told_so"), [(401, "PAGERAG_CHAT_API_KEY"), (403, "may not use"), (404, "The server has: small")])
def test_a_wrong_key_or_model_ends_a_build_at_once_says_what_to_do_and_leaves_nothing_behind(
    tmp_path: Path, server: ScriptedServer, status: int, told_so: str
) -> None:
    home = home_of(tmp_path, server, NOTES)
    server.probe = Say("no such thing", status=status)
    with pytest.raises(TooManyFailures, match=f"{status}: no such thing.*{told_so}"):
        refreshed(home)
    assert server.calls == 0 and len(server.probes) == 1, "one call is enough to know"
    assert work_rows(home, "SELECT count(*) FROM profiles") == [(0,)] and current_name(home) is None


@pytest.mark.parametrize("odd", ["Ma\x00ra", "Ma\x07ra\x1b[31m", "Ma\ud800ra", "\u041c\u0430\u0440\u0430"])
def test_signs_that_no_text_has_reach_no_table_and_break_no_build(tmp_path: Path, server: ScriptedServer, odd: str) -> None:
    def strange(request: dict[str, Any]) -> Say:
        written = json.dumps(reply(request).content).replace("Mara", json.dumps(odd)[1:-1])
        return Say(written)

    server.says(strange)
    home = home_of(tmp_path, server, {"0.txt": day(0)})
    reports = refreshed(home)
    assert all(report.failed == 0 for report in reports.values())
    tables = ("profiles", "units", "records", "nodes", "edges", "report_memory", "summary_memory", "rejected_items")
    texts = [str(value) for table in tables for row in work_rows(home, f"SELECT * FROM {table}") for value in row]
    assert texts and not [text for text in texts if any((ord(sign) < 32 and sign not in "\n\t") or 0xD800 <= ord(sign) < 0xE000 for sign in text)]
