"""Questions to the work file whose right answer is "none": what would be sand under the next verb. Checks of the assets ask them.

Units that failed are not counted here: they are reported as failures, with their reason, by the product they failed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.settings import GovernSettings
from pagerag_pipeline.stores.raw_statements import LITERALS
from pagerag_pipeline.stores.tables import Tables

SHOWN = 20
"""Offenders named at most; all are counted."""

_UNITS = """
    SELECT sha256(concat_ws(':', 'unit', l.unit, g.unit))[:32] AS unit_id
    FROM ledger_unit_gates l JOIN live_chunks c ON c.chunk_id = l.unit JOIN unit_gates g ON g.key = l.key WHERE l.status = 'ok' AND g.final
"""
"""Every unit that passed its gates, whatever they made of it."""

_BESIDE = """
        SELECT b.element_id AS id FROM bindings b LEFT JOIN live_chunks c USING (chunk_id) LEFT JOIN contents t USING (content_id)
        WHERE c.document IS DISTINCT FROM b.document OR substring(t.text, b.start_at + 1, b.end_at - b.start_at) IS DISTINCT FROM b.quote
           OR b.quote = ''
"""
"""Bindings whose quote is not what stands at their place in a living chunk. In the raw graph it need not be: nothing was judged there yet."""

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
    "chunks_not_parted": """
        SELECT c.chunk_id AS id FROM live_chunks c JOIN live_extractions x USING (chunk_id)
        ANTI JOIN ledger_entity_passages l ON l.unit = c.chunk_id WHERE c.kind = 'chunk'
    """,
    "entity_passages_with_gaps": """
        SELECT c.chunk_id AS id FROM live_chunks c LEFT JOIN (
            SELECT parent_id, min(start_at) AS first, max(end_at) AS last, bool_and(start_at = before) AS tiled
            FROM (SELECT *, lag(end_at, 1, start_at) OVER (PARTITION BY parent_id ORDER BY ordinal) AS before FROM live_entity_passages)
            GROUP BY parent_id
        ) e ON e.parent_id = c.chunk_id
        WHERE c.kind = 'chunk' AND (e.first IS DISTINCT FROM c.start_at OR e.last IS DISTINCT FROM c.end_at OR NOT e.tiled)
    """,
    "rows_not_read": """
        SELECT c.chunk_id AS id FROM ledger_chunks l JOIN table_rows r ON r.key = l.key
        JOIN live_chunks c ON c.document = l.unit AND c.kind = 'chunk' AND c.ordinal = r.parent
        ANTI JOIN ledger_row_records d ON d.unit = c.chunk_id WHERE l.status = 'ok'
    """,
    "extractions_of_gone_chunks": "SELECT chunk_id AS id FROM live_extractions ANTI JOIN live_chunks USING (chunk_id)",
    "raw_edges_without_node": """
        SELECT edge_key AS id FROM raw_edges ANTI JOIN raw_nodes h ON h.node_key = head
        UNION SELECT edge_key FROM raw_edges ANTI JOIN raw_nodes t ON t.node_key = tail
    """,
    "raw_elements_without_evidence": """
        SELECT node_key AS id FROM raw_nodes ANTI JOIN raw_bindings b ON b.element_key = node_key AND b.element_kind = 'node'
        UNION SELECT edge_key FROM raw_edges ANTI JOIN raw_bindings b ON b.element_key = edge_key AND b.element_kind = 'edge'
    """,
    "raw_bindings_of_gone_chunks": "SELECT element_key AS id FROM raw_bindings ANTI JOIN live_chunks USING (chunk_id)",
    "units_lost_in_the_raw_graph": f"""
        SELECT x.chunk_id AS id FROM live_extractions x JOIN live_chunks c USING (chunk_id) JOIN units u ON u.key = x.key
        ANTI JOIN (SELECT DISTINCT chunk_id, start_at, end_at FROM raw_bindings WHERE element_kind = 'edge') b
            ON b.chunk_id = x.chunk_id AND b.start_at = u.start_at AND b.end_at = u.end_at
        WHERE u.tail_type NOT IN ({LITERALS})
    """,
    "texts_that_gave_nothing": """
        WITH silent AS (
            SELECT c.chunk_id, c.end_at - c.start_at AS size, t.text, p.language
            FROM live_extractions x JOIN live_chunks c USING (chunk_id) JOIN contents t USING (content_id) JOIN live_profiles p USING (document)
            ANTI JOIN (SELECT DISTINCT key FROM terms) n ON n.key = x.key ANTI JOIN (SELECT DISTINCT key FROM units) u ON u.key = x.key
            ANTI JOIN (SELECT DISTINCT key FROM records) r ON r.key = x.key
        ), told AS (
            SELECT *, len(list_distinct(regexp_extract_all(lower(text), '\\p{L}{2,}'))) AS words,
                   len(list_distinct(regexp_extract_all(text, '\\b\\p{Lu}\\p{Ll}+'))) AS capitals,
                   len(regexp_extract_all(text, '[.!?]["\u201d\u2019'')\\]]*(\\s|$)')) AS stops
            FROM silent
        ), prose AS (SELECT * FROM told WHERE words >= $1 AND stops >= 3 AND (list_contains($2::VARCHAR[], language) OR capitals * 2 >= $1))
        SELECT chunk_id AS id FROM prose
        WHERE (SELECT sum(size) FROM prose) > $3 * (SELECT sum(end_at - start_at) FROM live_chunks WHERE kind = 'chunk')
    """,
    "edges_without_node": """
        SELECT edge_id AS id FROM edges ANTI JOIN nodes h ON h.entity_id = head
        UNION SELECT edge_id FROM edges ANTI JOIN nodes t ON t.entity_id = tail
    """,
    "elements_without_evidence": """
        SELECT entity_id AS id FROM nodes ANTI JOIN bindings b ON b.element_id = entity_id AND b.element_kind = 'node'
        UNION SELECT edge_id FROM edges ANTI JOIN bindings b ON b.element_id = edge_id AND b.element_kind = 'edge'
    """,
    "bindings_of_gone_chunks": "SELECT element_id AS id FROM bindings ANTI JOIN live_chunks USING (chunk_id)",
    "bindings_beside_the_text": _BESIDE,
    "edges_from_a_node_to_itself": "SELECT edge_id AS id FROM edges WHERE head = tail",
    "edges_of_other_types": """
        SELECT e.edge_id AS id FROM edges e JOIN nodes n ON n.entity_id = e.head JOIN predicate_rules r ON r.predicate = e.predicate AND r.rule = 'head'
        GROUP BY e.edge_id, n.type HAVING NOT bool_or(r.type = n.type)
        UNION
        SELECT e.edge_id FROM edges e JOIN nodes n ON n.entity_id = e.tail JOIN predicate_rules r ON r.predicate = e.predicate AND r.rule = 'tail'
        GROUP BY e.edge_id, n.type HAVING NOT bool_or(r.type = n.type)
    """,
    "causes_without_a_cue": """
        SELECT u.edge_id AS id FROM unit_states u JOIN edges e USING (edge_id) JOIN predicate_rules r ON r.predicate = e.predicate AND r.rule = 'causal'
        ANTI JOIN decisions d ON d.element_id = u.unit_id AND d.gate = 'G3' AND d.act = 'accept'
        UNION
        SELECT e.edge_id FROM edges e JOIN predicate_rules r ON r.predicate = e.predicate AND r.rule = 'causal' ANTI JOIN unit_states u USING (edge_id)
    """,
    "quarantine_in_the_graph": """
        SELECT b.element_id AS id FROM bindings b
        ANTI JOIN unit_states u ON u.state = 'edge' AND u.edge_id = b.element_id AND u.chunk_id = b.chunk_id AND u.start_at = b.start_at AND u.end_at = b.end_at
        WHERE b.element_kind = 'edge'
        UNION SELECT unit_id FROM unit_states ANTI JOIN edges USING (edge_id) WHERE state = 'edge'
    """,
    "units_unaccounted_for": f"""
        SELECT unit_id AS id FROM ({_UNITS}) ANTI JOIN unit_states USING (unit_id)
        UNION SELECT unit_id FROM unit_states ANTI JOIN ({_UNITS}) USING (unit_id)
        UNION SELECT unit_id FROM unit_states GROUP BY unit_id HAVING count(*) > 1
        UNION SELECT unit_id FROM unit_states ANTI JOIN decisions d ON d.element_id = unit_id
    """,
    "decisions_twice": "SELECT decision_id AS id FROM decisions GROUP BY decision_id HAVING count(*) > 1",
    "members_without_node": "SELECT entity_id AS id FROM members ANTI JOIN nodes USING (entity_id)",
    "nodes_without_community": """
        SELECT n.entity_id AS id FROM nodes n CROSS JOIN (VALUES (0), (1)) l(level)
        ANTI JOIN (SELECT m.entity_id, c.level FROM members m JOIN communities c USING (community_id)) m ON m.entity_id = n.entity_id AND m.level = l.level
        WHERE NOT n.isolated
    """,
    "nodes_twice_on_a_level": """
        SELECT m.entity_id AS id FROM members m JOIN communities c USING (community_id) GROUP BY m.entity_id, c.level HAVING count(*) > 1
    """,
    "communities_in_pieces": """
        WITH RECURSIVE inside AS (
            SELECT h.community_id, e.head, e.tail
            FROM edges e JOIN members h ON h.entity_id = e.head JOIN members t ON t.entity_id = e.tail AND t.community_id = h.community_id
        ), links AS (
            SELECT community_id, head, tail FROM inside UNION SELECT community_id, tail, head FROM inside
        ), reached AS (
            SELECT community_id, min(entity_id) AS entity_id FROM members GROUP BY community_id
            UNION SELECT l.community_id, l.tail FROM reached r JOIN links l ON l.community_id = r.community_id AND l.head = r.entity_id
        )
        SELECT community_id AS id FROM members ANTI JOIN reached USING (community_id, entity_id)
    """,
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


@dataclass(frozen=True, slots=True)
class Limits:
    """What an audit must be told: how much silence is too much, and the languages that are read by a parser."""

    words: int = GovernSettings().silent_words
    share: float = GovernSettings().max_silent_share
    languages: Sequence[str] = ()


def offenders(tables: Tables, audit: str, limits: Limits = Limits()) -> Offenders:
    """What one audit of AUDITS finds in the work file; nothing, when all is well."""
    given = [limits.words, list(limits.languages), limits.share] if audit == "texts_that_gave_nothing" else []
    query = f"SELECT id, count(*) OVER () FROM (SELECT DISTINCT id FROM ({AUDITS[audit]})) ORDER BY id LIMIT {SHOWN}"
    found = tables.rows(query, given)
    return Offenders(int(found[0][1]) if found else 0, tuple(str(row[0]) for row in found))
