"""The `e2` system (E2GraphRAG; systems, section 3.4): how the entities of a question are related decides between local and global retrieval.

No model is called but the tagger and the encoder that read the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagerag_pipeline.indexing.graph_terms import text_terms
from pagerag_pipeline.models.rules_tagger import RulesTagger
from pagerag_pipeline.retrieval.cooccurrence import shared_chunks
from pagerag_pipeline.retrieval.occurrence import nearest_nodes, node_weights, occurrence_order
from pagerag_pipeline.retrieval.text import retrieve_text
from pagerag_pipeline.schema.asking import Plan, Question
from pagerag_pipeline.settings_asking import E2Settings
from pagerag_pipeline.stores.collapsed_tree import CollapsedTree, collapsed_tree
from pagerag_pipeline.systems.ablations import NO_BRANCHES, NO_OCCURRENCES, told_ablations
from pagerag_pipeline.systems.e2_evidence import Retrieved, evidence_of, packed_evidence
from pagerag_pipeline.systems.gathering import Gathered, Means, read, text_query

_WHY = {
    "dense_global": "the question names no entity: the nearest nodes of the whole tree",
    "occurrence_rank": "no two entities of the question are related and share a chunk: the nearest nodes, by how often they name what is asked about",
    "local": "related entities of the question share few enough chunks: all of these",
    "local_tightened": "related entities shared too many chunks: only those of nearer ones",
    "entity_aware": "related entities shared too many chunks, nearer ones none: the chunks that name most of what is asked about",
}


@dataclass(frozen=True, slots=True)
class Entities:
    """What a question names: terms of the graph in scope, and words that are none there."""

    terms: tuple[int, ...]
    names: tuple[str, ...]
    unmapped: tuple[str, ...]
    lines_left_out: int
    """Lines behind the first: there options stand, which name no entity of the question."""

    @property
    def step(self) -> dict[str, Any]:
        """For the trace."""
        return {"step": "entities", "mapped": list(self.names), "unmapped": list(self.unmapped), "lines_left_out": self.lines_left_out}


def gather_e2(question: Question, means: Means) -> Gathered:
    """Evidence for a question by one of the branches dense_global, occurrence_rank, local, local_tightened(n) and entity_aware(n)."""
    run, knobs = means.clock.run, means.e2
    reading = run("read", read, question, means)
    held = run("open", collapsed_tree, means.repository, means.scope, knobs.cut)
    entities = run("tag", name_entities, question, held, means)
    related = Entities((), (), (), 0) if NO_BRANCHES in means.ablations else entities
    found = run("branch", retrieve, related, held, reading.vector, knobs, weighted=NO_OCCURRENCES not in means.ablations)
    shown = run("evidence", evidence_of, found, reading, held, means)
    # The gate's estimate was fitted on pools of text search: in a pool of another kind the same evidence would stand out more, or less.
    pool = run("pool", retrieve_text, text_query(reading, means), means.repository, scope=means.scope, settings=means.retrieve)
    budget = knobs.tokens if means.budget is None else means.budget
    packed, groups = run("pack", packed_evidence, shown, found, reading, budget=budget, means=means)
    why = (_why(found), *told_ablations(means.ablations, "e2"), *_told(packed.left_out, cut=packed.cut, budget=budget))
    plan = Plan({}, ("cooccurrence", "occurrence", "tree", "rerank"), {"tokens": budget}, why)
    trace = (
        entities.step,
        {"step": "branch", "branch": found.branch, "path_measure": knobs.path_measure, "cut": knobs.cut, **found.step},
        {"step": "evidence", **shown.step},
        {"step": "format", "groups": groups},
        {"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out, "cut": packed.cut, "over_share": packed.over_share},
    )
    return Gathered(reading, plan, shown.ranked, packed.evidence, trace, pool=pool.evidence)


def name_entities(question: Question, held: CollapsedTree, means: Means) -> Entities:
    """The entities of a question, read from the first line of its own text alone: neither its options nor earlier turns name any."""
    lines = [line for line in question.text.splitlines() if line.strip()]
    tagger = means.readers.tagger if means.readers else RulesTagger()
    terms = {term.key: term.surface for line in lines[:1] for term in text_terms(line, tagger)}
    mapped = [held.graph.numbers[key] for key in terms if key in held.graph.numbers]
    unmapped = tuple(surface for key, surface in terms.items() if key not in held.graph.numbers)
    return Entities(tuple(mapped), tuple(held.graph.names[one] for one in mapped), unmapped, len(lines[1:]))


def retrieve(entities: Entities, held: CollapsedTree, vector: np.ndarray, knobs: E2Settings, *, weighted: bool = True) -> Retrieved:
    """The chunks and summaries that the branch of these entities gives, best first, within the limits of chunks and tokens; `weighted` by occurrences."""
    cosines, passages = held.tree.cosines(vector)
    shared = shared_chunks(held.graph, entities.terms, knobs, held.tree.parents() if knobs.siblings else None)
    step: dict[str, Any] = {"history": list(shared.history)}
    if shared.branch:
        branch, nodes, by = shared.branch, shared.chunks, shared.found_by
    elif not entities.terms and not entities.unmapped:
        ranked = nearest_nodes(cosines, knobs)
        branch, nodes, by, step = "dense_global", ranked.nodes, (), {**step, **ranked.step}
    else:
        weights = node_weights(held.graph, held.tree, entities.terms if weighted else (), knobs)
        ranked = occurrence_order(cosines, weights, knobs)
        branch, nodes, by, step = "occurrence_rank", ranked.nodes, (), {**step, **ranked.step}
    kept = _within(nodes, held, knobs.chunk_tokens)
    chunks = tuple(node for node in nodes[:kept] if node < len(held.tree.windows.chunk_ids))
    summaries = tuple(node for node in nodes[:kept] if node >= len(held.tree.windows.chunk_ids))
    groups = {node: tuple(entities.names[one] for one in own) for node, own in zip(nodes, by, strict=False)}
    step = {**step, "chunks": len(chunks), "summaries": len(summaries), "over_tokens": len(nodes) - kept}
    return Retrieved(branch, chunks, summaries, groups, entities.terms, cosines, passages, step)


def _within(nodes: Sequence[int], held: CollapsedTree, most: int) -> int:
    """How many of the nodes, from the first on, hold at most so many tokens in all; chunks are counted, the first node always stays."""
    windows = held.tree.windows
    tokens = np.cumsum([windows.tokens[node] if node < len(windows.chunk_ids) else 0 for node in nodes])
    return max(int((tokens <= most).sum()), min(1, len(nodes)))


def _why(found: Retrieved) -> str:
    name = found.branch.partition("(")[0]
    return f"{found.branch}: {_WHY[name]}"


def _told(left_out: int, *, cut: bool, budget: int) -> list[str]:
    if cut:
        return [f"budget: {budget} tokens hold nothing whole; the best passage was cut to fit"]
    return [f"budget: {left_out} items found no room in {budget} tokens"] if left_out else []
