"""Matching of anchors against the index: symbolic first, semantic only where nothing is exact (EnSI-RAG, EN-13; systems, section 5.4, step 2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pagerag_pipeline.lexical import terms
from pagerag_pipeline.settings_asking import EnsiSettings
from pagerag_pipeline.stores.record_index import Entry, RecordIndex
from pagerag_pipeline.systems.recorded.plan import Anchor

Cosine = Callable[[str, str, str], float]
"""Of a kind (entity, type, field, value), how alike a word of the question and a word of the index are."""
_PREFIX = 4


@dataclass(frozen=True, slots=True)
class Match:
    """A record with its score, 0..1."""

    entry: Entry
    score: float
    exact: bool
    """Whether its field, if one was asked for, is the field itself."""


def match_anchor(anchor: Anchor, index: RecordIndex, cosine: Cosine, settings: EnsiSettings) -> list[Match]:
    """Records that pass the gates of entity, type, field and value, best first, ties by id.

    The field is matched in meaning only when no record of the entity has the exact one; a score is the mean over the known parts of the
    anchor, weighted as in systems, section 5.4, and at least `keep`.
    """
    own = [e for e in _start(anchor, index) if not anchor.type or e.entity_type == anchor.type]
    if anchor.field:
        exact = [e for e in own if index.field_of(e) == anchor.field]
        own = exact or [e for e in own if cosine("field", anchor.field, index.field_of(e)) >= settings.field_cosine]
    if anchor.value:
        own = [e for e in own if _value_passes(anchor.value, e.value_key, cosine, settings)]
    found = [Match(e, round(_score(anchor, e, index, cosine, settings), 5), index.field_of(e) == anchor.field) for e in own]
    return sorted((one for one in found if one.score >= settings.keep), key=lambda one: (-one.score, one.entry.record_id))


def _start(anchor: Anchor, index: RecordIndex) -> Sequence[Entry]:
    """The shortest path into the index."""
    if anchor.entity:
        return index.by_entity.get(anchor.entity, ())
    if anchor.type and anchor.field and (anchor.type, anchor.field) in index.by_type_field:
        return index.by_type_field[anchor.type, anchor.field]
    return index.by_type.get(anchor.type, ()) if anchor.type else ()


def _value_passes(asked: str, known: str, cosine: Cosine, settings: EnsiSettings) -> bool:
    """Containment, a shared word, a shared beginning of four letters, else likeness in meaning."""
    if asked in known or known in asked:
        return True
    here, there = set(terms(asked)), set(terms(known))
    if here & there or {word[:_PREFIX] for word in here if len(word) >= _PREFIX} & {word[:_PREFIX] for word in there if len(word) >= _PREFIX}:
        return True
    return cosine("value", asked, known) >= settings.value_cosine


def _score(anchor: Anchor, entry: Entry, index: RecordIndex, cosine: Cosine, settings: EnsiSettings) -> float:
    pairs: Mapping[str, tuple[str, str, float]] = {
        "entity": (anchor.entity, entry.entity_key, settings.entity_weight),
        "type": (anchor.type, entry.entity_type, settings.type_weight),
        "field": (anchor.field, index.field_of(entry), settings.field_weight),
        "value": (anchor.value, entry.value_key, settings.value_weight),
    }
    known = [(kind, asked, there, weight) for kind, (asked, there, weight) in pairs.items() if asked]
    total = sum(weight for *_, weight in known)
    return sum(weight * _alike(kind, asked, there, cosine) for kind, asked, there, weight in known) / total if total else 0.0


def _alike(kind: str, asked: str, there: str, cosine: Cosine) -> float:
    if asked == there:
        return 1.0
    here, other = set(terms(asked.replace("_", " "))), set(terms(there.replace("_", " ")))
    shared = len(here & other) / len(here | other) if here | other else 0.0
    return max(shared, min(1.0, cosine(kind, asked, there)))
