"""The co-occurrence graph of what is in scope as arrays, and the chunks that its terms stand in (E2GraphRAG; systems, section 3.3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from pagerag_pipeline.stores.incidence import Incidence, both_ways

SENTENCES = "SELECT c.document, c.start_at, c.end_at, c.terms FROM data.term_sentences c WHERE true {scope} ORDER BY c.document, c.start_at, c.end_at"

TERMS = "SELECT number, term, name FROM data.graph_terms WHERE number IN (SELECT unnest(?::INTEGER[])) ORDER BY number"

WINDOWS = {
    "chunk": "SELECT c.document, c.chunk_id, c.start_at, c.end_at, c.tokens FROM data.chunks c WHERE c.kind = 'chunk' {scope} ORDER BY c.document, c.ordinal",
    "fixed": "SELECT c.document, c.chunk_id, c.start_at, c.end_at, c.tokens FROM data.chunks c WHERE c.kind = 'fixed' {scope} ORDER BY c.document, c.ordinal",
}

HOLDS = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'data' AND table_name = 'term_sentences'"

_PLACES = 2**32
"""More than any document has characters: a place in the corpus is (number of the document) x this + offset."""

Rows = Callable[..., Sequence[tuple[Any, ...]]]
"""Runs one of these statements, in some scope where it has a place for one, with parameters."""


@dataclass(frozen=True, slots=True)
class Windows:
    """Chunks of one kind in document order, numbered from 0."""

    chunk_ids: tuple[str, ...]
    documents: tuple[str, ...]
    """Ids of the documents they stand in, sorted, each once."""
    starts: np.ndarray
    ends: np.ndarray
    """Places in the corpus."""
    tokens: np.ndarray

    def place(self, documents: Sequence[str], offsets: Sequence[int]) -> np.ndarray:
        """Places in the corpus of offsets into documents."""
        numbers = {document: number for number, document in enumerate(self.documents)}
        return np.array([numbers[d] for d in documents], dtype=np.int64) * _PLACES + np.array(offsets, dtype=np.int64)

    def document(self, window: int) -> str:
        """The document that one stands in."""
        return self.documents[int(self.starts[window]) // _PLACES]

    def span(self, window: int) -> tuple[int, int]:
        """Its offsets into its document."""
        return int(self.starts[window]) % _PLACES, int(self.ends[window]) % _PLACES

    def follows(self) -> np.ndarray:
        """Of each, whether the one before it stands in the same document."""
        numbers = self.starts // _PLACES
        return np.concatenate([[False], numbers[1:] == numbers[:-1]]) if len(numbers) else np.zeros(0, dtype=bool)

    def holding(self, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pairs (span, window) of every window that holds a span whole; a span that none holds stands where it begins."""
        last = np.searchsorted(self.starts, starts, side="right") - 1
        spans, windows = [], []
        open_, back = np.flatnonzero(last >= 0), 0
        alone = np.ones(len(starts), dtype=bool)
        while len(open_):
            at = last[open_] - back
            reached = (at >= 0) & (self.ends[at] > starts[open_]) & (self.starts[at] // _PLACES == starts[open_] // _PLACES)
            open_, at = open_[reached], at[reached]
            whole = self.ends[at] >= ends[open_]
            spans.append(open_[whole])
            windows.append(at[whole])
            alone[open_[whole]] = False
            back += 1
        rest = np.flatnonzero(alone & (last >= 0))
        return np.concatenate([*spans, rest]), np.concatenate([*windows, last[rest]])


@dataclass(frozen=True, slots=True)
class TermGraph:
    """Terms are nodes; two are joined by every sentence that names both. A term that stands alone is a node without edges.

    Kept as the sentences themselves: a hop leads from a term over a sentence to another term, so nothing grows with the square of a long sentence.
    """

    numbers: Mapping[str, int]
    """Of each term by its key."""
    names: tuple[str, ...]
    """How each is written most often."""
    sentences: Incidence
    """Of a term ..."""
    terms: Incidence
    """... and of a sentence."""
    starts: np.ndarray
    """Where each sentence begins in the corpus, in order."""
    windows: Windows
    held: Incidence
    """Windows of a term ..."""
    counts: np.ndarray
    """... in how many sentences it stands in each, beside `held.ends` ..."""
    holds: Incidence
    """... and terms of a window."""

    def weight(self, one: int, other: int) -> int:
        """Weight of the edge between two terms: in how many sentences both are named; a term has no edge to itself."""
        return 0 if one == other else len(np.intersect1d(self.sentences.of(one), self.sentences.of(other)))

    def neighbors(self, term: int) -> np.ndarray:
        """The terms that share a sentence with one."""
        found = np.unique(self.terms.of_all(self.sentences.of(term)))
        others: np.ndarray = found[found != term]
        return others


def read_windows(rows: Rows, cut: str) -> Windows:
    """The chunks of a kind in scope."""
    found = rows(WINDOWS[cut])
    documents = tuple(dict.fromkeys(row[0] for row in found))
    tokens = np.array([row[4] for row in found], dtype=np.int64)
    bare = Windows(tuple(row[1] for row in found), documents, np.zeros(0), np.zeros(0), tokens)
    names = [row[0] for row in found]
    return Windows(bare.chunk_ids, documents, bare.place(names, [row[2] for row in found]), bare.place(names, [row[3] for row in found]), tokens)


def read_term_graph(rows: Rows, windows: Windows) -> TermGraph:
    """The graph of the sentences in scope, over these windows."""
    found = rows(SENTENCES)
    lengths = np.array([len(row[3]) for row in found], dtype=np.int64)
    every = np.fromiter(chain.from_iterable(row[3] for row in found), dtype=np.int64, count=int(lengths.sum()))
    known, own = np.unique(every, return_inverse=True)
    named = rows(TERMS, [known.tolist()])
    names = [row[0] for row in found]
    starts, ends = windows.place(names, [row[1] for row in found]), windows.place(names, [row[2] for row in found])
    by_sentence = np.repeat(np.arange(len(found)), lengths)
    terms, sentences = both_ways(by_sentence, own, (len(found), len(known)))
    spans, at = windows.holding(starts, ends)
    order = np.argsort(spans, kind="stable")
    placed = both_ways(spans[order], at[order], (len(found), len(windows.chunk_ids)))[0]
    of_window, of_term = placed.of_all(by_sentence), np.repeat(own, np.diff(placed.starts)[by_sentence])
    pairs, counts = np.unique(of_term * max(len(windows.chunk_ids), 1) + of_window, return_counts=True)
    held, holds = both_ways(*np.divmod(pairs, max(len(windows.chunk_ids), 1)), (len(known), len(windows.chunk_ids)))
    return TermGraph(
        {row[1]: number for number, row in enumerate(named)}, tuple(row[2] for row in named), sentences, terms, starts, windows, held, counts, holds
    )
