"""Where a text may be cut: after paragraphs, lines, sentences (also of scripts without spaces), clauses, words, and last between tokens."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.cutting.tokens import TokenIndex
from pagerag_pipeline.indexing.layout.paragraphs import find_paragraphs

_SENTENCE = re.compile(
    r"""(?<![.!?…])[.!?…]++["'”’»)\]_*]*+\s+|(?<=[a-z0-9)])[.!?](?=[A-Z][a-z])|(?<![。！？｡…])[。！？｡]++[”’」』）》"']*+\s*|(?<![؟۔।॥])[؟۔।॥]++\s*""",
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“‘])(?:[A-Z]|[A-Za-z](?:\.[A-Za-z])+|Mr|Mrs|Ms|Dr|St|Mme|Mlle|Messrs|Prof|Rev|Hon|Capt|Col|Gen|Lieut|Lt|Sgt|Jr|Sr|vs|cf|viz|etc|No|Vol|Fig|Eq|ca|al|Hr|Nr|M)\.\s$"
)
_CLAUSES = ("\n", ";；", "，、：,:—–")
"""Where a long sentence is cut first, best first."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece that is not cut unless it must be, with the white space after it; its tokens, and whether a paragraph ends with it."""

    start: int
    end: int
    tokens: int
    closes: bool = True


def paragraph_atoms(index: TokenIndex, start: int, end: int, joints: Sequence[int] = ()) -> list[Atom]:
    """Atoms that tile [start, end): its paragraphs, cut also at `joints`, the sorted positions where a format says that something begins."""
    ends = [start + paragraph.end for paragraph in find_paragraphs(index.text[start:end])]
    inside = joints[bisect_right(joints, start) : bisect_right(joints, end - 1)]
    return _tiled(index, start, end, sorted({*ends, *inside}) if inside else ends)


def sentence_atoms(index: TokenIndex, start: int, end: int) -> list[Atom]:
    """Atoms that tile [start, end): its sentences; only the last one closes a paragraph."""
    pieces = _tiled(index, start, end, sentence_ends(index.text, start, end))
    return [Atom(piece.start, piece.end, piece.tokens, piece.end == end) for piece in pieces]


def sentence_ends(text: str, start: int, end: int) -> list[int]:
    """Positions after sentences and the white space that follows them, inside [start, end)."""
    found = []
    for match in _SENTENCE.finditer(text, start, end):
        position = match.end()
        if position >= end:
            break
        if text[position].islower() or text[position - 1].isspace() and _ABBREVIATION.search(text[max(start, match.start() - 12) : match.end()][:40]):
            continue
        found.append(position)
    return found


def split_atom(index: TokenIndex, atom: Atom, limit: int) -> list[Atom]:
    """Atoms of at most `limit` tokens (at least 1) that tile an atom, cut at the best place before each limit."""
    if atom.tokens <= limit:
        return [atom]
    pieces = []
    start = atom.start
    while index.count(start, atom.end) > limit:
        cut = _best_cut(index, start, atom.end, limit)
        pieces.append(Atom(start, cut, index.count(start, cut), False))
        start = cut
    pieces.append(Atom(start, atom.end, index.count(start, atom.end), atom.closes))
    return pieces


def _best_cut(index: TokenIndex, start: int, end: int, limit: int) -> int:
    """A position in (start, end) with at most `limit` tokens before it: after a line or clause in the last half, else a word, else a token."""
    text = index.text
    last = index.after(start, limit)
    half = index.after(start, max(1, limit // 2))
    for stops in _CLAUSES:
        cut = max(text.rfind(stop, half, last - 1) for stop in stops) + 1
        if cut > max(half, start):
            return _past_space(text, cut, last)
    cut = max(text.rfind(space, start, last) for space in (" ", "\n", "\u3000")) + 1
    if cut > start and text[start:cut].strip():
        return cut
    return _whole_character(text, start, min(last, end))


def _past_space(text: str, cut: int, last: int) -> int:
    while cut < last and text[cut].isspace():
        cut += 1
    return cut


def _whole_character(text: str, start: int, cut: int) -> int:
    """A cut moved back before combining marks, joiners and what they join, at most 16 characters."""
    moved = cut
    while moved > start + 1 and cut - moved < 16 and _joined(text, moved):
        moved -= 1
    return moved if not _joined(text, moved) else cut


def _joined(text: str, at: int) -> bool:
    if at >= len(text):
        return False
    here, before = text[at], text[at - 1]
    return bool(unicodedata.combining(here)) or here in "\u200d\ufe0f\ufe0e" or before == "\u200d" or "\U0001f3fb" <= here <= "\U0001f3ff"


def _tiled(index: TokenIndex, start: int, end: int, ends: Sequence[int]) -> list[Atom]:
    """Atoms between positions; white space after a position goes to the atom before it, before the first visible character to the first."""
    text = index.text
    atoms = []
    begin = start
    for position in ends:
        while position < end and text[position].isspace():
            position += 1
        if position > begin and position < end:
            atoms.append(Atom(begin, position, index.count(begin, position)))
            begin = position
    if begin < end:
        atoms.append(Atom(begin, end, index.count(begin, end)))
    return atoms
