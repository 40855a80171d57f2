"""A server is asked once how it takes requests, which is kept, and asked again when it refuses what it took."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pagerag_pipeline.schema.language import Reply
from pagerag_pipeline_tests.fakes import Notes
from pagerag_pipeline_tests.models.chat.opened import GOOD, opened
from pagerag_pipeline_tests.scripted_server import PROBED, Behavior, Say, ScriptedServer, scripted_server

PLAIN = "Blue, and the number is seven."


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.says(Say(GOOD))
        yield running


def takes(*kinds: str, status: int = 400) -> Callable[[dict[str, Any]], Say]:
    """A server that knows these types of `response_format`, and refuses or ignores others."""

    def behavior(request: dict[str, Any]) -> Say:
        given = request.get("response_format", {"type": "text"})
        if given["type"] not in (*kinds, "text"):
            return Say(f"response_format: type must be one of text, {', '.join(kinds)}", status=status)
        return Say(PROBED if given["type"] != "text" else PLAIN)

    return behavior


def words_only(request: dict[str, Any]) -> Say:
    """A server that takes every format and keeps to none."""
    return Say(PLAIN)


def when_told(request: dict[str, Any]) -> Say:
    """A server that takes every format and sends JSON, but knows the schema only from words."""
    return Say(PROBED if "The schema" in str(request["messages"]) else {"answer": "blue"})


@pytest.mark.parametrize(
    ("probe", "mode", "probes"),
    [
        (Say(PROBED), "json_schema", 1),
        (takes("json_object"), "json_object_schema", 2),
        (takes("json_object", status=500), "json_object_schema", 2),
        (when_told, "json_object", 3),
        (words_only, "plain", 4),
        (takes(), "plain", 4),
    ],
)
def test_the_best_mode_that_a_server_keeps_to_is_found_once_and_kept(server: ScriptedServer, probe: Behavior, mode: str, probes: int) -> None:
    server.probe = probe
    notes = Notes()
    for run in (opened(server, notes=notes), opened(server, notes=notes)):
        assert [isinstance(run.ask(), Reply) for _ in range(3)] == [True] * 3
    assert len(server.probes) == probes and server.calls == 6
    assert [facts["mode"] for facts in notes.kept.values()] == [mode]
    assert ("response_format" in server.requests[0]) == (mode != "plain")


@pytest.mark.parametrize(
    ("refused", "words", "kept"),
    [
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", {"limit": "max_completion_tokens"}),
        ("temperature", "'temperature' does not support 0 with this model.", {"temperature": False}),
        ("seed", "Unrecognized request argument: seed", {"seed": False}),
    ],
)
def test_a_field_that_a_server_does_not_take_is_left_out_from_then_on(server: ScriptedServer, refused: str, words: str, kept: dict[str, Any]) -> None:
    server.probe = lambda request: Say(words, status=400) if refused in request else Say(PROBED)
    run = opened(server)
    assert isinstance(run.ask(), Reply)
    (facts,) = run.notes.kept.values()
    assert facts == {"mode": "json_schema", "limit": "max_tokens", "temperature": True, "seed": True, "system": True, **kept}
    assert refused not in server.requests[0]


def test_a_template_without_a_system_role_gets_one_message(server: ScriptedServer) -> None:
    def one_role(request: dict[str, Any]) -> Say:
        return Say("System role not supported", status=400) if request["messages"][0]["role"] == "system" else Say(GOOD)

    server.says(one_role)
    assert isinstance(opened(server).ask("Which year?"), Reply)
    (message,) = server.requests[-1]["messages"]
    assert message["role"] == "user" and "The schema" in message["content"] and message["content"].endswith("Which year?")


def test_a_server_that_was_replaced_by_a_lesser_one_is_probed_again(server: ScriptedServer) -> None:
    notes = Notes()
    opened(server, notes=notes).ask()
    lesser = takes("json_object")
    server.probe = lesser
    server.says(lambda request: Say(GOOD) if lesser(request).status == 200 else lesser(request))
    run = opened(server, notes=notes)
    assert isinstance(run.ask(), Reply) and isinstance(run.ask(), Reply)
    assert [facts["mode"] for facts in notes.kept.values()] == ["json_object_schema"]
    assert len(server.probes) == 1 + 2


def test_a_schema_that_a_server_refuses_is_asked_for_in_the_next_mode_and_others_are_not(server: ScriptedServer) -> None:
    def strict(request: dict[str, Any]) -> Say:
        form = request["response_format"]
        return Say("Invalid schema for response_format", status=400) if "odd" in str(form.get("json_schema")) else Say({"odd": 1} if "odd" in str(request) else GOOD)

    server.says(strict)
    run = opened(server)
    odd = {"type": "object", "properties": {"odd": {"type": "integer"}}, "required": ["odd"]}
    assert isinstance(run.ask(schema=odd), Reply) and isinstance(run.ask(), Reply) and isinstance(run.ask(schema=odd), Reply)
    assert [request["response_format"]["type"] for request in server.requests] == ["json_schema", "json_object", "json_schema", "json_object"]
    assert [facts["mode"] for facts in run.notes.kept.values()] == ["json_schema"]


def test_what_was_kept_by_other_hands_is_probed_anew(server: ScriptedServer) -> None:
    notes = Notes()
    notes.kept[f"{server.base_url} small"] = {"mode": "telepathy", "limit": "max_tokens", "temperature": True, "seed": True, "system": True}
    assert isinstance(opened(server, notes=notes).ask(), Reply)
    assert len(server.probes) == 1 and [facts["mode"] for facts in notes.kept.values()] == ["json_schema"]


def test_a_server_that_fails_for_a_moment_is_not_taken_for_a_lesser_one(server: ScriptedServer) -> None:
    answers = iter([Say("internal error", status=500), Say(PROBED)])
    server.probe = lambda request: next(answers)
    run = opened(server)
    assert isinstance(run.ask(), Reply)
    assert [facts["mode"] for facts in run.notes.kept.values()] == ["json_schema"] and run.waiter.waits == [1.0]
