"""The line to an embeddings server: what is tried again, what is given up, and how one model is told from another of its name."""

import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pagerag_pipeline.models.chat.transport import Transport
from pagerag_pipeline.models.endpoint.line import PROBE, EmbeddingFault, EmbeddingLine
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline_tests.fakes import FakeWaiter, Notes
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

KEY = "sk-secret-of-the-embedder"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        yield running


def opened(server: ScriptedServer, **changes: Any) -> tuple[EmbeddingLine, FakeWaiter]:
    settings = EmbedSettings(model="embedder", base_url=server.base_url, timeout_seconds=5.0, **changes)
    waiter = FakeWaiter()
    return EmbeddingLine(settings, Transport(settings.base_url, KEY, section="embed"), waiter), waiter


def test_a_busy_server_is_asked_again_and_every_call_is_counted(server: ScriptedServer) -> None:
    server.embed_script = [Say("busy", status=429, headers={"retry-after": "3"}), Say("down", status=503), Say(disconnect=True)]
    line, waiter = opened(server)
    assert line.vectors(["abc"]).shape == (1, 3)
    assert waiter.waits == [3.0, 2.0, 4.0] and line.spent.calls == 4
    assert server.keys == [f"Bearer {KEY}"] * 4 and server.embedded[0]["encoding_format"] == "float" and "dimensions" not in server.embedded[0]


def test_each_thread_is_told_what_it_took_itself(server: ScriptedServer) -> None:
    line, _ = opened(server)
    line.vectors(["abc"])
    took: list[int] = []
    other = threading.Thread(target=lambda: (line.vectors(["abc"]), line.vectors(["abc"]), took.append(line.spent.calls)))
    other.start()
    other.join()
    assert took == [2] and line.spent.calls == 1 and len(server.embedded) == 3


@pytest.mark.parametrize(
    ("say", "kind", "told", "calls"),
    [
        (Say("no such key", status=401), "rejected", "PAGERAG_EMBED_API_KEY", 1),
        (Say("no such model", status=404), "rejected", "embed.base_url", 1),
        (Say("This input has too many tokens", status=400), "too_long", "embed.window", 1),
        (Say("down", status=503), "transport", "Given up after 3 calls", 3),
        (Say(body="<html>"), "transport", "something else than JSON", 3),
        (Say(body='{"error": {"message": "loading"}}'), "transport", "sent no data", 3),
        (Say(body='{"data": []}'), "malformed", "0 vectors came for 1 texts", 1),
        (Say(body='{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}'), "malformed", "finite", 1),
    ],
)
def test_what_cannot_be_had_is_a_typed_failure_without_the_key(server: ScriptedServer, say: Say, kind: str, told: str, calls: int) -> None:
    server.embed_script = [say] * 10
    line, _ = opened(server, attempts=3)
    with pytest.raises(EmbeddingFault) as caught:
        line.vectors(["abc"])
    assert caught.value.kind == kind and told in str(caught.value) and KEY not in str(caught.value)
    assert "embedder" in str(caught.value) and server.base_url in str(caught.value) and len(server.embedded) == calls


def test_the_total_time_bounds_all_waits(server: ScriptedServer) -> None:
    server.embed_script = [Say("busy", status=429, headers={"retry-after": "30"})] * 10
    line, waiter = opened(server, total_seconds=50.0, attempts=10)
    with pytest.raises(EmbeddingFault):
        line.vectors(["abc"])
    assert waiter.waits == [30.0]


def test_another_dimension_than_was_asked_for_or_known_is_refused(server: ScriptedServer) -> None:
    line, _ = opened(server, dimensions=2)
    with pytest.raises(EmbeddingFault, match="3 dimensions, expected 2"):
        line.vectors(["abc"])
    assert server.embedded[0]["dimensions"] == 2
    known, _ = opened(server)
    assert known.dimension == 3
    server.embed = lambda text: [1.0, 2.0]
    with pytest.raises(EmbeddingFault, match="2 dimensions, expected 3"):
        known.vectors(["abc"])


def test_a_model_is_known_by_the_vector_of_a_probe_noise_apart(server: ScriptedServer) -> None:
    notes = Notes()

    def print_of(vector: list[float], *, write: bool = True) -> str:
        server.embed = lambda text: vector if text == PROBE else [1.0, 0.0, 0.0]
        line, _ = opened(server)
        line.recognize(notes, write=write)
        return line.print

    first = print_of([0.6, 0.8, 0.0])
    assert first and print_of([0.60003, 0.79998, 0.00002]) == first
    other = print_of([0.8, 0.6, 0.0])
    assert other != first and print_of([0.8, 0.6, 0.00001], write=False) == other and print_of([0.6, 0.8, 0.0]) == first
    assert notes.kept and not any(server.base_url in key for key in notes.kept)
    before = dict(notes.kept)
    assert print_of([0.0, 0.0, 1.0, 0.0], write=False) not in (first, other) and notes.kept == before
    assert len(np.array(next(iter(notes.kept.values()))["probes"])) == 2


def test_what_was_noted_under_an_address_is_still_known(server: ScriptedServer) -> None:
    notes = Notes()
    notes.kept[f"{server.base_url} embeddings embedder 0"] = {"probes": [[0.6, 0.8, 0.0]]}
    server.embed = lambda text: [0.60003, 0.79998, 0.00002]
    line, _ = opened(server)
    line.recall(notes)
    told = line.print
    line.recognize(notes, write=True)
    assert told == line.print != "" and list(notes.kept) == [f"{server.base_url} embeddings embedder 0"]


@pytest.mark.parametrize(("cosine", "same"), [(0.9996, True), (0.9994, False)])
def test_every_reply_must_agree_with_the_model_that_was_recognized(server: ScriptedServer, cosine: float, same: bool) -> None:
    server.embed = lambda text: [1.0, 0.0, 0.0]
    line, _ = opened(server)
    line.recognize(Notes(), write=True)
    server.embed = lambda text: [cosine, float(np.sqrt(1 - cosine**2)), 0.0] if text == PROBE else [0.0, 0.0, 1.0]
    for ask in (lambda: line.vectors(["a", "b"]), line.confirm):
        if same:
            ask()
            continue
        with pytest.raises(EmbeddingFault, match=r"another model answers.*0\.9994") as caught:
            ask()
        assert caught.value.final
    assert server.embedded[1]["input"] == ["a", "b", PROBE] and server.embedded[2]["input"] == [PROBE]


def test_a_fault_comes_whole_out_of_another_process() -> None:
    fault = pickle.loads(pickle.dumps(EmbeddingFault("rejected", "No vectors.", final=True)))
    assert (fault.kind, str(fault), fault.final) == ("rejected", "No vectors.", True)
