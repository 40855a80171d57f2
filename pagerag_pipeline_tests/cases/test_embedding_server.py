"""EMB: vectors by a server. Models are told apart and never mixed, bad replies are never stored, the key stands nowhere, nothing is asked twice."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pagerag_pipeline import cli, health
from pagerag_pipeline.models.endpoint.embedder import BY_WORDS
from pagerag_pipeline.models.endpoint.line import PROBE, EmbeddingFault
from pagerag_pipeline.models.hashing import hashed
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.refresh.preview import dry_run
from pagerag_pipeline.refresh.products import PRODUCT_FUNCTIONS
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.generations import VECTORS_FOLDER, current, current_name
from pagerag_pipeline.stores.servers import SERVERS_FILE
from pagerag_pipeline.stores.vectors import VectorReader
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, build, make_home, refreshed
from pagerag_pipeline_tests.scripted_server import Say, ScriptedServer, scripted_server

NOT_FINITE = json.dumps({"data": [{"index": 0, "embedding": [float("nan")] * 384}]})
KEY = "sk-secret-of-the-embedder"
FILES = {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3}
QUESTION = "Who founded Tinworks?"


def one_model(text: str) -> list[float]:
    return [float(value) for value in hashed(text)]


def another_model(text: str) -> list[float]:
    """As many dimensions, in another order: cosines within it are the same, with the other one they mean nothing."""
    return one_model(text)[::-1]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("PAGERAG_EMBED_API_KEY", KEY)
    with scripted_server() as running:
        running.embed = one_model
        yield running


# The gate's estimate is not fitted to these vectors: what it decides is not looked at here.
def settings_of(server: ScriptedServer, **changes: Any) -> str:
    embed = {"base_url": server.base_url, "model": "embedder", "timeout_seconds": 5.0, "backoff_seconds": 0.0, "attempts": 2, **changes}
    return "[embed]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in embed.items()) + '\n[extract]\ntagger = "rules"\n\n[answer]\nthreshold = 0.02\n'


def texts_sent(server: ScriptedServer) -> list[str]:
    """Texts that vectors were asked for, the probe apart."""
    return [text for request in server.embedded for text in request["input"] if text != PROBE]


def test_a_home_is_built_asked_and_refreshed_with_vectors_of_a_server(tmp_path: Path, server: ScriptedServer, caplog: pytest.LogCaptureFixture) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    sent = texts_sent(server)
    assert sent and len(sent) == len(set(sent)) and all(len(request["input"]) <= 32 for request in server.embedded)
    server.embedded.clear()
    with QueryEngine(home) as engine:
        outcome = engine.ask(QUESTION)
    assert outcome.status == "answered" and outcome.citations[0].document == "f1.txt" and BY_WORDS in outcome.trace
    assert QUESTION in texts_sent(server) and len(server.embedded) <= 4
    server.embedded.clear()
    reports = refreshed(home)
    assert texts_sent(server) == [] and reports["chunk_embeddings"].computed == 0 and len(server.embedded) == 1
    assert set(server.keys) == {f"Bearer {KEY}"} and KEY not in caplog.text
    assert not [path for path in home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    manifest = current(home)
    assert manifest is not None and manifest.settings["embed"]["base_url"] == server.base_url


def test_another_model_under_the_same_name_is_refused_until_a_refresh_makes_all_vectors_anew(
    tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    first = set(texts_sent(server))
    server.embed = another_model
    with QueryEngine(home) as engine:
        outcome = engine.ask(QUESTION)
    assert outcome.status == "failed" and re.search(r"Run a refresh.*or set \[embed\] back", outcome.error)
    assert cli.main(["--home", str(home), "ask", QUESTION, "--json"]) == cli.FAILED
    assert json.loads(capsys.readouterr().out.splitlines()[0])["status"] == "failed"
    assert cli.main(["--home", str(home), "retrieve", "--question", QUESTION, "--json"]) == cli.REFUSED
    assert json.loads(capsys.readouterr().out.splitlines()[0])["kind"] == "OtherModel"
    server.embedded.clear()
    reports = refreshed(home)
    assert set(texts_sent(server)) == first and reports["chunk_embeddings"].computed == reports["chunk_embeddings"].rows
    assert reports["chunks"].computed == 0
    with QueryEngine(home) as engine:
        assert engine.ask(QUESTION).status == "answered"
    server.embed, server.embedded = one_model, []
    refreshed(home)
    assert texts_sent(server) == []  # the first model's vectors are remembered
    with QueryEngine(home) as engine:
        assert engine.ask(QUESTION).status == "answered"


def test_an_index_of_a_server_is_asked_by_it_whatever_the_settings_name_by_now(tmp_path: Path, server: ScriptedServer) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    make_home(tmp_path, FILES, settings=f"{STUB_MODELS}\n[answer]\nthreshold = 0.02\n")  # of the hash embedder, not refreshed
    server.embedded.clear()
    with QueryEngine(home) as engine:
        assert engine.ask(QUESTION).status == "answered" and QUESTION in texts_sent(server)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (NOT_FINITE, "holds something else than finite numbers"),
        ('{"data": []}', "0 vectors came for"),
        ('{"data": [{"index": 0, "embedding": [1.0, 2.0]}]}', "vectors came for|dimensions, expected 384"),
    ],
)
def test_vectors_that_are_none_fail_their_texts_and_are_never_stored(tmp_path: Path, server: ScriptedServer, body: str, told: str) -> None:
    home = make_home(tmp_path, FILES, settings=settings_of(server))
    server.embed_script = [Say(body=json.dumps({"data": [{"index": 0, "embedding": one_model(PROBE)}]})), *[Say(body=body)] * 100]
    with pytest.raises(EmbeddingFault, match=told):
        refreshed(home)
    assert current_name(home) is None and len(server.embedded) == 3  # the probe, the texts, and the probe again
    server.embed_script, server.embedded = [], []
    reports = refreshed(home)
    assert texts_sent(server) and reports["chunk_embeddings"].rows == reports["chunk_embeddings"].computed
    with QueryEngine(home) as engine:
        assert engine.ask(QUESTION).status == "answered"


def test_one_bad_text_fails_alone(tmp_path: Path, server: ScriptedServer) -> None:
    home = make_home(tmp_path, FILES, settings=settings_of(server) + "\n[refresh]\nmax_failed_share = 1.0\n")
    server.embed = lambda text: [float("nan")] * 384 if "Sister Bell kept bees" in text else one_model(text)
    report = refreshed(home)["chunk_embeddings"]
    assert (report.computed, report.failed) == (2, 1)


def text_of(number: int) -> str:
    return f"Keeper {number} of the lamp lived in house {number} of Quay Street."


MANY = {f"m{number:02}.txt": text_of(number) for number in range(12)}


@pytest.mark.parametrize("backend", ["inline", "process"])
def test_a_model_that_changes_during_a_refresh_fails_it_and_what_was_published_stays(tmp_path: Path, server: ScriptedServer, backend: str) -> None:
    settings = settings_of(server, request_texts=3) + f'\n[refresh]\nbackend = "{backend}"\nworkers = 1\n'
    home = build(tmp_path, {"f1.txt": F1}, settings=settings)
    before = current_name(home)
    made: list[str] = []

    def changing(text: str) -> list[float]:
        made.append(text)
        return one_model(text) if len(made) <= 8 else another_model(text)

    server.embed, server.embedded = changing, []
    make_home(tmp_path, {"f1.txt": F1, **MANY}, settings=settings)
    with pytest.raises(EmbeddingFault, match="another model answers under this name") as caught:
        refreshed(home)
    assert caught.value.final and current_name(home) == before and health.status(home)["refresh"]["status"] == "failed"
    asked = [text for text in texts_sent(server) if text in made[:6]]
    assert len(asked) >= 2 and len(texts_sent(server)) <= 8
    server.embed, server.embedded = one_model, []
    refreshed(home)
    assert not set(asked) & set(texts_sent(server))
    manifest = current(home)
    assert manifest is not None
    table = VectorReader(home / VECTORS_FOLDER, manifest.vectors)
    found = [np.array(one) for batch in table.batches("passages") for one in batch.to_pydict()["vector"]]
    assert len(found) == 13 and sum(max(float(np.dot(one, hashed(text))) > 0.999 for text in [F1, *MANY.values()]) for one in found) == 13


def test_a_model_that_changed_after_the_last_vector_is_found_before_publishing(tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(tmp_path, FILES, settings=settings_of(server))
    products = dict(PRODUCT_FUNCTIONS)
    last = products.pop("hybrid_repository")
    with Session.open(home) as session:
        for function in products.values():
            function(session)
        server.embed = another_model
        with pytest.raises(EmbeddingFault, match="another model"):
            last(session)
    assert current_name(home) is None
    with Session.open(home) as session:
        for function in products.values():
            function(session)
        server.embed_script = [Say("down", status=503)] * 4
        assert last(session).details["published"]  # every vector was checked when it came


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_server_that_moved_or_counts_a_little_otherwise_has_nothing_embedded_anew(tmp_path: Path, server: ScriptedServer, forgotten: bool) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    manifest = current(home)
    if forgotten:
        (home / SERVERS_FILE).unlink()
    with scripted_server() as elsewhere:
        elsewhere.embed = lambda text: [value + 1e-5 * (-1) ** place for place, value in enumerate(one_model(text))]
        make_home(tmp_path, FILES, settings=settings_of(elsewhere))
        report = refreshed(home)["chunk_embeddings"]
        assert (report.computed, texts_sent(elsewhere)) == (0, [])
        with QueryEngine(home) as engine:
            assert engine.ask(QUESTION).status == "answered"
        elsewhere.embed = another_model
        report = refreshed(home)["chunk_embeddings"]
        assert report.computed == report.rows
    told = [value for name, value in manifest.fingerprints.items() if name.startswith("embeddings embedder")] if manifest else []
    assert len(told) == 1 and len(told[0].split(",")) == 384


def test_a_server_that_dies_midway_is_asked_no_further_and_nothing_is_paid_twice(tmp_path: Path, server: ScriptedServer) -> None:
    home = make_home(tmp_path, MANY, settings=settings_of(server, request_texts=3))

    def dying(text: str) -> list[float]:
        if len(server.embedded) == 4:
            server.embed_script = [Say("down", status=503)] * 1000
        return one_model(text)

    server.embed = dying
    with pytest.raises(EmbeddingFault, match=r"6 of 12 texts of chunk_embeddings have no vector yet.*next refresh goes on") as caught:
        refreshed(home)
    first = texts_sent(server)
    assert caught.value.final and len(server.embedded) == 8  # the probe, three requests, one that failed twice, the probe twice
    server.embed, server.embedded, server.embed_script = one_model, [], []
    report = refreshed(home)["chunk_embeddings"]
    assert (report.computed, report.reused, report.failed) == (6, 6, 0)
    assert not set(first[:6]) & set(texts_sent(server))


def test_a_dry_run_asks_no_server(tmp_path: Path, server: ScriptedServer) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    server.embedded, server.embed_script = [], [Say("down", status=503)] * 9
    plan = dry_run(home, load_settings(home))
    assert plan["nothing_to_do"] and not plan["stale_units"] and server.embedded == []


def test_a_refresh_that_ends_at_the_probe_is_known_to_status(tmp_path: Path, server: ScriptedServer) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    server.embed_script = [Say("down", status=503)] * 9
    with pytest.raises(EmbeddingFault):
        refreshed(home)
    told = health.status(home)["refresh"]
    assert told["status"] == "failed" and "No vectors by embedder" in told["error"] and health.status(home)["holder"] is None


@pytest.mark.parametrize("backend", ["inline", "process"])
def test_calls_and_tokens_of_an_embeddings_server_are_in_the_ledger_of_spending(tmp_path: Path, server: ScriptedServer, backend: str) -> None:
    prices = '\n[[chat.prices]]\nmodel = "embedder"\ninput = 2.0\n'
    home = make_home(tmp_path, MANY, settings=settings_of(server, request_texts=3) + f'\n[refresh]\nbackend = "{backend}"\nworkers = 1\n' + prices)
    server.embed_script = [Say(body=json.dumps({"data": [{"index": 0, "embedding": one_model(PROBE)}]})), Say("busy", status=503)]
    reports = refreshed(home)
    told = reports["chunk_embeddings"].details["embedding"]
    assert told["calls"] == 7 and told["estimated_calls"] == 1  # six requests of two texts and the probe, one of them twice
    counted = sum(sum(map(len, request["input"])) // 4 for request in server.embedded[2:8])
    assert told["prompt_tokens"] == told["tokens"] == counted and told["usd"] == pytest.approx(2e-6 * counted)
    whole = reports["hybrid_repository"].details["embedding_run"]
    assert whole["calls"] == len(server.embedded) - 2  # but for the calls that recognize the model, before and after
    assert "embedding" not in refreshed(home)["chunk_embeddings"].details


def test_doctor_tells_whether_the_server_embeds_and_by_the_model_of_the_home(tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]) -> None:
    def told() -> tuple[bool, str]:
        (finding,) = [one for one in health.examine(home) if one["name"] == "embeddings"]
        return finding["ok"], finding["found"]

    home = make_home(tmp_path, FILES, settings=settings_of(server))
    assert told() == (True, f"embedder at {server.base_url}, with the key in PAGERAG_EMBED_API_KEY: vectors of 384 dimensions; nothing is published yet")
    refreshed(home)
    assert told()[0] and told()[1].endswith("by the model that made the published ones")
    server.embed = another_model
    assert not told()[0] and "another model than made the published ones" in told()[1] and "pagerag refresh" in told()[1]
    server.embed_script, server.embedded = [Say("no such model", status=404)] * 9, []
    ok, found = told()
    assert not ok and "embed.base_url" in found and len(server.embedded) == 1
    assert cli.main(["--home", str(home), "doctor"]) == cli.FAILED and KEY not in capsys.readouterr().out
    make_home(tmp_path, FILES)
    assert not [one for one in health.examine(home) if one["name"] == "embeddings"]


def test_without_its_server_a_refresh_fails_and_a_question_is_a_fault_that_says_where(
    tmp_path: Path, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    home = build(tmp_path, FILES, settings=settings_of(server))
    server.embed_script = [Say("down", status=503)] * 100
    with pytest.raises(EmbeddingFault, match="No vectors by embedder from"):
        refreshed(home)
    with QueryEngine(home) as engine:
        outcome = engine.ask(QUESTION)
    assert outcome.status == "failed" and server.base_url in outcome.error and "Given up after 2 calls" in outcome.error
    assert cli.main(["--home", str(home), "refresh"]) == cli.FAILED
    assert "No vectors by embedder" in capsys.readouterr().err
