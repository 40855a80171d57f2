"""What flows between rooms: frozen values, their ids and digests, and the protocols of models.

Nothing here touches a store, a model or a clock.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

DIGEST_BYTES = 16
"""128 bits: the chance of one collision among 10^9 distinct texts is below 10^-20."""

Modality = Literal["asserted", "negated", "hypothetical", "reported"]
Category = Literal["property", "relation", "aspect"]
ChunkKind = Literal["chunk", "passage", "row", "fixed", "entity"]
RowForm = Literal["framed", "bars", "tabs", "gaps", "tags"]
Mode = Literal["narrative", "conceptual", "argumentative", "mixed"]
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


LITERAL_TYPES = ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL", "ATTRIBUTE")
"""Types of a unit's end that is a value, not an entity: it becomes a property record, never a node."""

GENERIC_TYPES = ("MISC", "NAME", "NOUN", "PROPN")
"""Labels that say how a term is written, not what it is: unknown name, one word of a name, common noun, untagged proper noun."""


def digest(*parts: str | bytes | int | float | None) -> str:
    """Hex digest (32 characters) of the parts in order; each part carries its length, so no two lists collide by joining."""
    hasher = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        data = part if isinstance(part, bytes) else repr(part).encode() if not isinstance(part, str) else part.encode("utf-8", "surrogatepass")
        hasher.update(len(data).to_bytes(8, "little"))
        hasher.update(data)
    return hasher.hexdigest()


def content_id(text: str) -> str:
    """Id of a text: equal texts have equal ids, wherever they stand."""
    return digest("text", text)


def chunk_id(document: str, kind: ChunkKind, content: str, occurrence: int) -> str:
    """Id of the n-th occurrence (from 0) of a content among the chunks of one kind in one document.

    The same formula stands in SQL in `stores/layout.py` (live_chunks); `content` has a fixed length, so the parts cannot run together.
    """
    return hashlib.sha256(f"{content}:{kind}:{occurrence}:{document}".encode("utf-8", "surrogatepass")).hexdigest()[: 2 * DIGEST_BYTES]


def entity_id(key: str) -> str:
    """Id of an entity by its normalized key (`lexical.name_key`). The same formula stands in SQL in `stores/knowledge.py`."""
    return hashlib.sha256(f"entity:{key}".encode("utf-8", "surrogatepass")).hexdigest()[: 2 * DIGEST_BYTES]


def edge_id(head: str, predicate: str, tail: str, modality: Modality) -> str:
    """Id of a governed edge between two entity ids: parallel statements of one relation share it.

    The same formula stands in SQL in `stores/knowledge.py`; ids and modalities hold no colon, so the parts cannot run together.
    """
    return hashlib.sha256(f"edge:{head}:{tail}:{modality}:{predicate}".encode("utf-8", "surrogatepass")).hexdigest()[: 2 * DIGEST_BYTES]


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character range [start, end)."""

    start: int
    end: int


# --- documents -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of layout the parser saw: what it is and where it stands in the document's text.

    kind: heading | paragraph | list | table | row | page | speaker | caption; `level` is 1.. for headings, `label` the page number,
    the caption, or (for a row) the header line that belongs to it.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """One document as read: normalized text (LF, no BOM, no NUL) and the blocks that its format declares."""

    sub_id: str
    """Empty for a file that is one document; else its own id inside the file."""
    title: str
    text: str
    blocks: tuple[Block, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """Digest of all that later verbs read of this document; never of its path."""
        blocks = repr([(b.kind, b.start, b.end, b.level, b.label) for b in self.blocks])
        return digest("document", self.title, self.text, blocks, repr(self.metadata))


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What one file gave: its documents, or the reason why it was skipped, and what was cleaned or left out."""

    documents: tuple[ParsedDocument, ...]
    skipped: str = ""
    """Empty when the file loaded; else why not, in words for the user."""
    notes: tuple[str, ...] = ()
    """Counted repairs and omissions, e.g. `2 NUL characters removed`, `line 3: not JSON`."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document's structure (sigma). Sections tile the text in order, without gap or overlap."""

    ordinal: int
    title: str
    kind: str
    """chapter | letter | act | scene | section | front | back | body"""
    level: int
    start: int
    end: int
    path: tuple[str, ...]
    """Titles from the outermost section to this one."""
    mode: Mode = "mixed"


@dataclass(frozen=True, slots=True)
class Profile:
    """Document profile p = (form, topics, mode, structure, boundary); PAGE-RAG, section 2.2. A control signal, never evidence."""

    form: str
    """fiction | research_paper | report | mixed"""
    form_confidence: float
    mode: Mode
    mode_confidence: float
    topics: tuple[tuple[str, float], ...]
    language: str
    """ISO 639-1 code, `und` when unknown."""
    boundary: tuple[tuple[str, str], ...]
    """kappa: ordered facts on the visible scope, e.g. ("order", "chapters"), ("last_section", "CHAPTER X")."""
    features: tuple[tuple[str, float], ...]
    """The measured features that decided."""
    sections: tuple[Section, ...]
    source: str = "heuristic"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one document: `text` is the exact slice [start, end); `context` is embedded with it but is not part of it."""

    kind: ChunkKind
    ordinal: int
    """Position among the chunks of its kind."""
    start: int
    end: int
    text: str
    context: str
    section: int
    """Ordinal of its section."""
    parent: int
    """Ordinal of the `chunk` that contains it; -1 for kind `chunk`."""
    tokens: int
    occurrence: int
    """How many chunks of this kind and content stand before it in the document."""
    page: int | None = None

    @property
    def content_id(self) -> str:
        """Id of the text alone."""
        return content_id(self.text)

    @property
    def embed_key(self) -> str:
        """Id of what is embedded: context and text."""
        return content_id(embed_text(self.context, self.text))


def embed_text(context: str, text: str) -> str:
    """The string that stands for a chunk in the embedding space: its context on a line of its own, then its text."""
    return f"{context}\n{text}" if context else text


# --- knowledge -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a tagged text. `head` is the index of its syntactic head (itself for a root), -1 where there is no parser."""

    start: int
    end: int
    text: str
    lemma: str
    pos: str
    dep: str
    head: int
    sentence: int


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A named entity found by a tagger; `label` as in OntoNotes (PERSON, ORG, GPE, ...)."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tagged text."""

    sentences: tuple[Span, ...]
    tokens: tuple[Token, ...]
    names: tuple[NamedSpan, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """One mention of a term inside a chunk: the raw material of the co-occurrence graph (E2GraphRAG, section 3.3)."""

    key: str
    surface: str
    label: str
    """PERSON | ORG | GPE | ... for names, NOUN for common nouns."""
    start: int
    end: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A knowledge unit z: one statement drawn from one chunk, with the quote that supports it (offsets relative to the chunk)."""

    kind: str
    """relation | attribute | definition | event | claim | alias"""
    head: str
    head_type: str
    predicate: str
    tail: str
    tail_type: str
    modality: Modality
    confidence: float
    start: int
    end: int
    quote: str
    qualifiers: tuple[tuple[str, str], ...] = ()
    """What else the text tells of it: time, place, speaker of what is reported, and how an end was resolved."""


@dataclass(frozen=True, slots=True)
class Record:
    """EnSI-RAG record <e, t, k, v> with its field and qualifiers; an address of the passage [start, end), never evidence itself."""

    entity: str
    entity_type: str
    category: Category
    field: str
    value: str
    value_is_entity: bool
    modality: Modality
    qualifiers: tuple[tuple[str, str], ...]
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table's row as it stands in one chunk, under what it stands, and which column says what; offsets relative to the chunk."""

    chunk: int
    """Ordinal of the chunk."""
    start: int
    end: int
    form: RowForm
    """How its cells are set apart."""
    header: tuple[str, ...]
    key: int
    """Index of the column that names the row's entity, -1 when none does."""
    dimensions: tuple[int, ...]
    """Indexes of the columns that say for what the others hold."""
    caption: str
    subject: str
    """The innermost title above the table."""


@dataclass(frozen=True, slots=True)
class EntityPassage:
    """A part of a chunk around one main entity (EnSI-RAG, EN-1); offsets relative to the chunk, an empty `entity` when no name stands in it."""

    start: int
    end: int
    tokens: int
    entity: str
    entity_type: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that one chunk gave."""

    sentences: tuple[Span, ...]
    terms: tuple[Term, ...]
    units: tuple[Unit, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One act of governance on one unit or node, with its reason and inputs (PAGE-RAG, section 2.3 step 4)."""

    gate: str
    """G1 ... G7, or `override`"""
    act: str
    """accept | hold | promote | reject | downgrade | merge | keep_apart | split | suppress"""
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class GatedUnit:
    """A unit as it stands after the gates, with every act on it; the last decision is the one that settled its state."""

    unit: Unit
    decisions: tuple[Decision, ...]
    state: Literal["accepted", "held", "rejected"]


@dataclass(frozen=True, slots=True)
class Community:
    """A group of entities on one level of one hierarchy; level 0 is the coarsest."""

    community_id: str
    level: int
    parent: str
    """Id of the community one level up; empty on level 0."""
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence taken word for word from a text with id `content_id`, offsets relative to it."""

    content_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """An extractive summary: quotes in reading order; `text` joins them."""

    text: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A community report: extractive, every finding a quote; what found no place in it is counted."""

    title: str
    text: str
    topics: tuple[str, ...]
    quotes: tuple[Quote, ...]
    uncited: int
    """Members that no quote speaks of."""
    bonds: tuple[str, ...]
    """What binds the members, in words: the edges between them that stand in most places."""
    edges: int
    """Edges between members in all."""
    evidence_left_out: int
    """Places that edges between members stand on, and no quote shows."""


# --- asking --------------------------------------------------------------------------------------


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


# --- models --------------------------------------------------------------------------------------


class Tokenizer(Protocol):
    """Cuts a text into the embedder's own tokens."""

    fingerprint: str

    def offsets(self, text: str) -> np.ndarray:
        """Character ranges of all tokens, int32 of shape (n, 2), in order, without special tokens, nothing truncated."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    fingerprint: str
    dimension: int
    window: int
    """The most tokens a text may have, special tokens not counted."""
    tokenizer: Tokenizer

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """float32 of shape (len(texts), dimension), rows of length 1; raises ValueError for a text longer than the window."""
        ...


class Tagger(Protocol):
    """Finds sentences, tokens and names."""

    fingerprint: str

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        """One Tagged per text; falls back to rules for a language without a model."""
        ...


class BatchMapper(Protocol):
    """The only door to parallel work."""

    def map(self, function: str, batches: Iterator[Any], *, told: Callable[[int], None] | None = None) -> Iterator[tuple[Any, Any]]:
        """Pairs (batch, result) in completion order, bounded in flight; `function` is `package.module:name`.

        `told`, where a mapper can, learns how many units of the batch under work are done.
        """
        ...

    def close(self) -> None:
        """Let go of workers."""
        ...


Progress = Callable[[str, int, int], None]
"""Called with (product, done, total)."""
