"""From the work file to the tables of one generation: what is alive, sorted, with absolute offsets, and audited before anyone sees it."""

import contextlib
from pathlib import Path

from pagerag_pipeline.stores import entity_rows, layout
from pagerag_pipeline.stores.description_rows import export_descriptions
from pagerag_pipeline.stores.generation_audit import audit_generation
from pagerag_pipeline.stores.tables import Tables

VERSION = "export/7"
"""Part of what a generation is compared by: another one publishes anew."""

_OUT = "exported"
"""Catalog name of the file that is being written."""

_ABSOLUTE = "c.start_at + q.start_at, c.start_at + q.end_at"
"""Offsets of a row `q`, relative to its chunk `c` in the work file, as offsets into the document."""

STATEMENTS = {
    "documents": """
        SELECT DISTINCT ON (d.document) d.document, d.path, d.title, t.text, d.metadata, d.document_key
        FROM live_documents d JOIN texts t USING (text_id) ORDER BY d.document, d.document_key
    """,
    "profiles": """
        SELECT document, form, form_confidence, mode, mode_confidence, topics, language, boundary, features, source
        FROM live_profiles ORDER BY document
    """,
    "sections": "SELECT document, ordinal, title, kind, level, start_at, end_at, path, mode FROM live_sections ORDER BY document, ordinal",
    "chunks": f"""
        SELECT c.document, c.chunk_id, c.kind, c.ordinal, p.chunk_id, c.start_at, c.end_at, t.text, c.context, c.section,
               coalesce(s.path, '[]'), c.content_id, c.embed_key, c.tokens, c.page, coalesce(v.terms, ''), '', ''
        FROM live_chunks c
        LEFT JOIN live_chunks p ON p.document = c.document AND p.kind = 'chunk' AND p.ordinal = c.parent AND c.kind <> 'chunk'
        LEFT JOIN contents t ON t.content_id = c.content_id
        LEFT JOIN live_sections s ON s.document = c.document AND s.ordinal = c.section
        LEFT JOIN ledger_chunk_embeddings l ON l.unit = c.embed_key AND l.status = 'ok' AND c.kind IN ('passage', 'row')
        LEFT JOIN vectors v ON v.key = l.key
        UNION ALL {entity_rows.ENTITY_PASSAGES}
        ORDER BY document, kind, ordinal
    """,
    "records": entity_rows.RECORDS,
    "nodes": "SELECT entity_id, name, key, type, types, mentions, isolated FROM nodes ORDER BY entity_id",
    "edges": "SELECT edge_id, head, predicate, tail, modality, confidence, weight FROM edges ORDER BY edge_id",
    "aliases": "SELECT entity_id, alias, alias_key FROM aliases ORDER BY entity_id, alias, alias_key",
    "bindings": f"""
        SELECT q.element_id, q.element_kind, q.document, q.chunk_id, {_ABSOLUTE}, q.quote
        FROM bindings q LEFT JOIN live_chunks c USING (chunk_id) ORDER BY q.element_id, q.document, c.start_at, q.start_at, q.end_at
    """,
    "graph_terms": "SELECT term, name, number FROM graph_terms ORDER BY number",
    "term_sentences": f"""
        SELECT q.document, q.chunk_id, {_ABSOLUTE}, q.terms
        FROM term_sentences q LEFT JOIN live_chunks c USING (chunk_id) ORDER BY q.document, c.start_at, q.chunk_id, q.start_at, q.end_at
    """,
    "decisions": f"""
        SELECT q.decision_id, q.element_id, q.element_kind, q.place, q.gate, q.act, q.reason, q.detail, q.other_id, q.document, q.chunk_id,
               {_ABSOLUTE}, q.quote
        FROM decisions q LEFT JOIN live_chunks c USING (chunk_id) ORDER BY q.decision_id
    """,
    "handles": "SELECT kind, handle, words, embed_key FROM handles ORDER BY kind, handle",
    "quarantine": f"""
        SELECT q.unit_id, q.state, q.gate, q.reason, q.kind, q.head, q.head_type, q.predicate, q.tail, q.tail_type, q.modality, q.confidence,
               q.document, q.chunk_id, {_ABSOLUTE}, q.quote
        FROM unit_states q LEFT JOIN live_chunks c USING (chunk_id) WHERE q.state IN ('held', 'rejected')
        ORDER BY q.document, c.start_at, q.start_at, q.unit_id
    """,
    "graph_shape": "SELECT graph, figure, value FROM graph_shape ORDER BY graph, figure",
    "graph_losses": "SELECT element, gate, act, reason, elements FROM graph_losses ORDER BY element, gate, act, reason",
    "communities": "SELECT community_id, level, parent_id, size FROM communities ORDER BY level, community_id",
    "members": "SELECT community_id, entity_id FROM members ORDER BY community_id, entity_id",
    "reports": """
        SELECT community_id, level, title, text, topics, uncited, embed_key, bonds, edges, evidence_left_out FROM reports ORDER BY community_id
    """,
    "report_quotes": f"""
        SELECT q.community_id, q.ordinal, q.document, q.chunk_id, {_ABSOLUTE}, q.quote
        FROM report_quotes q LEFT JOIN live_chunks c USING (chunk_id) ORDER BY q.community_id, q.ordinal
    """,
    "tree": "SELECT node_id, document, level, ordinal, parent_id, chunk_id, text, embed_key FROM tree ORDER BY document, level, ordinal, node_id",
    "tree_quotes": f"""
        SELECT q.node_id, q.ordinal, q.document, q.chunk_id, {_ABSOLUTE}, q.quote
        FROM tree_quotes q LEFT JOIN live_chunks c USING (chunk_id) ORDER BY q.node_id, q.ordinal
    """,
    "vocabulary": f"""
        SELECT term, count(*) FROM (
            SELECT unnest(list_distinct(string_split(terms, ' '))) AS term FROM {_OUT}.data.chunks WHERE kind IN ('passage', 'row')
        ) WHERE term <> '' GROUP BY term ORDER BY term
    """,
}
"""Rows of each table of a generation, in the column order of `layout.GENERATION`; offsets that have no chunk become null for the audit."""


def export_generation(work: Tables, path: Path) -> dict[str, int]:
    """Write a generation's table file from what is alive in the work file; returns the rows of each table.

    Raises generation_audit.AuditError when a row does not stand on what it must (texts, ends, members, parents, vectors); then no file
    is left. A file that stood at the path is replaced.
    """
    _remove(path)
    work.attach(path, _OUT, logged=False)
    try:
        with work.transaction(), entity_rows.record_names(work, _OUT) as names:
            work.execute(f"CREATE SCHEMA {_OUT}.data")
            for name, columns in layout.GENERATION.items():
                work.execute(f"CREATE TABLE {_OUT}.data.{name} ({columns})")
            for name, statement in STATEMENTS.items():
                work.execute(f"INSERT INTO {_OUT}.data.{name} {_filled(statement, names)}")
            export_descriptions(work, _OUT)
        audit_generation(work, _OUT)
        _write_views(work)
        counts = {name: int(work.rows(f"SELECT count(*) FROM {_OUT}.data.{name}")[0][0]) for name in layout.GENERATION}
    except BaseException:
        # Where there is no room, what is detached cannot be finished either; what went wrong first is told.
        with contextlib.suppress(Exception):
            work.detach(_OUT)
        _remove(path)
        raise
    work.detach(_OUT)
    return counts


def _filled(statement: str, names: dict[str, str]) -> str:
    for name, put in names.items():
        statement = statement.replace(f"{{{name}}}", put)
    return statement


def _write_views(work: Tables) -> None:
    """Views of all tables in `main`, where columns are called as outsiders expect; they name no catalog, so the file may be attached anywhere."""
    home = work.rows("SELECT current_database(), current_schema()")[0]
    work.execute(f"USE {_OUT}.main")
    try:
        for name, columns in layout.GENERATION.items():
            renamed = ", ".join({"start_at": 'start_at AS "start"', "end_at": 'end_at AS "end"'}.get(c, f'"{c}"') for c in _names(columns))
            work.execute(f"CREATE VIEW {name} AS SELECT {renamed} FROM data.{name}")
    finally:
        work.execute(f'USE "{home[0]}"."{home[1]}"')


def _names(columns: str) -> list[str]:
    return [column.split()[0] for column in columns.split(", ")]


def _remove(path: Path) -> None:
    for one in (path, path.with_name(path.name + ".wal")):
        one.unlink(missing_ok=True)
