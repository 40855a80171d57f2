"""The graphs of the whole corpus, in bulk SQL: live extractions to the raw graph, gated units to the governed graph.

Both are derived whole and alike for any order of rows. Alignment itself is no SQL: `indexing.align` decides on what
`alignment_inputs` gives, and `consolidate` obeys.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.settings import GovernSettings
from pagerag_pipeline.stores import decision_statements as decided
from pagerag_pipeline.stores import governed_statements as governed
from pagerag_pipeline.stores import raw_statements as raw
from pagerag_pipeline.stores import typing_statements as typing
from pagerag_pipeline.stores.tables import Tables

VERSION = "knowledge/7"

_TEXT = pl.String
_ID = re.compile(r"[0-9a-f]{32}")
_OVERRIDES = {"key": _TEXT, "name": _TEXT, "value": _TEXT, "value_key": _TEXT}


class Predicates(NamedTuple):
    """What the ontology says, as rows."""

    ends: Sequence[tuple[str, str, str]]
    """(predicate, head | tail, class) of every end that is not free."""
    types: Sequence[tuple[str, str, bool]]
    """(class, type, whether the type says nothing and so fits every class)."""
    causal: Sequence[str]
    alias: str
    generic: str


class Rulings(NamedTuple):
    """What alignment and people decided, by node key."""

    groups: pl.DataFrame
    """document, key, group_key: which entity a key names in a document, or, where that is empty, in all that have no row of their own."""
    decisions: pl.DataFrame
    """Why, in the columns of `indexing.align.DECISIONS`."""
    suppress: Sequence[str] = ()
    retype: Sequence[tuple[str, str]] = ()
    rename: Sequence[tuple[str, str]] = ()


def assemble(tables: Tables) -> None:
    """Fill `raw_nodes`, `raw_edges`, `raw_bindings`, `graph_terms` and `term_sentences` from what is alive."""
    _clear(tables, raw.RAW_TABLES)
    _stage_keys(tables)
    for statement in (raw.STATED, raw.TERM_MENTIONS, raw.MENTIONS):
        tables.execute(statement)
    _stage_shapes(tables, "key", "mentions")
    for statement in raw.RAW:
        tables.execute(statement)
    _drop_staged(tables)


class AlignmentInputs(NamedTuple):
    """What alignment may know; every column of keys holds node keys."""

    declared: pl.DataFrame
    """head, tail, document, chunk_id, start_at, end_at, quote: accepted, asserted declarations of another name (bearer, alias)."""
    nodes: pl.DataFrame
    """key, name, type: the keys that a declaration or an override names."""
    facts: pl.DataFrame
    """key, field, value: what those keys are said to be, as literal values."""
    causal: pl.DataFrame
    """head, tail: causes and their effects, among all keys."""


def stage_units(tables: Tables, distrusted: Sequence[str]) -> None:
    """Lay out what governing reads: every unit as its gates left it, and every mention; statements of distrusted documents are held at best."""
    _stage_keys(tables)
    _stage_frame(tables, "distrusted_documents", pl.DataFrame({"document": list(distrusted)}, schema={"document": _TEXT}))
    for statement in (raw.TERM_MENTIONS, governed.FINALS):
        tables.execute(statement)


def alignment_inputs(tables: Tables, *, named: Sequence[str], predicates: Predicates) -> AlignmentInputs:
    """Inputs of alignment, after `stage_units`; `named` are keys that overrides mention."""
    with tables.staged("override_keys", pl.DataFrame({"key": list(named)}, schema={"key": _TEXT})) as extra:
        tables.execute(
            f"CREATE OR REPLACE TEMP TABLE asked AS SELECT key FROM {extra} UNION SELECT head FROM finals WHERE predicate = $1 "
            "UNION SELECT tail FROM finals WHERE predicate = $1",
            [predicates.alias],
        )
    declared = tables.frame(
        "SELECT head, tail, document, chunk_id, start_at, end_at, quote FROM finals WHERE predicate = ? AND act = 'accept' "
        "AND modality = 'asserted' AND head_type <> 'NOUN' AND tail_type <> 'NOUN' AND NOT literal ORDER BY ALL",
        [predicates.alias],
    )
    nodes = tables.frame("SELECT node_key AS key, name, type FROM raw_nodes SEMI JOIN asked ON asked.key = node_key ORDER BY key")
    facts = tables.frame(
        "SELECT DISTINCT head AS key, predicate AS field, tail_name AS value FROM finals SEMI JOIN asked ON asked.key = head "
        "WHERE literal AND act <> 'reject' AND modality = 'asserted' ORDER BY ALL"
    )
    caused = tables.frame(
        "SELECT DISTINCT head, tail FROM finals WHERE list_contains(?, predicate) AND act <> 'reject' AND NOT literal ORDER BY ALL",
        [list(predicates.causal)],
    )
    tables.execute("DROP TABLE asked")
    return AlignmentInputs(declared, nodes, facts, caused)


def consolidate(tables: Tables, rulings: Rulings, *, predicates: Predicates, settings: GovernSettings) -> None:
    """Fill the tables `governed_statements.GOVERNED_TABLES` from what `stage_units` laid out.

    Held units join the graph with enough support; rejected ones never do. Every node and edge has a binding, every unit ends in one place.
    """
    _clear(tables, governed.GOVERNED_TABLES)
    _stage_rulings(tables, rulings)
    _stage_predicates(tables, predicates)
    for statement in (
        governed.RESOLVED,
        governed.SUPPRESSED,
        typing.ALL_ENDS,
        typing.VOTES,
        typing.TYPED.format(unknown=raw.UNKNOWN_TYPES, named=governed.NAMED_BY_PEOPLE),
    ):
        tables.execute(statement)
    for statement in (typing.CANDIDATES, typing.MISFITS, typing.RETYPED, typing.APPLY_RETYPED, typing.MISFITS):
        tables.execute(statement)
    routing = [settings.downgrade_factor, predicates.generic, settings.hold_confidence, settings.accept_confidence]
    tables.execute(typing.STATEMENTS, routing)
    tables.execute(governed.ADMITTED, [settings.promote_spans])
    tables.execute(governed.SUPPORT)
    tables.execute(governed.EDGES, [settings.confidence_cap])
    tables.execute(governed.TOPICS, [settings.topic_chunks, settings.topic_mentions, settings.topics_per_thousand])
    for statement in (governed.ENDS, governed.NAMED, governed.EVIDENCE, governed.SHAPES, governed.RENAMED):
        tables.execute(statement)
    for statement in (governed.NODES, governed.ALIASES, governed.BINDINGS):
        tables.execute(statement)
    tables.execute(governed.UNIT_STATES, [predicates.alias])
    for statement in (decided.UNIT_ACTS, decided.GRAPH_ACTS, decided.NODE_ACTS, decided.WRITE):
        tables.execute(statement)
    _drop_staged(tables)


def keys_of_ids(tables: Tables, names: Sequence[str]) -> dict[str, str]:
    """The node key that each entity id among some names stands for; keys that are written like ids are left out."""
    ids = [name for name in names if _ID.fullmatch(name)]
    return (
        {}
        if not ids
        else dict(
            tables.rows(
                "SELECT sha256('entity:' || node_key)[:32] AS id, node_key FROM raw_nodes "
                "WHERE list_contains($1, sha256('entity:' || node_key)[:32]) AND NOT EXISTS (SELECT 1 FROM raw_nodes r WHERE r.node_key = id)",
                [ids],
            )
        )
    )  # type: ignore[arg-type]


def live_documents(tables: Tables) -> list[str]:
    """Ids of all documents alive, in order."""
    return [document for (document,) in tables.rows("SELECT DISTINCT document FROM live_documents ORDER BY document")]


def graph_frames(tables: Tables) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Nodes and edges of the governed graph, sorted, with the columns that its file holds."""
    nodes = tables.frame("SELECT entity_id, name, key, type, mentions FROM nodes ORDER BY entity_id")
    edges = tables.frame("SELECT edge_id, head, predicate, tail, modality, confidence, weight FROM edges ORDER BY edge_id")
    return nodes, edges


def act_counts(tables: Tables) -> dict[str, int]:
    """How often each gate did what, and why: `G4 hold confidence` and the like."""
    rows = tables.rows("SELECT concat_ws(' ', gate, act, reason) AS what, count(*) FROM decisions GROUP BY what ORDER BY what")
    return {what: count for what, count in rows}


def unit_counts(tables: Tables) -> dict[str, int]:
    """Units in, and where they ended: `edge`, `value`, `name`, and `held` and `rejected` by gate and reason; the counts sum to `in`."""
    rows = tables.rows(
        "SELECT CASE WHEN state IN ('held', 'rejected') THEN concat_ws(' ', state, gate, reason) ELSE state END AS what, count(*) "
        "FROM unit_states GROUP BY what ORDER BY what"
    )
    return {"in": sum(count for _, count in rows), **dict(rows)}


def causal_warnings(tables: Tables) -> list[str]:
    """What merges by people did to causes, in words."""
    return [told for (told,) in tables.rows(decided.WARNINGS)]


def known_keys(tables: Tables, keys: Sequence[str]) -> set[str]:
    """Which of the keys name something in the raw graph."""
    return {key for (key,) in tables.rows("SELECT node_key FROM raw_nodes WHERE list_contains(?, node_key)", [list(keys)])}


def known_entities(tables: Tables, names: Sequence[str]) -> set[str]:
    """Which of the names are ids of entities of the governed graph, or of what people keep out of it, or a key with the mark of a document."""
    ids = tables.rows(
        "SELECT element_id FROM decisions WHERE list_contains($1, element_id) UNION SELECT entity_id FROM nodes WHERE list_contains($1, entity_id)",
        [list(names)],
    )
    marked = tables.rows(
        "SELECT DISTINCT node_key || ' (' || lower(document) || ')' AS marked FROM raw_nodes JOIN raw_bindings ON element_key = node_key "
        "WHERE list_contains(?, marked)",
        [list(names)],
    )
    return {one for (one,) in [*ids, *marked]}


def _stage_keys(tables: Tables) -> None:
    surfaces = tables.frame(raw.LIVE_SURFACES)
    keys = pl.Series("key", [name_key(surface) for surface in surfaces["surface"]], dtype=pl.String)
    _stage_frame(tables, "surface_keys", surfaces.with_columns(keys))


def _stage_shapes(tables: Tables, node: str, source: str) -> None:
    tables.execute(raw.NODE_SHAPES.format(node=node, source=source, unknown=raw.UNKNOWN_TYPES))


def _stage_rulings(tables: Tables, rulings: Rulings) -> None:
    _stage_frame(tables, "alignment_groups", rulings.groups)
    _stage_frame(tables, "alignment_decisions", rulings.decisions)
    _stage_frame(tables, "suppressed_keys", pl.DataFrame({"key": list(rulings.suppress)}, schema={"key": _TEXT}))
    for name, pairs in (("retype_overrides", rulings.retype), ("rename_overrides", rulings.rename)):
        rows = [(key, key, value, name_key(value)) for key, value in pairs]
        _stage_frame(tables, name, pl.DataFrame(rows, schema=_OVERRIDES, orient="row"))


def _stage_predicates(tables: Tables, predicates: Predicates) -> None:
    ends = pl.DataFrame(list(predicates.ends), schema={"predicate": _TEXT, "side": _TEXT, "class": _TEXT}, orient="row")
    types = pl.DataFrame(list(predicates.types), schema={"class": _TEXT, "type": _TEXT, "generic": pl.Boolean}, orient="row")
    _stage_frame(tables, "predicate_ends", ends)
    _stage_frame(tables, "class_types", types)
    _stage_frame(tables, "causal_predicates", pl.DataFrame({"predicate": list(predicates.causal)}, schema={"predicate": _TEXT}))
    tables.execute(
        "INSERT INTO predicate_rules SELECT predicate, side, coalesce(type, '') FROM predicate_ends LEFT JOIN class_types USING (class) "
        "UNION ALL SELECT predicate, 'causal', '' FROM causal_predicates ORDER BY ALL"
    )


def _stage_frame(tables: Tables, name: str, frame: pl.DataFrame) -> None:
    with tables.staged(f"given_{name}", frame) as given:
        tables.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM {given}")


def _clear(tables: Tables, names: Sequence[str]) -> None:
    for name in names:
        tables.execute(f"DELETE FROM {name}")


def _drop_staged(tables: Tables) -> None:
    for name in (*governed.STAGED, *typing.STAGED):
        tables.execute(f"DROP TABLE IF EXISTS temp.{name}")
