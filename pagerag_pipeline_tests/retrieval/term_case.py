"""A co-occurrence graph typed as text: documents of chunks of sentences of terms, read by the same code that reads a generation."""

from collections.abc import Sequence
from typing import Any

from pagerag_pipeline.stores.term_graph import SENTENCES, TERMS, WINDOWS, TermGraph, Windows, read_term_graph, read_windows

WIDTH = 10
"""Characters of a sentence."""

Documents = dict[str, list[list[str]]]
"""Chunks of each document; a chunk is a list of sentences, a sentence its terms with spaces between."""


def graph_of(documents: Documents, *, windows: Sequence[tuple[str, int, int]] | None = None) -> TermGraph:
    """The graph of documents whose sentences are WIDTH characters long; `windows` (document, start, end) stand in for their chunks."""
    rows = rows_of(documents, windows)
    return read_term_graph(rows, read_windows(rows, "chunk"))


def windows_of(documents: Documents) -> Windows:
    """The chunks alone."""
    return read_windows(rows_of(documents, None), "chunk")


def rows_of(documents: Documents, windows: Sequence[tuple[str, int, int]] | None) -> Any:
    """What the statements of `stores.term_graph` give."""
    sentences: list[tuple[str, int, int, list[str]]] = []
    chunks: list[tuple[str, str, int, int, int]] = []
    for document, parts in sorted(documents.items()):
        at = 0
        for number, part in enumerate(parts):
            chunks.append((document, f"{document}:{number}", at, at + WIDTH * len(part), 100))
            for sentence in part:
                sentences.append((document, at, at + WIDTH, sentence.split()))
                at += WIDTH
    given = [(d, f"{d}:{start}", start, end, 100) for d, start, end in windows] if windows else chunks
    terms = sorted({term for *_, own in sentences for term in own})

    def rows(statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return {
            SENTENCES: [(d, start, end, sorted({terms.index(term) for term in own})) for d, start, end, own in sentences if own],
            TERMS: [(number, term, term.title()) for number, term in enumerate(terms) if number in (parameters or [[]])[0]],
            WINDOWS["chunk"]: given,
        }[statement]

    return rows
