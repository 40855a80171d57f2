"""The own words of reports and summaries, where a model wrote them: told only to who may see all that they were made of."""

from collections.abc import Callable, Sequence
from typing import Any

from pagerag_pipeline.schema.asking import Scope

_REPORTS = "SELECT r.embed_key, min(r.text) FROM data.reports r WHERE r.embed_key IN (SELECT unnest($1::VARCHAR[])) {seen} GROUP BY r.embed_key"
_SUMMARIES = "SELECT t.embed_key, min(t.text) FROM data.tree t WHERE t.embed_key IN (SELECT unnest($1::VARCHAR[])) AND t.level > 0 {seen} GROUP BY t.embed_key"

_REPORT_SEEN = """
    AND NOT EXISTS (
        SELECT 1 FROM data.members m JOIN data.bindings b ON b.element_id = m.entity_id
        WHERE m.community_id = r.community_id AND b.document NOT IN (SELECT unnest($2::VARCHAR[]))
    ) AND NOT EXISTS (
        SELECT 1 FROM data.members h JOIN data.edges e ON e.head = h.entity_id
        JOIN data.members t ON t.entity_id = e.tail AND t.community_id = h.community_id JOIN data.bindings b ON b.element_id = e.edge_id
        WHERE h.community_id = r.community_id AND b.document NOT IN (SELECT unnest($2::VARCHAR[]))
    )
"""
"""A report is made of its members' names and of all that binds them."""

_SUMMARY_SEEN = """
    AND NOT EXISTS (
        WITH RECURSIVE below AS (
            SELECT t.node_id, t.document
            UNION ALL
            SELECT c.node_id, c.document FROM below b JOIN data.tree c ON c.parent_id = b.node_id WHERE b.document = ''
        )
        SELECT 1 FROM below WHERE document <> '' AND document NOT IN (SELECT unnest($2::VARCHAR[]))
    )
"""
"""A summary is made of every leaf below it; one that belongs to a document has leaves of that alone."""

_STATEMENTS = {"report": (_REPORTS, _REPORT_SEEN), "summary": (_SUMMARIES, _SUMMARY_SEEN)}


def own_words(
    rows: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]], kind: str, embed_keys: Sequence[str], scope: Scope
) -> dict[str, str]:
    """The texts of reports (kind `report`) or summaries (`summary`) by embed key, of those alone that were made of nothing outside the scope.

    Those that are quotes throughout are told in their quotes in scope as well.
    """
    statement, seen = _STATEMENTS[kind]
    if not embed_keys:
        return {}
    whole = scope.documents is None
    given = [list(embed_keys)] if whole else [list(embed_keys), list(scope.documents or ())]
    return dict(rows(statement.format(seen="" if whole else seen), given))
