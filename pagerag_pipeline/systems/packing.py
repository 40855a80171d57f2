"""Packing: evidence by rank into a budget of tokens, then shown in document order under labels E1, E2, ..."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pagerag_pipeline.lexical import content_terms, terms, words
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.schema.protocols import Tokenizer

_ORDER = {"passage": 0, "row": 0, "entity": 0, "record": 1, "edge": 2, "path": 3, "summary": 4, "report": 5}


@dataclass(frozen=True, slots=True)
class Packed:
    """Labelled evidence and what happened on the way."""

    evidence: tuple[Evidence, ...]
    tokens: int
    left_out: int
    """Items that found no room."""
    cut: bool
    """Whether the best passage had to be cut down to sentences to fit."""
    over_share: int = 0
    """Graph items and summaries beyond their share of the budget."""


def pack(texts: Sequence[Evidence], others: Sequence[Evidence], *, budget: int, most: int | None, floor: int) -> Packed:
    """Items by rank until the budget is full: `floor` passages first, then the others (graph, summaries), then more passages up to `most`.

    An item that does not fit is left out and smaller ones behind it may still come.
    """
    wanted = texts if most is None else texts[:most]
    ordered = [*wanted[:floor], *others, *wanted[floor:]]
    kept: list[Evidence] = []
    used = left = 0
    for item in ordered:
        if _repeats(item, kept):
            continue
        if used + item.tokens > budget:
            left += 1
            continue
        kept.append(item)
        used += item.tokens
    return Packed(_labelled(kept), used, left, False)


def named_rows_first(ranked: Sequence[Evidence], wanted: Collection[str]) -> list[Evidence]:
    """The ranking with the rows in front whose name, their first cell, the question says whole; all else keeps its order.

    A row says what it says in a few words and figures, so that its score as text is seldom high.
    """
    return sorted(ranked, key=lambda item: not (item.kind == "row" and _is_named(item, wanted)))


def _is_named(row: Evidence, wanted: Collection[str]) -> bool:
    cells = [cell.strip() for cell in re.split(r"[|\t]", row.spans[0].quote)]
    name = next((cell for cell in cells if cell), "")
    own = content_terms(name)
    return bool(own) and any(c.isalpha() for c in name) and set(own) <= set(wanted)


def interleave(ranked: Sequence[Evidence], floor: Sequence[Evidence], first: int) -> list[Evidence]:
    """The `first` best of the floor, then the next best of each ranking in turn, each item once.

    Activation finds the second hop and loses single passages of a long book; text does the reverse (measured: evidence that holds the
    answer 0.74 by activation alone, 0.78 in turn), so that a budget is shared by both.
    """
    turns = itertools.chain.from_iterable(itertools.zip_longest(ranked, floor[first:]))
    # Both rankings hold the same passages; the scores shown are those of one of them.
    scored = {item.spans: item for item in ranked}
    order = dict.fromkeys(item.spans for item in [*floor[:first], *turns] if item is not None)
    return [scored[spans] for spans in order]


def cut_to_budget(best: Evidence, wanted: Sequence[str], *, budget: int, tokenizer: Tokenizer) -> Evidence | None:
    """The best passage reduced to the run of whole words around what is asked that fits the budget, or None when not even one token fits."""
    span = best.spans[0]
    offsets = tokenizer.offsets(span.quote)
    if budget < 1 or not len(offsets):
        return None
    hits = [i for i, (start, end) in enumerate(offsets) if set(terms(span.quote[start:end])) & set(wanted)]
    first = max(0, min((hits or [0])[0] - budget // 4, len(offsets) - budget))
    start, end = int(offsets[first][0]), int(offsets[min(first + budget, len(offsets)) - 1][1])
    quote = span.quote[start:end]
    spans = tuple(SourceSpan(s.document, s.chunk_id, s.start + start, s.start + end, quote) for s in best.spans)
    return replace(best, text=quote, spans=spans, tokens=min(budget, len(offsets) - first), label="E1")


def _repeats(item: Evidence, kept: Sequence[Evidence]) -> bool:
    """Whether a row or passage only says again what a kept passage already shows; a row does where its table's header stands before it there."""
    if item.kind not in ("row", "passage"):
        return False
    shown = [span for other in kept if other.kind == "passage" for span in other.spans]
    header = _header(item)
    return all(any(_inside(span, other) and _heads(header, span, other) for other in shown) for span in item.spans)


def _inside(span: SourceSpan, other: SourceSpan) -> bool:
    return other.document == span.document and other.start <= span.start and span.end <= other.end


def _header(item: Evidence) -> str:
    """The words of the header that a row stands under, the last part of its context; nothing for a passage."""
    return " ".join(words(item.context.rsplit(" > ", 1)[-1].rsplit(": ", 1)[-1])) if item.kind == "row" else ""


def _heads(header: str, row: SourceSpan, passage: SourceSpan) -> bool:
    return not header or f" {header} " in f" {' '.join(words(passage.quote[: row.start - passage.start]))} "


def _labelled(kept: Sequence[Evidence]) -> tuple[Evidence, ...]:
    def place(item: Evidence) -> tuple[int, str, int, int, float]:
        first = item.spans[0]
        rank = _ORDER[item.kind]
        return (rank, first.document, first.start, -first.end, -item.score) if rank == 0 else (rank, "", 0, 0, -item.score)

    ordered = sorted(kept, key=lambda item: (*place(item), item.text))
    return tuple(replace(item, label=f"E{number}") for number, item in enumerate(ordered, start=1))
