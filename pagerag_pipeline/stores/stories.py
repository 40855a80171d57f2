"""Entities, edges and decisions of the published generation with all that belongs to them; needs neither models nor the work file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import story_statements as sql
from pagerag_pipeline.stores.description_rows import description_of
from pagerag_pipeline.stores.published import opened
from pagerag_pipeline.stores.tables import Tables

CANDIDATES = 20
"""Elements listed when a name or the beginning of an id means several."""

Found = dict[str, Any]


class UnknownElement(ValueError):
    """A name or id that no entity, edge or decision answers to; the message names near ones."""


def show_entity(home: Path, settings: Settings, name: str) -> Found:
    """An entity by name, alias or id: `aliases`, `documents`, `edges`, `records`, `communities`, `decisions` and what is in quarantine.

    `status` is `found`; `ambiguous` with `candidates` when several answer; `absent` when decisions kept it out of the graph. Raises NoIndex,
    UnknownElement.
    """
    with opened(home, settings, needs=sql.HAS_STORIES) as (tables, generation):
        ids = _entities(tables, name)
        if len(ids) > 1:
            return {"status": "ambiguous", "asked": name, "candidates": _nodes(tables, ids), "generation": generation}
        if ids:
            return {"status": "found", **_entity(tables, ids[0]), "generation": generation}
        key = name_key(name)
        told = (_decisions(tables, sql.OF_NODE, [one, one]) for one in (entity_id(key), key) if key)
        decisions = next(filter(None, told), [])
        if decisions:
            return {"status": "absent", "name": name, "entity_id": decisions[0]["element_id"], "decisions": decisions, "generation": generation}
        raise UnknownElement(_unknown(tables, name))


def show_edge(home: Path, settings: Settings, given: str) -> Found:
    """An edge by its id or the beginning of it: its ends, every span it stands on, and what was decided about it and its statements.

    `status` is `found` or `ambiguous`. Raises NoIndex, UnknownElement.
    """
    with opened(home, settings, needs=sql.HAS_STORIES) as (tables, generation):
        found = _edges(tables, sql.EDGES_BY_PREFIX, [given])
        if len(found) != 1:
            return _several(given, found, "edge", generation)
        edge = found[0]
        spans = _rows(tables, sql.SPANS, [edge["edge_id"]], sql.SPAN)
        decisions = _decisions(tables, sql.OF_EDGE, [edge["edge_id"], edge["edge_id"]])
        return {"status": "found", **edge, "spans": spans, "decisions": decisions, "generation": generation}


def show_decision(home: Path, settings: Settings, given: str) -> Found:
    """A decision by its id or the beginning of it: `decision`, the `element` it is about, and what `followed` for that element.

    `status` is `found` or `ambiguous`. Raises NoIndex, UnknownElement.
    """
    with opened(home, settings, needs=sql.HAS_STORIES) as (tables, generation):
        found = _decisions(tables, sql.BY_PREFIX, [given, CANDIDATES])
        exact = [one for one in found if one["decision_id"] == given] or found
        if len(exact) != 1:
            return _several(given, exact, "decision", generation)
        decision = exact[0]
        later = [one for one in _decisions(tables, sql.OF_ELEMENT, [decision["element_id"]]) if _order(one) > _order(decision)]
        return {"status": "found", "decision": decision, "element": _element(tables, decision), "followed": later, "generation": generation}


def _entities(tables: Tables, name: str) -> list[str]:
    """Ids of the entities that a name may mean: by id (of any of its names), else by an alias, else by an alias that holds its words."""
    key = name_key(name)
    for statement in (sql.ENTITIES_BY_ID, sql.ENTITIES_BY_ALIAS, sql.ENTITIES_BY_WORDS):
        if found := [one for (one,) in tables.rows(statement, [key])]:
            return found[:CANDIDATES]
    return []


def _entity(tables: Tables, entity: str) -> Found:
    node = _nodes(tables, [entity])[0]
    records = _rows(tables, sql.RECORDS, [entity], sql.RECORD)
    return {
        **node,
        "description": description_of(tables, entity),
        "aliases": [_alias(row) for row in tables.rows(sql.ALIASES, [entity])],
        "documents": [dict(zip(("document", "mentions"), row, strict=True)) for row in tables.rows(sql.DOCUMENTS, [entity])],
        "edges": _edges(tables, sql.EDGES_OF, [entity, entity]),
        "records": records,
        "communities": [
            {**row, "bonds": json.loads(row["bonds"] or "[]")}
            for row in _rows(tables, sql.COMMUNITIES, [entity], ("community_id", "level", "size", "title", "bonds"))
        ],
        "decisions": _decisions(tables, sql.OF_NODE, [entity, entity]),
        "quarantine": [dict(zip(("state", "gate", "reason", "units"), row, strict=True)) for row in tables.rows(sql.QUARANTINED, [entity])],
    }


def _nodes(tables: Tables, ids: Sequence[str]) -> list[Found]:
    rows = _rows(tables, sql.NODES, [list(ids)], ("entity_id", "name", "key", "type", "types", "mentions", "isolated"))
    return [{**row, "types": json.loads(row["types"])} for row in rows]


def _alias(row: tuple[Any, ...]) -> Found:
    alias, times, *span = row
    return {"alias": alias, "mentions": times, "evidence": dict(zip(sql.SPAN, span, strict=True)) if span[0] is not None else None}


def _edges(tables: Tables, statement: str, parameters: Sequence[Any]) -> list[Found]:
    columns = ("edge_id", "head", "head_id", "predicate", "tail", "tail_id", "modality", "confidence", "weight", "quotes")
    return _rows(tables, statement, parameters, columns)


def _decisions(tables: Tables, statement: str, parameters: Sequence[Any]) -> list[Found]:
    """Decisions in the order they are told, each with its span (null where none is behind it) and the name of the other entity."""
    found = []
    for row in tables.rows(statement, parameters):
        *head, document, chunk, start, end, quote = row
        span = dict(zip(sql.SPAN, (document, chunk, start, end, quote), strict=True)) if start is not None else None
        found.append({**dict(zip(sql.DECISION, head, strict=True)), "span": span, "claimed": quote if start is None else ""})
    return found


def _order(decision: Found) -> tuple[int, str]:
    return decision["place"], decision["decision_id"]


def _element(tables: Tables, decision: Found) -> Found:
    """What a decision is about: a node, an edge, or a unit with what became of it."""
    element = decision["element_id"]
    if decision["element_kind"] == "node":
        return next(iter(_nodes(tables, [element])), {"entity_id": element, "state": "absent"})
    edges = _edges(tables, sql.EDGES_BY_PREFIX, [decision["other_id"] or element])
    if decision["element_kind"] == "edge":
        return next(iter(edges), {"edge_id": element, "state": "absent"})
    held = _rows(tables, sql.UNIT, [element], sql.QUARANTINE)
    return {"unit_id": element, **({"state": "edge", "edge": edges[0]} if decision["other_id"] and edges else held[0] if held else {"state": "kept"})}


def _several(given: str, found: Sequence[Found], kind: str, generation: str) -> Found:
    if not found:
        raise UnknownElement(f"No {kind} of generation {generation} has an id that begins with {given!r}; `pagerag show entity NAME` lists ids.")
    return {"status": "ambiguous", "asked": given, "candidates": list(found[:CANDIDATES]), "generation": generation}


def _unknown(tables: Tables, name: str) -> str:
    key = name_key(name)
    near = [alias for (alias,) in tables.rows(sql.NEAR, [key])]
    held = int(tables.rows(sql.NAMED_IN_QUARANTINE, [key, key])[0][0])
    hints = [f"Near: {', '.join(near)}."] if near else []
    hints += [f"{held} statements about it are in quarantine."] if held else []
    return " ".join([f"No entity {name!r} is in the graph.", *hints])


def _rows(tables: Tables, statement: str, parameters: Sequence[Any], columns: Sequence[str]) -> list[Found]:
    return [dict(zip(columns, row, strict=True)) for row in tables.rows(statement, parameters)]
