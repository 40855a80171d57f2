"""The embedder that a server is: bounded requests, nothing cut off, and token vectors by words."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pagerag_pipeline.indexing.embed import encode_texts
from pagerag_pipeline.models.embedder import (
    embedder_fingerprint,
    load_embedder,
    load_tokenizer,
    recognize_embedder,
    tokenizer_fingerprint,
)
from pagerag_pipeline.models.endpoint.line import PROBE, EmbeddingFault
from pagerag_pipeline.models.hashing import hashed
from pagerag_pipeline.settings import EmbedSettings, slice_digest
from pagerag_pipeline_tests.fakes import Notes
from pagerag_pipeline_tests.scripted_server import ScriptedServer, scripted_server


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with scripted_server() as running:
        running.embed = lambda text: [float(len(text)), 1.0, 0.0]
        yield running


def settings_of(server: ScriptedServer, **changes: Any) -> EmbedSettings:
    return EmbedSettings(model="embedder", base_url=server.base_url, timeout_seconds=5.0, backoff_seconds=0.0, **changes)


def sent(server: ScriptedServer) -> list[list[str]]:
    return [request["input"] for request in server.embedded]


def test_requests_are_bounded_in_texts_and_in_tokens(server: ScriptedServer) -> None:
    embedder = load_embedder(settings_of(server, request_texts=2, request_tokens=6))
    texts = ["a", "b", "c", "one two three four", "five six seven", " "]
    vectors = embedder.encode(texts)
    assert sent(server) == [["a", "b"], ["c", "one two three four"], ["five six seven"]]
    assert vectors.shape == (6, 3) and np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert vectors[5].tolist() == [1.0, 0.0, 0.0] and vectors[3][0] > vectors[0][0]


def test_the_probe_goes_along_within_the_bounds_and_by_itself_where_a_request_has_one_text(server: ScriptedServer) -> None:
    wide, narrow = settings_of(server, request_texts=3), settings_of(server, request_texts=1)
    for settings in (wide, narrow):
        recognize_embedder(settings, Notes(), write=True)
    server.embedded.clear()
    load_embedder(wide).encode(["a", "b", "c"])
    load_embedder(narrow).encode(["a", "b"])
    assert sent(server) == [["a", "b", PROBE], ["c", PROBE], ["a"], ["b"], [PROBE]]
    server.embed = lambda text: [0.0, 1.0, 0.0]
    for settings in (wide, narrow):
        with pytest.raises(EmbeddingFault, match="another model answers"):
            load_embedder(settings).encode(["a"])


def test_a_text_longer_than_the_window_is_parted_and_none_of_it_is_lost(server: ScriptedServer) -> None:
    settings = settings_of(server, window=4)
    text = "one two three four five six seven eight nine ten"
    encode_texts([text], load_embedder(settings), settings)
    assert "".join(piece for request in sent(server) for piece in request) == text
    with pytest.raises(ValueError, match=r"10 tokens, embed\.window is 4"):
        load_embedder(settings).encode([text])


def test_tokens_are_told_by_their_words_and_the_whole_by_the_server(server: ScriptedServer) -> None:
    embedder = load_embedder(settings_of(server))
    told, empty = embedder.token_vectors(["Tinworks stands", ""])
    offsets = embedder.tokenizer.offsets("Tinworks stands").tolist()
    assert told.offsets.tolist() == offsets and np.array_equal(told.vectors[-1], hashed("stands"))
    assert np.array_equal(told.pooled, embedder.encode(["Tinworks stands"])[0]) and empty.vectors.shape == (0, 384)


def test_the_fingerprint_holds_the_model_and_not_its_address(server: ScriptedServer) -> None:
    own = settings_of(server)
    prints = {embedder_fingerprint(one) for one in (own, settings_of(server, dimensions=3), settings_of(server, window=300), EmbedSettings(model="hash"))}
    assert len(prints) == 4
    elsewhere = EmbedSettings(model="embedder", base_url="http://127.0.0.1:9/v1", timeout_seconds=5.0, backoff_seconds=0.0)
    assert embedder_fingerprint(elsewhere) == embedder_fingerprint(own) and server.embedded == []
    assert tokenizer_fingerprint(own) == tokenizer_fingerprint(EmbedSettings()) and load_tokenizer(own) is load_tokenizer(EmbedSettings())


def test_digests_of_settings_without_a_server_do_not_depend_on_those_of_one(server: ScriptedServer) -> None:
    assert repr(EmbedSettings()) == "EmbedSettings(model='minilm', batch_size=8, index_rows=20000)"
    assert slice_digest(settings_of(server)) != slice_digest(settings_of(server, window=300))
