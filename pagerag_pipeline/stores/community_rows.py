"""Statements of communities and reports: the graph to cluster, the evidence of members, the published rows."""

from collections.abc import Sequence

import polars as pl

from pagerag_pipeline.schema import Community
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.tree_rows import QUOTES

WANTED_REPORTS = """
    SELECT community_id AS unit,
           sha256(string_agg(CAST(row(entity_id, name, weight, quotes, predicates) AS VARCHAR), '|' ORDER BY entity_id))[:32] AS input,
           CAST(sum(100 + 200 * len(quotes)) AS BIGINT) AS weight
    FROM community_evidence GROUP BY community_id
"""

REPORT_PAYLOAD = """
    SELECT t.batch, t.key,
           list({entity_id: e.entity_id, name: e.name, weight: e.weight, quotes: e.quotes, predicates: e.predicates} ORDER BY e.entity_id) AS members
    FROM todo t JOIN community_evidence e ON e.community_id = t.unit GROUP BY t.batch, t.key
"""


def weighted_edges(tables: Tables) -> tuple[list[str], list[tuple[str, str, float]]]:
    """Entity ids in order, and the governed edges between them with confidence times support as weight, in order."""
    nodes = [row[0] for row in tables.rows("SELECT entity_id FROM nodes ORDER BY entity_id")]
    edges = tables.rows("SELECT head, tail, round(confidence * weight, 9) FROM edges ORDER BY head, tail, edge_id")
    return nodes, edges  # type: ignore[return-value]


def write_communities(tables: Tables, communities: Sequence[Community]) -> None:
    """Fill `communities` and `members`; call it in a transaction, on empty tables."""
    rows = [(c.community_id, c.level, c.parent, len(c.members)) for c in communities]
    schema = {"community_id": pl.String, "level": pl.Int32, "parent_id": pl.String, "size": pl.Int32}
    tables.insert("communities", pl.DataFrame(rows, schema=schema, orient="row"))
    members = [(c.community_id, member) for c in communities for member in c.members]
    tables.insert("members", pl.DataFrame(members, schema={"community_id": pl.String, "entity_id": pl.String}, orient="row"))


def stage_evidence(tables: Tables, smallest: int, quotes: int) -> None:
    """Lay out `community_evidence`: per member of a community of at least `smallest`, what its edges inside the community stand on.

    At most `quotes` quotes a member, first by content id and place, so that moving a document moves nothing here.
    """
    tables.execute(
        """
        CREATE OR REPLACE TEMP TABLE community_evidence AS
        WITH inside AS (
            SELECT h.community_id, e.edge_id, e.head, e.tail, e.predicate
            FROM edges e JOIN members h ON h.entity_id = e.head JOIN members t ON t.entity_id = e.tail AND t.community_id = h.community_id
            JOIN communities c ON c.community_id = h.community_id AND c.size >= ?
        ), ends AS (
            SELECT community_id, head AS entity_id, edge_id, predicate FROM inside
            UNION ALL SELECT community_id, tail, edge_id, predicate FROM inside
        ), quoted AS (
            SELECT DISTINCT n.community_id, n.entity_id, c.content_id, b.start_at, b.end_at, b.quote
            FROM ends n JOIN bindings b ON b.element_id = n.edge_id AND b.element_kind = 'edge' JOIN live_chunks c USING (chunk_id)
        ), ranked AS (
            SELECT *, row_number() OVER (PARTITION BY community_id, entity_id ORDER BY content_id, start_at, end_at) AS place FROM quoted
        ), kept AS (
            SELECT community_id, entity_id,
                   list({content_id: content_id, start: start_at, "end": end_at, text: quote} ORDER BY content_id, start_at, end_at) AS quotes
            FROM ranked WHERE place <= ? GROUP BY community_id, entity_id
        ), relations AS (
            SELECT community_id, entity_id, list(predicate ORDER BY predicate, edge_id) AS predicates FROM ends GROUP BY community_id, entity_id
        )
        SELECT m.community_id, m.entity_id, n.name, n.mentions AS weight, coalesce(k.quotes, []) AS quotes, coalesce(r.predicates, []) AS predicates
        FROM members m JOIN communities c ON c.community_id = m.community_id AND c.size >= ? JOIN nodes n USING (entity_id)
        LEFT JOIN kept k ON k.community_id = m.community_id AND k.entity_id = m.entity_id
        LEFT JOIN relations r ON r.community_id = m.community_id AND r.entity_id = m.entity_id
        """,
        [smallest, quotes, smallest],
    )


def write_reports(tables: Tables) -> None:
    """Fill `reports` and `report_quotes` from the bound ledger; call it in a transaction, on empty tables."""
    tables.execute(
        """
        INSERT INTO reports
        SELECT c.community_id, c.level, m.title, m.text, m.topics, m.uncited, m.embed_key
        FROM ledger_reports l JOIN communities c ON c.community_id = l.unit JOIN report_memory m ON m.key = l.key
        WHERE l.status = 'ok' ORDER BY c.community_id
        """
    )
    tables.execute(
        f"""
        INSERT INTO report_quotes
        WITH quotes AS (
            SELECT l.unit, unnest(from_json(m.quotes, '{QUOTES}')) AS q, generate_subscripts(from_json(m.quotes, '{QUOTES}'), 1) AS place
            FROM ledger_reports l JOIN report_memory m ON m.key = l.key WHERE l.status = 'ok'
        ), places AS (
            SELECT content_id, min_by(document, (document, ordinal)) AS document, min_by(chunk_id, (document, ordinal)) AS chunk_id
            FROM live_chunks WHERE kind = 'chunk' GROUP BY content_id
        )
        SELECT q.unit, q.place - 1, p.document, p.chunk_id, q.q.start, q.q."end", q.q.text
        FROM quotes q JOIN places p ON p.content_id = q.q.content_id ORDER BY q.unit, q.place
        """
    )


def levels(tables: Tables) -> list[tuple[int, int, int]]:
    """(level, communities, members of the largest), coarsest first."""
    return tables.rows("SELECT level, count(*), max(size) FROM communities GROUP BY level ORDER BY level")  # type: ignore[return-value]
