"""The plan of a question by a model (PankRAG, section 4.3): one call, mended by the same validator as any plan."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pagerag_pipeline.lexical import words
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.schema.language import REPLY_KINDS, Failure, Request
from pagerag_pipeline.systems.ablations import NO_PLAN
from pagerag_pipeline.systems.asking.models import STAGE, why_none
from pagerag_pipeline.systems.gathering import Means
from pagerag_pipeline.systems.planning.by_rules import plan_by_rules
from pagerag_pipeline.systems.planning.drafts import read_plan
from pagerag_pipeline.systems.planning.hops import HopPlan, single
from pagerag_pipeline.systems.planning.scopes import scope_of

_TURNS = 6
"""Latest turns of a conversation that a model is shown (chosen, as for answers)."""


def plan_hops(question: Question, means: Means) -> HopPlan:
    """The plan by a model where one is asked, else by rules; it says which.

    A plan that stays unusable after one repair is the question itself; where no reply comes at all, the rules plan.
    """
    asking = means.asking
    if asking is None or not asking.settings.plan or NO_PLAN in means.ablations:
        return plan_by_rules(question, means)
    result = asking.plan.reply(plan_request(question, means.pank.most_hops))
    if not isinstance(result, Failure):
        plan = read_plan(result.value, question.text, most=means.pank.most_hops)
        told = f"planned by {asking.plan.name}{', after one repair' if result.repaired else ''}"
        return replace(plan, why=(told, *plan.why), by=asking.plan.name)
    if result.kind in REPLY_KINDS:
        why = f"one hop: the plan of {asking.plan.name} cannot be used ({why_none(result)})"
        return replace(single(question.text, why, scope_of(question.text)), by="none", fallback=why)
    why = f"planned by rules: {asking.plan.name} gave no plan ({why_none(result)})"
    plan = plan_by_rules(question, means)
    return replace(plan, why=(why, *plan.why), fallback=why)


def plan_request(question: Question, most_hops: int) -> Request:
    """What a planner is asked: the question and what was said before; no document."""
    request = load_prompt("plan").request(most_hops=str(most_hops), history=fence_turns(question), question=fence_text(question.text))
    # What the validator mends is no reason for another call: only a plan that asks nothing is.
    return replace(request, stage=STAGE, held={}, faults=plan_faults)


def fence_turns(question: Question) -> str:
    """The latest turns before a question, as data."""
    turns = "\n".join(f"{turn.role}: {turn.text}" for turn in question.history[-_TURNS:])
    return fence_text(turns) if turns else "nothing"


def plan_faults(reply: Any) -> Iterable[str]:
    """Why a reply is no plan, in words that can be quoted back; nothing for one that can be mended."""
    path = reply.get("path") if isinstance(reply, dict) else None
    if not isinstance(path, dict):
        yield "reply.path is no object"
        return
    sequences = path.get("sequences")
    if not isinstance(sequences, list):
        yield "reply.path.sequences is no array; it is an empty one where no hop is needed"
        return
    own = [one.get("hop", one.get("hops")) for one in sequences if isinstance(one, dict)]
    hops = [hop for some in own if isinstance(some, list) for hop in some if isinstance(hop, dict)]
    if sequences and not any(isinstance(hop.get("sub_query"), str) and words(hop["sub_query"]) for hop in hops):
        yield "no hop of reply.path.sequences has a sub_query"
