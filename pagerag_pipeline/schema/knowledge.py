"""What flows of knowledge: what a tagger reads, units, records, decisions, communities, summaries and reports."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from pagerag_pipeline.schema.documents import RowForm, Span
from pagerag_pipeline.schema.ids import DIGEST_BYTES

Modality = Literal["asserted", "negated", "hypothetical", "reported"]
Category = Literal["property", "relation", "aspect"]

LITERAL_TYPES = ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL", "ATTRIBUTE")
"""Types of a unit's end that is a value, not an entity: it becomes a property record, never a node."""

GENERIC_TYPES = ("MISC", "NAME", "NOUN", "PROPN")
"""Labels that say how a term is written, not what it is: unknown name, one word of a name, common noun, untagged proper noun."""

NODE_LABELS = ("GPE", "NAME", "NOUN", "ORG")
"""Labels of terms that are nodes of the co-occurrence graph as they stand: places and organizations whole, words of people's names, nouns."""

PARTED_LABELS = ("MISC", "PERSON", "PROPN")
"""Labels of terms whose words are its nodes, the term itself where it is one word; of other names (dates, works, events ...) nothing is."""


def entity_id(key: str) -> str:
    """Id of an entity by its normalized key (`lexical.name_key`). The same formula stands in SQL in `stores/knowledge.py`."""
    return hashlib.sha256(f"entity:{key}".encode("utf-8", "surrogatepass")).hexdigest()[: 2 * DIGEST_BYTES]


def edge_id(head: str, predicate: str, tail: str, modality: Modality) -> str:
    """Id of a governed edge between two entity ids: parallel statements of one relation share it.

    The same formula stands in SQL in `stores/knowledge.py`; ids and modalities hold no colon, so the parts cannot run together.
    """
    return hashlib.sha256(f"edge:{head}:{tail}:{modality}:{predicate}".encode("utf-8", "surrogatepass")).hexdigest()[: 2 * DIGEST_BYTES]


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
