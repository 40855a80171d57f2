"""SQL of the raw graph: what every live chunk says, gathered by node key; and the sentence co-occurrence graph (E2GraphRAG, 3.3)."""

from pagerag_pipeline.schema.knowledge import GENERIC_TYPES, LITERAL_TYPES

NEIGHBORS = 60
"""In a sentence of more distinct terms (a flattened table), a term is paired with this many that follow it: pairs stay linear in length."""

LITERALS = ", ".join(f"'{one}'" for one in LITERAL_TYPES)
UNKNOWN_TYPES = ", ".join(f"'{one}'" for one in GENERIC_TYPES if one != "NOUN")
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

TERM_NUMBERS = """
CREATE OR REPLACE TEMP TABLE term_numbers AS
SELECT term, row_number() OVER (ORDER BY term)::INTEGER AS number FROM (SELECT DISTINCT key AS term FROM term_mentions)
"""
"""Terms as numbers in their own order: pairs of numbers join and group several times faster than pairs of strings."""

COOCCURRENCES = f"""
INSERT INTO cooccurrences
WITH copies AS (
    SELECT x.key, row_number() OVER (ORDER BY x.key)::INTEGER AS text, count(*) AS n
    FROM live_extractions x JOIN live_chunks c USING (chunk_id) GROUP BY x.key
),
firsts AS (
    SELECT c.text, t.sentence, w.number, min(t.start_at) AS start_at, min_by(t.end_at, t.start_at) AS end_at
    FROM terms t JOIN copies c USING (key) JOIN term_numbers w USING (term) GROUP BY ALL
),
placed AS (SELECT *, row_number() OVER (PARTITION BY text, sentence ORDER BY start_at, end_at, number) AS place FROM firsts),
pairs AS (
    SELECT a.text, least(a.number, b.number) AS head, greatest(a.number, b.number) AS tail, count(*) AS n
    FROM placed a JOIN placed b ON a.text = b.text AND a.sentence = b.sentence AND b.place > a.place AND b.place <= a.place + {NEIGHBORS}
    WHERE b.start_at >= a.end_at GROUP BY ALL
),
weights AS (SELECT head, tail, sum(p.n * c.n)::BIGINT AS sentences FROM pairs p JOIN copies c USING (text) GROUP BY head, tail)
SELECT h.term AS head, t.term AS tail, sentences
FROM weights JOIN term_numbers h ON h.number = head JOIN term_numbers t ON t.number = tail ORDER BY h.number, t.number
"""
"""Weight = distinct sentences that name both; no pair of a name with a word of itself, no loops."""

RAW = (RAW_NODES, RAW_EDGES, RAW_BINDINGS, TERM_NUMBERS, COOCCURRENCES)
RAW_TABLES = ("raw_nodes", "raw_edges", "raw_bindings", "cooccurrences")
