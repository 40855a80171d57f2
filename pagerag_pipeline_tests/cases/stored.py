"""All that the three stores of a published generation hold, read past the program's own doors, and whether the stores agree."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import kuzu
import lancedb

from pagerag_pipeline.stores.generations import GRAPH_FILE, TABLES_FILE, Manifest, current, generation_folder

_DIGEST = re.compile(r"[0-9a-f]{32}")
Rows = list[dict[str, Any]]

EMBEDDED = {
    "handles": "SELECT DISTINCT embed_key FROM data.handles",
    "passages": "SELECT DISTINCT embed_key FROM data.chunks WHERE kind IN ('passage', 'row')",
    "reports": "SELECT DISTINCT embed_key FROM data.reports",
    "summaries": "SELECT DISTINCT embed_key FROM data.tree WHERE level > 0",
}
"""Vector table and the rows of the tables that it must hold."""

DANGLING = {
    "document": "SELECT document FROM {table} WHERE document <> '' EXCEPT SELECT document FROM data.documents",
    "chunk_id": "SELECT chunk_id FROM {table} WHERE chunk_id <> '' EXCEPT SELECT chunk_id FROM data.chunks",
    "community_id": "SELECT community_id FROM {table} EXCEPT SELECT community_id FROM data.communities",
    "node_id": "SELECT node_id FROM {table} EXCEPT SELECT node_id FROM data.tree",
    "entity_id": "SELECT entity_id FROM {table} EXCEPT SELECT entity_id FROM data.nodes",
}
"""Column that refers to something, in whatever table it stands, and the query of what it refers to in vain."""

REFERENCES = (
    "SELECT head FROM data.edges UNION SELECT tail FROM data.edges EXCEPT SELECT entity_id FROM data.nodes",
    "SELECT element_id FROM data.bindings EXCEPT (SELECT entity_id FROM data.nodes UNION SELECT edge_id FROM data.edges)",
    "SELECT entity_id FROM data.nodes EXCEPT SELECT element_id FROM data.bindings",
    "SELECT edge_id FROM data.edges EXCEPT SELECT element_id FROM data.bindings",
    "SELECT parent_id FROM data.tree WHERE parent_id <> '' EXCEPT SELECT node_id FROM data.tree",
    "SELECT parent_id FROM data.communities WHERE parent_id <> '' EXCEPT SELECT community_id FROM data.communities",
)


@dataclass(frozen=True)
class Stored:
    """The rows of one generation by table: DuckDB's by their names, `graph_nodes` and `graph_edges` of Kuzu, `vectors_<name>` of LanceDB."""

    manifest: Manifest
    rows: dict[str, Rows]
    faults: list[str]
    """Where the stores disagree, or refer to what is not there."""

    def holding(self, word: str) -> list[str]:
        """Tables in which the word stands anywhere, in any case."""
        return [table for table, rows in self.rows.items() if any(word.lower() in text.lower() for row in rows for text in _texts(row))]

    def column(self, table: str, column: str) -> set[Any]:
        """What stands in a column."""
        return {row[column] for row in self.rows[table]}


def stored(home: Path) -> Stored:
    """The current generation of a home as it lies on disk. No engine of this process may have it open."""
    manifest = current(home)
    assert manifest is not None
    folder = generation_folder(home, manifest.generation)
    with duckdb.connect(str(folder / TABLES_FILE), read_only=True) as connection:
        names = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'data'").fetchall()]
        rows = {name: _rows(connection.execute(f"SELECT * FROM data.{name}")) for name in sorted(names)}
        faults = list(_dangling(connection, names))
        embedded = {table: {key for (key,) in connection.execute(query).fetchall()} for table, query in EMBEDDED.items()}
    rows |= _graph(folder / GRAPH_FILE)
    rows |= {f"vectors_{name}": _vectors(home, name, manifest.vectors.get(name)) for name in EMBEDDED}
    found = Stored(manifest, rows, faults)
    faults += list(_disagreements(found, embedded))
    return found


def _rows(result: duckdb.DuckDBPyConnection) -> Rows:
    columns = [one[0] for one in result.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in result.fetchall()]


def _dangling(connection: duckdb.DuckDBPyConnection, names: list[str]) -> Iterator[str]:
    columns = connection.execute("SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'data'").fetchall()
    queries = [query.format(table=f"data.{table}") for table, column in columns for name, query in DANGLING.items() if column == name and table in names]
    for query in [*queries, *REFERENCES]:
        found = connection.execute(query).fetchall()
        if found:
            yield f"{query}: {found}"
    for table in names:
        if {(table, "quote"), (table, "start_at")} <= set(columns):
            wrong = f"SELECT q.quote FROM data.{table} q JOIN data.documents d USING (document) WHERE substring(d.text, q.start_at + 1, q.end_at - q.start_at) <> q.quote"
            yield from (f"{table}: {quote!r} is not what stands there" for (quote,) in connection.execute(wrong).fetchall())


def _graph(path: Path) -> dict[str, Rows]:
    database = kuzu.Database(str(path), read_only=True)
    try:
        connection = kuzu.Connection(database)
        nodes = connection.execute("MATCH (n:Entity) RETURN n.id AS id, n.name AS name, n.key AS key ORDER BY id").get_as_pl()
        edges = connection.execute(
            "MATCH (h:Entity)-[r]->(t:Entity) RETURN r.edge_id AS id, h.id AS head, r.predicate AS predicate, t.id AS tail ORDER BY id"
        ).get_as_pl()
        connection.close()
        return {"graph_nodes": nodes.to_dicts(), "graph_edges": edges.to_dicts()}
    finally:
        database.close()


def _vectors(home: Path, name: str, version: int | None) -> Rows:
    if version is None:
        return []
    table = lancedb.connect(str(home / "vectors")).open_table(name)
    table.checkout(version)
    rows = [{"key": row["key"], "terms": row["terms"]} for row in table.to_arrow().to_pylist()]
    return sorted(rows, key=lambda row: str(row["key"]))


def _disagreements(found: Stored, embedded: dict[str, set[str]]) -> Iterator[str]:
    edges = {(e["edge_id"], e["head"], e["predicate"], e["tail"]) for e in found.rows["edges"]}
    if {(n["entity_id"], n["name"], n["key"]) for n in found.rows["nodes"]} != {tuple(n.values()) for n in found.rows["graph_nodes"]}:
        yield "the graph holds other nodes than the tables"
    if edges != {tuple(e.values()) for e in found.rows["graph_edges"]} or len(edges) != len(found.rows["graph_edges"]):
        yield "the graph holds other edges than the tables"
    for name, keys in embedded.items():
        if keys != found.column(f"vectors_{name}", "key") or len(keys) != len(found.rows[f"vectors_{name}"]):
            yield f"the vectors of {name} are not those of the tables"


def _texts(row: dict[str, Any]) -> Iterator[str]:
    """What stands in a row, digests apart."""
    return (text for value in row.values() if not _DIGEST.fullmatch(text := str(value)))
