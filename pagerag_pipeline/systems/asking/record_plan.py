"""The plan of a question over records by a model (EnSI-RAG; systems, section 5.4, step 1): one call that is shown the names the index has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagerag_pipeline.answering.degrees import dimensions
from pagerag_pipeline.answering.support import anchors_of
from pagerag_pipeline.fields import field_name
from pagerag_pipeline.lexical import STOP_WORDS, name_key, stem, words
from pagerag_pipeline.prompts.load import fence_text, load_prompt
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline.stores.record_index import RecordIndex
from pagerag_pipeline.systems.asking.models import STAGE, Asking, why_none
from pagerag_pipeline.systems.asking.plan import fence_turns
from pagerag_pipeline.systems.recorded import cues
from pagerag_pipeline.systems.recorded.plan import Anchor, Condition, Hop, RecordPlan, faults, repaired
from pagerag_pipeline.systems.recorded.vocabulary import Kind

_TYPES = 40
_FIELDS = 24
"""Most types, and fields of each, that a planner is shown, those with most records first (chosen: some thousand tokens at most)."""
_ASKING = frozenset(stem(word) for word in (*cues.HIGH, *cues.LOW)) | cues.GENERIC


@dataclass(frozen=True, slots=True)
class Names:
    """What an index holds, for a planner to see and for its plan to be held against."""

    index: RecordIndex
    tables: tuple[Kind, ...]
    counting: bool = False
    """Whether rules saw that the question is about all that matches: then a plan for single facts would answer from a part of it."""

    def table(self, name: str) -> Kind | None:
        """The table of a type."""
        return next((kind for kind in self.tables if kind.type == name), None)


def ask_record_plan(question: Question, names: Names, asking: Asking) -> RecordPlan | str:
    """The plan of a model, or why there is none that can be used: then rules plan."""
    shown = fence_text("\n".join(_vocabulary(names)))
    request = load_prompt("record_plan").request(vocabulary=shown, history=fence_turns(question), question=fence_text(question.text))

    def found(reply: dict[str, Any]) -> Iterable[str]:
        return plan_faults(_plan(reply), question, names)

    result = asking.plan.reply(replace(request, stage=STAGE, faults=found))
    if isinstance(result, Failure):
        return why_none(result)
    told = f"planned by {asking.plan.name}{', after one repair' if result.repaired else ''}"
    return replace(repaired(_plan(result.value)), why=(told,))


def plan_faults(plan: RecordPlan, question: Question, names: Names) -> Iterator[str]:
    """What is wrong with a plan, in words that can be quoted back: its order, names that nobody gave, and what it leaves unread of the question."""
    yield from faults(plan)
    said = {stem(word) for text in (question.text, *(turn.text for turn in question.history)) for word in words(text)}
    for hop in plan.hops:
        for part, text in (("entity", hop.anchor.entity), ("value", hop.anchor.value)):
            if strangers := [word for word in words(text) if stem(word) not in said and word not in STOP_WORDS]:
                yield f"the {part} of hop {hop.number} says {', '.join(strangers)}, which the question does not"
    if plan.reach == "all_matching" and plan.hops:
        yield from _table_faults(plan, question.text, names)
    elif names.counting:
        yield "the question counts or compares what a table lists: reach is all_matching"
    elif unread := [word for word in anchors_of(question.text) if not any(word in words(one) for one in _texts(plan, purposes=True))]:
        yield f"nothing in the plan stands for {', '.join(unread)}"


def _table_faults(plan: RecordPlan, text: str, names: Names) -> Iterator[str]:
    """What keeps an answer from being worked out by this plan: names of no table, and whatever of the question it does not read."""
    kind = names.table(plan.hops[0].anchor.type)
    if kind is None:
        yield f"{plan.hops[0].anchor.type!r} is no type of a table; tables are {', '.join(one.type for one in names.tables) or 'none'}"
        return
    used = list(dict.fromkeys([*(hop.anchor.field for hop in plan.hops), *plan.having, *(one.field for one in plan.conditions), plan.measure]))
    fields = {one.name for one in kind.fields}
    yield from (f"{kind.type} has no field {name!r}" for name in used if name and name not in fields)
    yield from (f"hop {hop.number} is of another type than {kind.type}" for hop in plan.hops if hop.anchor.type != kind.type)
    for hop in plan.hops:
        if hop.anchor.value and hop.anchor.field not in kind.values.get(hop.anchor.value, ()):
            yield f"no row of {kind.type} has {hop.anchor.field} = {hop.anchor.value}"
    yield from _form_faults(plan, kind, text)
    yield from _unread(plan, kind, text, [name for name in used if name])


def _form_faults(plan: RecordPlan, kind: Kind, text: str) -> Iterator[str]:
    """Whether it counts, lists, compares or takes an extreme as the question does."""
    every = words(text)
    if plan.target not in ("count", "list", "entity"):
        yield f"over all rows the target is count, list or entity, not {plan.target}"
    named = [hop.anchor.entity for hop in plan.hops if hop.anchor.entity]
    if plan.reasoning == "comparison":
        if len(plan.hops) != 2 or len(named) != 2 or any(one not in kind.entities for one in named) or not plan.measure:
            yield "a comparison needs a measure and two hops, each with an entity of the table"
    elif named:
        yield "over all rows no hop names an entity"
    degrees = [word for word in every if word in cues.SUPERLATIVES or (plan.reasoning == "comparison" and word in cues.COMPARATIVES)]
    if degrees and not plan.measure and not cues.bounds(text):
        yield f"{degrees[0]} asks for an extreme, but measure is empty"
    if plan.measure and any((word in cues.LOW) if plan.highest else (word in cues.HIGH) for word in degrees if word not in cues.DATED):
        yield f"highest is {str(plan.highest).lower()}, which {degrees[0]} does not mean"
    if "or" in every and plan.reasoning != "comparison" and len({hop.anchor.field for hop in plan.hops if hop.anchor.value}) > 1:
        yield "values of different fields joined by or are no plan over all rows: reach is point"


def _unread(plan: RecordPlan, kind: Kind, text: str, used: Sequence[str]) -> Iterator[str]:
    """Bounds that the question does not state or the plan does not have, and words that nothing in the plan stands for."""
    stated = [*cues.bounds(text), *(bound for bound, _ in cues.plain_numbers(text))]
    pairs = {(one.relation, one.number) for one in stated}
    yield from (f"the question does not say {one.field} {one.relation} {one.number:g}" for one in plan.conditions if (one.relation, one.number) not in pairs)
    held = {one.number for one in plan.conditions}
    yield from (f"no condition stands for {one.relation} {one.number:g}" for one in cues.bounds(text) if one.number not in held and f"{one.number:g}" != plan.period)
    if plan.period and not set(words(plan.period)) <= set(words(text)):
        yield f"the question does not say {plan.period}"
    bounded = {word for one in cues.bounds(text) for word in words(text[one.start : one.end])}
    read = {stem(word) for one in (*_texts(plan), *used) for word in words(one.replace("_", " "))} | kind.stems | kind.context | _ASKING
    read |= {stem(word) for word in words(text) if set(dimensions(word)) & set(used)}
    asked = [word for word in dict.fromkeys(words(text)) if word not in bounded]
    left = [word for word in asked if word in cues.NEGATIONS or (word not in STOP_WORDS and stem(word) not in read)]
    if left:
        yield f"nothing in the plan stands for {', '.join(left)}"


def _texts(plan: RecordPlan, *, purposes: bool = False) -> list[str]:
    """What a plan says, in words."""
    anchors = [part for hop in plan.hops for part in (hop.anchor.entity, hop.anchor.type, hop.anchor.field, hop.anchor.value)]
    return [*anchors, *(hop.purpose for hop in plan.hops if purposes), plan.period, *(f"{one.number:g}" for one in plan.conditions)]


def _plan(reply: dict[str, Any]) -> RecordPlan:
    """A reply that fits its schema as a plan, its names as the index writes names."""
    hops = tuple(
        Hop(
            one["number"], " ".join(one["purpose"].split()),
            Anchor(name_key(one["entity"]), one["type"].strip(), field_name(one["field"]), name_key(one["value"])),
            tuple(one["depends_on"]), one["bridge"],
        )
        for one in reply["hops"]
    )  # fmt: skip
    conditions = tuple(Condition(field_name(one["field"]), one["relation"], float(one["number"])) for one in reply["conditions"])
    having = tuple(field_name(name) for name in reply["having"])
    return RecordPlan(
        reply["target"], reply["reasoning"], reply["reach"], hops, having, conditions, reply["period"].strip(), field_name(reply["measure"]), reply["highest"],
        by="model",
    )  # fmt: skip


def _vocabulary(names: Names) -> Iterator[str]:
    """A line a type, those of tables first, then those with most records, with its fields; what is more is counted."""
    fields: dict[str, Counter[str]] = {}
    for entry in names.index.entries:
        if entry.entity_type and not entry.field.startswith("inverse_of:"):
            fields.setdefault(entry.entity_type, Counter())[names.index.field_of(entry)] += 1
    tables = {kind.type for kind in names.tables}
    ordered = sorted(fields, key=lambda name: (name not in tables, -fields[name].total(), name))
    for name in ordered[:_TYPES]:
        most = sorted(fields[name], key=lambda one: (-fields[name][one], one))
        yield f"{name}{' (table)' if name in tables else ''}: {', '.join(_some(most, _FIELDS))}"
    if len(ordered) > _TYPES:
        yield f"and {len(ordered) - _TYPES} types more"


def _some(names: Sequence[str], most: int) -> list[str]:
    return [*names[:most], *([f"and {len(names) - most} more"] if len(names) > most else [])]
