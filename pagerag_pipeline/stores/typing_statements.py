"""SQL of gate G2 over the whole corpus: what type each entity has, and which statements its types do not bear.

The type of an entity is what most of its mentions were tagged as. Where its use contradicts it (it was born in, but is tagged a person), a
type that rests on no more mentions than there are contradicting statements is given up for the one that the use asks for; otherwise the
statement keeps its ends, its quote and its modality, but says no more than that the two are related.
"""

ALL_ENDS = """
CREATE OR REPLACE TEMP TABLE all_ends AS
SELECT DISTINCT document, head AS key, head_type AS label, chunk_id, start_at, end_at FROM finals WHERE act <> 'reject'
UNION SELECT DISTINCT document, tail, tail_type, chunk_id, start_at, end_at FROM finals WHERE act <> 'reject' AND NOT literal
"""

VOTES = """
CREATE OR REPLACE TEMP TABLE votes AS
WITH told AS (
    SELECT document, key, label FROM term_mentions
    UNION ALL SELECT e.document, e.key, e.label FROM all_ends e ANTI JOIN (SELECT DISTINCT key, chunk_id FROM term_mentions) m USING (key, chunk_id)
)
SELECT r.entity_id, t.label, count(*) AS n FROM told t JOIN resolved r USING (document, key) WHERE NOT (r.person AND t.label = 'NAME') GROUP BY ALL
"""
"""Labels of an entity's mentions: its terms; in a chunk where it is no term (a longer noun phrase), the statements it stands in."""

TYPED = """
CREATE OR REPLACE TEMP TABLE typed AS
WITH most AS (
    SELECT entity_id, first(label ORDER BY (label IN ({unknown})), n DESC, label) AS label,
           '{{' || string_agg(to_json(label)::VARCHAR || ':' || n, ',' ORDER BY label) || '}}' AS types, count(*) AS labels
    FROM votes GROUP BY entity_id
),
people AS (SELECT r.entity_id, any_value(o.value) AS type, any_value(o.name) AS name FROM retype_overrides o JOIN resolved r ON {named} GROUP BY r.entity_id)
SELECT m.entity_id, coalesce(p.type, m.label) AS type, m.label AS tagged, m.types, m.labels, v.n AS votes, p.type IS NOT NULL AS fixed, p.name AS said
FROM most m JOIN votes v USING (entity_id, label) LEFT JOIN people p USING (entity_id)
"""
"""The most frequent label, one that says something before one that does not, unless people said otherwise."""

CANDIDATES = """
CREATE OR REPLACE TEMP TABLE candidates AS
SELECT f.*, h.entity_id AS head_id, t.entity_id AS tail_id
FROM finals f JOIN resolved h ON h.document = f.document AND h.key = f.head JOIN resolved t ON t.document = f.document AND t.key = f.tail
WHERE f.act IN ('accept', 'hold') AND NOT f.literal
  AND h.entity_id NOT IN (SELECT entity_id FROM suppressed) AND t.entity_id NOT IN (SELECT entity_id FROM suppressed)
"""
"""Statements between entities that may stand in the graph."""

MISFITS = """
CREATE OR REPLACE TEMP TABLE misfits AS
WITH ends AS (
    SELECT chunk_id, unit, start_at, end_at, predicate, 'head' AS side, head_id AS entity_id FROM candidates WHERE head_id <> tail_id
    UNION ALL SELECT chunk_id, unit, start_at, end_at, predicate, 'tail', tail_id FROM candidates WHERE head_id <> tail_id
)
SELECT e.*, c.class, t.type FROM ends e JOIN predicate_ends c USING (predicate, side) JOIN typed t USING (entity_id)
ANTI JOIN class_types k ON k.class = c.class AND k.type = t.type
"""

RETYPED = """
CREATE OR REPLACE TEMP TABLE retyped AS
WITH asked AS (
    SELECT entity_id, count(DISTINCT (chunk_id, start_at, end_at)) AS n, count(DISTINCT class) AS classes, min(class) AS class
    FROM misfits GROUP BY entity_id
),
weak AS (SELECT a.*, t.type AS before, t.votes FROM asked a JOIN typed t USING (entity_id) WHERE t.votes <= a.n AND NOT t.fixed),
seen AS (
    SELECT w.entity_id, first(v.label ORDER BY v.n DESC, v.label) AS type
    FROM weak w JOIN votes v USING (entity_id) JOIN class_types c ON c.class = w.class AND c.type = v.label AND NOT c.generic GROUP BY w.entity_id
),
sole AS (SELECT class, any_value(type) AS type FROM class_types WHERE NOT generic GROUP BY class HAVING count(*) = 1)
SELECT w.entity_id, w.before, w.votes, w.n, w.class,
       CASE WHEN w.classes > 1 THEN 'MISC' ELSE coalesce(s.type, o.type, 'MISC') END AS type
FROM weak w LEFT JOIN seen s USING (entity_id) LEFT JOIN sole o USING (class)
"""
"""A weak type gives way: to one its mentions were tagged as too, to the only one of the class, else to "unknown", which claims nothing."""

APPLY_RETYPED = "UPDATE typed SET type = r.type FROM retyped r WHERE r.entity_id = typed.entity_id"

STATEMENTS = """
CREATE OR REPLACE TEMP TABLE statements AS
WITH judged AS (
    SELECT c.*, m.misfit IS NOT NULL AS misfit, m.misfit AS complaint,
           CASE WHEN m.misfit IS NULL THEN c.confidence ELSE round(c.confidence * $1, 4) END AS sure
    FROM candidates c LEFT JOIN (
        SELECT chunk_id, unit, string_agg(side || ' is ' || type || ', expected ' || class, '; ' ORDER BY side) AS misfit FROM misfits GROUP BY ALL
    ) m USING (chunk_id, unit)
),
routed AS (
    SELECT * REPLACE (
        CASE WHEN misfit THEN $2 ELSE predicate END AS predicate,
        sure AS confidence,
        CASE WHEN NOT misfit THEN act WHEN sure < $3 THEN 'reject' WHEN act = 'accept' AND sure >= $4 THEN 'accept' ELSE 'hold' END AS act
    ), predicate AS stated
    FROM judged
)
SELECT *, sha256(concat_ws(':', 'edge', head_id, tail_id, modality, predicate))[:32] AS edge_id FROM routed
"""
"""What each candidate comes to state; the confidence of one whose types do not fit is routed once more, as in G4."""

STAGED = ("all_ends", "votes", "typed", "candidates", "misfits", "retyped", "statements", "retype_overrides", "predicate_ends", "class_types")
"""Temporary tables of this gate; the last three are given."""
