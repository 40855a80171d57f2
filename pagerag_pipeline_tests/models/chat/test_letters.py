"""Letters are compared where a server tells how likely they are: found out once by a probe, kept, and never a reason to fail."""

import math
from collections.abc import Iterator

import pytest

from pagerag_pipeline.models.chat.letters import letter_chances, next_tokens
from pagerag_pipeline.schema.language import Reply
from pagerag_pipeline_tests.fakes import Notes
from pagerag_pipeline_tests.models.chat.opened import opened
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

CHANCES = {"B": -0.2, " A": -2.0, "(B)": -3.0, "a": -2.5, "The": -3.5}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.probe_letters = Say("A", chances={"A": -0.1, "B": -2.4})
        running.says(Say("B", chances=CHANCES))
        yield running


def test_the_chances_of_letters_are_summed_over_the_tokens_that_write_them(server: ScriptedServer) -> None:
    notes = Notes()
    run = opened(server, notes=notes)
    reply = run.ask(letters=("A", "B", "C"))
    assert isinstance(reply, Reply)
    assert reply.value == {"A": pytest.approx(-2.0), "B": pytest.approx(math.log(math.exp(-0.2) + math.exp(-3.0)))}
    (request,) = server.requests
    assert (request["logprobs"], request["top_logprobs"], request["max_tokens"]) == (True, 20, 4) and "response_format" not in request
    assert [message["role"] for message in request["messages"]] == ["user"], "no word about JSON"
    assert len(server.probes) == 2 and reply.spent.calls == 3
    assert {"logprobs": True} in notes.kept.values()
    opened(server, notes=notes).ask(letters=("A", "B"))
    assert len(server.probes) == 2, "what the probes found is kept"


@pytest.mark.parametrize("probe", [Say("A"), Say("logprobs are not supported with this model", status=400), Say("unknown field top_logprobs", status=422)])
def test_a_server_that_tells_none_is_asked_for_none_again(server: ScriptedServer, probe: Say) -> None:
    server.probe_letters = probe
    notes = Notes()
    failures = [opened(server, notes=notes).fail(letters=("A", "B")) for _ in range(2)]
    assert [failure.kind for failure in failures] == ["unsupported"] * 2 and "log probabilities" in failures[0].message
    assert server.calls == 0 and len(server.probes) == 2


def test_a_fault_on_the_way_to_the_probe_says_nothing_about_letters(server: ScriptedServer) -> None:
    server.probe_letters = Say("no such key", status=401)
    notes = Notes()
    assert opened(server, notes=notes).fail(letters=("A", "B")).kind == "rejected"
    assert not any("logprobs" in facts for facts in notes.kept.values())


@pytest.mark.parametrize("say", [Say("The", chances={"The": -0.1, "A": -2.0}), Say("a lamp", chances={"a": -0.1, "B": -2.0}), Say("I think", chances={"I": -0.1, "A": -2.0}), Say("B"), Say("no logprobs here", status=400)])
def test_what_is_told_of_no_letter_is_unsupported(server: ScriptedServer, say: Say) -> None:
    server.says(say)
    assert opened(server).fail(letters=("A", "B")).kind == "unsupported"


def test_letters_are_read_where_the_reply_says_something_and_strange_figures_are_left_out() -> None:
    row = [{"token": "\u2581B", "logprob": -0.5}, {"token": "A", "logprob": float("nan")}, {"token": "C", "logprob": None}, {"token": "D"}, {"token": "A", "logprob": 1e6}, "E"]
    choice = {"logprobs": {"content": [{"token": "\n", "logprob": 0.0, "top_logprobs": []}, {"token": "\u2581B", "logprob": -0.5, "top_logprobs": row}]}}
    assert letter_chances(next_tokens(choice), ("A", "B", "C")) == {"B": pytest.approx(-0.5)}
    for odd in ({}, {"logprobs": None}, {"logprobs": {"content": None}}, {"logprobs": {"content": ["B"]}}, {"logprobs": {"content": [{"token": "B"}]}}):
        assert next_tokens(odd) == ()


def written(*tokens: str) -> dict[str, float]:
    """The chances of A to I where these tokens were written, A also being likely at each place."""
    places = [{"token": token, "logprob": -0.5, "top_logprobs": [{"token": token, "logprob": -0.5}, {"token": "A", "logprob": -1.0}]} for token in tokens]
    return letter_chances(next_tokens({"logprobs": {"content": places}}), tuple("ABCDEFGHI"))


@pytest.mark.parametrize("tokens", [("B",), (" B",), ("(", "B", ")"), ("B.", " Paris"), ("**", "B", "**"), ("B", ":", " Paris"), ("\u2581B", "\n", "Because"), ("[B]",)])
def test_a_letter_by_itself_is_an_answer_in_its_usual_wrappings(tokens: tuple[str, ...]) -> None:
    assert written(*tokens) == {"A": pytest.approx(-1.0), "B": pytest.approx(-0.5)}


@pytest.mark.parametrize("tokens", [("The",), ("I", " think"), ("a",), ("a", " lamp"), ("A", " lamp"), ("A", "lan"), ("B", "\u2581is"), ("AB",), ("J",)])
def test_what_begins_or_is_a_word_is_no_letter(tokens: tuple[str, ...]) -> None:
    assert written(*tokens) == {}
