"""The embedder of a query engine remembers what it told of the latest texts."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

import numpy as np
import pytest

from pagerag_pipeline.models import ready
from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.models.ready import Models
from pagerag_pipeline.schema.knowledge import Tagged
from pagerag_pipeline.schema.protocols import Embedder, Tagger, TokenVectors
from pagerag_pipeline.settings import EmbedSettings, ExtractSettings, Settings


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Embedder, list[str]]]:
    """An embedder as an engine gets it, and the texts that the model behind it read."""
    model = load_embedder(EmbedSettings(model="hash"))
    read: list[str] = []
    told = model.token_vectors

    def counted(texts: Sequence[str]) -> list[TokenVectors]:
        read.extend(texts)
        return told(texts)

    monkeypatch.setattr(model, "token_vectors", counted)
    monkeypatch.setattr(ready, "load_embedder", lambda settings: model)
    ready._embedder.cache_clear()
    yield Models(Settings(embed=EmbedSettings(model="hash"))).embedder({"model": "hash"}, model.fingerprint), read
    ready._embedder.cache_clear()


def test_a_text_is_read_once_and_a_question_encoded_alone_is_the_same(embedder: tuple[Embedder, list[str]]) -> None:
    asking, read = embedder
    first, second, again = asking.token_vectors(["who came", "who went", "who came"])
    assert read == ["who came", "who went"] and first is again and first is not second
    vector = asking.encode(["who went"])
    assert read == ["who came", "who went"] and np.array_equal(vector, load_embedder(EmbedSettings(model="hash")).encode(["who went"]))
    vector[:] = 0
    assert asking.encode(["who went"]).any()


def test_the_texts_longest_unused_are_forgotten(embedder: tuple[Embedder, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "_REMEMBERED", 2)
    asking, read = embedder
    for text in ("a", "b", "a", "c", "a", "b"):
        asking.token_vectors([text])
    assert read == ["a", "b", "c", "b"]


def test_a_sentence_is_tagged_once_and_those_that_lack_together(monkeypatch: pytest.MonkeyPatch) -> None:
    tagger = Models(Settings(extract=ExtractSettings(tagger="rules"))).tagger
    behind: Tagger = tagger._tagger  # type: ignore[attr-defined]
    read: list[list[str]] = []

    def tag(texts: Sequence[str], language: str) -> list[Tagged]:
        read.append(list(texts))
        return behind.tag(texts, language)

    monkeypatch.setattr(tagger, "_tagger", SimpleNamespace(tag=tag))
    (first,), (again,) = tagger.tag(["Mara Quill came."], "en"), tagger.tag(["Mara Quill came."], "en")
    assert first is again
    assert tagger.tag(["Odo Fenn came.", "Mara Quill came.", "Ida Holt came.", "Odo Fenn came."], "en") == behind.tag(
        ["Odo Fenn came.", "Mara Quill came.", "Ida Holt came.", "Odo Fenn came."], "en"
    )
    assert tagger.tag(["Mara Quill came."], "de")[0] is not first
    assert read == [["Mara Quill came."], ["Odo Fenn came.", "Ida Holt came."], ["Mara Quill came."]]


def test_passages_are_encoded_by_the_model_itself(embedder: tuple[Embedder, list[str]]) -> None:
    asking, read = embedder
    (one,) = asking.encode_passages(["who came"])
    assert read == [] and np.array_equal(one.vector, load_embedder(EmbedSettings(model="hash")).encode(["who came"])[0])
