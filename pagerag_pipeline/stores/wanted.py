"""What each ledger wants and what its workers get: one query a ledger for the wanted units, one for the payload of the open ones.

A wanted query gives `unit`, `input` (digest of all that the unit reads, code apart), `weight` (characters, for batching) and what the
payload needs. A payload query reads from `todo` and gives `batch`, `key` and the columns of the worker's task.
"""

from pagerag_pipeline.stores import community_rows, entity_rows, handles, tree_rows

WANTED = {
    "document_profiles": "SELECT document AS unit, document_key AS input, characters AS weight, text_id FROM live_documents",
    "chunks": """
        SELECT d.document AS unit, d.document_key || ':' || p.output AS input, d.characters AS weight, d.text_id, p.key AS profile_key
        FROM live_documents d JOIN live_profiles p USING (document)
    """,
    # Only passages and rows have a vector of their own; a longer text has the score of its best passage.
    "chunk_embeddings": """
        SELECT embed_key AS unit, embed_key AS input, max(end_at - start_at + length(context)) AS weight,
               min(content_id) AS content_id, min(context) AS context
        FROM live_chunks WHERE kind IN ('passage', 'row') GROUP BY embed_key
    """,
    "entity_records": """
        SELECT c.chunk_id AS unit, concat_ws(':', c.content_id, p.language, s.mode) AS input, c.end_at - c.start_at AS weight,
               c.content_id, p.language, s.mode
        FROM live_chunks c JOIN live_profiles p USING (document)
        JOIN live_sections s ON s.document = c.document AND s.ordinal = c.section
        WHERE c.kind = 'chunk'
    """,
    **entity_rows.WANTED,
    "unit_gates": """
        SELECT x.chunk_id AS unit, x.key AS input, 200 * count(*) AS weight, x.key AS extraction, min(c.content_id) AS content_id
        FROM live_extractions x JOIN live_chunks c USING (chunk_id) JOIN units u ON u.key = x.key
        GROUP BY x.chunk_id, x.key
    """,
    "handle_embeddings": handles.WANTED,
    "report_embeddings": """
        SELECT embed_key AS unit, embed_key AS input, max(length(text)) AS weight, min(title) AS title, min(text) AS text
        FROM reports GROUP BY embed_key
    """,
    "summary_embeddings": """
        SELECT embed_key AS unit, embed_key AS input, max(length(text)) AS weight, min(text) AS text
        FROM tree WHERE level > 0 GROUP BY embed_key
    """,
}

PAYLOAD = {
    "document_profiles": """
        SELECT t.batch, t.key, d.title, x.text, d.blocks, d.metadata
        FROM todo t JOIN (SELECT DISTINCT ON (document) * FROM live_documents) d ON d.document = t.unit
        JOIN texts x ON x.text_id = t.text_id
    """,
    "chunks": """
        SELECT t.batch, t.key, d.title, x.text, d.blocks, d.metadata, p.language, p.mode,
               (SELECT to_json(list({title: s.title, kind: s.kind, level: s.level, start: s.start_at, "end": s.end_at, path: s.path, mode: s.mode}
                                    ORDER BY s.ordinal))
                FROM sections s WHERE s.key = t.profile_key) AS sections
        FROM todo t JOIN (SELECT DISTINCT ON (document) * FROM live_documents) d ON d.document = t.unit
        JOIN texts x ON x.text_id = t.text_id JOIN profiles p ON p.key = t.profile_key
    """,
    "chunk_embeddings": """
        SELECT t.batch, t.key, t.context, c.text FROM todo t JOIN contents c ON c.content_id = t.content_id
    """,
    "entity_records": """
        SELECT t.batch, t.key, t.language, t.mode, c.text FROM todo t JOIN contents c ON c.content_id = t.content_id
    """,
    **entity_rows.PAYLOAD,
    "unit_gates": """
        SELECT t.batch, t.key, c.text,
               (SELECT list({kind: u.kind, head: u.head, head_type: u.head_type, predicate: u.predicate, tail: u.tail,
                             tail_type: u.tail_type, modality: u.modality, confidence: u.confidence, start: u.start_at,
                             "end": u.end_at, quote: u.quote} ORDER BY u.ordinal)
                FROM units u WHERE u.key = t.extraction) AS units
        FROM todo t JOIN contents c ON c.content_id = t.content_id
    """,
    "handle_embeddings": handles.PAYLOAD,
    "reports": community_rows.REPORT_PAYLOAD,
    "report_embeddings": "SELECT batch, key, title AS context, text FROM todo",
    "summaries": tree_rows.PAYLOAD,
    "summary_embeddings": "SELECT batch, key, '' AS context, text FROM todo",
}
