"""The graphs of the whole corpus, in bulk SQL: live extractions to the raw graph, gated units to the governed graph.

Both are derived whole and alike for any order of rows. Alignment itself is no SQL: `indexing.align` decides on what
`alignment_inputs` gives, and `consolidate` obeys.
"""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.settings import GovernSettings
from pagerag_pipeline.stores import governed_statements as governed
from pagerag_pipeline.stores import raw_statements as raw
from pagerag_pipeline.stores.tables import Tables

VERSION = "knowledge/1"

GROUPS = {"key": pl.String, "group_key": pl.String}
"""Columns of alignment groups: a node key and the smallest key of its group."""
DECISIONS = {"group_key": pl.String, "gate": pl.String, "act": pl.String, "reason": pl.String, "detail": pl.String, "document": pl.String, "chunk_id": pl.String}  # fmt: skip
"""Columns of alignment decisions."""


def assemble(tables: Tables) -> None:
    """Fill `raw_nodes`, `raw_edges`, `raw_bindings` and `cooccurrences` from what is alive."""
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
    """head, tail, document, chunk_id: accepted, asserted declarations of another name (bearer, alias)."""
    nodes: pl.DataFrame
    """key, name, type: the keys that a declaration or an override names."""
    facts: pl.DataFrame
    """key, field, value: what those keys are said to be, as literal values."""
    causal: pl.DataFrame
    """head, tail: causes and their effects, among all keys."""


def alignment_inputs(tables: Tables, *, named: Sequence[str], causal: Sequence[str], alias: str) -> AlignmentInputs:
    """Inputs of alignment: `named` are keys that overrides mention, `causal` and `alias` the predicates that mean so."""
    _stage_keys(tables)
    tables.execute(governed.FINALS)
    with tables.staged("override_keys", pl.DataFrame({"key": list(named)}, schema={"key": pl.String})) as extra:
        tables.execute(
            f"CREATE OR REPLACE TEMP TABLE asked AS SELECT key FROM {extra} UNION SELECT head FROM finals WHERE predicate = $1 "
            "UNION SELECT tail FROM finals WHERE predicate = $1",
            [alias],
        )
    declared = tables.frame(
        "SELECT head, tail, document, chunk_id FROM finals WHERE predicate = ? AND act = 'accept' AND modality = 'asserted' "
        "AND head_type <> 'NOUN' AND tail_type <> 'NOUN' AND NOT literal ORDER BY ALL",
        [alias],
    )
    nodes = tables.frame("SELECT node_key AS key, name, type FROM raw_nodes SEMI JOIN asked ON asked.key = node_key ORDER BY key")
    facts = tables.frame(
        "SELECT DISTINCT head AS key, predicate AS field, tail_name AS value FROM finals SEMI JOIN asked ON asked.key = head "
        "WHERE literal AND act <> 'reject' AND modality = 'asserted' ORDER BY ALL"
    )
    caused = tables.frame(
        "SELECT DISTINCT head, tail FROM finals WHERE list_contains(?, predicate) AND act <> 'reject' AND NOT literal ORDER BY ALL",
        [list(causal)],
    )
    tables.execute("DROP TABLE asked")
    _drop_staged(tables)
    return AlignmentInputs(declared, nodes, facts, caused)


def consolidate(
    tables: Tables, groups: pl.DataFrame, *, decisions: pl.DataFrame, suppress: Sequence[str], settings: GovernSettings
) -> None:
    """Fill `nodes`, `edges`, `aliases`, `bindings` and `decisions` from gated units.

    `groups` (columns GROUPS) says which keys are one entity, `decisions` (columns DECISIONS) why; `suppress` holds keys of entities that
    may not be in the graph. Held units join it with enough support; rejected ones never do. Every node and edge has a binding.
    """
    _clear(tables, governed.GOVERNED_TABLES)
    _stage_keys(tables)
    for statement in (raw.TERM_MENTIONS, governed.FINALS):
        tables.execute(statement)
    _stage_frame(tables, "alignment_groups", groups.select(list(GROUPS)))
    _stage_frame(tables, "alignment_decisions", decisions.select(list(DECISIONS)))
    _stage_frame(tables, "suppressed_keys", pl.DataFrame({"key": list(suppress)}, schema={"key": pl.String}))
    for statement in (governed.RESOLVED, governed.SUPPRESSED, governed.STATEMENTS):
        tables.execute(statement)
    tables.execute(governed.ADMITTED, [settings.promote_spans])
    tables.execute(governed.EDGES, [settings.confidence_cap])
    for statement in (governed.ENDS, governed.NAMED, governed.EVIDENCE):
        tables.execute(statement)
    _stage_shapes(tables, "entity_id", "evidence")
    for statement in (governed.NODES, governed.ALIASES, governed.BINDINGS, governed.DECISIONS, governed.WRITE_DECISIONS):
        tables.execute(statement)
    _drop_staged(tables)


def graph_frames(tables: Tables) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Nodes and edges of the governed graph, sorted, with the columns that its file holds."""
    nodes = tables.frame("SELECT entity_id, name, key, type, mentions FROM nodes ORDER BY entity_id")
    edges = tables.frame("SELECT edge_id, head, predicate, tail, modality, confidence, weight FROM edges ORDER BY edge_id")
    return nodes, edges


def act_counts(tables: Tables) -> dict[str, int]:
    """How often each gate did what, and why: `G4 hold confidence` and the like."""
    rows = tables.rows("SELECT concat_ws(' ', gate, act, reason) AS what, count(*) FROM decisions GROUP BY what ORDER BY what")
    return {what: count for what, count in rows}


def known_keys(tables: Tables, keys: Sequence[str]) -> set[str]:
    """Which of the keys name something in the raw graph."""
    return {key for (key,) in tables.rows("SELECT node_key FROM raw_nodes WHERE list_contains(?, node_key)", [list(keys)])}


def _stage_keys(tables: Tables) -> None:
    surfaces = tables.frame(raw.LIVE_SURFACES)
    keys = pl.Series("key", [name_key(surface) for surface in surfaces["surface"]], dtype=pl.String)
    _stage_frame(tables, "surface_keys", surfaces.with_columns(keys))


def _stage_shapes(tables: Tables, node: str, source: str) -> None:
    tables.execute(raw.NODE_SHAPES.format(node=node, source=source, unknown=raw.UNKNOWN_TYPES))


def _stage_frame(tables: Tables, name: str, frame: pl.DataFrame) -> None:
    with tables.staged(f"given_{name}", frame) as given:
        tables.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS FROM {given}")


def _clear(tables: Tables, names: Sequence[str]) -> None:
    for name in names:
        tables.execute(f"DELETE FROM {name}")


def _drop_staged(tables: Tables) -> None:
    for name in governed.STAGED:
        tables.execute(f"DROP TABLE IF EXISTS temp.{name}")
