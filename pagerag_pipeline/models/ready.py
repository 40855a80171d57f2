"""The models that asking needs: loaded when first needed, once per process, safe to use from many threads."""

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pagerag_pipeline.models.embedder import embedder_fingerprint, load_embedder
from pagerag_pipeline.models.rules_tagger import SentenceSplitter
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.knowledge import Tagged
from pagerag_pipeline.schema.protocols import Embedder, Tagger, Tokenizer, TokenVectors
from pagerag_pipeline.settings import EmbedSettings, ExtractSettings, Settings

_LOADING = threading.Lock()
_SPLITTER = SentenceSplitter()
_REMEMBERED = 256
_TAGGED = 2048
"""Texts whose token vectors are remembered, at most 100 MB of them and mostly 10, and sentences whose tags are (chosen; no result depends on them)."""


class OtherModel(RuntimeError):
    """An index that was built with a model which is not the one installed; the message says what helps."""


class Models:
    """Embedder and taggers of some settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def embedder(self, model: str, fingerprint: str) -> Embedder:
        """The embedder that an index was built with, whatever the settings name by now: one question's vector must lie in its space.

        Raises OtherModel when what is installed under that name has another fingerprint.
        """
        settings = dataclasses.replace(self._settings.embed, model=model)
        if embedder_fingerprint(settings) != fingerprint:
            raise OtherModel(f"The index was built with another version of the embedding model {model} than the installed one: refresh it.")
        with _LOADING:
            return _embedder(settings)

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
            _embedder(self._settings.embed)


class _OneAtATime:
    """A model behind a lock: pipelines are not made for two threads at once. Sentences that were tagged alone are remembered."""

    def __init__(self, tagger: Tagger) -> None:
        self.fingerprint = tagger.fingerprint
        self._tagger = tagger
        self._lock = threading.Lock()
        self._one = lru_cache(maxsize=_TAGGED)(self._tag_one)

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        if len(texts) == 1:
            return [self._one(texts[0], language)]
        with self._lock:
            return self._tagger.tag(texts, language)

    def _tag_one(self, text: str, language: str) -> Tagged:
        with self._lock:
            return self._tagger.tag([text], language)[0]


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
def _embedder(settings: EmbedSettings) -> Embedder:
    return _LockedEmbedder(load_embedder(settings))


@lru_cache(maxsize=4)
def _tagger(settings: ExtractSettings) -> Tagger:
    return _OneAtATime(load_tagger(settings))
