"""Documents to chunks: pieces of about 1,200 tokens whose boundaries the text itself chooses, and inside them what is embedded."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from pagerag_pipeline.indexing.cutting.breaks import Atom, paragraph_atoms, sentence_atoms, split_atom
from pagerag_pipeline.indexing.cutting.passages import Size, fit_ends, passage_ends, path_context, row_context
from pagerag_pipeline.indexing.cutting.tokens import TokenIndex
from pagerag_pipeline.schema.documents import Block, Chunk, ChunkKind, ParsedDocument, Profile, Section, Span
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings import ChunkSettings

VERSION = "chunk/2"


def chunk_document(document: ParsedDocument, profile: Profile, tokenizer: Tokenizer, settings: ChunkSettings) -> list[Chunk]:
    """All chunks of a document: kind `chunk` (they tile its text and never cross a section), `passage` (they tile each chunk), `row`, and `fixed` if asked.

    Every passage and row with its context and one token more fits `settings.embed_window`.
    """
    cutter = _Cutter(document, tokenizer, settings)
    for section in profile.sections:
        cutter.cut_section(section)
    if settings.fixed:
        cutter.cut_windows(profile.sections)
    return cutter.chunks


def chunk_ends(atoms: Sequence[Atom], text: str, settings: ChunkSettings) -> list[int]:
    """How many atoms each chunk ends after: content-defined, so that an edit moves the boundaries near it alone.

    An atom of t tokens with a digest read as u in (0, 1] has the priority -ln(u)/t, so that a boundary is as likely after any token. A chunk closes after
    the atom of lowest priority among those that leave it `chunk_min_tokens` to one and a half times `chunk_tokens`: about `chunk_tokens` on average.
    A rest of at most `chunk_tokens` is one chunk.
    """
    ends: list[int] = []
    left = sum(atom.tokens for atom in atoms)
    first = 0
    while first < len(atoms):
        end = len(atoms) if left <= settings.chunk_tokens else _chunk_end(atoms, first, left, text=text, settings=settings)
        left -= sum(atom.tokens for atom in atoms[first:end])
        ends.append(end)
        first = end
    return ends


def _chunk_end(atoms: Sequence[Atom], first: int, left: int, *, text: str, settings: ChunkSettings) -> int:
    least, most = settings.chunk_min_tokens, settings.chunk_tokens * 3 // 2
    tokens = 0
    best, lowest = 0, math.inf
    for at in range(first, len(atoms)):
        tokens += atoms[at].tokens
        if tokens > most and at > first:
            return best or at
        if tokens >= least and left - tokens >= least // 4 and (priority := _priority(text, atoms[at])) < lowest:
            best, lowest = at + 1, priority
    return best or len(atoms)


def _priority(text: str, atom: Atom) -> float:
    key = blake2b(text[atom.start : atom.end].strip().encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return -math.log((int.from_bytes(key, "little") + 1) / 2**64) / max(1, atom.tokens)


class _Cutter:
    """Cuts one document section by section; holds the counts that ordinals and occurrences come from."""

    def __init__(self, document: ParsedDocument, tokenizer: Tokenizer, settings: ChunkSettings) -> None:
        self.chunks: list[Chunk] = []
        self._document = document
        self._tokenizer = tokenizer
        self._settings = settings
        self._index = TokenIndex(document.text, tokenizer)
        self._tables = _Ranges(document.blocks, "table")
        self._rows = _Ranges(document.blocks, "row")
        self._joints = sorted({b.start for b in document.blocks} | {b.end for b in document.blocks if b.kind == "table"})
        self._pages = sorted((b.start, int(b.label)) for b in document.blocks if b.kind == "page" and b.label.isdecimal())
        self._row_contexts: dict[tuple[str, str, str], tuple[str, int]] = {}
        self._ordinals: Counter[str] = Counter()
        self._seen: Counter[tuple[str, str]] = Counter()

    def cut_section(self, section: Section) -> None:
        """Append the chunks of a section, each followed by its passages and rows."""
        settings = self._settings
        context = path_context(self._document.title, section.path, self._tokenizer, settings.context_tokens)
        size = Size(settings.passage_tokens, settings.embed_window - 1 - len(self._tokenizer.offsets(context)))
        for span in self._chunk_spans(section):
            parent = self._add("chunk", span, _Place(section.ordinal, context))
            inside = _Place(section.ordinal, context, parent)
            begin = span.start
            for end in passage_ends(self._index, span, size, joints=self._joints):
                self._add("passage", Span(begin, end), inside)
                begin = end
            for block in self._rows.within(span.start, span.end):
                self._add_row(block, Span(max(block.start, span.start), min(block.end, span.end)), inside)

    def cut_windows(self, sections: Sequence[Section]) -> None:
        """Append windows of `fixed_tokens` that overlap by `fixed_overlap` over the whole document, whatever its structure."""
        size, step = self._settings.fixed_tokens, self._settings.fixed_tokens - self._settings.fixed_overlap
        starts, length = self._index.starts, len(self._document.text)
        for at in range(0, max(1, len(starts) - self._settings.fixed_overlap), step):
            start = starts[at] if at else 0
            end = starts[at + size] if at + size < len(starts) else length
            section = next(s.ordinal for s in reversed(sections) if s.start <= start)
            self._add("fixed", Span(start, end), _Place(section, ""))

    def _chunk_spans(self, section: Section) -> Iterator[Span]:
        atoms = [
            small
            for atom in paragraph_atoms(self._index, section.start, section.end, self._joints)
            for small in self._small(atom)
        ]
        first = 0
        for end in chunk_ends(atoms, self._document.text, self._settings):
            yield Span(atoms[first].start, atoms[end - 1].end)
            first = end

    def _small(self, atom: Atom) -> list[Atom]:
        """A paragraph that is larger than a small chunk, in sentences."""
        most = self._settings.chunk_min_tokens
        if atom.tokens <= most:
            return [atom]
        return [piece for sentence in sentence_atoms(self._index, atom.start, atom.end) for piece in split_atom(self._index, sentence, most)]

    def _add_row(self, block: Block, span: Span, place: "_Place") -> None:
        caption = next((table.label for table in self._tables.within(block.start, block.start + 1)), "")
        context, room = self._row_context(place.context, caption, block.label)
        begin = span.start
        for end in fit_ends(self._index, span, room):
            self._add("row", Span(begin, end), replace(place, context=context))
            begin = end

    def _row_context(self, context: str, caption: str, header: str) -> tuple[str, int]:
        """What goes with a row, and how many tokens it leaves; the rows of a table share it."""
        key = (context, caption, header)
        if key not in self._row_contexts:
            full = row_context(context, caption, header, self._tokenizer, limit=self._settings.embed_window // 2)
            self._row_contexts[key] = full, self._settings.embed_window - 1 - len(self._tokenizer.offsets(full))
        return self._row_contexts[key]

    def _add(self, kind: ChunkKind, span: Span, place: "_Place") -> int:
        """Append one chunk; its ordinal."""
        text = self._document.text[span.start : span.end]
        content = content_id(text)
        ordinal, occurrence = self._ordinals[kind], self._seen[kind, content]
        self._ordinals[kind] += 1
        self._seen[kind, content] += 1
        self.chunks.append(
            Chunk(
                kind=kind,
                ordinal=ordinal,
                start=span.start,
                end=span.end,
                text=text,
                context=place.context,
                section=place.section,
                parent=place.parent,
                tokens=self._index.exact(span.start, span.end),
                occurrence=occurrence,
                page=self._page(span.start),
            )
        )
        return ordinal

    def _page(self, position: int) -> int | None:
        at = bisect_right(self._pages, (position, math.inf))
        return self._pages[at - 1][1] if at else None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a chunk belongs: its section, the context that goes with it, the chunk that contains it."""

    section: int
    context: str
    parent: int = -1


class _Ranges:
    """Blocks of one kind in order, each beginning after the one before ends; others are left out."""

    def __init__(self, blocks: Sequence[Block], kind: str) -> None:
        self._blocks: list[Block] = []
        for block in sorted((b for b in blocks if b.kind == kind and b.end > b.start), key=lambda b: (b.start, -b.end)):
            if not self._blocks or block.start >= self._blocks[-1].end:
                self._blocks.append(block)
        self._starts = [block.start for block in self._blocks]
        self._ends = [block.end for block in self._blocks]

    def within(self, start: int, end: int) -> list[Block]:
        """Blocks that have a character in [start, end)."""
        return self._blocks[bisect_right(self._ends, start) : bisect_left(self._starts, end)]
