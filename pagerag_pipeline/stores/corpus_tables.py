"""The corpus-wide tables of the work file, made, and made anew where an earlier version of this program laid them out otherwise."""

from pagerag_pipeline.stores import layout
from pagerag_pipeline.stores.tables import Tables

_RETIRED = ("cooccurrences",)
"""Tables of earlier layouts that nothing reads any more."""


def lay_out(tables: Tables) -> list[str]:
    """Bring every table of `layout.CORPUS` to its columns; returns those that were dropped for it.

    They are derived whole from what the ledgers keep, so nothing is lost; whatever was derived is then derived again.
    """
    found = _columns(tables)
    other = [name for name, columns in layout.CORPUS.items() if name in found and found[name] != _wanted(columns)]
    for name in other:
        tables.execute(f"DROP TABLE {name}")
    if other:
        tables.execute("DELETE FROM states")
    for name in _RETIRED:
        tables.execute(f"DROP TABLE IF EXISTS {name}")
    for name, columns in layout.CORPUS.items():
        tables.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    return other


def _columns(tables: Tables) -> dict[str, list[tuple[str, str]]]:
    rows = tables.rows(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main' AND database_name = current_database() "
        "AND NOT internal ORDER BY table_name, column_index"
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in rows:
        found.setdefault(table, []).append((column, kind))
    return found


def _wanted(columns: str) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind in (column.split() for column in columns.split(", "))]
