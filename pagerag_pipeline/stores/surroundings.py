"""What stands around entities (PankRAG, section 4.4): the reports of their communities, how many edges they have, and reports level by level."""

from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.stores.reading import scoped
from pagerag_pipeline.stores.repository import Repository

_SEEN = """
WITH seen AS (
    SELECT r.community_id, r.level, r.embed_key, r.title FROM data.reports r
    WHERE r.embed_key <> '' AND r.level <= ?
      AND EXISTS (SELECT 1 FROM data.report_quotes q WHERE q.community_id = r.community_id {scope})
), placed AS (
    SELECT m.community_id, count(DISTINCT b.chunk_id) AS chunks
    FROM data.members m JOIN data.bindings b ON b.element_id = m.entity_id JOIN seen s ON s.community_id = m.community_id
    WHERE true {scope_again} GROUP BY m.community_id
)
"""

REPORTS_OF = f"""
{_SEEN}
SELECT s.community_id, s.level, s.embed_key, c.parent_id, coalesce(p.chunks, 0), count(DISTINCT m.entity_id) AS hits
FROM seen s JOIN data.communities c ON c.community_id = s.community_id
JOIN data.members m ON m.community_id = s.community_id LEFT JOIN placed p ON p.community_id = s.community_id
WHERE m.entity_id IN (SELECT unnest(?::VARCHAR[]))
GROUP BY ALL ORDER BY hits DESC, coalesce(p.chunks, 0) DESC, s.community_id
"""

REPORTS_SEEN = f"""
{_SEEN}
SELECT s.community_id, s.level, s.embed_key, c.parent_id, coalesce(p.chunks, 0), c.size
FROM seen s JOIN data.communities c ON c.community_id = s.community_id LEFT JOIN placed p ON p.community_id = s.community_id
ORDER BY coalesce(p.chunks, 0) DESC, s.community_id
"""

DEGREES = """
SELECT entity_id, count(DISTINCT edge_id) FROM (
    SELECT e.head AS entity_id, e.edge_id FROM data.edges e UNION ALL SELECT e.tail, e.edge_id FROM data.edges e
) ends
WHERE entity_id IN (SELECT unnest(?::VARCHAR[]))
  AND EXISTS (SELECT 1 FROM data.bindings b WHERE b.element_id = ends.edge_id {scope})
GROUP BY entity_id
"""


@dataclass(frozen=True, slots=True)
class SeenReport:
    """A community's report that tells something in scope."""

    community_id: str
    level: int
    """0 is the coarsest."""
    embed_key: str
    parent_id: str
    chunks: int
    """Chunks in scope that its members are bound to: its occurrence."""
    members: int
    """Of those asked for, else of all."""


def reports_of(repository: Repository, entity_ids: Sequence[str], scope: Scope, *, level: int) -> list[SeenReport]:
    """Reports up to a level of the communities that these entities are in: those of most of them first, then those with most chunks."""
    return _reports(repository, REPORTS_OF, scope, level, [list(entity_ids)])


def reports_seen(repository: Repository, scope: Scope, *, level: int) -> list[SeenReport]:
    """All reports up to a level that tell something in scope, those with most chunks first."""
    return _reports(repository, REPORTS_SEEN, scope, level, [])


def degrees(repository: Repository, entity_ids: Sequence[str], scope: Scope) -> dict[str, int]:
    """How many edges that are bound in scope begin or end at each of these entities."""
    sql, parameters = scoped(DEGREES, "b.document", scope)
    return dict(repository.rows(sql, [list(entity_ids), *parameters]))


def _reports(repository: Repository, statement: str, scope: Scope, level: int, more: list[list[str]]) -> list[SeenReport]:
    once, parameters = scoped("{scope}", "q.document", scope)
    again, _ = scoped("{scope}", "b.document", scope)
    sql = statement.format(scope=once, scope_again=again)
    return [SeenReport(*row) for row in repository.rows(sql, [level, *parameters, *parameters, *more])]
