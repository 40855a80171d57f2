"""Statements of what is made around entities: records of table rows, and passages around one main entity, both by chunk."""

import contextlib
from collections.abc import Iterator

import polars as pl

from pagerag_pipeline.fields import broad_field
from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.stores.tables import Tables

LEDGERS = ("row_records", "entity_passages", "passage_records")
"""Kept beneath the product `entity_records`."""

WANTED = {
    # What a row says depends on its heading, its caption and the role of its columns, wherever those stand in the document.
    "row_records": """
        SELECT c.chunk_id AS unit,
               c.content_id || ':' || sha256(string_agg(concat_ws(chr(31), r.start_at, r.end_at, r.form, r.header, r.key_column, r.dimensions, r.caption,
                                                                   r.subject), chr(30) ORDER BY r.ordinal)) AS input,
               200 * count(*) AS weight, c.content_id, l.key AS cut_key, c.ordinal AS parent
        FROM ledger_chunks l JOIN table_rows r ON r.key = l.key
        JOIN live_chunks c ON c.document = l.unit AND c.kind = 'chunk' AND c.ordinal = r.parent
        WHERE l.status = 'ok' GROUP BY c.chunk_id, c.content_id, l.key, c.ordinal
    """,
    "entity_passages": """
        SELECT c.chunk_id AS unit, c.content_id || ':' || x.output AS input, c.end_at - c.start_at AS weight, c.content_id, x.key AS extraction
        FROM live_extractions x JOIN live_chunks c USING (chunk_id) WHERE c.kind = 'chunk'
    """,
}

PAYLOAD = {
    "row_records": """
        SELECT t.batch, t.key, c.text,
               (SELECT list({chunk: r.parent, start: r.start_at, "end": r.end_at, form: r.form, header: r.header, key: r.key_column,
                             dimensions: r.dimensions, caption: r.caption, subject: r.subject} ORDER BY r.ordinal)
                FROM table_rows r WHERE r.key = t.cut_key AND r.parent = t.parent) AS rows
        FROM todo t JOIN contents c ON c.content_id = t.content_id
    """,
    "entity_passages": """
        SELECT t.batch, t.key, c.text,
               (SELECT list({key: m.term, surface: m.surface, label: m.label, start: m.start_at, "end": m.end_at, sentence: m.sentence}
                            ORDER BY m.ordinal)
                FROM terms m WHERE m.key = t.extraction AND m.label <> 'NOUN') AS terms
        FROM todo t JOIN contents c ON c.content_id = t.content_id
    """,
}

RECORDS = """
    WITH stated AS (
        SELECT c.document, q.chunk_id, q.entity, q.entity_type, q.category, q.field, q.value, q.value_is_entity, q.modality, q.qualifiers,
               c.start_at + q.start_at AS start_at, c.start_at + q.end_at AS end_at, q.quote
        FROM live_records q LEFT JOIN live_chunks c ON c.chunk_id = q.chunk_id
    ), directed AS (
        FROM stated
        UNION ALL
        SELECT document, chunk_id, value, '', category, 'inverse_of:' || field, entity, true, modality, qualifiers, start_at, end_at, quote
        FROM stated s ANTI JOIN stated r
            ON r.category = 'relation' AND r.chunk_id = s.chunk_id AND r.start_at = s.start_at AND r.entity = s.value AND r.value = s.entity
        WHERE category = 'relation' AND value_is_entity
    ), suppressed AS (
        SELECT detail AS key FROM decisions WHERE gate = 'override' AND act = 'suppress'
    ), named AS (
        SELECT sha256(concat_ws(chr(31), d.chunk_id, d.entity, d.category, d.field, d.value, d.modality, d.qualifiers, d.start_at, d.end_at))[:32]
               AS record_id, k.name_key AS entity_key, v.name_key AS value_key, from_json(d.qualifiers, '[["VARCHAR"]]') AS pairs, d.*
        FROM directed d JOIN {keys} k ON k.name = d.entity JOIN {keys} v ON v.name = d.value
        WHERE k.name_key NOT IN (FROM suppressed) AND NOT (d.value_is_entity AND v.name_key IN (FROM suppressed))
    )
    SELECT q.record_id, q.document, q.chunk_id, q.entity, q.entity_key, q.entity_type, q.category, q.field, q.value, q.value_is_entity,
           q.modality, q.qualifiers, q.start_at, q.end_at, q.quote, f.broad, q.value_key, TRY_CAST({number} AS DOUBLE), {unit}, {period},
           coalesce(r.chunk_id, p.chunk_id)
    FROM named q JOIN {fields} f ON f.field = q.field
    LEFT JOIN {out}.data.chunks r ON r.kind = 'row' AND r.parent_id = q.chunk_id AND r.start_at = q.start_at
    LEFT JOIN {out}.data.chunks p ON p.kind = 'entity' AND p.parent_id = q.chunk_id AND q.start_at >= p.start_at AND q.start_at < p.end_at
    QUALIFY row_number() OVER (PARTITION BY q.record_id ORDER BY q.entity_type, r.chunk_id, p.chunk_id) = 1
    ORDER BY q.document, q.start_at, q.end_at, q.record_id
"""
"""Records with their spans; a record that a chunk states twice at one place counts once.

Relations between entities stand in both directions, the inverse by the name that extraction gave it, else as `inverse_of:`. Records of a
suppressed entity, or with one as their value, are left out: such a decision's detail is the key. Further columns serve to look records up: keys
and the coarser field, the parsed parts of an amount, and the passage whose address a record is: its table row, else the entity-centered
passage in which it begins.
"""

_QUALIFIERS = {"number": ("number",), "unit": ("unit", "currency"), "period": ("period", "time", "year")}
"""Columns that repeat a qualifier, and the names under which they know it, the first that is there."""

ENTITY_PASSAGES = """
    SELECT e.document, e.chunk_id, 'entity' AS kind, e.ordinal, e.parent_id, e.start_at, e.end_at,
           substring(t.text, e.start_at - e.parent_start + 1, e.end_at - e.start_at) AS text, e.context, e.section, coalesce(s.path, '[]') AS path,
           e.content_id, '' AS embed_key, e.tokens, coalesce(g.page, e.page) AS page, '' AS terms,
           CASE WHEN k.name IS NOT NULL THEN '' WHEN e.entity <> '' THEN e.entity ELSE coalesce(nullif(s.path ->> '$[#-1]', ''), d.title, '') END AS entity,
           CASE WHEN e.entity <> '' AND k.name IS NULL THEN e.entity_type ELSE 'other' END AS entity_type
    FROM live_entity_passages e
    LEFT JOIN (SELECT name FROM {keys} WHERE name_key IN (SELECT detail FROM decisions WHERE gate = 'override' AND act = 'suppress')) k ON k.name = e.entity
    ASOF LEFT JOIN (SELECT document, start_at, page FROM live_chunks WHERE kind = 'passage') g
        ON g.document = e.document AND e.start_at >= g.start_at
    LEFT JOIN contents t ON t.content_id = e.parent_content
    LEFT JOIN live_sections s ON s.document = e.document AND s.ordinal = e.section
    LEFT JOIN (SELECT document, min(title) AS title FROM live_documents GROUP BY document) d ON d.document = e.document
"""
"""Entity-centered passages as chunk rows; one without a name is about what the title above it says (EnSI-RAG; systems, section 5.7).

A passage around a suppressed entity is about nothing: its text stays.
"""

_TALLIES = """
    SELECT a.name, sum(a.number) FROM tallies a
    JOIN (SELECT key FROM ledger_entity_records WHERE status = 'ok' UNION ALL SELECT key FROM ledger_row_records WHERE status = 'ok'
          UNION ALL SELECT key FROM ledger_entity_passages WHERE status = 'ok' UNION ALL SELECT key FROM ledger_passage_records WHERE status = 'ok') l USING (key)
    GROUP BY a.name ORDER BY a.name
"""


def tallies(tables: Tables) -> dict[str, int]:
    """What reading left out, by reason, over all live chunks: `unbound` records, `ragged` and `unnamed` rows, of how many `rows`."""
    return {str(name): int(number) for name, number in tables.rows(_TALLIES)}


def passage_count(tables: Tables) -> int:
    """Entity-centered passages that are alive."""
    return int(tables.rows("SELECT count(*) FROM live_entity_passages")[0][0])


@contextlib.contextmanager
def record_names(work: Tables, out: str) -> Iterator[dict[str, str]]:
    """What is put into the places of RECORDS: the catalog that is written, and maps that SQL cannot compute, staged meanwhile.

    `keys` leads from every entity and value of a record, and every entity of a passage, to its name key, `fields` from a field, read either way, to its coarser name.
    """
    names = work.frame(
        "SELECT unnest([entity, value]) AS name FROM live_records UNION SELECT entity FROM live_entity_passages WHERE entity <> '' ORDER BY name"
    )
    fields = work.frame("SELECT DISTINCT unnest([field, 'inverse_of:' || field]) AS field FROM live_records ORDER BY field")
    keys = pl.Series("name_key", [name_key(name) for name in names["name"]], dtype=pl.String)
    broad = pl.Series("broad", [broad_field(field) for field in fields["field"]], dtype=pl.String)
    columns = {name: _qualifier(*told) for name, told in _QUALIFIERS.items()}
    with work.staged("staged_record_keys", names.with_columns(keys)) as staged, work.staged("staged_fields", fields.with_columns(broad)) as named:
        yield {"keys": staged, "fields": named, "out": out, **columns}


def _qualifier(*names: str) -> str:
    """The value of the first of these qualifiers that a record has."""
    found = ", ".join(f"list_filter(q.pairs, lambda pair: pair[1] = '{name}')[1][2]" for name in names)
    return f"coalesce({found})"
