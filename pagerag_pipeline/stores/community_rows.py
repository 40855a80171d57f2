"""Statements of communities and reports: the graph to cluster, the evidence of members, the published rows."""

from collections.abc import Sequence

import polars as pl

from pagerag_pipeline.schema.knowledge import Community
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.tree_rows import QUOTES

WANTED_REPORTS = """
    SELECT community_id AS unit,
           sha256(concat_ws('|', any_value(CAST(row(b.bonds, b.places) AS VARCHAR)),
                            string_agg(CAST(row(entity_id, name, weight, quotes) AS VARCHAR), '|' ORDER BY entity_id)))[:32] AS input,
           CAST(sum(100 + 200 * len(quotes)) AS BIGINT) AS weight
    FROM community_evidence JOIN community_bonds b USING (community_id) GROUP BY community_id
"""

REPORT_PAYLOAD = """
    SELECT t.batch, t.key, any_value(b.bonds) AS bonds, any_value(b.places) AS places,
           list({entity_id: e.entity_id, name: e.name, weight: e.weight, quotes: e.quotes} ORDER BY e.entity_id) AS members
    FROM todo t JOIN community_evidence e ON e.community_id = t.unit JOIN community_bonds b ON b.community_id = t.unit GROUP BY t.batch, t.key
"""

_QUOTED = """
    CREATE OR REPLACE TEMP TABLE community_quoted AS
    WITH inside AS (
        SELECT h.community_id, e.edge_id, e.head, e.tail
        FROM edges e JOIN members h ON h.entity_id = e.head JOIN members t ON t.entity_id = e.tail AND t.community_id = h.community_id
        JOIN communities c ON c.community_id = h.community_id AND c.size >= ?
    )
    SELECT i.*, c.content_id, b.start_at, b.end_at, b.quote
    FROM inside i JOIN bindings b ON b.element_id = i.edge_id AND b.element_kind = 'edge' JOIN live_chunks c USING (chunk_id)
"""
"""The places that edges inside communities of some size stand on. Of a text that stands twice, the second is no other place."""

_BONDS = """
    CREATE OR REPLACE TEMP TABLE community_bonds AS
    WITH bonds AS (
        SELECT q.community_id, e.edge_id, h.name AS head, e.predicate, t.name AS tail, e.modality,
               count(DISTINCT (content_id, start_at, end_at)) AS places
        FROM community_quoted q JOIN edges e USING (edge_id) JOIN nodes h ON h.entity_id = e.head JOIN nodes t ON t.entity_id = e.tail
        GROUP BY ALL
    ), told AS (
        SELECT community_id, list({head: head, predicate: predicate, tail: tail, modality: modality, places: places} ORDER BY edge_id) AS bonds
        FROM bonds GROUP BY community_id
    )
    SELECT community_id, bonds, count(DISTINCT (content_id, start_at, end_at)) AS places
    FROM community_quoted JOIN told USING (community_id) GROUP BY community_id, bonds
"""

_EVIDENCE = """
    CREATE OR REPLACE TEMP TABLE community_evidence AS
    WITH spoken AS (
        SELECT community_id, head AS entity_id, content_id, start_at, end_at, quote FROM community_quoted
        UNION SELECT community_id, tail, content_id, start_at, end_at, quote FROM community_quoted
    ), ranked AS (
        SELECT *, row_number() OVER (PARTITION BY community_id, entity_id ORDER BY content_id, start_at, end_at) AS place FROM spoken
    ), told AS (
        SELECT community_id, entity_id, count(*) AS weight,
               list({content_id: content_id, start: start_at, "end": end_at, text: quote} ORDER BY content_id, start_at, end_at)
                   FILTER (place <= ?) AS quotes
        FROM ranked GROUP BY community_id, entity_id
    )
    SELECT community_id, entity_id, n.name, t.weight, t.quotes FROM told t JOIN nodes n USING (entity_id)
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
    """Lay out, for communities of at least `smallest`, `community_evidence` of their members and the `community_bonds` between them.

    Both hold what edges inside the community stand on and nothing else, so that what happens elsewhere moves no report. A member has
    at most `quotes` quotes, first by content id and place, so that moving a document moves nothing here; its weight and the `places` of
    the community count all.
    """
    tables.execute(_QUOTED, [smallest])
    tables.execute(_BONDS)
    tables.execute(_EVIDENCE, [quotes])


def write_reports(tables: Tables) -> None:
    """Fill `reports` and `report_quotes` from the bound ledger; call it in a transaction, on empty tables."""
    tables.execute(
        """
        INSERT INTO reports
        SELECT c.community_id, c.level, m.title, m.text, m.topics, m.uncited, m.embed_key, m.bonds, m.edges, m.evidence_left_out
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


def shape(tables: Tables, smallest: int) -> dict[str, int]:
    """Counts of the hierarchy by level, coarsest first (communities, the largest, those of one member, those too small for a report), and of reports."""
    levels = tables.rows(
        """
        SELECT level, count(*), max(size), count(*) FILTER (size = 1), count(*) FILTER (size < ?)
        FROM communities GROUP BY level ORDER BY level
        """,
        [smallest],
    )
    names = ("communities", "largest", "of_one_member", "without_report")
    counts = {f"level_{level}_{name}": count for level, *found in levels for name, count in zip(names, found, strict=True)}
    left_out = tables.rows("SELECT coalesce(sum(uncited), 0)::BIGINT, coalesce(sum(evidence_left_out), 0)::BIGINT FROM reports")[0]
    return {**counts, "members_uncited": left_out[0], "evidence_left_out": left_out[1]}
