"""Statements of descriptions: what the graph quotes of each entity, what is told of it, and the tables that a generation has where a model described any."""

from typing import Any

from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.tree_rows import QUOTES

LEDGER = "descriptions"

WANTED = """
    SELECT entity_id AS unit, sha256(CAST(row(name, quotes) AS VARCHAR))[:32] AS input, characters AS weight, name, '' AS document
    FROM entity_evidence
"""
PAYLOAD = "SELECT t.batch, t.key, t.document, e.name, e.quotes FROM todo t JOIN entity_evidence e ON e.entity_id = t.unit"

_EVIDENCE = """
    CREATE OR REPLACE TEMP TABLE entity_evidence AS
    WITH ends AS (
        SELECT head AS entity_id, edge_id FROM edges UNION SELECT tail, edge_id FROM edges
    ), spoken AS (
        SELECT DISTINCT e.entity_id, c.content_id, b.start_at, b.end_at, b.quote
        FROM ends e JOIN bindings b ON b.element_id = e.edge_id AND b.element_kind = 'edge' JOIN live_chunks c USING (chunk_id)
    ), ranked AS (
        SELECT *, row_number() OVER (PARTITION BY entity_id ORDER BY content_id, start_at, end_at) AS place FROM spoken
    ), told AS (
        SELECT entity_id, CAST(sum(length(quote)) AS BIGINT) AS characters,
               list({content_id: content_id, start: start_at, "end": end_at, text: quote} ORDER BY content_id, start_at, end_at) AS quotes
        FROM ranked WHERE place <= ? GROUP BY entity_id
    )
    SELECT t.entity_id, n.name, t.characters, t.quotes FROM told t JOIN nodes n USING (entity_id) WHERE t.characters >= ?
"""
_TABLES = {
    "descriptions": "entity_id VARCHAR, text VARCHAR, condensed BOOLEAN",
    "description_quotes": (
        "entity_id VARCHAR, ordinal INTEGER, document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
}
_ROWS = {
    "descriptions": """
        SELECT l.unit, m.text, m.condensed FROM ledger_descriptions l JOIN description_memory m ON m.key = l.key WHERE l.status = 'ok' ORDER BY l.unit
    """,
    "description_quotes": f"""
        WITH quotes AS (
            SELECT l.unit, unnest(from_json(m.quotes, '{QUOTES}')) AS q, generate_subscripts(from_json(m.quotes, '{QUOTES}'), 1) AS place
            FROM ledger_descriptions l JOIN description_memory m ON m.key = l.key WHERE l.status = 'ok'
        ), places AS (
            SELECT content_id, min_by(document, (document, ordinal)) AS document, min_by(chunk_id, (document, ordinal)) AS chunk_id,
                   min_by(start_at, (document, ordinal)) AS start_at
            FROM live_chunks WHERE kind = 'chunk' GROUP BY content_id
        )
        SELECT q.unit, q.place - 1, p.document, p.chunk_id, p.start_at + q.q.start, p.start_at + q.q."end", q.q.text
        FROM quotes q JOIN places p ON p.content_id = q.q.content_id ORDER BY q.unit, q.place
    """,
}
_HAS = "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'data' AND table_name = 'descriptions'"


def stage_entities(tables: Tables, quotes: int, characters: int) -> None:
    """Lay out `entity_evidence`: the quotes that the edges of each entity stand on, of entities with at least so many characters of them.

    At most `quotes` an entity, first by content id and place, so that an edit elsewhere changes none.
    """
    tables.execute(_EVIDENCE, [quotes, characters])


def is_any(tables: Tables) -> bool:
    """Whether any entity is described."""
    return bool(tables.rows("SELECT 1 FROM ledger_descriptions WHERE status = 'ok' LIMIT 1"))


def export_descriptions(work: Tables, catalog: str) -> None:
    """Write the descriptions into a generation that is being exported; without any, it has no such tables."""
    if is_any(work):
        for name, columns in _TABLES.items():
            work.execute(f"CREATE TABLE {catalog}.data.{name} ({columns})")
            work.execute(f"INSERT INTO {catalog}.data.{name} {_ROWS[name]}")


def description_of(tables: Tables, entity: str) -> dict[str, Any] | None:
    """What a generation tells of an entity, with the quotes it stands on; None where no model described it."""
    if not tables.rows(_HAS):
        return None
    found = tables.rows("SELECT text, condensed FROM data.descriptions WHERE entity_id = ?", [entity])
    if not found:
        return None
    columns = ("document", "chunk_id", "start", "end", "quote")
    rows = tables.rows(
        "SELECT document, chunk_id, start_at, end_at, quote FROM data.description_quotes WHERE entity_id = ? ORDER BY ordinal", [entity]
    )
    return {"text": found[0][0], "condensed": found[0][1], "quotes": [dict(zip(columns, row, strict=True)) for row in rows]}
