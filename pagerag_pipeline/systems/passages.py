"""The `passages` system: BM25, dense and rerank, no graph; the strong baseline."""

from pagerag_pipeline.retrieval.rerank import rerank
from pagerag_pipeline.retrieval.text import retrieve_text
from pagerag_pipeline.schema.asking import Plan, Question
from pagerag_pipeline.systems.gathering import Gathered, Means, read, text_query
from pagerag_pipeline.systems.packing import named_rows_first, pack


def gather_passages(question: Question, means: Means) -> Gathered:
    """Evidence for a question by text search alone. It profiles no question, so the gate behind it is never the strict one."""
    knobs = means.retrieve
    reading = means.clock.run("read", read, question, means)
    query = text_query(reading, means)
    found = means.clock.run("text", retrieve_text, query, means.repository, scope=means.scope, settings=knobs)
    ranked = means.clock.run("rerank", rerank, found.evidence, knobs, pointed={})
    budget = knobs.tokens_local if means.budget is None else means.budget
    most = knobs.text_passages if means.budget is None else None
    packed = means.clock.run("pack", pack, named_rows_first(ranked, reading.content), [], budget=budget, most=most, floor=knobs.floor_passages)
    plan = Plan({}, ("text", "rerank"), {"tokens": budget}, ("passages: text search and rerank for every question",))
    trace = (found.step("text"), {"step": "pack", "tokens": packed.tokens, "left_out": packed.left_out})
    return Gathered(reading, plan, tuple(ranked), packed.evidence, trace)
