"""Statements that read one generation's tables for asking. `{scope}` is where a condition on documents is put in; data comes as parameters.

Parameters are written in the order they stand in, those of the scope where `{scope}` stands.
"""

from collections.abc import Mapping
from typing import Any

from pagerag_pipeline.schema.asking import Scope

PASSAGE = "c.document, c.chunk_id, c.kind, c.parent_id, c.start_at, c.end_at, c.text, c.context, c.content_id, c.embed_key, c.tokens, c.terms"
_SPAN = "{0}.document, {0}.chunk_id, {0}.start_at, {0}.end_at, {0}.quote"

PLACES = "SELECT chunk_id, section_path, page, start_at, text FROM data.chunks WHERE chunk_id IN (SELECT unnest(?::VARCHAR[]))"

SLICE = "SELECT substring(text, ?, ?) FROM data.documents WHERE document = ?"

PASSAGES_AT = f"""
WITH wanted AS (SELECT DISTINCT unnest(?::VARCHAR[]) AS document, unnest(?::INTEGER[]) AS start_at)
SELECT DISTINCT {PASSAGE} FROM data.chunks c
JOIN wanted w ON c.document = w.document AND w.start_at >= c.start_at AND w.start_at < c.end_at
WHERE c.kind IN ('passage', 'row') {{scope}}
ORDER BY c.document, c.start_at, c.end_at DESC, c.chunk_id
"""

SAMPLE = """
SELECT context, text, terms FROM data.chunks WHERE kind IN ('passage', 'row')
QUALIFY row_number() OVER (PARTITION BY document ORDER BY chunk_id) = 1 ORDER BY chunk_id LIMIT 20
"""
"""A few passages of different documents."""

_HANDLES = """
    SELECT DISTINCT h.embed_key, h.kind, h.handle FROM (
        SELECT document, 'entity' AS kind, entity_key AS handle FROM data.records
        UNION ALL SELECT document, 'type', entity_type FROM data.records
        UNION ALL SELECT document, 'field', replace(field, 'inverse_of:', '') FROM data.records
        UNION ALL SELECT b.document, 'entity', n.key FROM data.nodes n JOIN data.bindings b ON b.element_id = n.entity_id
    ) c JOIN data.handles h ON h.kind = c.kind AND h.handle = c.handle WHERE true {scope}
"""

HANDLES = f"""
SELECT embed_key, kind, handle FROM ({_HANDLES}) WHERE embed_key IN (SELECT unnest(?::VARCHAR[])) ORDER BY embed_key, kind, handle
"""
"""Parameters of the scope come before the keys."""

KEYS = {
    "passages": "SELECT DISTINCT c.embed_key FROM data.chunks c WHERE c.kind IN ('passage', 'row') {scope} ORDER BY c.embed_key",
    "handles": f"SELECT DISTINCT h.embed_key FROM ({_HANDLES}) h ORDER BY h.embed_key",
    "reports": (
        "SELECT DISTINCT r.embed_key FROM data.reports r JOIN data.report_quotes c ON c.community_id = r.community_id "
        "WHERE r.embed_key <> '' {scope} ORDER BY r.embed_key"
    ),
    "summaries": (
        "SELECT DISTINCT t.embed_key FROM data.tree t JOIN data.tree_quotes c ON c.node_id = t.node_id "
        "WHERE t.level > 0 {scope} ORDER BY t.embed_key"
    ),
}
"""Embed keys of each vector table that have text in scope."""

PASSAGE_COUNT = """
SELECT count(*), avg(length(c.terms) - length(replace(c.terms, ' ', '')) + 1)
FROM data.chunks c WHERE c.kind IN ('passage', 'row') {scope}
"""

SCOPE_VOCABULARY = """
SELECT term, count(DISTINCT chunk_id) FROM (
    SELECT c.chunk_id, unnest(string_split(c.terms, ' ')) AS term FROM data.chunks c WHERE c.kind IN ('passage', 'row') {scope}
) GROUP BY term
"""

_LINKED = """
SELECT n.entity_id, n.name, n.type, n.mentions, min(a.alias_key)
FROM data.aliases a JOIN data.nodes n ON n.entity_id = a.entity_id
WHERE a.alias_key IN (SELECT unnest(?::VARCHAR[])){bound}
GROUP BY n.entity_id, n.name, n.type, n.mentions ORDER BY n.mentions DESC, n.entity_id
"""

_BOUND_IN_SCOPE = " AND EXISTS (SELECT 1 FROM data.bindings b WHERE b.element_id = {element} {{scope}})"

LINKED = {
    "whole": _LINKED.format(bound=""),
    "scope": _LINKED.format(bound=_BOUND_IN_SCOPE.format(element="n.entity_id")),
}
"""Of the whole repository, where every element is bound, and of a scope; so below."""

_JOINED = """
SELECT e.edge_id FROM data.edges e
WHERE e.head IN (SELECT unnest(?::VARCHAR[])) AND e.tail IN (SELECT unnest(?::VARCHAR[])) AND e.head <> e.tail{bound} LIMIT 1
"""

JOINED = {"whole": _JOINED.format(bound=""), "scope": _JOINED.format(bound=_BOUND_IN_SCOPE.format(element="e.edge_id"))}

_SCOPED_EDGES = """
FROM data.edges e
WHERE (e.head IN (SELECT unnest(?::VARCHAR[])) OR e.tail IN (SELECT unnest(?::VARCHAR[])))
  AND EXISTS (SELECT 1 FROM data.bindings b WHERE b.element_id = e.edge_id {scope})
"""

SCOPED_NEIGHBORS = f"""
SELECT e.edge_id, e.head, e.predicate, e.tail, e.modality, e.confidence, e.weight {_SCOPED_EDGES}
ORDER BY e.weight DESC, e.confidence DESC, e.edge_id LIMIT ?
"""
"""The graph store knows no documents; a limit there would be reached by edges that may not be seen."""

SCOPED_NEIGHBOR_COUNT = f"SELECT count(*) {_SCOPED_EDGES}"

BOUND = "SELECT DISTINCT b.element_id FROM data.bindings b WHERE b.element_id IN (SELECT unnest(?::VARCHAR[])) {scope}"

BOUNDARIES = "SELECT DISTINCT c.boundary FROM data.profiles c WHERE c.boundary <> '' {scope} ORDER BY c.boundary"

REPORTS = f"""
SELECT r.community_id, r.embed_key, {_SPAN.format("q")}
FROM data.reports r JOIN data.report_quotes q ON q.community_id = r.community_id
WHERE r.embed_key IN (SELECT unnest(?::VARCHAR[])) {{scope}}
ORDER BY r.community_id, q.ordinal
"""

SUMMARIES = f"""
SELECT t.node_id, t.embed_key, {_SPAN.format("q")}
FROM data.tree t JOIN data.tree_quotes q ON q.node_id = t.node_id
WHERE t.embed_key IN (SELECT unnest(?::VARCHAR[])) AND t.level > 0 {{scope}}
ORDER BY t.node_id, q.ordinal
"""

RECORDS = f"""
SELECT r.record_id, concat_ws(' | ', r.entity, r.field, r.value), {_SPAN.format("r")}, count(*) OVER ()
FROM data.records r
WHERE r.entity_key IN (SELECT unnest(?::VARCHAR[])) AND r.modality = 'asserted' {{scope}}
ORDER BY len(list_filter(?::VARCHAR[], lambda term: contains(lower(concat_ws(' ', r.field, r.value, r.quote)), term))) DESC,
         r.document, r.start_at, r.record_id LIMIT ?
"""
"""Those that hold most of the terms as written come first; each row says how many there are in all."""


def scoped(statement: str | Mapping[str, str], column: str, scope: Scope) -> tuple[str, list[Any]]:
    """A statement with the scope's condition on a column put in, and the condition's parameters; of two forms the one that fits the scope."""
    form = statement if isinstance(statement, str) else statement["whole" if scope.documents is None else "scope"]
    if scope.documents is None or "{scope}" not in form:
        return form.format(scope=""), []
    return form.format(scope=f"AND {column} IN (SELECT unnest(?::VARCHAR[]))"), [list(scope.documents)]
