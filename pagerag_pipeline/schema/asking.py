"""What flows when someone asks: questions, scopes, evidence, plans and outcomes."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

EvidenceKind = Literal["passage", "row", "entity", "record", "edge", "path", "report", "summary"]
Status = Literal["answered", "partial", "refused", "failed"]

Reason = Literal[
    "no_index",
    "no_evidence",
    "insufficient",
    "beyond_scope",
    "false_premise",
    "uncited",
    "malformed",
    "ceiling",
]


def says_nothing(reason: str | None, *, evidence: bool) -> bool:
    """Whether a refusal for this reason says nothing of the evidence, of which there was some or none: another reply, or a higher ceiling, may answer.

    A ceiling under which no piece of evidence fits is that of a setting, and stands as long as the setting does.
    """
    return reason == "malformed" or (reason == "ceiling" and evidence)


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier turn of a conversation."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a system may see it; gold fields never stand here."""

    qid: str
    text: str
    doc_ids: tuple[str, ...] | None = None
    options: tuple[str, ...] = ()
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be seen: None = the whole repository, else these documents only."""

    documents: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A span of a document, absolute character offsets into its normalized text; `quote == text[start:end]`."""

    document: str
    chunk_id: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer may stand on: a bounded item with the spans it came from."""

    kind: EvidenceKind
    text: str
    score: float
    spans: tuple[SourceSpan, ...]
    tokens: int
    label: str = ""
    """E1, E2, ... once packed."""
    scores: tuple[tuple[str, float], ...] = ()
    """Component scores by name, e.g. ("dense", 0.61), ("bm25", 7.2)."""
    context: str = ""
    """What the text stands under: title, section path, table caption; empty where there is none."""


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """How common some terms are among the passages and rows that may be seen."""

    passages: int
    mean_terms: float
    """Mean number of terms of a passage."""
    counts: dict[str, int]
    """In how many passages each asked-for term stands; absent = in none."""

    def weight(self, term: str) -> float:
        """Inverse document frequency, never negative: ln(1 + (N - n + 0.5) / (n + 0.5))."""
        count = self.counts.get(term, 0)
        return math.log(1 + (max(self.passages, count) - count + 0.5) / (count + 0.5))


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a claim stands in the sources."""

    label: str
    document: str
    chunk_id: str
    start: int
    end: int
    quote: str
    section: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of an answer with the labels of the evidence that supports it."""

    text: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a system decided to do for a question, and why."""

    profile: dict[str, Any]
    operators: tuple[str, ...]
    budgets: dict[str, int]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a question cost."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    evidence_tokens: int = 0
    seconds: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    """Seconds by step: operators, gate and what stands between them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question: an answer, a partial answer, a refusal, or a fault; `status` says which. A refusal is a value."""

    qid: str
    question: str
    system: str
    status: Status
    answer: str | None
    claims: tuple[Claim, ...]
    missing: tuple[str, ...]
    reason: Reason | None
    confidence: float
    citations: tuple[Citation, ...]
    evidence: tuple[Evidence, ...]
    plan: Plan
    trace: tuple[dict[str, Any], ...] = ()
    usage: Usage = field(default_factory=Usage)
    generation: str = ""
    error: str = ""
