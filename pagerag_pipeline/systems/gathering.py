"""What every system is given and what it hands back, and the reading of a question that all systems share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pagerag_pipeline.answering.asked import Asked, split_question
from pagerag_pipeline.answering.computed import Computed
from pagerag_pipeline.answering.coverage import search_terms
from pagerag_pipeline.answering.gate import Readers
from pagerag_pipeline.lexical import STOP_WORDS, stem, words
from pagerag_pipeline.retrieval.text import TextQuery
from pagerag_pipeline.schema.asking import Evidence, Plan, Question, Scope, TermStatistics
from pagerag_pipeline.schema.protocols import Embedder, Tokenizer
from pagerag_pipeline.settings_asking import AnswerSettings, E2Settings, EnsiSettings, PankSettings, RetrieveSettings
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline.systems.asking.models import Asking
from pagerag_pipeline.systems.clock import Clock

_PRONOUNS = frozenset("he him his she her hers it its they them their theirs".split())


@dataclass(frozen=True, slots=True)
class Means:
    """What a system works with: one open generation, the embedder, and the limits of this question."""

    repository: Repository
    embedder: Embedder
    retrieve: RetrieveSettings
    answer: AnswerSettings
    scope: Scope
    budget: int | None = None
    """Most evidence tokens; None = the settings' default for the question's scope."""
    ablations: frozenset[str] = frozenset()
    """What this question is asked without (`systems.ablations`)."""
    clock: Clock = field(default_factory=Clock)
    readers: Readers | None = None
    """The models that read questions and evidence, for systems that need them before the gate does."""
    e2: E2Settings = field(default_factory=E2Settings)
    pank: PankSettings = field(default_factory=PankSettings)
    ensi: EnsiSettings = field(default_factory=EnsiSettings)
    asking: Asking | None = None
    """The chat models of this question; None when all is done without one."""

    @property
    def tokenizer(self) -> Tokenizer:
        """The embedder's own."""
        return self.embedder.tokenizer


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as read: its parts, its search terms and vector, and how common its words are in scope."""

    question: Question
    searched: str
    """What is searched for: the question, after the earlier turns that it leans on."""
    parts: tuple[Asked, ...]
    terms: tuple[str, ...]
    """Search terms without function words, unless nothing would remain."""
    content: tuple[str, ...]
    vector: np.ndarray
    statistics: TermStatistics


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a system found for a question: the whole ranking, and the packed evidence that an answer may stand on."""

    reading: Reading
    plan: Plan
    ranked: tuple[Evidence, ...]
    """Passages and rows, best first, unpacked."""
    evidence: tuple[Evidence, ...]
    trace: tuple[dict[str, Any], ...]
    strict: bool = False
    """Whether the question stands so near the boundary of its scope that the strict gate holds."""
    beyond: str = ""
    """How it asks beyond the boundary of every profile in scope; empty when it does not."""
    pool: tuple[Evidence, ...] = ()
    """The pool of text search that the gate sees evidence against, where the ranking is none: its estimate was fitted on such pools. No evidence comes from it."""
    computed: Computed | None = None
    """What was worked out over all that matches, for the gate to check; None when quotes are to answer."""
    unread: str = ""
    """How the question asks over all rows of a table, of which only some were read; empty when it does not."""
    findings: tuple[tuple[str, str], ...] = ()
    """Questions asked on the way with their answers: what a model may see beside the evidence, and what is none."""


def text_query(reading: Reading, means: Means) -> TextQuery:
    """The question for the text operator."""
    return TextQuery(reading.terms, reading.vector, reading.statistics, means.tokenizer)


def read(question: Question, means: Means) -> Reading:
    """The question as read; one embedding call."""
    parts = tuple(split_question(question.text))
    searched = with_history(question, means.retrieve.history_turns)
    every = words(searched)
    content = tuple(dict.fromkeys(stem(word) for word in every if word not in STOP_WORDS))
    terms = content or tuple(dict.fromkeys(stem(word) for word in every))
    statistics = means.repository.statistics(sorted({*search_terms(parts), *terms}), means.scope)
    return Reading(question, searched, parts, terms, content, encode_question(searched, means.embedder), statistics)


def with_history(question: Question, turns: int) -> str:
    """The question's text; behind the latest user turns when it has a pronoun or no content word, so that what it means is found.

    What is asked, and what an answer must cover, stays with the question alone.
    """
    every = words(question.text)
    leans = any(word in _PRONOUNS for word in every) or all(word in STOP_WORDS for word in every)
    earlier = [turn.text for turn in question.history if turn.role == "user"][-turns:] if leans else []
    return "\n".join([*earlier, question.text])


def encode_question(text: str, embedder: Embedder) -> np.ndarray:
    """Unit vector of a question; one longer than the window is the mean of its windows, so nothing is cut off."""
    offsets = embedder.tokenizer.offsets(text)
    if len(offsets) <= embedder.window:
        return np.asarray(embedder.encode([text])[0])
    starts = range(0, len(offsets), embedder.window // 2)
    pieces = [text[int(offsets[i][0]) : int(offsets[min(i + embedder.window // 2, len(offsets)) - 1][1])] for i in starts]
    mean = np.asarray(embedder.encode(pieces)).mean(axis=0)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12))


def encode_together(texts: Sequence[str], embedder: Embedder) -> None:
    """Have these texts encoded in one pass, where they fit: the embedder of a query engine remembers them for `encode_question`."""
    fitting = [text for text in texts if text and len(embedder.tokenizer.offsets(text)) <= embedder.window]
    if fitting:
        embedder.token_vectors(fitting)
