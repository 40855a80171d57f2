"""A work file filled from texts alone: chunk, extraction and gate rows bound in their ledgers, so that the graphs can be derived."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pagerag_pipeline.indexing.extract import extract_chunks
from pagerag_pipeline.indexing.govern import gate_units
from pagerag_pipeline.indexing.ontology import load_ontology
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.refresh.governing import govern
from pagerag_pipeline.schema.documents import chunk_id
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.schema.knowledge import Extraction
from pagerag_pipeline.settings import ExtractSettings, GovernSettings, StoreSettings
from pagerag_pipeline.stores import knowledge, layout, rows
from pagerag_pipeline.stores.tables import Tables, open_tables

RULES = ExtractSettings(tagger="rules")
_INTO = "INSERT INTO {table} VALUES ({marks})"


def empty_work(folder: Path) -> Tables:
    """An open work file with all its tables and views."""
    tables = open_tables(folder / "work.duckdb", StoreSettings())
    for name in layout.LEDGERS:
        tables.execute(layout.LEDGER.format(name=name))
    tables.execute(layout.WORK)
    for name, columns in layout.CORPUS.items():
        tables.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    tables.execute(layout.LIVE)
    return tables


def put(tables: Tables, table: str, values: Sequence[tuple[object, ...]]) -> None:
    """Append rows."""
    for one in values:
        tables.execute(_INTO.format(table=table, marks=", ".join("?" * len(one))), one)


def add_chunks(tables: Tables, document: str, texts: Sequence[str], extractions: Sequence[Extraction]) -> None:
    """Bind a document with these chunks, what was extracted from them, and what the gates make of it."""
    key = f"cuts of {document}"
    put(tables, "ledger_chunks", [(document, key, "", "", "ok", "", 1, 0.0, "")])
    for ordinal, (text, extraction) in enumerate(zip(texts, extractions, strict=True)):
        content = content_id(text)
        occurrence = list(texts[:ordinal]).count(text)
        put(tables, "cuts", [(key, "chunk", ordinal, -1, 0, len(text), 0, "", content, content, 1, occurrence, None)])
        unit = chunk_id(document, "chunk", content, occurrence)
        put(tables, "ledger_entity_records", [(unit, content, "", "", "ok", "", 1, 0.0, "")])
        put(tables, "ledger_unit_gates", [(unit, content, "", "", "ok", "", 1, 0.0, "")])
        if not tables.rows("SELECT 1 FROM sentences WHERE key = ? UNION ALL SELECT 1 FROM contents WHERE content_id = ?", [content, content]):
            gated = gate_units(text, extraction.units, ontology=load_ontology(), settings=GovernSettings())
            put(tables, "contents", [(content, text)])
            for table, values in {**rows.extraction_rows(content, extraction), **rows.gate_rows(content, gated)}.items():
                put(tables, table, values)


def extracted(texts: Sequence[str], settings: ExtractSettings = RULES) -> list[Extraction]:
    """Extractions of English texts, by rules unless said otherwise."""
    return extract_chunks(texts, load_tagger(settings), language="en", mode="mixed")


def derive(tables: Tables, overrides: str = "") -> None:
    """Both graphs, from what is alive."""
    knowledge.assemble(tables)
    govern(tables, overrides, GovernSettings())


def graph_of(folder: Path, documents: Mapping[str, Sequence[str]], overrides: str = "", settings: ExtractSettings = RULES) -> Tables:
    """An open work file with both graphs of some documents, each a list of chunk texts."""
    tables = empty_work(folder)
    for document, texts in documents.items():
        add_chunks(tables, document, texts, extracted(texts, settings))
    derive(tables, overrides)
    return tables


def edge_names(tables: Tables) -> set[tuple[str, str, str]]:
    """(head name, predicate, tail name) of every governed edge."""
    return set(
        tables.rows(
            "SELECT h.name, e.predicate, t.name FROM edges e JOIN nodes h ON h.entity_id = e.head JOIN nodes t ON t.entity_id = e.tail"
        )
    )
