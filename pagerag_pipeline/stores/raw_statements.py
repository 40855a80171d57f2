"""SQL of the raw graph: what every live chunk says, gathered by node key; and which terms each sentence names: the co-occurrence graph (E2GraphRAG, 3.3)."""

from collections.abc import Iterable

from pagerag_pipeline.schema.knowledge import GENERIC_TYPES, LITERAL_TYPES, NODE_LABELS, PARTED_LABELS


def listed(words: Iterable[str]) -> str:
    """Words of our own as the inside of a list in SQL."""
    return ", ".join(f"'{one}'" for one in words)


LITERALS = listed(LITERAL_TYPES)
UNKNOWN_TYPES = listed(one for one in GENERIC_TYPES if one != "NOUN")
"""Types of a name that say nothing of what it names."""

LIVE_SURFACES = """
SELECT DISTINCT surface FROM (
    SELECT u.head AS surface FROM live_extractions x JOIN units u ON u.key = x.key
    UNION ALL SELECT u.tail FROM live_extractions x JOIN units u ON u.key = x.key
    UNION ALL SELECT g.head FROM ledger_unit_gates l JOIN unit_gates g ON g.key = l.key WHERE g.final
    UNION ALL SELECT g.tail FROM ledger_unit_gates l JOIN unit_gates g ON g.key = l.key WHERE g.final
) ORDER BY surface
"""
"""Every name that stands at an end of a unit, for `lexical.name_key`, which SQL cannot compute."""

STATED = f"""
CREATE OR REPLACE TEMP TABLE stated AS
SELECT c.document, x.chunk_id, h.key AS head, u.head AS head_name, u.head_type, u.predicate, t.key AS tail, u.tail AS tail_name, u.tail_type,
       u.modality, u.confidence, u.start_at, u.end_at, u.quote, u.tail_type IN ({LITERALS}) AS literal
FROM live_extractions x JOIN live_chunks c USING (chunk_id) JOIN units u ON u.key = x.key
JOIN surface_keys h ON h.surface = u.head JOIN surface_keys t ON t.surface = u.tail
"""

TERM_MENTIONS = """
CREATE OR REPLACE TEMP TABLE term_mentions AS
SELECT t.term AS key, regexp_replace(t.surface, '\\s+', ' ', 'g') AS name, t.label, c.document, x.chunk_id, t.start_at, t.end_at, t.surface AS quote
FROM live_extractions x JOIN live_chunks c USING (chunk_id) JOIN terms t ON t.key = x.key
"""

MENTIONS = """
CREATE OR REPLACE TEMP TABLE mentions AS
WITH ends AS (
    SELECT DISTINCT head AS key, head_name AS name, head_type AS label, document, chunk_id, start_at, end_at, quote FROM stated
    UNION SELECT DISTINCT tail, tail_name, tail_type, document, chunk_id, start_at, end_at, quote FROM stated WHERE NOT literal
)
FROM term_mentions UNION ALL
SELECT e.* FROM ends e ANTI JOIN (SELECT DISTINCT key, chunk_id FROM term_mentions) t USING (key, chunk_id)
"""
"""Where each node is named: its terms; in a chunk where it is no term (a longer noun phrase), the statements it stands in."""

NODE_SHAPES = """
CREATE OR REPLACE TEMP TABLE node_shapes AS
WITH places AS (SELECT {node} AS node, count(DISTINCT (chunk_id, start_at, end_at)) AS mentions, count(DISTINCT chunk_id) AS chunks FROM {source} GROUP BY ALL),
names AS (SELECT {node} AS node, name, count(*) AS n FROM {source} GROUP BY ALL),
labels AS (SELECT {node} AS node, label, count(*) AS n FROM {source} GROUP BY ALL),
named AS (SELECT node, name FROM names QUALIFY row_number() OVER (PARTITION BY node ORDER BY n DESC, name) = 1),
typed AS (
    SELECT node, first(label ORDER BY (label IN ({unknown})), n DESC, label) AS type,
           '{{' || string_agg(to_json(label)::VARCHAR || ':' || n, ',' ORDER BY label) || '}}' AS types
    FROM labels GROUP BY node
)
SELECT p.node, n.name, t.type, t.types, p.mentions, p.chunks
FROM places p JOIN named n USING (node) JOIN typed t USING (node)
"""
"""Name (most frequent surface, ties to the smallest), type (most frequent, one that says something before one that does not) and counts."""

RAW_NODES = """
INSERT INTO raw_nodes SELECT node, name, type, types, mentions, chunks FROM node_shapes ORDER BY node
"""

RAW_EDGES = """
INSERT INTO raw_edges
WITH spans AS (
    SELECT head, predicate, tail, modality, chunk_id, start_at, end_at, max(confidence) AS confidence FROM stated WHERE NOT literal GROUP BY ALL
)
SELECT sha256(concat_ws(':', 'edge', sha256('entity:' || head)[:32], sha256('entity:' || tail)[:32], modality, predicate))[:32] AS edge_key,
       head, predicate, tail, modality, round(1 - product(1 - confidence ORDER BY confidence), 9) AS confidence, count(*) AS support
FROM spans GROUP BY head, predicate, tail, modality ORDER BY edge_key
"""

RAW_BINDINGS = """
INSERT INTO raw_bindings
SELECT key AS element_key, 'node' AS element_kind, any_value(document), chunk_id, start_at, end_at, any_value(quote)
FROM mentions GROUP BY key, chunk_id, start_at, end_at
UNION ALL
SELECT sha256(concat_ws(':', 'edge', sha256('entity:' || head)[:32], sha256('entity:' || tail)[:32], modality, predicate))[:32] AS edge_key,
       'edge', any_value(document), chunk_id, start_at, end_at, any_value(quote)
FROM stated WHERE NOT literal GROUP BY edge_key, chunk_id, start_at, end_at
ORDER BY element_key, chunk_id, start_at, end_at
"""
"""A chunk and a span in it decide document and quote, so any value is the value."""

NODE_TERMS = f"""
CREATE OR REPLACE TEMP TABLE node_terms AS
WITH parted AS (
    SELECT key, sentence, term, label,
           coalesce(lead(start_at) OVER (PARTITION BY key, sentence ORDER BY ordinal) < end_at, false) AS in_words
    FROM terms SEMI JOIN live_extractions USING (key)
)
SELECT DISTINCT key, sentence, term FROM parted
WHERE term <> '' AND (label IN ({listed(NODE_LABELS)}) OR (label IN ({listed(PARTED_LABELS)}) AND NOT in_words))
"""
"""The nodes that each sentence names, once: `indexing.graph_terms` says the same of a question. A term stands before its words."""

GRAPH_TERMS = """
INSERT INTO graph_terms
SELECT term, n.name, row_number() OVER (ORDER BY term)::INTEGER - 1 FROM (SELECT DISTINCT term FROM node_terms) JOIN raw_nodes n ON n.node_key = term
ORDER BY term
"""
"""Numbers join and group several times faster than strings, and are what a generation keeps."""

TERM_SENTENCES = """
INSERT INTO term_sentences
WITH named AS (SELECT key, sentence, list(number ORDER BY number) AS numbers FROM node_terms JOIN graph_terms USING (term) GROUP BY key, sentence)
SELECT c.document, x.chunk_id, s.start_at, s.end_at, n.numbers
FROM live_extractions x JOIN live_chunks c USING (chunk_id) JOIN named n ON n.key = x.key
JOIN sentences s ON s.key = x.key AND s.ordinal = n.sentence
ORDER BY c.document, c.start_at, x.chunk_id, s.start_at, s.end_at
"""

RAW = (RAW_NODES, RAW_EDGES, RAW_BINDINGS, NODE_TERMS, GRAPH_TERMS, TERM_SENTENCES)
RAW_TABLES = ("raw_nodes", "raw_edges", "raw_bindings", "graph_terms", "term_sentences")
