"""What flows of documents: texts with their layout, profiles, sections and chunks."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from pagerag_pipeline.schema.ids import DIGEST_BYTES, content_id, digest

ChunkKind = Literal["chunk", "passage", "row", "fixed", "entity"]
RowForm = Literal["framed", "bars", "tabs", "gaps", "tags"]
Mode = Literal["narrative", "conceptual", "argumentative", "mixed"]
TREATISES: tuple[Mode, ...] = ("conceptual", "argumentative")
"""Modes of texts whose subject is named by common nouns."""


def chunk_id(document: str, kind: ChunkKind, content: str, occurrence: int) -> str:
    """Id of the n-th occurrence (from 0) of a content among the chunks of one kind in one document.

    The same formula stands in SQL in `stores/layout.py` (live_chunks); `content` has a fixed length, so the parts cannot run together.
    """
    return hashlib.sha256(f"{content}:{kind}:{occurrence}:{document}".encode("utf-8", "surrogatepass")).hexdigest()[: 2 * DIGEST_BYTES]


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open character range [start, end)."""

    start: int
    end: int


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
