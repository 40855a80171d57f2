"""Requests end in a reply that fits or in a failure of a kind, whatever a server does; calls and tokens are counted either way."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from pagerag_pipeline.models.chat.client import model_fingerprint
from pagerag_pipeline.schema.language import Failure, Reply, Spent
from pagerag_pipeline.settings_chat import ChatSettings, Price
from pagerag_pipeline_tests.models.chat.opened import GOOD, Opened, opened
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.says(Say(GOOD))
        yield running


def several(run: Opened, number: int) -> list[Reply | Failure]:
    """What comes of requests from as many threads."""
    results: list[Reply | Failure] = []
    threads = [threading.Thread(target=lambda place=place: results.append(run.ask(f"Question {place}"))) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_a_reply_that_fits_comes_with_its_cost(server: ScriptedServer) -> None:
    server.says(Say(GOOD, usage={"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 600}}))
    run = opened(server, prices=(Price("small", 1.0, 10.0, 0.1),))
    run.ask()
    reply = run.ask()
    assert isinstance(reply, Reply) and (reply.value, reply.repaired, reply.raw) == (GOOD, False, "")
    assert reply.spent == Spent(1, 1000, 100, 600, 0, pytest.approx((400 + 60 + 1000) / 1_000_000))
    assert set(run.chat.spending.by("prompt")) == {"probe", "records"} and run.chat.spending.by("document")["a.txt"].calls == 2


def test_tokens_that_a_server_does_not_count_are_estimated_and_marked(server: ScriptedServer) -> None:
    server.says(Say(GOOD, usage=None))
    run = opened(server)
    run.ask()
    reply = run.ask()
    assert isinstance(reply, Reply) and reply.spent.estimated_calls == 1
    assert reply.spent.prompt_tokens > 50 and reply.spent.completion_tokens > 5


def test_a_chatty_reply_is_read_and_kept_for_audit(server: ScriptedServer) -> None:
    said = 'Sure: ```json {"name": "Tinworks", "year": 1901,} ``` hope it helps'
    server.says(Say(said))
    reply = opened(server).ask()
    assert isinstance(reply, Reply) and reply.value == GOOD and reply.raw == said
    assert server.calls == 1


@pytest.mark.parametrize(("first", "told"), [("{broken", "never ends"), ({"name": "Tinworks"}, "reply has no 'year'"), ({**GOOD, "year": "1901"}, "reply.year is no integer")])
def test_a_reply_that_does_not_fit_is_mended_by_one_call_that_quotes_the_fault(server: ScriptedServer, first: Any, told: str) -> None:
    server.says(Say(first), Say(GOOD))
    reply = opened(server).ask()
    assert isinstance(reply, Reply) and reply.value == GOOD and reply.repaired
    assert server.calls == 2 and told in server.prompts()[1] and "Which year?" in server.prompts()[1]


def test_a_reply_that_cannot_be_mended_is_a_failure_with_what_came(server: ScriptedServer) -> None:
    server.says(Say("no idea"), Say({"name": 3}), Say(GOOD))
    run = opened(server)
    failure = run.fail()
    assert (failure.kind, failure.raw) == ("malformed", '{"name": 3}')
    assert "reply.name is no string" in failure.message and "after one repair" in failure.message
    assert server.calls == 2 and isinstance(run.ask(), Reply)


def test_a_check_of_the_asking_verb_is_quoted_back_too(server: ScriptedServer) -> None:
    server.says(Say({**GOOD, "year": 3}), Say(GOOD))
    reply = opened(server).ask(faults=lambda value: ["the year is before the text"] if value["year"] < 1000 else [])
    assert isinstance(reply, Reply) and reply.repaired and "the year is before the text" in server.prompts()[1]


@pytest.mark.parametrize(
    ("say", "kind", "calls"),
    [
        (Say('{"name": "Tin', finish="length"), "truncated", 1),
        (Say('{"name": "' + "tin tin " * 60, finish="length"), "looping", 1),
        (Say('{"name": ' + "\n\t" * 200), "looping", 1),
        (Say("  "), "empty", 2),
        (Say(None), "empty", 2),
        (Say(None, refusal="I will not."), "refused", 1),
        (Say("x", finish="content_filter"), "refused", 1),
        (Say("I'm sorry, but I cannot help with that."), "refused", 1),
    ],
)
def test_replies_that_say_nothing_are_recognized_and_not_mended(server: ScriptedServer, say: Say, kind: str, calls: int) -> None:
    server.says(say)
    failure = opened(server).fail()
    assert (failure.kind, server.calls) == (kind, calls)
    assert failure.spent.calls == calls + 1, "the probe is part of the first request's cost"


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (Say("overloaded", status=500), "transport"),
        (Say("bad gateway", status=502), "transport"),
        (Say("slow down", status=429), "rate_limit"),
        (Say("gateway timeout", status=504), "timeout"),
        (Say(GOOD, disconnect=True), "transport"),
        (Say(body="<html>busy</html>"), "transport"),
        (Say(body='{"error": "loading model"}'), "transport"),
    ],
)
def test_what_may_pass_is_tried_again_with_growing_waits_and_then_given_up(server: ScriptedServer, bad: Say, kind: str) -> None:
    server.says(bad, bad, Say(GOOD))
    run = opened(server)
    reply = run.ask()
    assert isinstance(reply, Reply) and run.waiter.waits[:2] == [1.0, 2.0] and server.calls == 3
    server.says(bad)
    failure = opened(server, attempts=3).fail()
    assert (failure.kind, failure.spent.calls) == (kind, 4) and "3 calls" in failure.message


def test_retry_after_goes_before_backoff_and_within_the_total_time(server: ScriptedServer) -> None:
    busy = Say("slow down", status=429, headers={"retry-after": "7"})
    server.says(busy, Say(GOOD))
    run = opened(server)
    assert isinstance(run.ask(), Reply) and run.waiter.waits[0] == 7.0
    server.says(busy)
    failure = opened(server, total_seconds=15.0).fail()
    assert failure.kind == "rate_limit" and "asks to wait 7 s" in failure.message
    server.says(Say("slow down", status=429, headers={"retry-after": "3600"}))
    run = opened(server)
    assert run.fail().kind == "rate_limit" and run.waiter.waits == []


@pytest.mark.parametrize(("status", "told"), [(401, "PAGERAG_CHAT_API_KEY"), (403, "may not use"), (404, "The server has: small")])
def test_what_every_call_would_meet_ends_all_calls_at_once(server: ScriptedServer, status: int, told: str) -> None:
    server.probe = Say("no", status=status)
    run = opened(server)
    failures = [run.fail() for _ in range(5)]
    assert {failure.kind for failure in failures} == {"rejected"} and told in failures[0].message
    assert len(server.probes) == 1 and server.calls == 0 and run.waiter.waits == []


def test_an_account_without_money_is_not_asked_again(server: ScriptedServer) -> None:
    server.says(Say(status=429, body='{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}'))
    run = opened(server)
    assert [run.fail().kind for _ in range(3)] == ["rejected"] * 3 and server.calls == 1


def test_a_bad_request_fails_its_unit_alone(server: ScriptedServer) -> None:
    server.probe = Say("plain text")
    server.says(Say("your text is odd", status=400), Say(GOOD))
    run = opened(server)
    assert run.fail().kind == "rejected" and isinstance(run.ask(), Reply)


def test_a_server_that_is_not_there_is_given_up_and_looked_for_again_later(server: ScriptedServer) -> None:
    run = opened(server, base_url="http://127.0.0.1:9/v1", attempts=2, backoff_most=60.0)
    failures = [run.fail() for _ in range(8)]
    assert {failure.kind for failure in failures} == {"transport"} and "given up after 10 calls" in failures[-1].message
    assert sum(failure.spent.calls for failure in failures) == 10
    run.waiter.time += 60
    assert run.fail().spent.calls == 2


def test_a_call_ends_after_its_time_however_slowly_a_server_sends(server: ScriptedServer) -> None:
    run = opened(server, attempts=1, timeout_seconds=0.3)
    run.ask()
    server.says(Say(GOOD, slow=3.0))
    failure = run.fail()
    assert failure.kind == "timeout" and failure.spent.estimated_calls == 1 and failure.spent.prompt_tokens > 50


def test_what_cannot_fit_the_window_is_refused_before_a_call(server: ScriptedServer) -> None:
    run = opened(server, context_tokens=2000, reply_tokens=500)
    failure = run.fail("long text " * 1000)
    assert failure.kind == "too_long" and "2000" in failure.message and server.paths.total() == 0


def test_a_window_that_is_smaller_than_told_is_a_failure_of_that_kind(server: ScriptedServer) -> None:
    server.says(Say("This model's maximum context length is 4096 tokens.", status=400))
    failure = opened(server).fail()
    assert failure.kind == "too_long" and "chat.context_tokens" in failure.message and server.calls == 1


def test_no_more_calls_run_at_once_than_are_allowed(server: ScriptedServer) -> None:
    run = opened(server, concurrency=2)
    run.ask()
    server.says(Say(GOOD, delay=0.05))
    assert all(isinstance(reply, Reply) for reply in several(run, 8))
    assert server.at_once == 2


def test_a_ceiling_of_calls_stops_all_threads_exactly_there(server: ScriptedServer) -> None:
    run = opened(server, max_calls=6)
    results = several(run, 12)
    assert server.paths.total() == 6 and sum(isinstance(reply, Reply) for reply in results) == 5
    assert {result.kind for result in results if isinstance(result, Failure)} == {"ceiling"}
    assert run.chat.spending.total().calls == 6
    assert isinstance(opened(server, notes=run.notes, max_calls=6).ask(), Reply), "another run goes on"


def test_the_key_is_sent_and_told_to_nobody(server: ScriptedServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    key = "sk-very-secret-1234"
    server.says(Say(GOOD), Say(f"Incorrect API key provided: {key}", status=401))
    run = opened(server, key=key)
    run.ask()
    failure = run.fail()
    assert set(server.keys) == {f"Bearer {key}"}
    told = repr((failure, run.notes.kept, run.chat.spending.accounts()))
    assert failure.kind == "rejected" and "***" in failure.message and key not in told and key not in caplog.text


def test_a_fingerprint_follows_model_and_revision_and_not_the_address() -> None:
    plain = ChatSettings(base_url="http://a/v1", model="m")
    same = ChatSettings(base_url="http://b/v1", model="m", concurrency=9, timeout_seconds=1.0)
    others = [ChatSettings(model="n"), ChatSettings(model="m", revision="2"), ChatSettings(model="m", temperature=0.5), ChatSettings(model="m", extract_model="x")]
    assert model_fingerprint(plain, "extract") == model_fingerprint(same, "extract") == model_fingerprint(plain, "answer")
    assert len({model_fingerprint(one, "extract") for one in [plain, *others]}) == 5


def test_a_window_that_seems_to_cut_is_told_once_and_then_with_the_count(server: ScriptedServer, caplog: pytest.LogCaptureFixture) -> None:
    server.says(Say(GOOD, usage={"prompt_tokens": 1, "completion_tokens": 1}))
    run = opened(server)
    for _ in range(25):
        run.ask(text="word " * 400)
    told = [record.getMessage() for record in caplog.records if "cuts prompts" in record.getMessage()]
    assert len(told) == 2 and "so far" not in told[0] and "(10 prompts so far)" in told[1]
