"""SQL of the governed graph: promotion (G4), consolidation (G6), isolation (G7), overrides; every act a row of `decisions`."""

from pagerag_pipeline.stores.raw_statements import LITERALS

_ENTITY = "sha256('entity:' || {key})[:32]"
_UNIT = "sha256(concat_ws(':', 'unit', chunk_id, unit))[:32]"

FINALS = f"""
CREATE OR REPLACE TEMP TABLE finals AS
SELECT c.document, l.unit AS chunk_id, g.unit, g.act, h.key AS head, g.head AS head_name, g.head_type, g.predicate, t.key AS tail,
       g.tail AS tail_name, g.tail_type, g.modality, g.confidence, g.kind, g.start_at, g.end_at, g.quote, g.tail_type IN ({LITERALS}) AS literal
FROM ledger_unit_gates l JOIN live_chunks c ON c.chunk_id = l.unit JOIN unit_gates g ON g.key = l.key
JOIN surface_keys h ON h.surface = g.head JOIN surface_keys t ON t.surface = g.tail
WHERE l.status = 'ok' AND g.final
"""

RESOLVED = f"""
CREATE OR REPLACE TEMP TABLE resolved AS
WITH keys AS (SELECT key FROM term_mentions UNION SELECT head FROM finals UNION SELECT tail FROM finals WHERE NOT literal)
SELECT k.key, coalesce(g.group_key, k.key) AS group_key, {_ENTITY.format(key="coalesce(g.group_key, k.key)")} AS entity_id
FROM keys k LEFT JOIN alignment_groups g USING (key)
"""

SUPPRESSED = """
CREATE OR REPLACE TEMP TABLE suppressed AS
SELECT key, entity_id FROM resolved WHERE group_key IN (SELECT group_key FROM resolved SEMI JOIN suppressed_keys USING (key))
"""

STATEMENTS = """
CREATE OR REPLACE TEMP TABLE statements AS
SELECT f.*, h.entity_id AS head_id, t.entity_id AS tail_id,
       sha256(concat_ws(':', 'edge', h.entity_id, t.entity_id, f.modality, f.predicate))[:32] AS edge_id
FROM finals f JOIN resolved h ON h.key = f.head JOIN resolved t ON t.key = f.tail
WHERE f.act IN ('accept', 'hold') AND NOT f.literal
  AND h.entity_id NOT IN (SELECT entity_id FROM suppressed) AND t.entity_id NOT IN (SELECT entity_id FROM suppressed)
"""

ADMITTED = """
CREATE OR REPLACE TEMP TABLE admitted AS
SELECT edge_id, count(DISTINCT (chunk_id, start_at, end_at)) AS spans, count(*) AS stated,
       count(*) FILTER (act = 'hold') AS held, count(*) FILTER (act = 'accept') AS accepted
FROM statements WHERE head_id <> tail_id GROUP BY edge_id
HAVING accepted > 0 OR spans >= ?
"""
"""Edges of the graph: stated with confidence once, or held but stated by enough distinct spans."""

EDGES = """
INSERT INTO edges
WITH spans AS (
    SELECT edge_id, head_id, predicate, tail_id, modality, chunk_id, start_at, end_at, max(confidence) AS confidence
    FROM statements SEMI JOIN admitted USING (edge_id) GROUP BY ALL
)
SELECT edge_id, head_id, predicate, tail_id, modality, least(?, round(1 - product(1 - confidence ORDER BY confidence), 9)), count(*)
FROM spans GROUP BY edge_id, head_id, predicate, tail_id, modality ORDER BY edge_id
"""
"""Parallel statements become one edge: confidence 1 - prod(1 - c), one c a span, capped; weight = distinct spans (systems, G6)."""

ENDS = """
CREATE OR REPLACE TEMP TABLE ends AS
WITH of_edges AS (SELECT DISTINCT s.* FROM statements s SEMI JOIN admitted USING (edge_id)),
heads AS (SELECT head_id AS entity_id, head AS key, head_name AS name, head_type AS label, document, chunk_id, start_at, end_at, quote FROM of_edges),
tails AS (SELECT tail_id, tail, tail_name, tail_type, document, chunk_id, start_at, end_at, quote FROM of_edges)
FROM heads UNION FROM tails
"""

NAMED = """
CREATE OR REPLACE TEMP TABLE named AS
SELECT r.entity_id, m.key, m.name, m.label, m.document, m.chunk_id, m.start_at, m.end_at, m.quote
FROM term_mentions m JOIN resolved r USING (key)
WHERE r.entity_id NOT IN (SELECT entity_id FROM suppressed)
  AND r.entity_id IN (
    SELECT entity_id FROM ends
    UNION SELECT r.entity_id FROM term_mentions t JOIN resolved r USING (key) WHERE t.label NOT IN ('NAME', 'NOUN', 'PROPN')
  )
"""
"""Mentions of what is in the graph: the ends of its edges, and every name a tagger found, linked or not (G7: kept, but marked)."""

EVIDENCE = """
CREATE OR REPLACE TEMP TABLE evidence AS
FROM named UNION ALL
SELECT e.* FROM ends e ANTI JOIN (SELECT DISTINCT entity_id, chunk_id FROM named) n USING (entity_id, chunk_id)
"""

NODES = """
INSERT INTO nodes
WITH linked AS (SELECT head AS entity_id FROM edges UNION SELECT tail FROM edges)
SELECT s.node AS entity_id, s.name, r.group_key AS key, s.type, s.types, s.mentions, s.node NOT IN (SELECT entity_id FROM linked) AS isolated
FROM node_shapes s JOIN (SELECT DISTINCT entity_id, group_key FROM resolved) r ON r.entity_id = s.node ORDER BY entity_id
"""

ALIASES = """
INSERT INTO aliases
SELECT DISTINCT entity_id, name AS alias, key AS alias_key FROM (
    SELECT entity_id, name, key FROM named UNION ALL SELECT entity_id, name, key FROM ends
) ORDER BY ALL
"""

BINDINGS = """
INSERT INTO bindings
SELECT DISTINCT entity_id AS element_id, 'node' AS element_kind, document, chunk_id, start_at, end_at, quote FROM evidence
UNION ALL
SELECT DISTINCT edge_id, 'edge', document, chunk_id, start_at, end_at, quote FROM statements SEMI JOIN admitted USING (edge_id)
ORDER BY element_id, chunk_id, start_at, end_at
"""

DECISIONS = f"""
CREATE OR REPLACE TEMP TABLE acts AS
SELECT {_UNIT} AS element_id, 'unit' AS element_kind, gate, act, reason, detail, document, chunk_id, place FROM (
    SELECT l.unit AS chunk_id, c.document, g.unit, g.gate, g.act, g.reason, g.detail, g.ordinal AS place
    FROM ledger_unit_gates l JOIN live_chunks c ON c.chunk_id = l.unit JOIN unit_gates g ON g.key = l.key WHERE l.status = 'ok'
)
UNION ALL
SELECT {_UNIT}, 'unit', 'G6', 'reject', 'self_loop', format('({{}}, {{}}, {{}})', head_name, predicate, tail_name), document, chunk_id, 1000000
FROM statements WHERE head_id = tail_id
UNION ALL
SELECT edge_id, 'edge', 'G4', 'promote', 'support', format('{{}} held of {{}} statements, {{}} spans', held, stated, spans), '', '', 0
FROM admitted WHERE held > 0
UNION ALL
SELECT edge_id, 'edge', 'G6', 'merge', 'parallel', format('{{}} statements, {{}} spans', stated, spans), '', '', 1
FROM admitted WHERE stated > 1
UNION ALL
SELECT entity_id, 'node', 'override', 'suppress', 'governance.toml', key, '', '', row_number() OVER (PARTITION BY entity_id ORDER BY key)
FROM suppressed
UNION ALL
SELECT {_ENTITY.format(key="group_key")}, 'node', gate, act, reason, detail, document, chunk_id,
       row_number() OVER (PARTITION BY group_key ORDER BY gate, act, reason, detail)
FROM alignment_decisions
"""

WRITE_DECISIONS = """
INSERT INTO decisions
SELECT sha256(concat_ws(':', element_id, gate, act, place, reason))[:32] AS decision_id, element_id, element_kind, gate, act, reason, detail,
       document, chunk_id
FROM acts ORDER BY decision_id
"""

STAGED = ("surface_keys", "term_numbers", "stated", "term_mentions", "mentions", "node_shapes", "finals", "resolved", "suppressed", "statements", "admitted",
          "ends", "named", "evidence", "acts", "alignment_groups", "alignment_decisions", "suppressed_keys")  # fmt: skip
"""Temporary tables of both graphs."""

GOVERNED_TABLES = ("nodes", "edges", "aliases", "bindings", "decisions")
