"""SQL of what governing took from the raw graph: which nodes and edges, and by which gate, for which reason."""

from pagerag_pipeline.stores.raw_statements import LITERALS

SURFACES = """
SELECT DISTINCT surface FROM (
    SELECT u.head AS surface FROM live_extractions x JOIN units u ON u.key = x.key
    UNION ALL SELECT u.tail FROM live_extractions x JOIN units u ON u.key = x.key
) ORDER BY surface
"""
"""Every name at an end of a raw statement, for `lexical.name_key`."""

FATES = f"""
CREATE OR REPLACE TEMP TABLE fates AS
SELECT h.key AS head, u.predicate, t.key AS tail, u.modality, u.tail_type IN ({LITERALS}) AS literal, s.gate, s.reason,
       list_position(['edge', 'name', 'held', 'rejected', 'value'], s.state) AS place, s.state, s.unit_id, s.document, s.chunk_id
FROM live_extractions x JOIN units u ON u.key = x.key
JOIN shape_keys h ON h.surface = u.head JOIN shape_keys t ON t.surface = u.tail
JOIN unit_states s ON s.unit_id = sha256(concat_ws(':', 'unit', x.chunk_id, u.ordinal))[:32]
"""
"""Every raw statement by the keys of its ends, with where it ended; the less of it is lost, the lower its place."""

LOST_EDGES = """
CREATE OR REPLACE TEMP TABLE lost_edges AS
WITH best AS (
    SELECT head, predicate, tail, modality, min((place, state, gate, reason, unit_id)) AS told FROM fates WHERE NOT literal GROUP BY ALL
)
SELECT e.*, b.told[5] AS unit_id, b.told[3] AS gate, b.told[4] AS reason,
       CASE b.told[2] WHEN 'held' THEN 'hold' WHEN 'name' THEN 'merge' ELSE 'reject' END AS act
FROM raw_edges e JOIN best b USING (head, predicate, tail, modality) WHERE b.told[2] <> 'edge' ORDER BY edge_key
"""
"""Raw edges of which no statement came into the graph, by the statement that came furthest."""

LOST_NODES = """
CREATE OR REPLACE TEMP TABLE lost_nodes AS
WITH ends AS (
    SELECT head AS node_key, place, state, gate, reason, unit_id FROM fates UNION ALL
    SELECT tail, place, state, gate, reason, unit_id FROM fates WHERE NOT literal
),
best AS (SELECT node_key, min((place, state, gate, reason, unit_id)) AS told FROM ends GROUP BY node_key)
SELECT n.*, coalesce(b.told[5], '') AS unit_id,
       CASE WHEN b.told IS NULL OR b.told[2] = 'value' THEN 'G7' ELSE b.told[3] END AS gate,
       CASE WHEN b.told IS NULL THEN 'no_statement' WHEN b.told[2] = 'value' THEN 'values_only' ELSE b.told[4] END AS reason,
       CASE WHEN b.told IS NULL OR b.told[2] = 'value' THEN 'leave_out' WHEN b.told[2] = 'held' THEN 'hold' ELSE 'reject' END AS act
FROM raw_nodes n ANTI JOIN aliases a ON a.alias_key = n.node_key LEFT JOIN best b USING (node_key) ORDER BY node_key
"""
"""Raw nodes under whose key nothing stands in the graph: plain nouns that no statement speaks of, things that have values and no relation
(records keep them), and ends of statements that were held or rejected, by the one that came furthest."""

LOSSES = """
INSERT INTO graph_losses FROM (
SELECT 'node' AS element, gate, act, reason, count(*) AS elements FROM lost_nodes GROUP BY ALL
UNION ALL SELECT 'edge', gate, act, reason, count(*) FROM lost_edges GROUP BY ALL
UNION ALL SELECT 'node', 'G5', 'merge', 'one_entity',
    (SELECT count(*) FROM raw_nodes) - (SELECT count(*) FROM lost_nodes) - (SELECT count(*) FROM nodes)
UNION ALL SELECT 'edge', 'G6', 'merge', 'parallel',
    (SELECT count(*) FROM raw_edges) - (SELECT count(*) FROM lost_edges) - (SELECT count(*) FROM edges)
) WHERE EXISTS (FROM raw_nodes) ORDER BY ALL
"""
"""Whoever is neither lost nor a node of its own has become part of another: so raw less all of these is governed."""

_PLACED = """
WITH places AS (SELECT {key} AS key, row_number() OVER (ORDER BY {key}) - 1 AS place FROM {nodes})
SELECT h.place AS head, t.place AS tail, e.modality, round(e.confidence * e.{support}, 9) AS weight
FROM {edges} e JOIN places h ON h.key = e.head JOIN places t ON t.key = e.tail ORDER BY ALL
"""
EDGES = {
    "raw": _PLACED.format(key="node_key", nodes="raw_nodes", edges="raw_edges", support="support"),
    "governed": _PLACED.format(key="entity_id", nodes="nodes", edges="edges", support="weight"),
}
"""Edges by the places of their ends among all nodes, in the order of these."""
NODES = {"raw": "SELECT node_key FROM raw_nodes ORDER BY node_key", "governed": "SELECT entity_id FROM nodes ORDER BY entity_id"}

SIZES = """
SELECT count(*) FILTER (level = 0), coalesce(max(size) FILTER (level = 0), 0), count(*) FILTER (level = 1) FROM communities
"""

HAS_SHAPE = "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'data' AND table_name = 'graph_shape'"

STAGED = ("shape_keys", "fates", "lost_edges", "lost_nodes")
