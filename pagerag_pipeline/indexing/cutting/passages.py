"""What is embedded: passages that tile a chunk, rows of tables, and the context that goes with them. All fit the embedder's window."""

from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.cutting.breaks import Atom, paragraph_atoms, sentence_atoms, split_atom
from pagerag_pipeline.indexing.cutting.tokens import TokenIndex
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.protocols import Tokenizer

SEPARATOR = " > "
LONGEST_CONTEXT = 4_000
"""Characters of title, path, caption or header that are looked at, before tokens are counted."""


def path_context(title: str, path: Sequence[str], tokenizer: Tokenizer, limit: int) -> str:
    """Title and section path in at most `limit` tokens: the outermost parts go first, then the end of the innermost is cut."""
    parts: list[str] = []
    for part in (title, *path):
        folded = " ".join(part[:LONGEST_CONTEXT].split())
        if folded and (not parts or folded.casefold() != parts[-1].casefold()):
            parts.append(folded)
    while len(parts) > 1 and len(tokenizer.offsets(SEPARATOR.join(parts))) > limit:
        parts.pop(0)
    return cut_to_tokens(SEPARATOR.join(parts), tokenizer, limit)


def row_context(context: str, caption: str, header: str, tokenizer: Tokenizer, *, limit: int) -> str:
    """What stands before a table row: context, caption and header in at most `limit` tokens; the context goes first."""
    own = ": ".join(part for part in (" ".join(caption[:LONGEST_CONTEXT].split()), header[:LONGEST_CONTEXT]) if part)
    whole = SEPARATOR.join(part for part in (context, own) if part)
    if len(tokenizer.offsets(whole)) <= limit:
        return whole
    return cut_to_tokens(own or context, tokenizer, limit)


def cut_to_tokens(text: str, tokenizer: Tokenizer, limit: int) -> str:
    """The beginning of a text, at most `limit` tokens."""
    offsets = tokenizer.offsets(text)
    if len(offsets) <= limit:
        return text
    return text[: int(offsets[limit - 1][1])].rstrip() if limit > 0 else ""


@dataclass(frozen=True, slots=True)
class Size:
    """How many tokens a passage aims at, and how many it may have at most."""

    target: int
    room: int


def passage_ends(index: TokenIndex, span: Span, size: Size, *, joints: Sequence[int] = ()) -> list[int]:
    """Ends of the passages that tile a span: packed sentences, closed after a paragraph where the next would not fit whole."""
    target = min(size.target, size.room)
    ends: list[int] = []
    tokens = 0
    for atom in paragraph_atoms(index, span.start, span.end, joints):
        close_before = tokens >= target // 2 and tokens + atom.tokens > target
        for unit in _units(index, atom, target):
            if close_before or (tokens and tokens + unit.tokens > target):
                ends.append(unit.start)
                tokens, close_before = 0, False
            tokens += unit.tokens
    if ends and tokens < target // 4 and index.count(ends[-2] if len(ends) > 1 else span.start, span.end) <= size.room:
        ends.pop()
    return _fitting(index, span.start, [*ends, span.end], size.room)


def fit_ends(index: TokenIndex, span: Span, room: int) -> list[int]:
    """Ends of pieces that tile a span, each at most `room` tokens when tokenized by itself."""
    return _fitting(index, span.start, [span.end], room)


def _units(index: TokenIndex, atom: Atom, limit: int) -> list[Atom]:
    if atom.tokens <= limit // 2:
        return [atom]
    return [piece for sentence in sentence_atoms(index, atom.start, atom.end) for piece in split_atom(index, sentence, limit)]


def _fitting(index: TokenIndex, start: int, ends: Sequence[int], room: int) -> list[int]:
    """The same ends, with more where a piece by itself has more tokens than its count in the whole (a cut inside a word)."""
    fitting: list[int] = []
    pending = [(start, end) for start, end in zip([start, *ends], ends, strict=False)][::-1]
    while pending:
        begin, end = pending.pop()
        if index.exact(begin, end) <= room or end - begin <= 1:
            fitting.append(end)
            continue
        pieces = split_atom(index, Atom(begin, end, index.count(begin, end)), max(1, min(room, index.count(begin, end)) * 3 // 4))
        middle = pieces[0].end if len(pieces) > 1 else (begin + end) // 2
        pending.extend(((middle, end), (begin, middle)))
    return fitting
