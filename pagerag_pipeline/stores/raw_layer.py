"""A generation whose graph is the raw one, before any gate: what the ablation `raw_graph` asks. Made beside a home, never in it."""

import shutil
from pathlib import Path

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.graph import build_graph
from pagerag_pipeline.stores.published import NoIndex
from pagerag_pipeline.stores.tables import open_tables
from pagerag_pipeline.stores.work import WORK_FILE

_RAW = "raw"
"""Catalog name of the work file that is read."""

_ENTITY = "sha256('entity:' || {0})[:32]"

STATEMENTS = {
    "nodes": f"""
        SELECT {_ENTITY.format("node_key")}, name, node_key, type, types, mentions,
               node_key NOT IN (SELECT head FROM {_RAW}.raw_edges UNION SELECT tail FROM {_RAW}.raw_edges)
        FROM {_RAW}.raw_nodes ORDER BY 1
    """,
    "edges": f"""
        SELECT edge_key, {_ENTITY.format("head")}, predicate, {_ENTITY.format("tail")}, modality, confidence, support
        FROM {_RAW}.raw_edges ORDER BY edge_key
    """,
    "aliases": f"SELECT {_ENTITY.format('node_key')}, name, node_key FROM {_RAW}.raw_nodes ORDER BY 1",
    "bindings": f"""
        SELECT CASE element_kind WHEN 'node' THEN {_ENTITY.format("element_key")} ELSE element_key END, element_kind, b.document, b.chunk_id,
               c.start_at + b.start_at, c.start_at + b.end_at, quote
        FROM {_RAW}.raw_bindings b JOIN data.chunks c ON c.chunk_id = b.chunk_id AND c.document = b.document
        ORDER BY 1, 3, 5, 6
    """,
}
"""Rows of the graph's tables in a generation, from the raw ones of the work file; names are their own only alias."""


def write_raw_generation(home: Path, target: Path, settings: StoreSettings) -> None:
    """Publish in `target`, a new home, what the current generation of a home holds, with the raw graph for the governed one.

    Text, records, summaries and reports are those of the home, its vectors are linked. Raises NoIndex, TablesLocked while a refresh runs.
    """
    manifest = generations.current(home)
    if manifest is None:
        raise NoIndex(f"Nothing is published in {home} yet: run a refresh first.")
    target.mkdir(parents=True, exist_ok=True)
    staging = generations.new_staging(target, manifest.generation)
    with generations.lease(home, manifest.generation) as folder:
        shutil.copyfile(folder / generations.TABLES_FILE, staging / generations.TABLES_FILE)
    with open_tables(staging / generations.TABLES_FILE, settings) as tables:
        tables.attach(home / WORK_FILE, _RAW, read_only=True)
        for name, statement in STATEMENTS.items():
            tables.execute(f"DELETE FROM data.{name}")
            tables.execute(f"INSERT INTO data.{name} {statement}")
        tables.detach(_RAW)
        nodes, edges = tables.frame("SELECT * FROM data.nodes"), tables.frame("SELECT * FROM data.edges")
        tables.checkpoint()
    build_graph(staging / generations.GRAPH_FILE, nodes, edges, settings)
    if not (target / generations.VECTORS_FOLDER).exists():
        (target / generations.VECTORS_FOLDER).symlink_to((home / generations.VECTORS_FOLDER).resolve())
    generations.publish(target, manifest, staging)
