"""How what operators find becomes evidence: one item a text, with every place it stands in."""

from collections.abc import Sequence

from pagerag_pipeline.schema import Evidence, Tokenizer, embed_text
from pagerag_pipeline.stores.found import Passage

Scores = tuple[tuple[str, float], ...]


def passage_evidence(passages: Sequence[Passage], score: float, scores: Scores = (), *, tokenizer: Tokenizer) -> Evidence:
    """One item for passages or rows of equal text, in all their places; a row shows its caption and header line too."""
    first = passages[0]
    row = first.kind == "row"
    text = embed_text(first.context, first.text) if row else first.text
    tokens = count_tokens(text, tokenizer) if row else first.tokens
    spans = tuple(passage.span for passage in passages)
    return Evidence("row" if row else "passage", text, score, spans, tokens, scores=scores, context=first.context)


def count_tokens(text: str, tokenizer: Tokenizer) -> int:
    """Length of a text in the embedder's tokens."""
    return int(len(tokenizer.offsets(text)))


def by_content(passages: Sequence[Passage]) -> dict[str, list[Passage]]:
    """Passages grouped by their text, groups in order of appearance."""
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        groups.setdefault(passage.content_id, []).append(passage)
    return groups
