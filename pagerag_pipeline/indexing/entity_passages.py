"""Passages around one main entity: a chunk parted where its paragraphs turn to another name (EnSI-RAG, EN-1 and EN-3)."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.cutting.breaks import Atom, paragraph_atoms, sentence_atoms, split_atom
from pagerag_pipeline.indexing.cutting.tokens import TokenIndex
from pagerag_pipeline.indexing.partition import Segment, repaired_partition
from pagerag_pipeline.schema.knowledge import GENERIC_TYPES, EntityPassage, Term
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings import PartitionSettings

VERSION = "entity_passages/2"

_HEADING_WORDS = 12
_SENTENCE_END = re.compile(r"[.!?:;,\u3002\uff01\uff1f\u2026][\"'\u201d\u2019)\]*_]*\s*$")
_AHEAD = 60
"""Tokens from which a text tells of whom it speaks."""


def partition_chunk(text: str, terms: Sequence[Term], tokenizer: Tokenizer, settings: PartitionSettings) -> list[EntityPassage]:
    """The passages of a chunk, in order; joined they are its text, and none has more than `settings.most_tokens` tokens.

    A passage ends, once it has `settings.least_tokens`, before a paragraph from which on another name stands at least twice as often as its own
    main entity; a paragraph that names nobody goes with the one before it, a heading with what it stands over. Nothing outside the chunk is looked at, so an edit moves the passages of its chunk alone.
    """
    index = TokenIndex(text, tokenizer)
    blocks = passage_blocks(index, settings.most_tokens)
    if not blocks:
        return []
    names = _Names(terms)
    counts = [names.counts(block.start, block.end) for block in blocks]
    segments = repaired_partition(_segments(text, blocks, counts, settings), len(blocks))
    return [_passage(index, blocks, segment, names) for segment in segments]


def passage_blocks(index: TokenIndex, most: int) -> list[Atom]:
    """What is never parted: the paragraphs that tile a text, those above `most` tokens in sentences or pieces of them."""
    found: list[Atom] = []
    for atom in paragraph_atoms(index, 0, len(index.text)):
        if atom.tokens <= most:
            found.append(atom)
        else:
            found.extend(piece for sentence in sentence_atoms(index, atom.start, atom.end) for piece in split_atom(index, sentence, most))
    return found


@dataclass(slots=True)
class _Open:
    """A passage that is being gathered."""

    first: int
    tokens: int
    counts: Counter[str]


def _segments(text: str, blocks: Sequence[Atom], counts: Sequence[Counter[str]], settings: PartitionSettings) -> list[Segment]:
    """Runs of blocks; the last one joins the one before it when it is small and they fit together."""
    runs: list[_Open] = []
    for number, block in enumerate(blocks):
        now = runs[-1] if runs else None
        here = counts[number]
        telling = bool(here) or _is_heading(text[block.start : block.end])
        if now is None or now.tokens + block.tokens > settings.most_tokens:
            runs.append(_Open(number, block.tokens, Counter(here)))
        elif telling and now.tokens >= settings.least_tokens and _turns(now.counts, here, _ahead(blocks, counts, number)):
            runs.append(_Open(number, block.tokens, Counter(here)))
        else:
            now.tokens += block.tokens
            now.counts.update(here)
    if len(runs) > 1 and runs[-1].tokens < settings.least_tokens and runs[-2].tokens + runs[-1].tokens <= settings.most_tokens:
        runs.pop()
    ends = [*(run.first for run in runs[1:]), len(blocks)]
    return [Segment(run.first, end - 1) for run, end in zip(runs, ends, strict=True)]


def _ahead(blocks: Sequence[Atom], counts: Sequence[Counter[str]], number: int) -> Counter[str]:
    """Names from a block on, as far as it takes to tell of whom the text speaks: a heading or a line of a dialogue alone does not."""
    names: Counter[str] = Counter()
    tokens = 0
    for block, some in zip(blocks[number:], counts[number:], strict=True):
        names.update(some)
        tokens += block.tokens
        if tokens >= _AHEAD:
            break
    return names


def _turns(before: Counter[str], here: Counter[str], ahead: Counter[str]) -> bool:
    """Whether a block, and what follows it, speaks of another entity than the passage before it did."""
    if not before or not ahead:
        return False
    main = _main(before)
    return main != _main(ahead) and all(2 * some[main] <= max(some.values(), default=0) for some in (here, ahead))


def _is_heading(told: str) -> bool:
    return len(told.split()) <= _HEADING_WORDS and not _SENTENCE_END.search(told)


def _main(counts: Counter[str]) -> str:
    """The most frequent name; of equals the one counted first, which stands first."""
    return max(counts, key=lambda key: counts[key])


def _passage(index: TokenIndex, blocks: Sequence[Atom], segment: Segment, names: "_Names") -> EntityPassage:
    start, end = blocks[segment.first].start, blocks[segment.last].end
    counts = names.counts(start, end)
    entity, kind = names.shown(_main(counts)) if counts else ("", "")
    return EntityPassage(start, end, index.exact(start, end), entity, kind)


class _Names:
    """The names of a chunk by place; one word of a longer name counts as that name when no other has it."""

    def __init__(self, terms: Sequence[Term]) -> None:
        named = list(_outermost(term for term in terms if term.label != "NOUN"))
        whole = _owners({term.key for term in named})
        self._keys = [whole.get(term.key, term.key) for term in named]
        self._starts = [term.start for term in named]
        self._forms: dict[str, Counter[tuple[str, str]]] = {}
        for key, term in zip(self._keys, named, strict=True):
            self._forms.setdefault(key, Counter())[" ".join(term.surface.split()), term.label] += term.key == key
        self._weights = {key: 1 + any(label not in GENERIC_TYPES for _, label in forms) for key, forms in self._forms.items()}

    def counts(self, start: int, end: int) -> Counter[str]:
        """How often each name stands in [start, end), in the order of their first places; one of a known type counts twice (a title is no name)."""
        first, last = bisect_right(self._starts, start - 1), bisect_right(self._starts, end - 1)
        found: Counter[str] = Counter()
        for key in self._keys[first:last]:
            found[key] += self._weights[key]
        return found

    def shown(self, key: str) -> tuple[str, str]:
        """A name as it is written most often, with its type: the most frequent one that says something, if any does."""
        forms = self._forms[key]
        surface = max(sorted({form for form, _ in forms}), key=lambda form: sum(n for (f, _), n in forms.items() if f == form))
        labels = sorted(forms.items(), key=lambda pair: (pair[0][1] in GENERIC_TYPES, -pair[1], pair[0][1]))
        return surface, labels[0][0][1]


def _outermost(terms: Iterable[Term]) -> Iterator[Term]:
    """Terms that stand inside no other, in order."""
    reached = -1
    for term in sorted(terms, key=lambda t: (t.start, -t.end, t.key)):
        if term.end > reached:
            yield term
            reached = term.end


def _owners(keys: set[str]) -> dict[str, str]:
    """For a word that is part of exactly one longer name, that name."""
    longer: dict[str, set[str]] = {}
    for key in keys:
        words = key.split()
        if len(words) > 1:
            for word in words:
                longer.setdefault(word, set()).add(key)
    return {word: next(iter(some)) for word, some in longer.items() if len(some) == 1 and word in keys}
