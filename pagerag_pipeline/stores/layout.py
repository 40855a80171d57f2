"""The tables of `work.duckdb` (the driver's alone) and of a generation's `tables.duckdb` (what asking needs), as DDL.

Offsets are half-open character ranges. In the work file, rows of a verb are keyed by memo key and hold offsets relative to what the
verb read; in a generation they are absolute offsets into the document's text.
"""

PRODUCTS = (
    "source_documents",
    "document_profiles",
    "chunks",
    "chunk_embeddings",
    "entity_records",
    "raw_graph",
    "governed_graph",
    "communities",
    "summary_tree",
    "hybrid_repository",
)
"""The build products in flow order."""

LEDGERS = (
    "source_documents",
    "document_profiles",
    "chunks",
    "chunk_embeddings",
    "entity_records",
    "row_records",
    "entity_passages",
    "passage_records",
    "unit_gates",
    "handle_embeddings",
    "descriptions",
    "reports",
    "report_embeddings",
    "summaries",
    "summary_embeddings",
)
"""What is tracked by unit: the per-unit products, and the memoized parts of the corpus-wide ones; the suffixes of ledger and memory tables."""

WORK_VERSION = "1"
"""Version of the work file's layout; stands in `meta` as `work_version`."""

GENERATION_VERSION = "1"
"""Version of the layout of a generation's tables; stands in its manifest."""

LEDGER = """
CREATE TABLE IF NOT EXISTS ledger_{name} (
    unit VARCHAR, key VARCHAR, code VARCHAR, output VARCHAR, status VARCHAR, error VARCHAR,
    attempts INTEGER, seconds DOUBLE, generation VARCHAR
);
CREATE TABLE IF NOT EXISTS memory_{name} (key VARCHAR, output VARCHAR, rows BIGINT, seconds DOUBLE);
"""
"""A ledger row binds a unit to the memo key of what it read; the rows of that key stand in the row tables below.

Kept and not read yet: what a unit cost (`seconds`, and `rows` in the memory), which an estimate before a refresh starts from, and the
`generation` that it was bound for, which tells two generations apart. Both commands come later; what was not noted could not be asked.
"""

WORK = """
CREATE TABLE IF NOT EXISTS meta (name VARCHAR, value VARCHAR);
CREATE TABLE IF NOT EXISTS files (path VARCHAR, size BIGINT, mtime_ns BIGINT, digest VARCHAR);
ALTER TABLE files ADD COLUMN IF NOT EXISTS ctime_ns BIGINT;
CREATE TABLE IF NOT EXISTS states (product VARCHAR, input VARCHAR, digest VARCHAR, rows BIGINT);

CREATE TABLE IF NOT EXISTS parsed (
    key VARCHAR, ordinal INTEGER, sub_id VARCHAR, title VARCHAR, text_id VARCHAR, document_key VARCHAR,
    metadata VARCHAR, blocks VARCHAR, characters BIGINT
);
CREATE TABLE IF NOT EXISTS parse_notes (key VARCHAR, skipped VARCHAR, notes VARCHAR);
CREATE TABLE IF NOT EXISTS texts (text_id VARCHAR, text VARCHAR);

CREATE TABLE IF NOT EXISTS profiles (
    key VARCHAR, form VARCHAR, form_confidence DOUBLE, mode VARCHAR, mode_confidence DOUBLE, topics VARCHAR,
    language VARCHAR, boundary VARCHAR, features VARCHAR, source VARCHAR
);
CREATE TABLE IF NOT EXISTS sections (
    key VARCHAR, ordinal INTEGER, title VARCHAR, kind VARCHAR, level INTEGER, start_at INTEGER, end_at INTEGER,
    path VARCHAR, mode VARCHAR
);

CREATE TABLE IF NOT EXISTS cuts (
    key VARCHAR, kind VARCHAR, ordinal INTEGER, parent INTEGER, start_at INTEGER, end_at INTEGER, section INTEGER,
    context VARCHAR, content_id VARCHAR, embed_key VARCHAR, tokens INTEGER, occurrence INTEGER, page INTEGER
);
CREATE TABLE IF NOT EXISTS contents (content_id VARCHAR, text VARCHAR);
CREATE TABLE IF NOT EXISTS table_rows (
    key VARCHAR, ordinal INTEGER, parent INTEGER, start_at INTEGER, end_at INTEGER, form VARCHAR, header VARCHAR, key_column INTEGER,
    dimensions VARCHAR, caption VARCHAR, subject VARCHAR
);

CREATE TABLE IF NOT EXISTS vectors (key VARCHAR, terms VARCHAR, vector FLOAT[]);
ALTER TABLE vectors ADD COLUMN IF NOT EXISTS signs BLOB;

CREATE TABLE IF NOT EXISTS sentences (key VARCHAR, ordinal INTEGER, start_at INTEGER, end_at INTEGER);
CREATE TABLE IF NOT EXISTS terms (
    key VARCHAR, ordinal INTEGER, term VARCHAR, surface VARCHAR, label VARCHAR, start_at INTEGER, end_at INTEGER, sentence INTEGER
);
CREATE TABLE IF NOT EXISTS units (
    key VARCHAR, ordinal INTEGER, kind VARCHAR, head VARCHAR, head_type VARCHAR, predicate VARCHAR, tail VARCHAR, tail_type VARCHAR,
    modality VARCHAR, confidence DOUBLE, start_at INTEGER, end_at INTEGER, quote VARCHAR, qualifiers VARCHAR
);
ALTER TABLE units ADD COLUMN IF NOT EXISTS qualifiers VARCHAR;
CREATE TABLE IF NOT EXISTS records (
    key VARCHAR, ordinal INTEGER, entity VARCHAR, entity_type VARCHAR, category VARCHAR, field VARCHAR, value VARCHAR,
    value_is_entity BOOLEAN, modality VARCHAR, qualifiers VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR
);
CREATE TABLE IF NOT EXISTS tallies (key VARCHAR, name VARCHAR, number BIGINT);
CREATE TABLE IF NOT EXISTS rejected_items (key VARCHAR, ordinal INTEGER, prompt VARCHAR, reason VARCHAR, item VARCHAR);
CREATE TABLE IF NOT EXISTS spending (
    key VARCHAR, run VARCHAR, ledger VARCHAR, document VARCHAR, prompt VARCHAR, model VARCHAR, kept BOOLEAN, calls BIGINT, prompt_tokens BIGINT,
    completion_tokens BIGINT, cached_tokens BIGINT, estimated_calls BIGINT, usd DOUBLE
);
CREATE TABLE IF NOT EXISTS description_memory (key VARCHAR, text VARCHAR, quotes VARCHAR, condensed BOOLEAN);
CREATE TABLE IF NOT EXISTS profile_replies (key VARCHAR, reading VARCHAR, reply VARCHAR);
CREATE TABLE IF NOT EXISTS entity_cuts (
    key VARCHAR, ordinal INTEGER, start_at INTEGER, end_at INTEGER, content_id VARCHAR, tokens INTEGER, entity VARCHAR, entity_type VARCHAR
);
CREATE TABLE IF NOT EXISTS unit_gates (
    key VARCHAR, ordinal INTEGER, unit INTEGER, gate VARCHAR, act VARCHAR, reason VARCHAR, detail VARCHAR,
    head VARCHAR, head_type VARCHAR, predicate VARCHAR, tail VARCHAR, tail_type VARCHAR, modality VARCHAR, confidence DOUBLE,
    final BOOLEAN, kind VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR
);

CREATE TABLE IF NOT EXISTS report_memory (
    key VARCHAR, title VARCHAR, text VARCHAR, topics VARCHAR, quotes VARCHAR, uncited INTEGER, embed_key VARCHAR
);
ALTER TABLE report_memory ADD COLUMN IF NOT EXISTS bonds VARCHAR;
ALTER TABLE report_memory ADD COLUMN IF NOT EXISTS edges INTEGER;
ALTER TABLE report_memory ADD COLUMN IF NOT EXISTS evidence_left_out INTEGER;
CREATE TABLE IF NOT EXISTS summary_memory (key VARCHAR, text VARCHAR, quotes VARCHAR, embed_key VARCHAR);
"""

CORPUS = {
    "raw_nodes": "node_key VARCHAR, name VARCHAR, type VARCHAR, types VARCHAR, mentions BIGINT, chunks BIGINT",
    "raw_edges": "edge_key VARCHAR, head VARCHAR, predicate VARCHAR, tail VARCHAR, modality VARCHAR, confidence DOUBLE, support BIGINT",
    "raw_bindings": (
        "element_key VARCHAR, element_kind VARCHAR, document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
    "graph_terms": "term VARCHAR, name VARCHAR, number INTEGER",
    "term_sentences": "document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, terms INTEGER[]",
    "nodes": "entity_id VARCHAR, name VARCHAR, key VARCHAR, type VARCHAR, types VARCHAR, mentions BIGINT, isolated BOOLEAN",
    "edges": (
        "edge_id VARCHAR, head VARCHAR, predicate VARCHAR, tail VARCHAR, modality VARCHAR, confidence DOUBLE, weight BIGINT"
    ),
    "aliases": "entity_id VARCHAR, alias VARCHAR, alias_key VARCHAR",
    "bindings": (
        "element_id VARCHAR, element_kind VARCHAR, document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
    "decisions": (
        "decision_id VARCHAR, element_id VARCHAR, element_kind VARCHAR, place INTEGER, gate VARCHAR, act VARCHAR, reason VARCHAR, "
        "detail VARCHAR, other_id VARCHAR, document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
    "unit_states": (
        "unit_id VARCHAR, state VARCHAR, gate VARCHAR, reason VARCHAR, edge_id VARCHAR, kind VARCHAR, head VARCHAR, head_type VARCHAR, "
        "predicate VARCHAR, tail VARCHAR, tail_type VARCHAR, modality VARCHAR, confidence DOUBLE, "
        "document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
    "handles": "kind VARCHAR, handle VARCHAR, words VARCHAR, embed_key VARCHAR",
    "predicate_rules": "predicate VARCHAR, rule VARCHAR, type VARCHAR",
    "graph_shape": "graph VARCHAR, figure VARCHAR, value DOUBLE",
    "graph_losses": "element VARCHAR, gate VARCHAR, act VARCHAR, reason VARCHAR, elements BIGINT",
    "communities": "community_id VARCHAR, level INTEGER, parent_id VARCHAR, size INTEGER",
    "members": "community_id VARCHAR, entity_id VARCHAR",
    "reports": (
        "community_id VARCHAR, level INTEGER, title VARCHAR, text VARCHAR, topics VARCHAR, uncited INTEGER, embed_key VARCHAR, "
        "bonds VARCHAR, edges INTEGER, evidence_left_out INTEGER"
    ),
    "report_quotes": (
        "community_id VARCHAR, ordinal INTEGER, document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
    "tree": (
        "node_id VARCHAR, document VARCHAR, level INTEGER, ordinal INTEGER, parent_id VARCHAR, chunk_id VARCHAR, text VARCHAR, "
        "embed_key VARCHAR"
    ),
    "tree_quotes": (
        "node_id VARCHAR, ordinal INTEGER, document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
}
"""Corpus-wide tables, replaced whole. Offsets of bindings and quotes are relative to the chunk here, absolute in a generation.

`head` and `tail` of raw edges are node keys (`lexical.name_key`), of governed edges entity ids. A tree leaf has
level 0 and a chunk_id; a node above has a summary; nodes over document roots have an empty document. `unit_states` says where each unit
ended (edge | value | name | held | rejected), `predicate_rules` which types may stand at an end (rule head | tail; no row: any) and which
predicates are causal. `graph_shape` has the figures of both graphs (graph raw | governed), `graph_losses` how many nodes and edges each gate took. Decisions of one element are told in order of `place`; `other_id` is the edge that a unit stands in, or the entity
that one was kept apart from; offsets are null where no span is behind an act. `term_sentences`
has the sentences that name nodes of the co-occurrence graph (E2GraphRAG), with the sorted `number`s of these in `graph_terms`: two terms are joined
by as many sentences as name both, and a term that stands alone is a node all the same.
"""

LIVE = """
CREATE OR REPLACE VIEW claimed_documents AS
    SELECT CASE WHEN p.sub_id = '' THEN l.unit ELSE l.unit || '#' || p.sub_id END AS claimed, l.unit AS path, p.sub_id, p.title, p.text_id,
           p.document_key, p.metadata, p.blocks, p.characters
    FROM ledger_source_documents l JOIN parsed p ON p.key = l.key WHERE l.status = 'ok';
CREATE OR REPLACE VIEW live_documents AS
    WITH later AS (
        SELECT claimed, path, sub_id FROM claimed_documents
        SEMI JOIN (SELECT claimed FROM claimed_documents WHERE contains(path, '#')) s USING (claimed)
        QUALIFY row_number() OVER (PARTITION BY claimed ORDER BY sub_id <> '', path) > 1
    ), free AS (
        SELECT path, sub_id, arg_min(marked, number) AS marked
        FROM (SELECT *, claimed || '~' || sha256(path || ':' || number)[:8] AS marked FROM later CROSS JOIN range(16) n(number)) m
        ANTI JOIN claimed_documents k ON k.claimed = m.marked GROUP BY path, sub_id
    )
    SELECT coalesce(f.marked, c.claimed) AS document, c.* EXCLUDE (sub_id)
    FROM claimed_documents c LEFT JOIN free f ON f.path = c.path AND f.sub_id = c.sub_id;
CREATE OR REPLACE VIEW live_profiles AS
    SELECT l.unit AS document, l.output, p.* FROM ledger_document_profiles l JOIN profiles p ON p.key = l.key WHERE l.status = 'ok';
CREATE OR REPLACE VIEW live_sections AS
    SELECT l.unit AS document, s.* FROM ledger_document_profiles l JOIN sections s ON s.key = l.key WHERE l.status = 'ok';
CREATE OR REPLACE VIEW live_chunks AS
    SELECT l.unit AS document, sha256(concat_ws(':', c.content_id, c.kind, c.occurrence, l.unit))[:32] AS chunk_id,
           c.kind, c.ordinal, c.parent, c.start_at, c.end_at, c.section, c.context, c.content_id, c.embed_key, c.tokens, c.occurrence, c.page
    FROM ledger_chunks l JOIN cuts c ON c.key = l.key WHERE l.status = 'ok';
CREATE OR REPLACE VIEW live_extractions AS
    SELECT l.unit AS chunk_id, l.key, l.output FROM ledger_entity_records l WHERE l.status = 'ok';
CREATE OR REPLACE VIEW live_records AS
    SELECT l.unit AS chunk_id, r.* FROM ledger_entity_records l JOIN records r ON r.key = l.key WHERE l.status = 'ok'
    UNION ALL
    SELECT l.unit AS chunk_id, r.* FROM ledger_row_records l JOIN records r ON r.key = l.key WHERE l.status = 'ok'
    UNION ALL
    SELECT l.unit AS chunk_id, r.* FROM ledger_passage_records l JOIN records r ON r.key = l.key WHERE l.status = 'ok';
CREATE OR REPLACE VIEW live_entity_passages AS
    SELECT document, sha256(concat_ws(':', content_id, 'entity', occurrence, document))[:32] AS chunk_id, * EXCLUDE (document)
    FROM (
        SELECT c.document, c.chunk_id AS parent_id, c.content_id AS parent_content, c.section, c.context, c.page,
               row_number() OVER (PARTITION BY c.document ORDER BY c.ordinal, e.ordinal) - 1 AS ordinal,
               row_number() OVER (PARTITION BY c.document, coalesce(e.content_id, c.content_id) ORDER BY c.ordinal, e.ordinal) - 1 AS occurrence,
               c.start_at AS parent_start, c.start_at + coalesce(e.start_at, 0) AS start_at,
               coalesce(c.start_at + e.end_at, c.end_at) AS end_at, coalesce(e.content_id, c.content_id) AS content_id,
               coalesce(e.tokens, c.tokens) AS tokens, coalesce(e.entity, '') AS entity, coalesce(e.entity_type, '') AS entity_type
        FROM live_chunks c
        LEFT JOIN (SELECT l.unit, e.* FROM ledger_entity_passages l JOIN entity_cuts e ON e.key = l.key WHERE l.status = 'ok') e
            ON e.unit = c.chunk_id
        WHERE c.kind = 'chunk'
    );
"""
"""What is alive: ledger rows joined with the rows of their memo keys. A document's id is what it claims, its file and its own id in it; of several
that claim the same, which takes a file with `#` in its name, a file that is one document keeps the id, else the first by path, and the others get a
mark of their file behind it, the first of sixteen that nothing claims: a function of what the corpus holds now, whatever came first. `live_extractions` binds chunk_id to the key of
`sentences`, `terms`, `units` and `records`; `ledger_unit_gates` binds chunk_id to the key of `unit_gates`. `live_records` are those of
sentences, of table rows and of passages that a model read. `rejected_items` are parts of a model's replies that could not be used, `spending` is what each
unit cost, by the run that asked; `kept` says whether a reply came of it. A chunk whose partition failed or is still to come is one entity passage."""

GENERATION = {
    "documents": "document VARCHAR, path VARCHAR, title VARCHAR, text VARCHAR, metadata VARCHAR, key VARCHAR",
    "profiles": (
        "document VARCHAR, form VARCHAR, form_confidence DOUBLE, mode VARCHAR, mode_confidence DOUBLE, topics VARCHAR, "
        "language VARCHAR, boundary VARCHAR, features VARCHAR, source VARCHAR"
    ),
    "sections": (
        "document VARCHAR, ordinal INTEGER, title VARCHAR, kind VARCHAR, level INTEGER, start_at INTEGER, end_at INTEGER, "
        "path VARCHAR, mode VARCHAR"
    ),
    "chunks": (
        "document VARCHAR, chunk_id VARCHAR, kind VARCHAR, ordinal INTEGER, parent_id VARCHAR, start_at INTEGER, end_at INTEGER, "
        "text VARCHAR, context VARCHAR, section INTEGER, section_path VARCHAR, content_id VARCHAR, embed_key VARCHAR, tokens INTEGER, "
        "page INTEGER, terms VARCHAR, entity VARCHAR, entity_type VARCHAR"
    ),
    "records": (
        "record_id VARCHAR, document VARCHAR, chunk_id VARCHAR, entity VARCHAR, entity_key VARCHAR, entity_type VARCHAR, "
        "category VARCHAR, field VARCHAR, value VARCHAR, value_is_entity BOOLEAN, modality VARCHAR, qualifiers VARCHAR, "
        "start_at INTEGER, end_at INTEGER, quote VARCHAR, broad VARCHAR, value_key VARCHAR, number DOUBLE, unit VARCHAR, period VARCHAR, "
        "passage_id VARCHAR"
    ),
    "vocabulary": "term VARCHAR, passages BIGINT",
    "quarantine": (
        "unit_id VARCHAR, state VARCHAR, gate VARCHAR, reason VARCHAR, kind VARCHAR, head VARCHAR, head_type VARCHAR, predicate VARCHAR, "
        "tail VARCHAR, tail_type VARCHAR, modality VARCHAR, confidence DOUBLE, "
        "document VARCHAR, chunk_id VARCHAR, start_at INTEGER, end_at INTEGER, quote VARCHAR"
    ),
    **{
        name: CORPUS[name]
        for name in (
            "nodes", "edges", "aliases", "bindings", "graph_terms", "term_sentences", "decisions", "handles", "graph_shape", "graph_losses", "communities", "members", "reports", "report_quotes", "tree", "tree_quotes",
        )
    },
}  # fmt: skip
"""Tables of a generation, in its schema `data`; views of the same names in `main` are the documented surface for outsiders.

`quarantine` holds the units that are not in the graph, held or rejected, with the gate and its reason; offsets are null for a quote that
stands nowhere. `terms` of a passage or row is `lexical.terms` of context and text, joined by spaces; `vocabulary` counts passages and rows a term stands in.
A chunk row of kind `entity` has its main entity, where no name stands the title above it (type `other`), and no vector. A record's `broad` is the
coarser name of its field, `number`, `unit` and `period` come from its qualifiers, and `passage_id` is the row or entity passage it stands in.
`handles` are the names, types and fields of records and nodes (kind entity | type | field) with the words that their vector stands for.
A report's `bonds` are the best supported of the `edges` between its members, in words; `uncited` members and `evidence_left_out` (places of
those edges) are in none of its quotes.
JSON stands in VARCHAR columns (topics, bonds, boundary, features, path, section_path, metadata, types, qualifiers).
"""
