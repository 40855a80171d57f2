"""SQL of `decisions`: one row an act of governance, with what it was about, its reason, its inputs, and the span it rests on."""

_ENTITY = "sha256('entity:' || {key})[:32]"
_STATEMENT = "format('({}, {}, {})', head_name, predicate, tail_name)"
_NOWHERE = "'' AS document, '' AS chunk_id, NULL::INTEGER AS start_at, NULL::INTEGER AS end_at, '' AS quote"

_COUNTED = "replace(replace(regexp_replace(types, '[{}\"]', '', 'g'), ':', ' '), ',', ', ')"
"""Types and their counts, without the marks of JSON."""

_RESOLVED = """array_to_string([pair[2] for pair in from_json(u.qualifiers, '[["VARCHAR"]]') if pair[1] = 'resolved'], '; ')"""
"""How ends that their own sentence does not name were found; gates keep the order of the units they were given."""

UNIT_ACTS = f"""
CREATE OR REPLACE TEMP TABLE acts AS
WITH gates AS (
    SELECT c.document, l.unit AS chunk_id, sha256(concat_ws(':', 'unit', l.unit, g.unit))[:32] AS unit_id, g.* EXCLUDE (key)
    FROM ledger_unit_gates l JOIN live_chunks c ON c.chunk_id = l.unit JOIN unit_gates g ON g.key = l.key WHERE l.status = 'ok'
)
SELECT g.unit_id AS element_id, 'unit' AS element_kind, g.ordinal AS place, g.gate, g.act, g.reason, g.detail, u.edge_id AS other_id, g.document, g.chunk_id,
       u.start_at, u.end_at, g.quote
FROM gates g JOIN unit_states u USING (unit_id)
UNION ALL
SELECT s.unit_id, 'unit', -1, 'G1', 'accept', 'resolved', {_RESOLVED}, s.edge_id, s.document, s.chunk_id, s.start_at, s.end_at, s.quote
FROM units u JOIN live_extractions x ON x.key = u.key JOIN unit_states s ON s.unit_id = sha256(concat_ws(':', 'unit', x.chunk_id, u.ordinal))[:32]
WHERE contains(u.qualifiers, '["resolved",')
UNION ALL
SELECT unit_id, 'unit', 1000001, 'override', 'hold', 'distrusted', {_STATEMENT}, '', document, chunk_id, start_at, end_at, quote
FROM finals WHERE doubted
UNION ALL
SELECT unit_id, 'unit', 1000002, 'G2', CASE WHEN act = 'reject' THEN 'reject' ELSE 'downgrade' END, 'domain_range',
       format('{{}} to {{}}, confidence {{:.2f}}: {{}}', stated, predicate, confidence, complaint), '', document, chunk_id, start_at, end_at, quote
FROM statements WHERE misfit
UNION ALL
SELECT unit_id, 'unit', 1000003, gate, CASE WHEN state = 'name' THEN 'accept' ELSE 'reject' END, reason,
       format('({{}}, {{}}, {{}})', head, predicate, tail), '', document, chunk_id, start_at, end_at, quote
FROM unit_states WHERE state = 'name' OR reason IN ('suppressed_end', 'causal_self_loop') OR (reason = 'self_loop' AND gate = 'G6')
"""
"""Acts on units: those of their own gates, then what the whole corpus said."""

GRAPH_ACTS = f"""
INSERT INTO acts
SELECT edge_id, 'edge', 0, 'G4', 'promote', 'support', format('{{}} held of {{}} statements, {{}} spans', held, stated, spans), '', {_NOWHERE}
FROM admitted WHERE held > 0
UNION ALL
SELECT edge_id, 'edge', 1, 'G6', 'merge', 'parallel', format('{{}} statements, {{}} spans', stated, spans), '', {_NOWHERE}
FROM admitted WHERE stated > 1
UNION ALL
SELECT entity_id, 'node', row_number() OVER (PARTITION BY entity_id ORDER BY key), 'override', 'suppress', 'governance.toml', key, '', {_NOWHERE}
FROM (SELECT DISTINCT entity_id, key FROM suppressed)
UNION ALL
SELECT {_ENTITY.format(key="group_key")}, 'node', 1000 + row_number() OVER (PARTITION BY group_key ORDER BY gate, act, reason, detail), gate, act, reason,
       detail, CASE WHEN other_key = '' THEN '' ELSE {_ENTITY.format(key="other_key")} END, document, chunk_id, start_at, end_at, quote
FROM alignment_decisions
UNION ALL
SELECT entity_id, 'node', 2000, 'G5', 'merge', 'equal_key', string_agg(DISTINCT alias, ' / ' ORDER BY alias), '', {_NOWHERE}
FROM aliases GROUP BY entity_id, alias_key HAVING count(*) > 1
"""

NODE_ACTS = f"""
INSERT INTO acts
SELECT entity_id, 'node', 3000, 'G6', 'merge', 'types', format('{{}} of {{}}', tagged, {_COUNTED}), '', {_NOWHERE}
FROM typed SEMI JOIN nodes USING (entity_id) WHERE labels > 1
UNION ALL
SELECT entity_id, 'node', 3001, 'G2', 'retype', 'domain_range',
       format('{{}} to {{}}: {{}} of its mentions against {{}} statements that expect a {{}}', before, type, votes, n, class), '', {_NOWHERE}
FROM retyped SEMI JOIN nodes USING (entity_id)
UNION ALL
SELECT entity_id, 'node', 3002, 'override', 'retype', 'governance.toml', format('{{}} to {{}}', tagged, type), '', {_NOWHERE}
FROM typed WHERE fixed
UNION ALL
SELECT entity_id, 'node', 3003, 'override', 'rename', 'governance.toml', format('{{}} to {{}}', coalesce(s.name, r.said), r.name), '', {_NOWHERE}
FROM renamed r LEFT JOIN shapes s USING (entity_id)
UNION ALL
SELECT entity_id, 'node', 4000, 'G7', 'isolate', CASE WHEN p.entity_id IS NULL OR n.type NOT IN ('NOUN', 'PROPN') THEN 'no_edge' ELSE 'topic' END,
       format('{{}} mentions, no statement in the graph', mentions), '', {_NOWHERE}
FROM nodes n LEFT JOIN topics p USING (entity_id) WHERE isolated
"""

WRITE = """
INSERT INTO decisions
SELECT sha256(concat_ws(chr(31), element_id, gate, act, reason, detail, other_id, document, chunk_id, start_at, end_at))[:32] AS decision_id,
       element_id, element_kind, min(place)::INTEGER AS place, gate, act, reason, detail, other_id, document, chunk_id, start_at, end_at, quote
FROM acts GROUP BY ALL ORDER BY decision_id
"""

WARNINGS = """
SELECT 'a cause would be its own effect, so it was left out: ' || detail FROM decisions WHERE gate = 'G3' AND reason = 'causal_self_loop'
UNION ALL
SELECT 'governance.toml merges names between which a cause is stated: ' || detail FROM decisions WHERE gate = 'G3' AND reason = 'forced_over_cause'
ORDER BY ALL
"""
"""What merges by people did to causes, in words."""
