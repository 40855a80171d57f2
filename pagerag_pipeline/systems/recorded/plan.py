"""The retrieval plan H(q) of EnSI-RAG: ordered hops with anchors, what they must fulfill, and the check of a plan (systems, section 5.4, step 1)."""

from dataclasses import dataclass, replace
from typing import Any, Literal

Target = Literal["value", "entity", "list", "count", "boolean", "time", "explanation"]
Reasoning = Literal["direct", "comparison", "aggregation", "multi_hop"]
Reach = Literal["point", "all_matching"]
Relation = Literal["=", "<", "<=", ">", ">="]
AGGREGATING = ("comparison", "aggregation")


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a hop holds on to: only what the question states, or what a bridge brings; unknown parts stay empty."""

    entity: str = ""
    type: str = ""
    field: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Hop:
    """One look-up; with `bridge` its matched relations name the entity that dependents start from."""

    number: int
    purpose: str
    anchor: Anchor
    depends_on: tuple[int, ...] = ()
    bridge: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What a number of a record must fulfill."""

    field: str
    relation: Relation
    number: float


@dataclass(frozen=True, slots=True)
class RecordPlan:
    """What is asked of the records."""

    target: Target
    reasoning: Reasoning
    reach: Reach
    hops: tuple[Hop, ...]
    having: tuple[str, ...] = ()
    """Fields that a row must state."""
    conditions: tuple[Condition, ...] = ()
    period: str = ""
    measure: str = ""
    """The field whose numbers are compared ..."""
    highest: bool = True
    """... and whether the highest is asked for or the lowest."""
    missing: str = ""
    """Why the plan is unsure: then nothing is worked out."""
    why: tuple[str, ...] = ()
    by: Literal["rules", "model"] = "rules"

    @property
    def step(self) -> dict[str, Any]:
        """For the trace."""
        hops = [
            {"hop": hop.number, "purpose": hop.purpose, "entity": hop.anchor.entity, "type": hop.anchor.type, "field": hop.anchor.field,
             "value": hop.anchor.value, "depends_on": list(hop.depends_on), "bridge": hop.bridge}
            for hop in self.hops
        ]  # fmt: skip
        conditions = [f"{one.field} {one.relation} {one.number:g}" for one in self.conditions]
        return {
            "step": "record_plan", "by": self.by, "target": self.target, "reasoning": self.reasoning, "reach": self.reach, "hops": hops, "having": list(self.having),
            "conditions": conditions, "period": self.period, "measure": self.measure, "missing": self.missing,
        }  # fmt: skip


def faults(plan: RecordPlan) -> list[str]:
    """What is wrong with a plan, in words; nothing when it may be run."""
    found = [] if plan.hops else ["no hop"]
    known: set[int] = set()
    for hop in plan.hops:
        free = not (hop.anchor.entity or hop.anchor.type)
        if free and not hop.depends_on:
            found.append(f"hop {hop.number} names neither an entity nor a type")
        found += [f"hop {hop.number} depends on hop {one}, which is not before it" for one in hop.depends_on if one not in known]
        known.add(hop.number)
    if plan.reasoning in AGGREGATING and plan.reach != "all_matching":
        found.append(f"a question of {plan.reasoning} looks at all that matches")
    return found


def repaired(plan: RecordPlan) -> RecordPlan:
    """The plan as it may be run: dependencies backwards only, hops without an anchor dropped, aggregation over all that matches."""
    known: set[int] = set()
    hops: list[Hop] = []
    for hop in plan.hops:
        back = tuple(one for one in hop.depends_on if one in known)
        if hop.anchor.entity or hop.anchor.type or back:
            hops.append(replace(hop, depends_on=back))
            known.add(hop.number)
    reach: Reach = "all_matching" if plan.reasoning in AGGREGATING else plan.reach
    return replace(plan, hops=tuple(hops), reach=reach)
