"""Statements of the summary tree: leaves, the payload of a summary, and the published rows."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import polars as pl

from pagerag_pipeline.stores.tables import Tables

PLAN: dict[str, Any] = {
    "node_id": pl.String,
    "document": pl.String,
    "level": pl.Int32,
    "ordinal": pl.Int32,
    "parent_id": pl.String,
    "chunk_id": pl.String,
    "input": pl.String,
    "key": pl.String,
    "height": pl.Int32,
    "weight": pl.Int64,
    "children": pl.List(pl.String),
}
"""Columns of a planned tree."""

CHILD = 4_000
"""Characters that a child of a summary stands for when work is batched; about a chunk's."""

SAID = """
    SELECT r.key, list(coalesce(m.text, '') ORDER BY r.place) AS said
    FROM (SELECT key, unnest(children) AS ref, generate_subscripts(children, 1) AS place FROM todo) r
    LEFT JOIN summary_memory m ON 's:' || m.key = r.ref GROUP BY r.key
"""
"""Per open summary what its children say, in order: the texts of summaries, nothing for chunks."""

QUOTES = '[{"content_id": "VARCHAR", "start": "INTEGER", "end": "INTEGER", "text": "VARCHAR"}]'
"""JSON structure of remembered quotes."""

PAYLOAD = """
    WITH refs AS (
        SELECT t.batch, t.key, unnest(t.children) AS ref, generate_subscripts(t.children, 1) AS place FROM todo t
    ), spans AS (
        SELECT c.content_id, list({start: s.start_at, "end": s.end_at} ORDER BY s.ordinal) AS sentences
        FROM (SELECT c.content_id, min(x.key) AS key FROM live_chunks c JOIN live_extractions x USING (chunk_id)
              WHERE 'c:' || c.content_id IN (SELECT ref FROM refs) GROUP BY c.content_id) c
        JOIN sentences s ON s.key = c.key GROUP BY c.content_id
    )
    SELECT r.batch, r.key,
           list({ref: r.ref, text: k.text, sentences: p.sentences, quotes: m.quotes} ORDER BY r.place) AS parts
    FROM refs r
    LEFT JOIN contents k ON 'c:' || k.content_id = r.ref
    LEFT JOIN spans p ON 'c:' || p.content_id = r.ref
    LEFT JOIN summary_memory m ON 's:' || m.key = r.ref
    GROUP BY r.batch, r.key
"""
"""Per open summary its parts in order: a chunk with its sentences, or a child summary with its quotes."""


def leaves_by_document(tables: Tables, ending: int) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """Per document, in order of their ids, the (chunk_id, content_id, last `ending` characters) of its chunks in reading order."""
    rows = tables.rows(
        "SELECT l.document, l.chunk_id, l.content_id, right(c.text, ?) FROM live_chunks l JOIN contents c USING (content_id) "
        "WHERE l.kind = 'chunk' ORDER BY l.document, l.ordinal",
        [ending],
    )
    for document, group in groupby(rows, key=lambda row: row[0]):
        yield document, [(chunk, content, end) for _, chunk, content, end in group]


def wanted(planned: str) -> str:
    """The wanted query of summaries over a staged plan."""
    return f"SELECT node_id AS unit, input, weight, height, children, document FROM {planned} WHERE level > 0"


def write_tree(tables: Tables, planned: str, ledger: str) -> None:
    """Fill `tree` and `tree_quotes` from a staged plan and the remembered summaries; call it in a transaction, on empty tables."""
    tables.execute(
        f"""
        INSERT INTO tree
        SELECT p.node_id, p.document, p.level, p.ordinal, p.parent_id, p.chunk_id, coalesce(m.text, ''), coalesce(m.embed_key, '')
        FROM {planned} p LEFT JOIN ledger_{ledger} l ON l.unit = p.node_id AND l.status = 'ok'
        LEFT JOIN summary_memory m ON m.key = l.key
        WHERE p.level = 0 OR m.key IS NOT NULL ORDER BY p.document, p.level, p.ordinal
        """
    )
    tables.execute(
        f"""
        INSERT INTO tree_quotes
        WITH quotes AS (
            SELECT p.node_id, p.document, unnest(from_json(m.quotes, '{QUOTES}')) AS q, generate_subscripts(from_json(m.quotes, '{QUOTES}'), 1) AS place
            FROM {planned} p JOIN ledger_{ledger} l ON l.unit = p.node_id AND l.status = 'ok' JOIN summary_memory m ON m.key = l.key
        ), places AS (
            SELECT content_id, document, min_by(chunk_id, ordinal) AS chunk_id FROM live_chunks WHERE kind = 'chunk' GROUP BY ALL
        ), anywhere AS (
            SELECT content_id, min_by(document, document) AS document, min_by(chunk_id, document) AS chunk_id FROM places GROUP BY content_id
        )
        SELECT q.node_id, q.place - 1, coalesce(s.document, a.document), coalesce(s.chunk_id, a.chunk_id), q.q.start, q.q."end", q.q.text
        FROM quotes q
        LEFT JOIN places s ON s.content_id = q.q.content_id AND s.document = q.document
        LEFT JOIN anywhere a ON a.content_id = q.q.content_id
        ORDER BY q.node_id, q.place
        """
    )


def levels(tables: Tables) -> list[tuple[int, int]]:
    """(level, nodes), leaves first."""
    return tables.rows("SELECT level, count(*) FROM tree GROUP BY level ORDER BY level")  # type: ignore[return-value]
