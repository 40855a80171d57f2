"""The audit of a generation before it is published: every row must stand on what it says it stands on. All answers must be "none"."""

from pagerag_pipeline.stores.tables import Tables

SHOWN = 20
"""Offenders named at most; all are counted."""

_EMBEDDED = (
    ("passages", "SELECT embed_key, chunk_id AS id FROM data.chunks WHERE kind IN ('passage', 'row')", "chunk_embeddings"),
    ("handles", "SELECT embed_key, handle AS id FROM data.handles", "handle_embeddings"),
    ("reports", "SELECT embed_key, community_id AS id FROM data.reports", "report_embeddings"),
    ("summaries", "SELECT embed_key, node_id AS id FROM data.tree WHERE level > 0", "summary_embeddings"),
)


def _quotes(table: str, owner: str, where: str = "true") -> str:
    """Rows of a table whose quote is not what stands at its place; the chunk's text stands for the document's, as `chunks_beside_the_text` shows."""
    return f"""
        SELECT q.{owner} || ' in ' || coalesce(q.chunk_id, '') AS id
        FROM (SELECT * FROM data.{table} WHERE {where}) q LEFT JOIN data.chunks c USING (chunk_id)
        WHERE c.chunk_id IS NULL OR c.document IS DISTINCT FROM q.document OR q.start_at IS NULL OR q.start_at < c.start_at
           OR q.end_at > c.end_at OR substring(c.text, q.start_at - c.start_at + 1, q.end_at - q.start_at) IS DISTINCT FROM q.quote
    """


CHECKS = {
    # Substrings of a whole document cost its length each; so chunks are checked by joining them, and all else inside its chunk.
    "chunks_beside_the_text": """
        SELECT d.document AS id FROM data.documents d JOIN (
            SELECT document, string_agg(text, '' ORDER BY ordinal) AS joined,
                   bool_and(start_at = before AND end_at - start_at = length(text)) AS tiled
            FROM (SELECT *, lag(end_at, 1, 0) OVER (PARTITION BY document ORDER BY ordinal) AS before FROM data.chunks WHERE kind = 'chunk')
            GROUP BY document
        ) c USING (document) WHERE NOT c.tiled OR c.tiled IS NULL OR c.joined IS DISTINCT FROM d.text
    """,
    "documents_left_out": "SELECT document AS id FROM work.live_documents ANTI JOIN data.documents USING (document)",
    "parts_beside_their_chunk": """
        SELECT c.chunk_id AS id FROM data.chunks c JOIN data.chunks p ON p.chunk_id = c.parent_id
        WHERE c.start_at < p.start_at OR c.end_at > p.end_at
           OR substring(p.text, c.start_at - p.start_at + 1, c.end_at - c.start_at) IS DISTINCT FROM c.text
    """,
    "windows_beside_the_text": """
        SELECT c.chunk_id AS id FROM data.chunks c LEFT JOIN data.documents d USING (document)
        WHERE c.kind <> 'chunk' AND c.parent_id IS NULL AND substring(d.text, c.start_at + 1, c.end_at - c.start_at) IS DISTINCT FROM c.text
    """,
    "parts_without_chunk": "SELECT chunk_id AS id FROM data.chunks WHERE kind IN ('passage', 'row', 'entity') AND parent_id IS NULL",
    "entity_passages_with_gaps": """
        SELECT c.document AS id FROM data.chunks c LEFT JOIN (
            SELECT parent_id, min(start_at) AS first, max(end_at) AS last, bool_and(start_at = before) AS tiled
            FROM (SELECT *, lag(end_at, 1, start_at) OVER (PARTITION BY parent_id ORDER BY ordinal) AS before FROM data.chunks WHERE kind = 'entity')
            GROUP BY parent_id
        ) e ON e.parent_id = c.chunk_id
        WHERE c.kind = 'chunk' AND (e.first IS DISTINCT FROM c.start_at OR e.last IS DISTINCT FROM c.end_at OR NOT e.tiled)
    """,
    "chunks_of_no_document": "SELECT chunk_id AS id FROM data.chunks ANTI JOIN data.documents USING (document)",
    "chunks_twice": "SELECT chunk_id AS id FROM data.chunks GROUP BY chunk_id HAVING count(*) > 1",
    "quotes_of_bindings": _quotes("bindings", "element_id"),
    "quotes_of_records": _quotes("records", "record_id"),
    "quotes_of_reports": _quotes("report_quotes", "community_id"),
    "quotes_of_summaries": _quotes("tree_quotes", "node_id"),
    "quotes_of_decisions": _quotes("decisions", "decision_id", "quote <> '' AND reason <> 'unbound'"),
    "quotes_in_quarantine": _quotes("quarantine", "unit_id", "reason <> 'unbound'"),
    "quarantine_in_the_graph": """
        SELECT q.unit_id AS id FROM data.quarantine q JOIN data.decisions d ON d.element_id = q.unit_id AND d.other_id <> ''
    """,
    "edges_without_node": """
        SELECT edge_id AS id FROM data.edges ANTI JOIN data.nodes n ON n.entity_id = head
        UNION SELECT edge_id FROM data.edges ANTI JOIN data.nodes n ON n.entity_id = tail
    """,
    "nodes_without_binding": "SELECT entity_id AS id FROM data.nodes ANTI JOIN data.bindings b ON b.element_id = entity_id",
    "edges_without_binding": "SELECT edge_id AS id FROM data.edges ANTI JOIN data.bindings b ON b.element_id = edge_id",
    "bindings_of_nothing": """
        SELECT DISTINCT element_id AS id FROM data.bindings ANTI JOIN (SELECT entity_id AS element_id FROM data.nodes
        UNION ALL SELECT edge_id FROM data.edges) e USING (element_id) WHERE element_kind IN ('node', 'edge')
    """,
    "aliases_of_nothing": "SELECT entity_id AS id FROM data.aliases ANTI JOIN data.nodes USING (entity_id)",
    "members_without_node": "SELECT entity_id AS id FROM data.members ANTI JOIN data.nodes USING (entity_id)",
    "members_without_community": "SELECT community_id AS id FROM data.members ANTI JOIN data.communities USING (community_id)",
    "reports_of_nothing": "SELECT community_id AS id FROM data.reports ANTI JOIN data.communities USING (community_id)",
    "communities_without_parent": """
        SELECT c.community_id AS id FROM data.communities c ANTI JOIN data.communities p ON p.community_id = c.parent_id
        WHERE coalesce(c.parent_id, '') <> ''
    """,
    "tree_nodes_without_parent": """
        SELECT t.node_id AS id FROM data.tree t ANTI JOIN data.tree p ON p.node_id = t.parent_id WHERE coalesce(t.parent_id, '') <> ''
    """,
    "term_sentences_beside_their_chunk": """
        SELECT q.chunk_id || ' at ' || coalesce(q.start_at::VARCHAR, '') AS id FROM data.term_sentences q LEFT JOIN data.chunks c USING (chunk_id)
        WHERE c.document IS DISTINCT FROM q.document OR q.start_at < c.start_at OR q.end_at > c.end_at OR len(q.terms) = 0
    """,
    "terms_of_nothing": """
        SELECT DISTINCT number::VARCHAR AS id FROM (SELECT unnest(terms) AS number FROM data.term_sentences) ANTI JOIN data.graph_terms USING (number)
        UNION SELECT term FROM data.graph_terms ANTI JOIN (SELECT DISTINCT unnest(terms) AS number FROM data.term_sentences) USING (number)
    """,
    "tree_nodes_beside_their_level": """
        SELECT t.node_id AS id FROM data.tree t JOIN data.tree p ON p.node_id = t.parent_id
        WHERE p.document IN ('', t.document) IS NOT TRUE OR (p.document = t.document AND p.level <> t.level + 1)
    """,
    "summaries_that_hold_an_id": """
        SELECT DISTINCT q.node_id AS id FROM (
            SELECT node_id, unnest(regexp_extract_all(text, '[0-9a-f]{32}')) AS held FROM data.tree WHERE level > 0
        ) q JOIN data.tree t ON t.node_id = q.held
    """,
    "leaves_of_gone_chunks": """
        SELECT t.node_id AS id FROM data.tree t ANTI JOIN data.chunks c ON c.chunk_id = t.chunk_id WHERE t.level = 0
    """,
    **{
        f"{name}_without_vector": f"SELECT w.id FROM ({wanted}) w ANTI JOIN work.ledger_{ledger} l ON l.unit = w.embed_key"
        for name, wanted, ledger in _EMBEDDED
    },
}
"""Name of a fault and the query of the ids that have it; `data` is the generation, `work` the file it comes from.

A text whose embedding failed is a failed unit with its reason in the ledger, not a fault of the generation.
"""


class AuditError(RuntimeError):
    """A generation that does not hold together; `faults` gives per kind of fault the count and the first ids."""

    def __init__(self, faults: dict[str, tuple[int, list[str]]]) -> None:
        lines = [f"{name}: {count}, first {', '.join(ids)}" for name, (count, ids) in faults.items()]
        super().__init__("This generation does not hold together and was not published. " + "; ".join(lines))
        self.faults = faults


def audit_generation(tables: Tables, catalog: str) -> None:
    """Ask every check of an attached generation file; `tables` is the work file it was made from. Raises AuditError."""
    home = ".".join(f'"{part}"' for part in tables.rows("SELECT current_database(), current_schema()")[0])
    faults: dict[str, tuple[int, list[str]]] = {}
    for name, check in CHECKS.items():
        query = check.replace(" data.", f" {catalog}.data.").replace(" work.", f" {home}.")
        rows = tables.rows(f"SELECT id, count(*) OVER () FROM ({query}) ORDER BY id LIMIT {SHOWN}")
        if rows:
            faults[name] = (int(rows[0][1]), [str(row[0]) for row in rows])
    if faults:
        raise AuditError(faults)
