"""Ablations: what a system is asked without, to see what it is worth (PAGE-RAG, section 2.6; E2GraphRAG; PankRAG, section 4.8; EnSI-RAG, EN-21). For comparisons, never for answers."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from pagerag_pipeline.retrieval.evidence import Found
from pagerag_pipeline.retrieval.text import TextQuery, score_passages
from pagerag_pipeline.schema.asking import Plan
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.found import Passage
from pagerag_pipeline.stores.repository import Repository

NO_FLOOR = "no_floor"
"""No text search (O_t): evidence is what the graph holds and the passages it is bound to."""
NO_EVIDENCE_CONSTRAINT = "no_evidence_constraint"
"""No gate: the best quotes are an answer, whatever they say."""
NO_STRUCTURAL_GUIDANCE = "no_structural_guidance"
"""No paths, no activation, and nothing of the graph in the order of passages."""

NO_PLAN = "no_plan"
"""No planner (PankRAG, section 4.8): the question is the one hop."""
NO_RERANK = "no_rerank"
"""No dependency-aware reranking: every hop keeps the order it was found in."""

NO_BRANCHES = "no_branches"
"""No entities: the nearest nodes of the whole tree, for every question (dense only)."""
NO_OCCURRENCES = "no_occurrences"
"""No occurrence ranking: where no related entities share a chunk, the nearest nodes in their order."""

NO_ALL_MATCHING = "no_all_matching"
"""Nothing over all that matches: every question is one for single facts, with a fixed number of passages (fixed top-k)."""
NO_RECORDS = "no_records"
"""No records: the passages nearest to the question, by vectors alone (dense only)."""

OF_SYSTEM = {
    "page": (NO_FLOOR, NO_EVIDENCE_CONSTRAINT, NO_STRUCTURAL_GUIDANCE),
    "e2": (NO_BRANCHES, NO_OCCURRENCES),
    "pank": (NO_PLAN, NO_RERANK),
    "ensi": (NO_ALL_MATCHING, NO_RECORDS),
}
"""What each system can be asked without; the gate is behind them all."""
ABLATIONS = tuple(one for own in OF_SYSTEM.values() for one in own)
GUIDING = ("path", "spread")
"""Operators that guide by structure."""


def system_of(ablation: str) -> str:
    """The system whose part an ablation takes away."""
    return next((system for system, own in OF_SYSTEM.items() if ablation in own), "page")


def check_ablations(ablations: Collection[str], system: str, *, planned: bool = False) -> None:
    """Nothing when a system has the parts that it is asked without; `planned` when the planner stands in front of it. Raises ValueError."""
    own = {NO_EVIDENCE_CONSTRAINT, *OF_SYSTEM.get(system, ()), *(OF_SYSTEM["pank"] if planned else ())}
    foreign = sorted(set(ablations) - own)
    if foreign:
        raise ValueError(f"{system} has no part that {', '.join(foreign)} takes away: that is of {', '.join(dict.fromkeys(map(system_of, foreign)))}")


def told_ablations(ablations: Collection[str], system: str) -> tuple[str, ...]:
    """What of a system's own parts is taken away, for `plan.why`."""
    return tuple(f"ablation: {one}" for one in OF_SYSTEM[system] if one in ablations)


def ablated(plan: Plan, ablations: Collection[str]) -> Plan:
    """The plan without the operators that these ablations do without."""
    dropped = (*(("text",) if NO_FLOOR in ablations else ()), *(GUIDING if NO_STRUCTURAL_GUIDANCE in ablations else ()))
    kept = tuple(one for one in plan.operators if one not in dropped)
    return replace(plan, operators=kept, why=(*plan.why, *(f"ablation: {one}" for one in sorted(ablations))))


def bound_text(query: TextQuery, bound: Sequence[Passage], repository: Repository, settings: RetrieveSettings) -> Found:
    """What stands in for text search when there is none: the passages that graph items are bound to, scored as text is."""
    return Found(tuple(score_passages(bound, query, repository, known={}, dense_weight=settings.dense_weight)))
