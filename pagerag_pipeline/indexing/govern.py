"""Governance of single units: gates G1 to G4 of PAGE-RAG (section 2.3, step 4). Alignment stands in `align`, consolidation in SQL."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pagerag_pipeline.indexing.bind import bind_quote
from pagerag_pipeline.indexing.causal import CAUSAL_ROLES, read_cause, read_order, says_cause
from pagerag_pipeline.indexing.ontology import CAUSES, GENERIC, PRECEDES, Ontology
from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES, Decision, GatedUnit, Unit
from pagerag_pipeline.settings import GovernSettings

VERSION = "govern/11"

_MISFIT_FACTOR = 0.9
"""Confidence kept by a statement whose ends have types, as read here, that its predicate does not expect.

A small tagger's types are often wrong, so this is a doubt and no verdict: what an entity is decides the whole corpus (`stores.typing_statements`),
and what does not fit then is no longer stated.
"""
_MODALITIES = ("asserted", "negated", "hypothetical", "reported")


def gate_units(text: str, units: Sequence[Unit], *, ontology: Ontology, settings: GovernSettings) -> list[GatedUnit]:
    """Every unit of one chunk after the gates: bound (G1), of the ontology (G2), causal only with a cue (G3), routed by confidence (G4).

    The decisions of a unit stand in the order of the gates; the last one settled its state. Nothing is dropped: a rejected unit is a row.
    """
    return [_gate(text, unit, ontology, settings) for unit in units]


def _gate(text: str, unit: Unit, ontology: Ontology, settings: GovernSettings) -> GatedUnit:
    acts: list[Decision] = []
    for gate in (_bind, _shape, _schema, _causal):
        outcome = gate(text, unit, ontology, settings)
        unit = outcome[0]
        acts.extend(outcome[1])
        if acts and acts[-1].act == "reject":
            return GatedUnit(unit, tuple(acts), "rejected")
    return _route(unit, acts, settings)


Outcome = tuple[Unit, list[Decision]]


def _bind(text: str, unit: Unit, ontology: Ontology, settings: GovernSettings) -> Outcome:
    span = bind_quote(text, unit.quote, unit.start)
    if span is None:
        return unit, [Decision("G1", "reject", "unbound", f"the quote stands nowhere in its chunk: {unit.quote[:80]}")]
    quote = text[span.start : span.end]
    if (span.start, span.end, quote) == (unit.start, unit.end, unit.quote):
        return unit, []
    bound = replace(unit, start=span.start, end=span.end, quote=quote)
    return bound, [Decision("G1", "accept", "rebound", f"[{unit.start}, {unit.end}) to [{span.start}, {span.end})")]


def _shape(text: str, unit: Unit, ontology: Ontology, settings: GovernSettings) -> Outcome:
    """A statement needs two different ends, a predicate and a known modality."""
    reason = ""
    if not name_key(unit.head) or not name_key(unit.tail) or not unit.predicate.strip():
        reason = "incomplete"
    elif name_key(unit.head) == name_key(unit.tail):
        reason = "self_loop"
    elif unit.modality not in _MODALITIES:
        reason = "unknown_modality"
    return unit, [Decision("G2", "reject", reason, statement(unit))] if reason else []


def _schema(text: str, unit: Unit, ontology: Ontology, settings: GovernSettings) -> Outcome:
    if unit.tail_type in LITERAL_TYPES:
        return _schema_of_value(unit, ontology)
    unit, acts = _named(unit, ontology, settings)
    predicate = ontology.predicates.get(unit.predicate)
    if predicate is None:
        return unit, acts
    if unit.head_type in LITERAL_TYPES or predicate.tail == "value":
        return unit, [*acts, Decision("G2", "reject", "range", f"{unit.head_type} {unit.predicate} {unit.tail_type}")]
    if ontology.fits(predicate.head, unit.head_type) and ontology.fits(predicate.tail, unit.tail_type):
        return unit, acts
    detail = f"{unit.head_type} {unit.predicate} {unit.tail_type}, expected {predicate.head} and {predicate.tail}"
    weaker = replace(unit, confidence=round(unit.confidence * _MISFIT_FACTOR, 4))
    return weaker, [*acts, Decision("G2", "downgrade", "unexpected_types", detail)]


def _schema_of_value(unit: Unit, ontology: Ontology) -> Outcome:
    """A value's field is open vocabulary; only a relation between entities may not end in a value."""
    predicate = ontology.predicates.get(unit.predicate)
    if unit.head_type in LITERAL_TYPES or (predicate is not None and predicate.tail != "value" and predicate.tail != "any"):
        return unit, [Decision("G2", "reject", "range", f"{unit.head_type} {unit.predicate} {unit.tail_type}")]
    return unit, []


def _named(unit: Unit, ontology: Ontology, settings: GovernSettings) -> Outcome:
    """The unit under a predicate of the ontology: an unknown one becomes the verb's or the nearest known one, else the generic one with less confidence."""
    if unit.predicate in CAUSAL_ROLES and CAUSES in ontology.predicates:
        return _role_of_cause(unit), [Decision("G2", "accept", "predicate_mapped", f"{unit.predicate} to {CAUSES}")]
    if ontology.allows(unit.predicate):
        return unit, []
    nearest = _known(ontology, unit.predicate)
    if nearest is not None:
        return replace(unit, predicate=nearest), [Decision("G2", "accept", "predicate_mapped", f"{unit.predicate} to {nearest}")]
    weaker = replace(unit, predicate=GENERIC, confidence=round(unit.confidence * settings.downgrade_factor, 4))
    return weaker, [Decision("G2", "downgrade", "unknown_predicate", f"{unit.predicate} to {GENERIC}")]


def _role_of_cause(unit: Unit) -> Unit:
    """A cause told as a role ("effect of") in the one direction that causes are kept in."""
    if not CAUSAL_ROLES[unit.predicate]:
        return replace(unit, predicate=CAUSES)
    return replace(unit, predicate=CAUSES, head=unit.tail, head_type=unit.tail_type, tail=unit.head, tail_type=unit.head_type)


@lru_cache(maxsize=50_000)
def _known(ontology: Ontology, predicate: str) -> str | None:
    """The predicate of a verb, else the one written most like it; no likeness of letters makes a cause, nor what only some modes state."""
    said = ontology.verbs.get(predicate)
    nearest = said or ontology.nearest(predicate)
    if nearest is None or ontology.predicates[nearest].modes or (not said and says_cause(nearest, ontology)):
        return None
    return nearest


def _causal(text: str, unit: Unit, ontology: Ontology, settings: GovernSettings) -> Outcome:
    """A cause needs a cue that joins its ends inside its quote; without one it is at most an order of events, as the quote has it."""
    if not says_cause(unit.predicate, ontology):
        return unit, []
    cause, effect = (unit.tail, unit.head) if CAUSAL_ROLES.get(unit.predicate) else (unit.head, unit.tail)
    reading = read_cause(unit.quote, cause, effect, ontology=ontology)
    if not reading.cue:
        order = read_order(unit.quote, unit.head, unit.tail, ontology=ontology)
        weaker = replace(unit, predicate=PRECEDES if order else GENERIC, confidence=round(unit.confidence * settings.downgrade_factor, 4))
        detail = f"{unit.predicate} to {weaker.predicate}" + (f" ({order})" if order else "")
        return weaker, [Decision("G3", "downgrade", "no_causal_cue", detail)]
    acts = [Decision("G3", "accept", "causal_cue", reading.cue)]
    if reading.modality != "asserted" and unit.modality in ("asserted", "reported"):
        acts.append(Decision("G3", "downgrade", f"cause_{reading.modality}", f"{unit.modality} to {reading.modality}"))
        unit = replace(unit, modality=reading.modality)
    return unit, acts


def _route(unit: Unit, acts: list[Decision], settings: GovernSettings) -> GatedUnit:
    confidence = f"{unit.confidence:.2f}"
    if unit.confidence >= settings.accept_confidence:
        act = Decision("G4", "accept", "confidence", f"{confidence}: {statement(unit)}")
        return GatedUnit(unit, (*acts, act), "accepted")
    if unit.confidence >= settings.hold_confidence:
        act = Decision("G4", "hold", "confidence", f"{confidence} below {settings.accept_confidence}: {statement(unit)}")
        return GatedUnit(unit, (*acts, act), "held")
    act = Decision("G4", "reject", "confidence", f"{confidence} below {settings.hold_confidence}: {statement(unit)}")
    return GatedUnit(unit, (*acts, act), "rejected")


def statement(unit: Unit) -> str:
    """A unit in one line, as decisions show it."""
    mark = "" if unit.modality == "asserted" else f" [{unit.modality}]"
    return f"({unit.head}, {unit.predicate}, {unit.tail}){mark}"
