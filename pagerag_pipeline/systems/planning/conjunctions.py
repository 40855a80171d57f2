"""Questions that ask several things: a plan for each part, side by side, a later part resting on an earlier one that it points back to."""

import re
from collections.abc import Callable
from dataclasses import replace

from pagerag_pipeline.answering.asked import split_question
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.systems.planning.hops import FINAL, PLACE, Hop, HopPlan
from pagerag_pipeline.systems.planning.scopes import scope_of

_PRONOUN = re.compile(r"\b(?P<owner>his|her|its|their)\b(?=\s+[a-z])|\b(?:he|she|him|it|they|them)\b", re.IGNORECASE)
_MADE = re.compile(r"^who (?:was it that |first )?(?P<verb>\w{3,}?)(?:e?d)\b", re.IGNORECASE)


def joined(text: str, tagger: Tagger, planned: Callable[[str], HopPlan]) -> HopPlan | None:
    """The plan of a question with several parts; None for one that asks one thing."""
    parts = [part.text for part in split_question(text)]
    if len(parts) < 2 or any(not re.search(r"\b(?:who|whom|whose|what|which|where|when|why|how)\b", part, re.IGNORECASE) for part in parts):
        return None
    hops: list[Hop] = []
    ends: list[str] = []
    why = [f"conjunction: {len(parts)} things are asked"]
    for part in parts:
        asked = _pointing(part, parts[0], ends[0]) if ends else part
        sub = planned(asked if asked.endswith("?") else f"{asked}?")
        own, end = _renumbered(sub, len({hop.hop_id.partition("-")[0] for hop in hops}))
        hops += own
        ends.append(end)
        why += [note for note in sub.why if not note.startswith("one hop")]
    return HopPlan(text, tuple(hops), Hop(FINAL, text, tuple(ends), scope_of(text)), tuple(why))


def _pointing(part: str, first: str, end: str) -> str:
    """A later part with a place for the first part's answer where it points back: by a pronoun, or by what the first part's verb makes of somebody."""
    made = _MADE.match(first)
    if made:
        agent = re.compile(rf"\bthe {re.escape(made['verb'])}\w{{0,2}}[eo]rs?\b", re.IGNORECASE)
        if agent.search(part):
            return agent.sub(f"<{end}>", part, count=1)
    return _PRONOUN.sub(lambda found: f"<{end}>'s" if found["owner"] else f"<{end}>", part, count=1)


def _renumbered(plan: HopPlan, before: int) -> tuple[list[Hop], str]:
    """The hops of a part's plan, its final query the last of them, in sequences behind those that there are; and the id of that last one."""
    names = {hop.hop_id: f"{int(hop.hop_id.partition('-')[0]) + before}-{hop.hop_id.partition('-')[2]}" for hop in plan.hops}
    last = f"{max([before, *(int(name.partition('-')[0]) for name in names.values())]) + 1}-1"
    names[FINAL] = last

    def renamed(hop: Hop) -> Hop:
        own = [f"<{name}>" for name in names]
        text = PLACE.sub(lambda found: f"<{names[found.group(1)]}>" if found.group() in own else found.group(), hop.sub_query)
        phrase = PLACE.sub(lambda found: f"<{names[found.group(1)]}>" if found.group() in own else found.group(), hop.stands_for)
        return replace(hop, hop_id=names[hop.hop_id], sub_query=text, stands_for=phrase, dependencies=tuple(names.get(one, one) for one in hop.dependencies))

    return [renamed(hop) for hop in plan.steps], last
