"""The models that asking needs: loaded when first needed, once per process, safe to use from many threads."""

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from pagerag_pipeline.models.embedder import embedder_fingerprint, load_embedder, recognize_embedder
from pagerag_pipeline.models.rules_tagger import SentenceSplitter
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.knowledge import Tagged
from pagerag_pipeline.schema.protocols import Embedder, Encoded, Notebook, Tagger, Tokenizer, TokenVectors
from pagerag_pipeline.settings import EmbedSettings, ExtractSettings, Settings

_LOADING = threading.Lock()
_SPLITTER = SentenceSplitter()
_REMEMBERED = 256
_TAGGED = 2048
"""Texts whose token vectors are remembered, at most 100 MB of them and mostly 10, and sentences whose tags are (chosen; no result depends on them)."""


class OtherModel(RuntimeError):
    """An index that was built with a model which is not the one installed; the message says what helps."""


class Models:
    """Embedder and taggers of some settings; models behind servers are known by the notebook of a home."""

    def __init__(self, settings: Settings, notebook: Notebook | None = None) -> None:
        self._settings = settings
        self._notebook = notebook
        self._recognized: set[EmbedSettings] = set()

    def embedder(self, built: Mapping[str, Any], fingerprint: str) -> Embedder:
        """The embedder that an index was built with, whatever the settings name by now: one question's vector must lie in its space.

        `built` are the embedding settings in the manifest. Raises OtherModel when what stands under that name now has another fingerprint, and
        EmbeddingFault when a server does not tell.
        """
        settings = built_settings(built, self._settings.embed)
        with _LOADING:
            if settings.base_url and self._notebook is not None and (settings not in self._recognized or embedder_fingerprint(settings) != fingerprint):
                # Another model may have come since, or gone again: a refresh beside us may have published by it.
                recognize_embedder(settings, self._notebook, write=False)
                self._recognized.add(settings)
            if embedder_fingerprint(settings) != fingerprint:
                where = f"at {settings.base_url}" if settings.base_url else "that is installed"
                raise OtherModel(
                    f"The index was built with another version of the embedding model {settings.model} than the one {where}: its vectors and the "
                    "question's would not compare. Run a refresh, which makes the vectors anew, or set [embed] back to the model that made them."
                )
            return _embedder(settings, fingerprint)

    @property
    def tagger(self) -> Tagger:
        """The tagger that the settings name; its pipelines load when a text is tagged."""
        with _LOADING:
            return _tagger(self._settings.extract)

    @property
    def splitter(self) -> Tagger:
        """The rules tagger's sentences alone: fast enough to split all evidence."""
        return _SPLITTER

    def warm(self, *, tagger: bool) -> None:
        """Load in the background what the first question will need, while the engines open.

        The threads are no daemons: a process that ends while a library is being imported can crash.
        """
        if tagger:
            threading.Thread(target=lambda: self.tagger.tag(["Ready?"], "en")).start()
        threading.Thread(target=self._load_embedder).start()

    def _load_embedder(self) -> None:
        with _LOADING:
            if not self._settings.embed.base_url:
                _embedder(self._settings.embed, embedder_fingerprint(self._settings.embed))


def built_settings(built: Mapping[str, Any], now: EmbedSettings) -> EmbedSettings:
    """The embedding settings that an index was built under; where a server made its vectors, at the address that the settings name now, if they name one."""
    url = str(built.get("base_url", ""))
    if not url:
        return dataclasses.replace(now, model=str(built["model"]), base_url="")
    same = {name: built[name] for name in ("model", "dimensions", "window")}
    return dataclasses.replace(now, base_url=now.base_url or url, **same)


class _OneAtATime:
    """A model behind a lock: pipelines are not made for two threads at once. What it told of the latest sentences is remembered.

    Sentences that lack are tagged together (measured: six in 111 ms, each of them alone in 47, with the same tags).
    """

    def __init__(self, tagger: Tagger) -> None:
        self.fingerprint = tagger.fingerprint
        self._tagger = tagger
        self._lock = threading.Lock()
        self._told: OrderedDict[tuple[str, str], Tagged] = OrderedDict()

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        with self._lock:
            known = {text: self._told.pop((text, language)) for text in dict.fromkeys(texts) if (text, language) in self._told}
            lacking = [text for text in dict.fromkeys(texts) if text not in known]
            known.update(zip(lacking, self._tagger.tag(lacking, language), strict=True) if lacking else ())
            self._told.update(((text, language), told) for text, told in known.items())
            while len(self._told) > _TAGGED:
                self._told.popitem(last=False)
        return [known[text] for text in texts]


class _LockedEmbedder:
    """An embedder behind a lock, for the same reason; what it told of the latest texts is remembered.

    A question is encoded to search with and read again by the gate, and sentences of much asked documents come again.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint: str = embedder.fingerprint
        self.dimension: int = embedder.dimension
        self.window: int = embedder.window
        self.tokenizer: Tokenizer = embedder.tokenizer
        self._embedder = embedder
        self._lock = threading.Lock()
        self._told: OrderedDict[str, TokenVectors] = OrderedDict()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        if len(texts) == 1:
            return self.token_vectors(texts)[0].pooled[None].copy()
        with self._lock:
            return self._embedder.encode(texts)

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        with self._lock:
            return self._embedder.encode_passages(texts)

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        with self._lock:
            known = {text: self._told.pop(text) for text in dict.fromkeys(texts) if text in self._told}
            lacking = [text for text in dict.fromkeys(texts) if text not in known]
            known.update(zip(lacking, self._embedder.token_vectors(lacking), strict=True) if lacking else ())
            self._told.update(known)
            while len(self._told) > _REMEMBERED:
                self._told.popitem(last=False)
        return [known[text] for text in texts]


@lru_cache(maxsize=2)
def _embedder(settings: EmbedSettings, fingerprint: str) -> Embedder:
    """The embedder of some settings; another model under the same name remembers nothing that the one before it told."""
    return _LockedEmbedder(load_embedder(settings))


@lru_cache(maxsize=4)
def _tagger(settings: ExtractSettings) -> Tagger:
    return _OneAtATime(load_tagger(settings))
