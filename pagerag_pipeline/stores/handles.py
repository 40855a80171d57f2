"""Handles: what records and nodes may be called in a question, as words with a vector each: names of entities, types, and fields (EnSI-RAG, EN-10)."""

import polars as pl

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.stores.tables import Tables

VERSION = "handles/1"

NAME = "handles"
TABLES = ("handles",)

_TYPES = {
    "FAC": "building", "GPE": "place", "LOC": "place", "NORP": "people", "ORG": "organization", "PROPN": "name", "MISC": "name",
}  # fmt: skip
"""Types whose label is no word, in words."""

_ENTITIES = """
    SELECT entity AS name FROM live_records WHERE entity_type <> 'NOUN'
    UNION SELECT key FROM nodes
"""
_SUPPRESSED = "SELECT detail FROM decisions WHERE gate = 'override' AND act = 'suppress'"
_TYPED = "SELECT DISTINCT entity_type FROM live_records WHERE entity_type <> ''"
_FIELDS = "SELECT DISTINCT replace(field, 'inverse_of:', '') FROM live_records WHERE field <> ''"

WANTED = """
    SELECT embed_key AS unit, embed_key AS input, max(length(words)) AS weight, min(words) AS text FROM handles GROUP BY embed_key
"""
PAYLOAD = "SELECT batch, key, '' AS context, text FROM todo"


def write_handles(tables: Tables) -> None:
    """Fill `handles` from the live records and the governed graph; call it in a transaction, on an empty table.

    Kinds: `entity` (its name key; common nouns that are no node are left out: they are found by their words), `type` and `field`.
    """
    suppressed = {key for (key,) in tables.rows(_SUPPRESSED)}
    found = {("entity", key, key) for (name,) in tables.rows(_ENTITIES) if (key := name_key(name)) and key not in suppressed}
    found |= {("type", kind, said("type", kind)) for (kind,) in tables.rows(_TYPED)}
    found |= {("field", field, said("field", field)) for (field,) in tables.rows(_FIELDS)}
    rows = [(kind, handle, words, content_id(words)) for kind, handle, words in sorted(found) if words.strip()]
    schema = dict.fromkeys(("kind", "handle", "words", "embed_key"), pl.String)
    tables.insert("handles", pl.DataFrame(rows, schema=schema, orient="row"))


def counts(tables: Tables) -> dict[str, int]:
    """Handles by kind."""
    return {kind: int(number) for kind, number in tables.rows("SELECT kind, count(*) FROM handles GROUP BY kind ORDER BY kind")}


def said(kind: str, handle: str) -> str:
    """A handle in words, as its vector was made of them."""
    words = _TYPES.get(handle, handle) if kind == "type" else handle
    return words if kind == "entity" else " ".join(words.lower().replace("_", " ").split())
