"""The inventory of a plan: every row that qualifies, each entity once, and the count, list, comparison or extreme that they give."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pagerag_pipeline.stores.record_index import Entry, RecordIndex
from pagerag_pipeline.systems.recorded.plan import Condition, RecordPlan

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_Row = tuple[str, str]
"""Entity key and row."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a plan gives: the answer, the records of the rows that qualify, and those that the answer itself stands on."""

    answer: str
    entries: tuple[Entry, ...]
    """One record a row that was looked at."""
    standing: tuple[Entry, ...]
    matched: int
    """Rows that qualify."""
    entities: int
    missing: str = ""
    notes: tuple[str, ...] = ()


def take_inventory(plan: RecordPlan, index: RecordIndex) -> Inventory:
    """The inventory of all rows that qualify: entities of one name and type count once, numbers are compared in one unit and period alone."""
    if plan.missing:
        return _nothing(plan.missing)
    if plan.reasoning == "comparison":
        return _compared(plan, index)
    if unsure := _unknown(plan, index):
        return _nothing(unsure)
    rows = _rows(plan, index)
    if not rows:
        return _none(plan, index)
    if plan.measure:
        return _extreme(plan, rows)
    firsts = _firsts(rows)
    told = tuple(entry for entry, _ in firsts.values())
    every = tuple(entry for _, entries in firsts.values() for entry in entries)
    answer = str(len(firsts)) if plan.target == "count" else "; ".join(entry.entity for entry in told)
    return Inventory(answer, every, every, len(rows), len(firsts))


def _unknown(plan: RecordPlan, index: RecordIndex) -> str:
    """Why nothing over all rows of the plan's kind is sure; empty when it is."""
    kind = [entry for entry in index.by_type.get(plan.hops[0].anchor.type, ()) if entry.in_row]
    unread = sum(index.unread.get(table, 0) for table in {(entry.document, entry.context) for entry in kind})
    if unread:
        return f"rows of these tables that could not be read as records: {unread} (other columns than the header, or no name); nothing over all rows is sure"
    for one in () if plan.period else plan.conditions:
        periods = sorted({entry.period for entry in kind if index.field_of(entry) == one.field})
        if len(periods) > 1:
            return f"{one.field} is known for several periods ({', '.join(periods)}): which is meant?"
    return ""


def _none(plan: RecordPlan, index: RecordIndex) -> Inventory:
    """A count of none stands on the rows that fulfill all but the bounds; without any such row nothing is known."""
    near = _rows(replace(plan, conditions=()), index) if plan.conditions and plan.target == "count" else {}
    held = {row: entries for row, entries in near.items() if all(any(index.field_of(e) == one.field for e in entries) for one in plan.conditions)}
    told = tuple(entries[0] for entries in held.values())
    return Inventory("0", told, told, 0, 0) if told else _nothing("no row of a table qualifies")


def _nothing(missing: str) -> Inventory:
    return Inventory("", (), (), 0, 0, missing)


def _rows(plan: RecordPlan, index: RecordIndex) -> dict[_Row, list[Entry]]:
    """Records by row, of the rows that fulfill every filter, condition and period of the plan."""
    kind = plan.hops[0].anchor.type
    rows: dict[_Row, list[Entry]] = {}
    for entry in index.by_type.get(kind, ()):
        if entry.in_row and not entry.field.startswith("inverse_of:"):
            rows.setdefault((entry.entity_key, entry.passage_id), []).append(entry)
    return {row: entries for row, entries in rows.items() if _qualifies(entries, plan, index)}


def _qualifies(entries: Sequence[Entry], plan: RecordPlan, index: RecordIndex) -> bool:
    own = [entry for entry in entries if not plan.period or not entry.period or entry.period == plan.period]
    if plan.period and not any(entry.period == plan.period for entry in own):
        return False
    wanted = [(hop.anchor.field, hop.anchor.value) for hop in plan.hops if hop.anchor.value]
    named = sorted({name for name, _ in wanted})
    filtered = all(any(index.field_of(entry) == name and (name, entry.value_key) in wanted for entry in own) for name in named)
    held = all(any(index.field_of(entry) == one.field and _holds(entry, one) for entry in own) for one in plan.conditions)
    return filtered and held and all(any(index.field_of(entry) == name for entry in own) for name in plan.having)


def _holds(entry: Entry, condition: Condition) -> bool:
    return entry.number is not None and _RELATIONS[condition.relation](entry.number, condition.number)


def _firsts(rows: dict[_Row, list[Entry]]) -> dict[str, tuple[Entry, list[Entry]]]:
    """By entity its first record, and one record of each of its rows."""
    found: dict[str, tuple[Entry, list[Entry]]] = {}
    for (key, _), entries in rows.items():
        found.setdefault(key, (entries[0], []))[1].append(entries[0])
    return found


def _measured(plan: RecordPlan, entries: Sequence[Entry]) -> list[Entry]:
    """The records of rows that hold the measure in the period asked for."""
    fits = [e for e in entries if plan.measure in (e.field, e.broad) and e.number is not None]
    return [e for e in fits if not plan.period or e.period == plan.period]


def _unsure(plan: RecordPlan, measured: Sequence[Entry]) -> str:
    """Why numbers cannot be compared; empty when they can."""
    if not measured:
        return f"no number of {plan.measure} is known" + (f" for {plan.period}" if plan.period else "")
    units = sorted({entry.unit for entry in measured})
    if len(units) > 1:
        return f"{plan.measure} is told in several units: {', '.join(unit or 'none' for unit in units)}"
    periods = sorted({entry.period for entry in measured})
    return f"{plan.measure} is known for several periods ({', '.join(periods)}): which is meant?" if len(periods) > 1 else ""


def _extreme(plan: RecordPlan, rows: dict[_Row, list[Entry]]) -> Inventory:
    measured = [entry for entries in rows.values() for entry in _measured(plan, entries)]
    unsure = _unsure(plan, measured)
    if unsure:
        return _nothing(unsure)
    best = (max if plan.highest else min)(entry.number or 0.0 for entry in measured)
    winners = [entry for entry in measured if entry.number == best]
    told = list({entry.entity_key: entry.entity for entry in winners}.values())
    without = len(rows) - len({(entry.entity_key, entry.passage_id) for entry in measured})
    notes = (f"{without} rows have no number of {plan.measure}",) if without else ()
    return Inventory("; ".join(told), tuple(measured), tuple(winners), len(rows), len(measured), notes=notes)


def _compared(plan: RecordPlan, index: RecordIndex) -> Inventory:
    sides: list[Entry] = []
    for hop in plan.hops:
        own = [e for e in index.by_entity.get(hop.anchor.entity, ()) if e.entity_type == hop.anchor.type and e.in_row]
        measured = _measured(plan, own)
        if not measured:
            return _nothing(f"no number of {plan.measure} is known of {hop.anchor.entity}" + (f" for {plan.period}" if plan.period else ""))
        if len({entry.number for entry in measured}) > 1:
            return _nothing(f"several numbers of {plan.measure} are known of {hop.anchor.entity}: in which period or place?")
        sides.append(measured[0])
    unsure = _unsure(plan, sides)
    if unsure:
        return _nothing(unsure)
    first, second = sides
    if first.number == second.number:
        return Inventory(f"{first.entity} and {second.entity} alike", tuple(sides), tuple(sides), 2, 2)
    best = (max if plan.highest else min)(sides, key=lambda entry: entry.number or 0.0)
    return Inventory(best.entity, tuple(sides), tuple(sides), 2, 2)
