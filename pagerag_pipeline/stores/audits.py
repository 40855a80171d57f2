"""Questions to the work file whose right answer is "none": what would be sand under the next verb. Checks of the assets ask them.

Units that failed are not counted here: they are reported as failures, with their reason, by the product they failed in.
"""

from dataclasses import dataclass

from pagerag_pipeline.stores.tables import Tables

SHOWN = 20
"""Offenders named at most; all are counted."""

AUDITS = {
    "documents_without_profile": """
        SELECT document AS id FROM live_documents ANTI JOIN ledger_document_profiles l ON l.unit = document
    """,
    "profiles_without_document": "SELECT document AS id FROM live_profiles ANTI JOIN live_documents USING (document)",
    "sections_with_gaps": """
        SELECT document || ' at ' || start_at AS id FROM (
            SELECT document, start_at, lag(end_at, 1, 0) OVER (PARTITION BY document ORDER BY ordinal) AS before FROM live_sections
        ) WHERE start_at <> before
    """,
    "documents_without_chunks": """
        SELECT d.document AS id FROM live_documents d JOIN live_profiles p USING (document) JOIN texts t USING (text_id)
        ANTI JOIN ledger_chunks l ON l.unit = d.document WHERE trim(t.text) <> ''
    """,
    "chunks_without_document": "SELECT chunk_id AS id FROM live_chunks ANTI JOIN live_documents USING (document)",
    "chunks_with_gaps": """
        SELECT chunk_id AS id FROM (
            SELECT chunk_id, start_at, lag(end_at, 1, 0) OVER (PARTITION BY document ORDER BY ordinal) AS before
            FROM live_chunks WHERE kind = 'chunk'
        ) WHERE start_at <> before
    """,
    "chunks_without_text": "SELECT chunk_id AS id FROM live_chunks ANTI JOIN contents USING (content_id)",
    "passages_without_vector": """
        SELECT c.chunk_id AS id FROM live_chunks c ANTI JOIN ledger_chunk_embeddings l ON l.unit = c.embed_key
        WHERE c.kind IN ('passage', 'row')
    """,
    "chunks_not_read": """
        SELECT c.chunk_id AS id FROM live_chunks c ANTI JOIN ledger_entity_records l ON l.unit = c.chunk_id WHERE c.kind = 'chunk'
    """,
    "extractions_of_gone_chunks": "SELECT chunk_id AS id FROM live_extractions ANTI JOIN live_chunks USING (chunk_id)",
    "raw_edges_without_node": """
        SELECT edge_key AS id FROM raw_edges ANTI JOIN raw_nodes h ON h.node_key = head
        UNION SELECT edge_key FROM raw_edges ANTI JOIN raw_nodes t ON t.node_key = tail
    """,
    "raw_bindings_of_gone_chunks": "SELECT element_key AS id FROM raw_bindings ANTI JOIN live_chunks USING (chunk_id)",
    "edges_without_node": """
        SELECT edge_id AS id FROM edges ANTI JOIN nodes h ON h.entity_id = head
        UNION SELECT edge_id FROM edges ANTI JOIN nodes t ON t.entity_id = tail
    """,
    "edges_without_evidence": "SELECT edge_id AS id FROM edges ANTI JOIN bindings b ON b.element_id = edge_id",
    "bindings_of_gone_chunks": "SELECT element_id AS id FROM bindings ANTI JOIN live_chunks USING (chunk_id)",
    "members_without_node": "SELECT entity_id AS id FROM members ANTI JOIN nodes USING (entity_id)",
    "nodes_without_community": "SELECT entity_id AS id FROM nodes ANTI JOIN members USING (entity_id) WHERE NOT isolated",
    "report_quotes_of_gone_chunks": "SELECT community_id AS id FROM report_quotes ANTI JOIN live_chunks USING (chunk_id)",
    "chunks_outside_the_tree": """
        SELECT c.chunk_id AS id FROM live_chunks c ANTI JOIN tree t ON t.chunk_id = c.chunk_id AND t.level = 0 WHERE c.kind = 'chunk'
    """,
    "summaries_without_children": """
        SELECT n.node_id AS id FROM tree n ANTI JOIN tree c ON c.parent_id = n.node_id WHERE n.level > 0
    """,
    "tree_quotes_of_gone_chunks": "SELECT node_id AS id FROM tree_quotes ANTI JOIN live_chunks USING (chunk_id)",
}


@dataclass(frozen=True, slots=True)
class Offenders:
    """How many rows an audit found, and the first of their ids, sorted."""

    count: int
    first: tuple[str, ...]


def offenders(tables: Tables, audit: str) -> Offenders:
    """What one audit of AUDITS finds in the work file; nothing, when all is well."""
    found = tables.rows(f"SELECT id, count(*) OVER () FROM (SELECT DISTINCT id FROM ({AUDITS[audit]})) ORDER BY id LIMIT ?", [SHOWN])
    return Offenders(int(found[0][1]) if found else 0, tuple(str(row[0]) for row in found))
