"""Statements behind `stories`: one generation's tables, asked about one entity, edge or decision."""

SPAN = ("document", "chunk_id", "start", "end", "quote")
RECORD = ("record_id", "category", "field", "value", "modality", *SPAN)
DECISION = ("decision_id", "element_id", "element_kind", "place", "gate", "act", "reason", "detail", "other_id", "other")
QUARANTINE = ("state", "gate", "reason", "head", "predicate", "tail", "modality", "confidence", *SPAN)

_SPAN = "document, chunk_id, start_at, end_at, quote"

HAS_STORIES = "SELECT 1 FROM duckdb_columns() WHERE schema_name = 'data' AND table_name = 'decisions' AND column_name = 'other_id'"

ENTITIES_BY_ID = """
WITH own AS (SELECT entity_id FROM data.nodes WHERE entity_id = $1)
FROM own UNION SELECT entity_id FROM data.aliases WHERE sha256('entity:' || alias_key)[:32] = $1 AND NOT EXISTS (FROM own) ORDER BY 1
"""
"""An entity has the id of its key; where no entity has it, it is that of any of its names."""

ENTITIES_BY_ALIAS = """
SELECT entity_id FROM data.nodes WHERE entity_id IN (SELECT entity_id FROM data.aliases WHERE alias_key = ?) ORDER BY mentions DESC, entity_id
"""

ENTITIES_BY_WORDS = """
SELECT entity_id FROM data.nodes
WHERE $1 <> '' AND entity_id IN (SELECT entity_id FROM data.aliases WHERE contains(' ' || alias_key || ' ', ' ' || $1 || ' '))
ORDER BY mentions DESC, entity_id
"""

NODES = """
SELECT entity_id, name, key, type, types, mentions, isolated FROM data.nodes
WHERE entity_id IN (SELECT unnest(?::VARCHAR[])) ORDER BY mentions DESC, entity_id
"""

ALIASES = f"""
WITH spans AS (
    SELECT a.alias, b.*, regexp_replace(b.quote, '\\s+', ' ', 'g') AS said
    FROM data.bindings b JOIN data.aliases a ON a.entity_id = b.element_id AND contains(regexp_replace(b.quote, '\\s+', ' ', 'g'), a.alias)
    WHERE b.element_id = $1
    QUALIFY row_number() OVER (PARTITION BY document, start_at, end_at ORDER BY length(a.alias) DESC, a.alias) = 1
)
SELECT a.alias, count(quote) OVER (PARTITION BY a.alias), {_SPAN} FROM data.aliases a LEFT JOIN spans USING (alias) WHERE a.entity_id = $1
QUALIFY row_number() OVER (PARTITION BY a.alias ORDER BY said <> a.alias, document, start_at, end_at) = 1 ORDER BY 2 DESC, a.alias
"""
"""Each name with its number of places, and the first of them, where it stands alone if there is such a place. A place counts for the longest name in it."""

DOCUMENTS = "SELECT document, count(*) FROM data.bindings WHERE element_id = ? GROUP BY document ORDER BY 2 DESC, document"

_EDGES = """
SELECT e.edge_id, h.name, e.head, e.predicate, t.name, e.tail, e.modality, e.confidence, e.weight,
       (SELECT list({{document: b.document, chunk_id: b.chunk_id, start: b.start_at, "end": b.end_at, quote: b.quote}}
                    ORDER BY b.document, b.start_at, b.end_at)[:3] FROM data.bindings b WHERE b.element_id = e.edge_id)
FROM data.edges e JOIN data.nodes h ON h.entity_id = e.head JOIN data.nodes t ON t.entity_id = e.tail
WHERE {where} ORDER BY e.weight DESC, e.confidence DESC, e.edge_id
"""
EDGES_OF = _EDGES.format(where="e.head = ? OR e.tail = ?")
EDGES_BY_PREFIX = _EDGES.format(where="starts_with(e.edge_id, ?)")

SPANS = f"SELECT {_SPAN} FROM data.bindings WHERE element_id = ? ORDER BY document, start_at, end_at"

RECORDS = f"""
SELECT record_id, category, field, value, modality, {_SPAN} FROM data.records
WHERE entity_key IN (SELECT alias_key FROM data.aliases WHERE entity_id = $1)
  AND document IN (SELECT document FROM data.bindings WHERE element_id = $1) ORDER BY document, start_at, record_id
"""

COMMUNITIES = """
SELECT c.community_id, c.level, c.size, r.title, r.bonds FROM data.members m JOIN data.communities c USING (community_id)
LEFT JOIN data.reports r USING (community_id) WHERE m.entity_id = ? ORDER BY c.level, c.community_id
"""

_QUARANTINED = "(SELECT lower(alias) FROM data.aliases WHERE entity_id = $1)"
QUARANTINED = f"""
SELECT state, gate, reason, count(*) FROM data.quarantine WHERE lower(head) IN {_QUARANTINED} OR lower(tail) IN {_QUARANTINED}
GROUP BY ALL ORDER BY ALL
"""

NAMED_IN_QUARANTINE = "SELECT count(*) FROM data.quarantine WHERE lower(head) = ? OR lower(tail) = ?"

NEAR = """
SELECT min(alias) FROM data.aliases WHERE $1 <> '' GROUP BY alias_key HAVING jaro_winkler_similarity(alias_key, $1) > 0.85 OR contains(alias_key, $1)
ORDER BY max(jaro_winkler_similarity(alias_key, $1)) DESC, alias_key LIMIT 5
"""

_DECISIONS = f"""
SELECT d.decision_id, d.element_id, d.element_kind, d.place, d.gate, d.act, d.reason, d.detail, d.other_id, n.name,
       {", ".join(f"d.{column}" for column in _SPAN.split(", "))}
FROM data.decisions d LEFT JOIN data.nodes n ON n.entity_id = d.other_id
WHERE {{where}} ORDER BY d.element_kind, d.place, d.element_id, d.decision_id
"""
OF_NODE = _DECISIONS.format(where="d.element_kind = 'node' AND (d.element_id = ? OR d.other_id = ?)")
OF_EDGE = _DECISIONS.format(where="d.element_id = ? OR d.other_id = ?")
OF_ELEMENT = _DECISIONS.format(where="d.element_id = ?")
BY_PREFIX = _DECISIONS.format(where="starts_with(d.decision_id, ?)") + " LIMIT ?"

UNIT = f"SELECT state, gate, reason, head, predicate, tail, modality, confidence, {_SPAN} FROM data.quarantine WHERE unit_id = ?"
