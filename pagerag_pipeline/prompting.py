"""What `pagerag ask` is asked, and of which documents: one question given, or every line that is typed or piped in."""

import contextlib
import sys
from collections.abc import Iterator, Sequence

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.stores.documents import UnknownDocument
from pagerag_pipeline.stores.published import NoIndex

ENDS = frozenset({"exit", "quit", ":q", ":quit"})
"""Words that end the prompt on a terminal; in a file they are questions like any other line."""


def asked_of(question: str | None, documents: Sequence[str], engine: QueryEngine) -> tuple[str | None, tuple[str, ...]]:
    """The question and the documents that a command line means: `--documents` takes all that follows it, and the last may be the question.

    It is, where none stands elsewhere and what has several words names no document. Raises UnknownDocument for every other name that is none.
    """
    try:
        engine.resolve(documents)
    except (NoIndex, UnknownDocument) as error:
        *named, last = documents
        if question is None and named and len(last.split()) > 1:
            return asked_of(last, named, engine)
        if isinstance(error, NoIndex):
            return question, tuple(documents)
        told = "" if question is not None else " No question was given either: it stands before --documents, or after its last ID."
        raise UnknownDocument(f"{error}{told}") from error
    return question, tuple(documents)


def prompted() -> Iterator[str]:
    """Questions as they are typed, until the input ends, one of ENDS or Ctrl-C; empty lines are passed over."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # gives `input` its line editing
    typed = sys.stdin.isatty()
    while True:
        try:
            line = input("? " if typed else "").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if typed and line.casefold() in ENDS:
            return
        if line:
            yield line
