"""How what operators find becomes evidence: one item a text, with every place it stands in, and a count of what is not shown."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.schema.asking import Evidence, EvidenceKind, TermStatistics
from pagerag_pipeline.schema.documents import embed_text
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.found import Passage, Quoted
from pagerag_pipeline.stores.graph import EdgeRow

Scores = tuple[tuple[str, float], ...]
_Measured = TypeVar("_Measured", Passage, Evidence)


@dataclass(frozen=True, slots=True)
class EntityQuery:
    """A question as the operators read it that start from its entities."""

    entity_ids: tuple[str, ...]
    entity_keys: tuple[str, ...]
    """Keys of the entities' names."""
    terms: tuple[str, ...]
    statistics: TermStatistics


@dataclass(frozen=True, slots=True)
class Found:
    """What an operator shows, best first, and how much it knows of and does not show."""

    evidence: tuple[Evidence, ...]
    left_out: int = 0
    """Items in scope that are not shown ..."""
    cut: int = 0
    """... and those among them that a limit on reading kept from being ranked."""
    notes: Mapping[str, Any] = field(default_factory=dict)

    def step(self, name: str) -> dict[str, Any]:
        """The operator's step in the trace of an outcome."""
        return {"step": name, "found": len(self.evidence), "left_out": self.left_out, "cut": self.cut, **self.notes}


def likeness(wanted: Sequence[str], found: Collection[str], statistics: TermStatistics) -> float:
    """Share of the distinct wanted terms that stand among those found, weighted by rarity, 0..1; 0 when nothing is wanted."""
    return share(weighed(wanted, statistics), found)


def weighed(wanted: Collection[str], statistics: TermStatistics) -> dict[str, float]:
    """The distinct wanted terms, sorted, each with its rarity: weighed once where many texts are compared with one question."""
    return {term: statistics.weight(term) for term in sorted(set(wanted))}


def share(weights: Mapping[str, float], found: Collection[str]) -> float:
    """The `likeness` of terms that were weighed."""
    total = sum(weights.values())
    return sum(weight for term, weight in weights.items() if term in found) / total if total else 0.0


@lru_cache(maxsize=20_000)
def term_set(text: str) -> frozenset[str]:
    """The search terms of a text; quotes are remembered, for many edges stand in one sentence and many questions meet the same ones."""
    return frozenset(terms(text))


def accounts(
    near: Sequence[tuple[str, float]], told: Sequence[Quoted], kind: EvidenceKind, *, settings: RetrieveSettings, tokenizer: Tokenizer
) -> Found:
    """Reports or summaries by cosine, at most `reports` and `report_tokens` in all; one that is too long makes way for those behind it."""
    cosines = dict(near)
    shown: list[Evidence] = []
    used = 0
    for account in told:
        if len(shown) == settings.reports:
            break
        tokens = count_tokens(account.text, tokenizer)
        if used + tokens <= settings.report_tokens:
            used += tokens
            cosine = round(cosines[account.key], 5)
            shown.append(Evidence(kind, account.text, cosine, account.spans, tokens, scores=(("dense", cosine),)))
    return Found(tuple(shown), left_out=len(told) - len(shown))


def edge_words(edge: EdgeRow, names: Mapping[str, str]) -> str:
    """An edge in words: head, predicate, tail."""
    return f"{names.get(edge.head, edge.head)} | {edge.predicate.replace('_', ' ')} | {names.get(edge.tail, edge.tail)}"


def edge_text(edge: EdgeRow, names: Mapping[str, str]) -> str:
    """An edge in words, with its modality unless it is asserted."""
    return edge_words(edge, names) if edge.modality == "asserted" else f"{edge_words(edge, names)} ({edge.modality})"


def fitting(items: Iterable[_Measured], tokens: int) -> tuple[list[_Measured], int]:
    """The first items that fit into so many tokens, smaller ones behind one that does not fit among them, and how many do not."""
    kept: list[_Measured] = []
    used = left = 0
    for item in items:
        if used + item.tokens <= tokens:
            kept.append(item)
            used += item.tokens
        else:
            left += 1
    return kept, left


def passage_evidence(passages: Sequence[Passage], score: float, scores: Scores = (), *, tokenizer: Tokenizer) -> Evidence:
    """One item for passages or rows of equal text, in all their places; a row shows its caption and header line too."""
    first = passages[0]
    row = first.kind == "row"
    text = embed_text(first.context, first.text) if row else first.text
    tokens = count_tokens(text, tokenizer) if row else first.tokens
    spans = tuple(passage.span for passage in passages)
    return Evidence("row" if row else "passage", text, score, spans, tokens, scores=scores, context=first.context)


def rescored(item: Evidence, score: float, *scores: tuple[str, float]) -> Evidence:
    """An item with another score and more component scores. Whole pools are scored anew, and `dataclasses.replace` takes three times as long."""
    return Evidence(item.kind, item.text, score, item.spans, item.tokens, item.label, (*item.scores, *scores), item.context)


def count_tokens(text: str, tokenizer: Tokenizer) -> int:
    """Length of a text in the embedder's tokens."""
    return int(len(tokenizer.offsets(text)))


def by_content(passages: Sequence[Passage]) -> dict[str, list[Passage]]:
    """Passages grouped by their text, groups in order of appearance."""
    groups: dict[str, list[Passage]] = {}
    for passage in passages:
        groups.setdefault(passage.content_id, []).append(passage)
    return groups
