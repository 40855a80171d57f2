"""SQL of the governed graph: promotion (G4), consolidation (G6), isolation (G7), and where each unit ended. Its acts stand in `decision_statements`."""

from pagerag_pipeline.lexical import EMPTY_NOUNS
from pagerag_pipeline.schema.documents import TREATISES
from pagerag_pipeline.stores.raw_statements import LITERALS, listed

_ENTITY = "sha256('entity:' || {key})[:32]"

FINALS = f"""
CREATE OR REPLACE TEMP TABLE finals AS
SELECT c.document, l.unit AS chunk_id, g.unit, sha256(concat_ws(':', 'unit', l.unit, g.unit))[:32] AS unit_id,
       CASE WHEN d.document IS NOT NULL AND g.act = 'accept' THEN 'hold' ELSE g.act END AS act, g.gate, g.reason,
       d.document IS NOT NULL AS distrusted, d.document IS NOT NULL AND g.act = 'accept' AS doubted,
       h.key AS head, g.head AS head_name, g.head_type, g.predicate, t.key AS tail, g.tail AS tail_name, g.tail_type, g.modality, g.confidence,
       g.kind, g.start_at, g.end_at, g.quote, g.tail_type IN ({LITERALS}) AS literal
FROM ledger_unit_gates l JOIN live_chunks c ON c.chunk_id = l.unit JOIN unit_gates g ON g.key = l.key
JOIN surface_keys h ON h.surface = g.head JOIN surface_keys t ON t.surface = g.tail
LEFT JOIN distrusted_documents d ON d.document = c.document
WHERE l.status = 'ok' AND g.final
"""
"""Every unit as its gates left it; one of a distrusted document is held at best."""

RESOLVED = f"""
CREATE OR REPLACE TEMP TABLE resolved AS
WITH keys AS (
    SELECT document, key FROM term_mentions UNION SELECT document, head FROM finals UNION SELECT document, tail FROM finals WHERE NOT literal
),
grouped AS (
    SELECT k.document, k.key, coalesce(g.group_key, w.group_key, k.key) AS group_key, g.key IS NOT NULL AS person
    FROM keys k LEFT JOIN alignment_groups g ON g.document = k.document AND g.key = k.key
    LEFT JOIN alignment_groups w ON w.document = '' AND w.key = k.key
)
SELECT *, {_ENTITY.format(key="group_key")} AS entity_id FROM grouped
"""
"""The entity that each name means in each document; `person`: alignment looked at it there."""

NAMED_BY_PEOPLE = "r.key = o.key OR r.entity_id = o.key OR lower(r.group_key) = o.key"
"""A name stands for all who bear it; an id, or a name with the mark of a document, for one entity."""

SUPPRESSED = f"""
CREATE OR REPLACE TEMP TABLE suppressed AS
SELECT document, key, entity_id FROM resolved WHERE group_key IN (SELECT r.group_key FROM resolved r JOIN suppressed_keys o ON {NAMED_BY_PEOPLE})
"""

ADMITTED = """
CREATE OR REPLACE TEMP TABLE admitted AS
SELECT edge_id, count(DISTINCT (chunk_id, start_at, end_at)) AS spans, count(*) AS stated, count(*) FILTER (act = 'hold') AS held,
       count(*) FILTER (act = 'accept') AS accepted, count(*) FILTER (NOT distrusted) AS trusted
FROM statements WHERE head_id <> tail_id AND act <> 'reject' GROUP BY edge_id
HAVING accepted > 0 OR (spans >= ? AND trusted > 0)
"""
"""Edges of the graph: stated with confidence once, or held but stated by enough distinct spans, not all of them in distrusted documents."""

SUPPORT = """
CREATE OR REPLACE TEMP TABLE support AS
SELECT * FROM statements SEMI JOIN admitted USING (edge_id) WHERE act <> 'reject' AND head_id <> tail_id
"""

EDGES = """
INSERT INTO edges
WITH spans AS (
    SELECT edge_id, head_id, predicate, tail_id, modality, chunk_id, start_at, end_at, max(confidence) AS confidence
    FROM support GROUP BY ALL
)
SELECT edge_id, head_id, predicate, tail_id, modality, least(?, round(1 - product(1 - confidence ORDER BY confidence), 9)), count(*)
FROM spans GROUP BY edge_id, head_id, predicate, tail_id, modality ORDER BY edge_id
"""
"""Parallel statements become one edge: confidence 1 - prod(1 - c), one c a span, capped; weight = distinct spans (systems, G6)."""

TOPICS = f"""
CREATE OR REPLACE TEMP TABLE topics AS
WITH argued AS (
    SELECT c.chunk_id, sum(c.tokens) OVER (PARTITION BY c.document) AS tokens
    FROM live_chunks c JOIN live_sections s ON s.document = c.document AND s.ordinal = c.section
    WHERE c.kind = 'chunk' AND s.mode IN ({listed(TREATISES)})
),
places AS (
    SELECT document, key, chunk_id, start_at, FALSE AS stated FROM term_mentions
    WHERE label IN ('NOUN', 'PROPN') AND key NOT IN ({listed(sorted(EMPTY_NOUNS))})
    UNION SELECT document, key, chunk_id, start_at, TRUE FROM all_ends WHERE label IN ('NOUN', 'PROPN')
),
counted AS (
    SELECT p.document, r.entity_id, any_value(a.tokens) AS tokens, count(DISTINCT p.chunk_id) AS chunks,
           count(DISTINCT (p.chunk_id, p.start_at)) FILTER (NOT p.stated) AS mentions, count(DISTINCT p.chunk_id) FILTER (p.stated) AS stated
    FROM places p JOIN argued a USING (chunk_id) JOIN resolved r USING (document, key)
    WHERE r.entity_id NOT IN (SELECT entity_id FROM suppressed) GROUP BY p.document, r.entity_id
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY document ORDER BY chunks DESC, mentions DESC, entity_id) AS place
    FROM counted WHERE chunks >= $1 AND (mentions >= $2 OR stated >= $1)
)
SELECT entity_id, max(chunks) AS chunks FROM ranked WHERE place * 1000 <= tokens * $3 GROUP BY entity_id
"""
"""What conceptual and argumentative texts are about, linked or not: nouns that recur over chunks of one document (G7: kept, but marked)."""

ENDS = """
CREATE OR REPLACE TEMP TABLE ends AS
WITH heads AS (SELECT head_id AS entity_id, head AS key, head_name AS name, document, chunk_id, start_at, end_at, quote FROM support),
tails AS (SELECT tail_id, tail, tail_name, document, chunk_id, start_at, end_at, quote FROM support),
unsure AS (
    SELECT r.entity_id, f.head, f.head_name, f.document, f.chunk_id, f.start_at, f.end_at, f.quote
    FROM finals f JOIN resolved r ON r.document = f.document AND r.key = f.head SEMI JOIN topics p ON p.entity_id = r.entity_id WHERE f.act <> 'reject'
    UNION SELECT r.entity_id, f.tail, f.tail_name, f.document, f.chunk_id, f.start_at, f.end_at, f.quote
    FROM finals f JOIN resolved r ON r.document = f.document AND r.key = f.tail SEMI JOIN topics p ON p.entity_id = r.entity_id
    WHERE f.act <> 'reject' AND NOT f.literal
)
FROM heads UNION FROM tails UNION FROM unsure
"""

NAMED = """
CREATE OR REPLACE TEMP TABLE named AS
SELECT r.entity_id, m.key, m.name, m.document, m.chunk_id, m.start_at, m.end_at, m.quote
FROM term_mentions m JOIN resolved r USING (document, key)
WHERE NOT (r.person AND m.label = 'NAME') AND r.entity_id NOT IN (SELECT entity_id FROM suppressed)
  AND r.entity_id IN (
    SELECT entity_id FROM ends UNION SELECT entity_id FROM topics
    UNION SELECT r.entity_id FROM term_mentions t JOIN resolved r USING (document, key) WHERE t.label NOT IN ('NAME', 'NOUN', 'PROPN')
  )
"""
"""Mentions of what is in the graph: the ends of its edges, topics, and every name a tagger found, linked or not (G7: kept, but marked).

A word of a longer name is no mention of the person who is called by that word alone.
"""

EVIDENCE = """
CREATE OR REPLACE TEMP TABLE evidence AS
FROM named UNION ALL
SELECT e.* FROM ends e ANTI JOIN (SELECT DISTINCT entity_id, chunk_id FROM named) n USING (entity_id, chunk_id)
"""

SHAPES = """
CREATE OR REPLACE TEMP TABLE shapes AS
WITH places AS (SELECT entity_id, count(DISTINCT (chunk_id, start_at, end_at)) AS mentions FROM evidence GROUP BY entity_id),
names AS (SELECT entity_id, name, count(*) AS n FROM evidence GROUP BY ALL),
named AS (SELECT entity_id, name FROM names QUALIFY row_number() OVER (PARTITION BY entity_id ORDER BY n DESC, name) = 1)
SELECT p.entity_id, n.name, p.mentions FROM places p JOIN named n USING (entity_id)
"""
"""Name (most frequent surface, ties to the smallest) and number of places of each node."""

RENAMED = f"""
CREATE OR REPLACE TEMP TABLE renamed AS
SELECT r.entity_id, any_value(o.name) AS said, any_value(o.value) AS name, any_value(o.value_key) AS name_key
FROM rename_overrides o JOIN resolved r ON {NAMED_BY_PEOPLE} GROUP BY r.entity_id
"""

NODES = """
INSERT INTO nodes
WITH linked AS (SELECT head AS entity_id FROM edges UNION SELECT tail FROM edges)
SELECT s.entity_id, coalesce(n.name, s.name) AS name, r.group_key AS key, t.type, t.types, s.mentions,
       s.entity_id NOT IN (SELECT entity_id FROM linked) AS isolated
FROM shapes s JOIN (SELECT DISTINCT entity_id, group_key FROM resolved) r USING (entity_id) JOIN typed t USING (entity_id)
LEFT JOIN renamed n USING (entity_id) ORDER BY entity_id
"""

ALIASES = """
INSERT INTO aliases
SELECT DISTINCT entity_id, name AS alias, key AS alias_key FROM (
    SELECT entity_id, name, key FROM named UNION ALL SELECT entity_id, name, key FROM ends
    UNION ALL SELECT entity_id, name, name_key FROM renamed SEMI JOIN nodes USING (entity_id)
) ORDER BY ALL
"""

BINDINGS = """
INSERT INTO bindings
SELECT DISTINCT entity_id AS element_id, 'node' AS element_kind, document, chunk_id, start_at, end_at, quote FROM evidence
UNION ALL
SELECT DISTINCT edge_id, 'edge', document, chunk_id, start_at, end_at, quote FROM support
ORDER BY element_id, chunk_id, start_at, end_at
"""

UNIT_STATES = """
INSERT INTO unit_states
WITH ended AS (
    SELECT f.unit_id, f.document, f.chunk_id, f.start_at, f.end_at, f.quote, f.kind, f.head_name, f.head_type, f.predicate, f.tail_name,
           f.tail_type, f.modality, coalesce(s.confidence, f.confidence) AS confidence, s.edge_id,
           CASE
               WHEN f.act = 'reject' THEN ['rejected', f.gate, f.reason]
               WHEN (f.document, f.head) IN (SELECT (document, key) FROM suppressed)
                   OR (NOT f.literal AND (f.document, f.tail) IN (SELECT (document, key) FROM suppressed))
                   THEN ['rejected', 'override', 'suppressed_end']
               WHEN f.literal AND f.act = 'accept' THEN ['value', f.gate, f.reason]
               WHEN s.head_id = s.tail_id AND s.predicate = $1 AND s.modality = 'asserted' THEN ['name', 'G5', 'declared']
               WHEN s.head_id = s.tail_id AND s.predicate IN (SELECT predicate FROM causal_predicates) THEN ['rejected', 'G3', 'causal_self_loop']
               WHEN s.head_id = s.tail_id THEN ['rejected', 'G6', 'self_loop']
               WHEN s.act = 'reject' THEN ['rejected', 'G2', 'domain_range']
               WHEN s.edge_id IN (SELECT edge_id FROM admitted) THEN ['edge', f.gate, f.reason]
               WHEN f.doubted THEN ['held', 'override', 'distrusted']
               WHEN s.misfit THEN ['held', 'G2', 'domain_range']
               ELSE ['held', f.gate, f.reason]
           END AS ended
    FROM finals f LEFT JOIN statements s USING (chunk_id, unit)
)
SELECT unit_id, ended[1], ended[2], ended[3], CASE WHEN ended[1] = 'edge' THEN edge_id ELSE '' END, kind, head_name, head_type, predicate, tail_name,
       tail_type, modality, confidence, document, chunk_id,
       CASE WHEN ended[3] <> 'unbound' THEN start_at END, CASE WHEN ended[3] <> 'unbound' THEN end_at END, quote
FROM ended ORDER BY unit_id
"""
"""Where each unit ended: in an edge, as a value (a record keeps it), as another name of a node, held, or rejected; each exactly once."""

GOVERNED_TABLES = ("nodes", "edges", "aliases", "bindings", "decisions", "unit_states", "predicate_rules")

STAGED = (
    "surface_keys", "term_numbers", "stated", "term_mentions", "mentions", "node_shapes", "finals", "resolved", "suppressed", "admitted", "support",
    "topics", "ends", "named", "evidence", "shapes", "renamed", "acts", "alignment_groups", "alignment_decisions", "suppressed_keys", "rename_overrides",
    "distrusted_documents", "causal_predicates",
)  # fmt: skip
"""Temporary tables of both graphs, those of typing apart."""
