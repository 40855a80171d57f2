"""From retrieved chunks and summaries to evidence: their passages by what they name and say, or whole chunks, in groups by entities (E2GraphRAG)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pagerag_pipeline.retrieval.evidence import count_tokens
from pagerag_pipeline.retrieval.rerank import rerank
from pagerag_pipeline.retrieval.text import score_passages, z_scores
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.stores.collapsed_tree import CollapsedTree
from pagerag_pipeline.systems.gathering import Means, Reading, text_query
from pagerag_pipeline.systems.packing import Packed, cut_to_budget, named_rows_first, pack


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a branch found: windows and summaries as nodes of the tree, best first."""

    branch: str
    chunks: tuple[int, ...]
    summaries: tuple[int, ...]
    groups: dict[int, tuple[str, ...]]
    """Names of the entities that a chunk was found by; none has a chunk that dense search found."""
    terms: tuple[int, ...]
    """What is asked about, in the graph."""
    cosines: np.ndarray
    """Of all nodes ..."""
    passages: np.ndarray
    """... and of all passages."""
    step: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """Evidence of what was retrieved, unpacked."""

    ranked: tuple[Evidence, ...]
    """Passages and rows, best first."""
    chunks: tuple[Evidence, ...]
    """Whole chunks, best passage first, where these are shown."""
    summaries: tuple[Evidence, ...]
    windows: dict[str, int]
    """The retrieved chunk that a passage or a chunk is shown of, by chunk id."""
    step: dict[str, Any]


def evidence_of(found: Retrieved, reading: Reading, held: CollapsedTree, means: Means) -> Shown:
    """The passages of the retrieved chunks, best first, and the summaries.

    Score = text score as `passages` has it + `entity_weight` x share of the entities that the passage names. Of more passages than the pool holds
    those are scored that are nearest and name most.
    """
    tree, knobs = held.tree, means.e2
    rows = np.unique(tree.shown.of_all(np.array(found.chunks, dtype=np.int64)))
    share = _named(found, held, rows)
    rough = np.array(z_scores(found.passages[rows].tolist())) + knobs.entity_weight * share
    pool = np.argsort(-rough, kind="stable")[: means.retrieve.pool]
    passages = [tree.passages[row] for row in rows[np.sort(pool)]]
    names = {tree.passages[rows[one]].chunk_id: float(share[one]) for one in pool}
    known = {tree.passages[rows[one]].embed_key: float(found.passages[rows[one]]) for one in pool}
    scored = score_passages(passages, text_query(reading, means), means.repository, known=known, dense_weight=means.retrieve.dense_weight)
    ranked = _with_entities(rerank(scored, means.retrieve, pointed={}), names, knobs.entity_weight)
    owners = {tree.passages[row].chunk_id: window for window in found.chunks for row in tree.shown.of(window)}
    chunks = _chunks(ranked, owners, held, means) if knobs.show == "chunks" else ()
    owners.update({tree.windows.chunk_ids[window]: window for window in found.chunks})
    step = {"found": len(ranked), "left_out": len(rows) - len(pool)}
    return Shown(tuple(ranked), chunks, _summaries(found, held, means), owners, step)


def packed_evidence(shown: Shown, found: Retrieved, reading: Reading, *, budget: int, means: Means) -> tuple[Packed, list[dict[str, Any]]]:
    """The best of it within a budget, and its groups: those found by most entities first, in document order inside; summaries come last.

    A heading of entities is told apart from the evidence, in the trace: what the question names must not count as what the text says.
    """
    knobs = means.retrieve
    texts = shown.chunks or named_rows_first(shown.ranked, reading.content)
    room = int(budget * knobs.others_share)
    summaries = []
    for item in shown.summaries:
        if item.tokens <= room:
            summaries.append(item)
            room -= item.tokens
    most = knobs.text_passages if means.budget is None else None
    packed = pack(texts, summaries, budget=budget, most=most, floor=knobs.floor_passages)
    if not packed.evidence and shown.ranked:
        cut = cut_to_budget(shown.ranked[0], reading.content, budget=budget, tokenizer=means.tokenizer)
        packed = Packed((cut,), cut.tokens, 1, True) if cut else Packed((), 0, 1, False)
    grouped = _grouped(packed.evidence, shown, found)
    merged = [one for _, items in grouped for one in (_merged(items, means) if shown.chunks else items)]
    evidence = tuple(replace(item, label=f"E{number}") for number, item in enumerate(merged, start=1))
    told = [{"entities": list(names), "labels": [e.label for e in evidence if _heading(e, shown, found) == names]} for names, _ in grouped]
    tokens = sum(item.tokens for item in evidence)
    return Packed(evidence, tokens, packed.left_out, packed.cut, len(shown.summaries) - len(summaries)), told


def _named(found: Retrieved, held: CollapsedTree, rows: np.ndarray) -> np.ndarray:
    """Share of the entities that each of these passages names."""
    share = np.zeros(len(rows))
    for term in found.terms:
        places = held.graph.starts[held.graph.sentences.of(term)]
        share += np.searchsorted(places, held.tree.ends[rows]) > np.searchsorted(places, held.tree.starts[rows])
    return share / max(len(found.terms), 1)


def _with_entities(scored: Sequence[Evidence], names: dict[str, float], weight: float) -> list[Evidence]:
    def one(item: Evidence) -> Evidence:
        share = max(names.get(span.chunk_id, 0.0) for span in item.spans)
        return replace(item, score=round(item.score + weight * share, 5), scores=(*item.scores, ("entities", round(share, 5))))

    return sorted((one(item) for item in scored), key=lambda e: (-e.score, e.spans[0].document, e.spans[0].start))


def _summaries(found: Retrieved, held: CollapsedTree, means: Means) -> tuple[Evidence, ...]:
    """The summaries in their order, told in their quotes; equal ones once."""
    first = len(held.tree.windows.chunk_ids)
    cosines = {held.tree.summaries[node - first]: float(found.cosines[node]) for node in found.summaries}
    told = means.repository.summaries(list(cosines), means.scope) if cosines else []
    return tuple(
        Evidence("summary", one.text, cosines[one.key], one.spans, count_tokens(one.text, means.tokenizer), scores=(("dense", cosines[one.key]),))
        for one in told
    )


def _chunks(ranked: Sequence[Evidence], owners: dict[str, int], held: CollapsedTree, means: Means) -> tuple[Evidence, ...]:
    """The chunks of ranked passages, each once, with the scores of its best passage."""
    best: dict[int, Evidence] = {}
    for item in ranked:
        for span in item.spans:
            best.setdefault(owners[span.chunk_id], item)
    return tuple(_whole(window, item, held, means) for window, item in best.items())


def _whole(window: int, best: Evidence, held: CollapsedTree, means: Means) -> Evidence:
    windows = held.tree.windows
    document, (start, end) = windows.document(window), windows.span(window)
    text = means.repository.slice(document, start, end)
    span = SourceSpan(document, windows.chunk_ids[window], start, end, text)
    return replace(best, kind="passage", text=text, spans=(span,), tokens=int(windows.tokens[window]))


def _heading(item: Evidence, shown: Shown, found: Retrieved) -> tuple[str, ...]:
    """Names of the entities that the chunk of an item was found by; of a text in several places those of the first that was."""
    if item.kind == "summary":
        return ()
    return next((names for span in item.spans if (names := found.groups.get(shown.windows.get(span.chunk_id, -1), ()))), ())


def _grouped(evidence: Sequence[Evidence], shown: Shown, found: Retrieved) -> list[tuple[tuple[str, ...], list[Evidence]]]:
    groups: dict[tuple[str, ...], list[Evidence]] = {}
    for item in evidence:
        groups.setdefault(_heading(item, shown, found), []).append(item)
    return sorted(groups.items(), key=lambda group: (-len(group[0]), group[0]))


def _merged(items: Sequence[Evidence], means: Means) -> list[Evidence]:
    """Chunks that follow each other as one item, what two of them share told once; each keeps its own span, so that quotes stay exact."""
    merged: list[Evidence] = []
    for item in items:
        before = merged[-1] if merged else None
        span, last = item.spans[0], before.spans[-1] if before else None
        if before is None or last is None or item.kind != "passage" or before.kind != "passage" or span.document != last.document or span.start > last.end:
            merged.append(item)
            continue
        fresh = replace(span, start=last.end, quote=span.quote[last.end - span.start :])
        text = before.text + fresh.quote
        tokens = count_tokens(text, means.tokenizer)
        better = max(before, item, key=lambda one: one.score)
        merged[-1] = replace(better, text=text, spans=(*before.spans, fresh) if fresh.quote else before.spans, tokens=tokens, context=before.context)
    return merged
