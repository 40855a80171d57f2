"""A plan run: level by level, hops of a level at once, each text once, and no hop waits for one that failed (PankRAG, section 4.4).

All state is that of one question; nothing is kept when it ends.
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from pagerag_pipeline.schema.asking import Evidence
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.stores.tables import is_interrupt
from pagerag_pipeline.systems.planning.hops import Hop, HopPlan, fill
from pagerag_pipeline.systems.planning.validation import ancestors, levels

LOGGER = logging.getLogger(__name__)

FIRST = 5
"""Passages of a hop that the trace names."""

NAME_WORDS = 8
"""Words of the longest answer that is put into another hop's text (chosen: a sentence there would be searched for instead of what it is about)."""


@dataclass(frozen=True, slots=True)
class HopAnswer:
    """What a hop was answered from its own evidence; `known` is false for what is too unsure to be passed on."""

    text: str = ""
    known: bool = False
    confidence: float | None = 0.0
    """The gate's estimate; None for the answer of a model, which has none."""
    chunks: tuple[str, ...] = ()
    """Ids of the chunks that it is quoted from."""

    @property
    def name(self) -> str:
        """The answer where it can stand in another hop's text: short, and a name or a number; empty otherwise."""
        short = len(self.text.split()) <= NAME_WORDS
        return self.text if short and any(letter.isupper() or letter.isdigit() for letter in self.text) else ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one hop."""

    hop: Hop
    asked: str
    """Its text with answers in the places for them."""
    status: Literal["done", "failed", "unused"] = "done"
    answer: HopAnswer = HopAnswer()
    ranked: tuple[Evidence, ...] = ()
    """Passages and rows, best first."""
    others: tuple[Evidence, ...] = ()
    """Reports, records, edges and paths."""
    used: tuple[str, ...] = ()
    """Dependencies whose answers came in ..."""
    lacking: tuple[str, ...] = ()
    """... and those that failed or are unknown, without which it was asked."""
    steps: tuple[dict[str, Any], ...] = ()
    error: str = ""
    same_as: str = ""
    """The hop that asked the same, whose result this is."""

    def step(self) -> dict[str, Any]:
        """The hop's step in the trace of an outcome."""
        told: dict[str, Any] = {
            "step": "hop", "hop": self.hop.hop_id, "asked": self.asked, "scope": self.hop.scope, "dependencies": list(self.hop.dependencies),
            "used": list(self.used), "lacking": list(self.lacking), "status": self.status, "answer": self.answer.text if self.answer.known else None,
            "guess": "" if self.answer.known else self.answer.text, "confidence": self.answer.confidence, "chunks": list(self.answer.chunks),
            "candidates": len(self.ranked), "first": [item.spans[0].chunk_id for item in self.ranked[:FIRST]], "graph_items": len(self.others),
        }  # fmt: skip
        return {**told, **({"error": self.error} if self.error else {}), **({"same_as": self.same_as} if self.same_as else {})}


Ask = Callable[[Hop, str, Sequence[Finding]], Finding]
"""Answers one hop: the hop, its text as asked, and the findings it rests on."""


@dataclass
class _Run:
    """The state of one question's run."""

    plan: HopPlan
    ask: Ask
    settings: PankSettings
    found: dict[str, Finding] = field(default_factory=dict)
    asked: dict[tuple[str, str, tuple[str, ...]], str] = field(default_factory=dict)
    """The hop that asked a text first, by text, scope and the answers it rests on."""


def run_plan(plan: HopPlan, ask: Ask, settings: PankSettings) -> dict[str, Finding]:
    """What came of each hop, in the order of the plan; the final query is not asked. Raises KeyboardInterrupt.

    A hop that raises, or takes longer than `hop_seconds`, is `failed` and told; a hop that the final query does not rest on is `unused`, unless
    `execute_unused`.
    """
    reached = ancestors(plan.final, plan.hops)
    needed = [hop for hop in plan.hops if settings.execute_unused or hop.hop_id in reached]
    run = _Run(plan, ask, settings)
    for level in levels(needed):
        _run_level(level, run)
    return {hop.hop_id: run.found.get(hop.hop_id, Finding(hop, hop.sub_query, "unused")) for hop in plan.hops}


def resolved(hop: Hop, plan: HopPlan, found: dict[str, Finding]) -> tuple[str, tuple[Finding, ...], tuple[str, ...]]:
    """The hop's text with known names in its places, the findings with a known answer, and the dependencies that gave none."""
    own = [found[one] for one in hop.dependencies if one in found]
    known = tuple(one for one in own if one.status == "done" and one.answer.known)
    lacking = tuple(one for one in hop.dependencies if one not in {finding.hop.hop_id for finding in known})
    phrases = {one.hop_id: one.stands_for for one in plan.hops}
    return fill(hop.sub_query, {one.hop.hop_id: one.answer.name for one in known}, phrases), known, lacking


def _run_level(level: Sequence[Hop], run: _Run) -> None:
    """Ask the hops of a level at once and note what came of each."""
    waiting: list[tuple[Hop, str, tuple[Finding, ...], tuple[str, ...], Future[Finding]]] = []
    for hop in level:
        text, known, lacking = resolved(hop, run.plan, run.found)
        key = (text.casefold(), hop.scope, tuple(one.answer.text for one in known))
        if key in run.asked:
            continue
        run.asked[key] = hop.hop_id
        waiting.append((hop, text, known, lacking, _pool(run.settings.workers).submit(run.ask, hop, text, known)))
    wait([one[-1] for one in waiting], timeout=run.settings.hop_seconds)
    for hop, text, known, lacking, future in waiting:
        finding = _finding(hop, text, future)
        used = tuple(one.hop.hop_id for one in known)
        run.found[hop.hop_id] = replace(finding, hop=hop, used=used, lacking=lacking)
    for hop in level:
        if hop.hop_id not in run.found:
            text, known, lacking = resolved(hop, run.plan, run.found)
            first = run.found[run.asked[(text.casefold(), hop.scope, tuple(one.answer.text for one in known))]]
            used = tuple(one.hop.hop_id for one in known)
            run.found[hop.hop_id] = replace(first, hop=hop, used=used, lacking=lacking, same_as=first.hop.hop_id)


def _finding(hop: Hop, text: str, future: Future[Finding]) -> Finding:
    """What a hop gave, or that it failed, and why."""
    if not future.done():
        future.cancel()
        return Finding(hop, text, "failed", error="it took longer than pank.hop_seconds")
    try:
        return future.result()
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        LOGGER.warning("hop %s failed: %s: %s", hop.hop_id, type(error).__name__, error)
        return Finding(hop, text, "failed", error=f"{type(error).__name__}: {error}")


@lru_cache(maxsize=4)
def _pool(workers: int) -> ThreadPoolExecutor:
    """Threads that stay: an engine keeps a connection a thread for as long as a generation is open."""
    return ThreadPoolExecutor(max_workers=workers, thread_name_prefix="hop")
