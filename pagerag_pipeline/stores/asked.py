"""What a ledger wants and its tasks hold where a chat model computes it, and what that cost: statements beside those of `wanted`.

A model is also told where a text stands, so that the context is part of what a unit reads.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.stores import description_rows, entity_rows, tree_rows
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline.stores.wanted import PAYLOAD, WANTED

ASKED_WANTED = {
    "document_profiles": WANTED["document_profiles"],
    "entity_records": """
        SELECT c.chunk_id AS unit, concat_ws(':', c.content_id, p.language, s.mode, sha256(c.context)) AS input, c.end_at - c.start_at AS weight,
               c.content_id, p.language, s.mode, c.context, c.document
        FROM live_chunks c JOIN live_profiles p USING (document)
        JOIN live_sections s ON s.document = c.document AND s.ordinal = c.section
        WHERE c.kind = 'chunk'
    """,
    "entity_passages": """
        SELECT c.chunk_id AS unit, concat_ws(':', c.content_id, x.output, sha256(c.context)) AS input, c.end_at - c.start_at AS weight, c.content_id,
               x.key AS extraction, c.context, c.document
        FROM live_extractions x JOIN live_chunks c USING (chunk_id) WHERE c.kind = 'chunk'
    """,
    "passage_records": """
        SELECT c.chunk_id AS unit, concat_ws(':', c.content_id, l.output, sha256(c.context)) AS input, c.end_at - c.start_at AS weight, c.content_id,
               l.key AS cuts, c.context, c.document
        FROM ledger_entity_passages l JOIN live_chunks c ON c.chunk_id = l.unit WHERE c.kind = 'chunk' AND l.status = 'ok'
    """,
    "descriptions": description_rows.WANTED,
}
"""The other ledgers want the same as without a model."""

_CONTEXT = "SELECT p.*, t.context, t.document FROM ({payload}) p JOIN todo t USING (key)"

ASKED_PAYLOAD = {
    "document_profiles": f"SELECT p.*, t.unit AS document FROM ({PAYLOAD['document_profiles']}) p JOIN todo t USING (key)",
    "entity_records": _CONTEXT.format(payload=PAYLOAD["entity_records"]),
    "entity_passages": _CONTEXT.format(payload=entity_rows.PAYLOAD["entity_passages"]),
    "passage_records": """
        SELECT t.batch, t.key, c.text, t.context, t.document,
               (SELECT list({start: e.start_at, "end": e.end_at, tokens: e.tokens, entity: e.entity, entity_type: e.entity_type} ORDER BY e.ordinal)
                FROM entity_cuts e WHERE e.key = t.cuts) AS passages
        FROM todo t JOIN contents c ON c.content_id = t.content_id
    """,
    "summaries": f"SELECT p.*, s.said, t.document FROM ({PAYLOAD['summaries']}) p JOIN todo t USING (key) JOIN ({tree_rows.SAID}) s USING (key)",
    "descriptions": description_rows.PAYLOAD,
    "reports": f"SELECT p.*, '' AS document FROM ({PAYLOAD['reports']}) p",
}

Cost = tuple[str, str, Spent]
"""Prompt, model, and what was spent on them for a unit."""

_SPENT = "sum(calls)::BIGINT, sum(prompt_tokens)::BIGINT, sum(completion_tokens)::BIGINT, sum(cached_tokens)::BIGINT, sum(estimated_calls)::BIGINT, sum(usd)"


def spending_rows(key: str, place: tuple[str, str, str], costs: Sequence[Cost], *, kept: bool) -> list[tuple[Any, ...]]:
    """The `spending` rows of one unit; `place` is run, ledger and document."""
    return [
        (key, *place, prompt, model, kept, s.calls, s.prompt_tokens, s.completion_tokens, s.cached_tokens, s.estimated_calls, s.usd)
        for prompt, model, s in costs
    ]


def note_spending(tables: Tables, rows: Sequence[tuple[Any, ...]]) -> None:
    """Add rows to `spending` by themselves."""
    if rows:
        tables.insert("spending", pl.DataFrame(list(rows), schema=tables.frame("SELECT * FROM spending LIMIT 0").schema, orient="row"))


def spent_in_run(tables: Tables, run: str, ledgers: Sequence[str], column: str) -> list[tuple[str, Spent]]:
    """What a run spent on some ledgers, by `ledger`, `prompt` or `document`, dearest first."""
    rows = tables.rows(
        f"SELECT {column}, {_SPENT} FROM spending WHERE run = ? AND ledger IN (SELECT unnest(?::VARCHAR[])) GROUP BY {column} "
        f"ORDER BY sum(prompt_tokens + completion_tokens) DESC, {column}",
        [run, list(ledgers)],
    )
    return [(str(name), Spent(*counts)) for name, *counts in rows]


def means(tables: Tables, model: str) -> dict[str, tuple[int, float, float, float]]:
    """Per ledger that a model was asked for: units, and calls, prompt tokens and reply tokens of one, over all runs that are remembered."""
    rows = tables.rows(
        """
        SELECT ledger, count(DISTINCT (key, run)), sum(calls), sum(prompt_tokens), sum(completion_tokens)
        FROM spending WHERE model = ? GROUP BY ledger ORDER BY ledger
        """,
        [model],
    )
    return {str(name): (int(n), float(calls) / n, float(read) / n, float(written) / n) for name, n, calls, read, written in rows}


def todo_size(tables: Tables) -> tuple[int, int]:
    """Units that are staged as work last, and the characters that they weigh."""
    units, weight = tables.rows("SELECT count(*), coalesce(sum(weight), 0)::BIGINT FROM todo")[0]
    return int(units), int(weight)


def open_size(tables: Tables, name: str) -> tuple[int, int]:
    """Units wanted of a ledger that no memory holds, equal ones once, and the characters that they weigh."""
    open_units = f"(SELECT DISTINCT ON (key) * FROM wanted_{name} ORDER BY key, unit) w ANTI JOIN memory_{name} m USING (key)"
    units, weight = tables.rows(f"SELECT count(*), coalesce(sum(weight), 0)::BIGINT FROM {open_units}")[0]
    return int(units), int(weight)


def mean_chunk(tables: Tables) -> float:
    """Characters of a chunk, on average; those that a child of a summary is said to have where there is none yet."""
    return float(tables.rows("SELECT coalesce(avg(end_at - start_at), ?) FROM live_chunks WHERE kind = 'chunk'", [tree_rows.CHILD])[0][0])


def is_known_content(tables: Tables, content_id: str) -> bool:
    """Whether a text was read before."""
    return bool(tables.rows("SELECT 1 FROM contents WHERE content_id = ? LIMIT 1", [content_id]))


def uncut_documents(tables: Tables) -> list[int]:
    """Characters of each document that was read and not cut yet."""
    cut = "(SELECT unit AS document FROM ledger_chunks)"
    return [int(row[0]) for row in tables.rows(f"SELECT characters FROM live_documents d ANTI JOIN {cut} c USING (document) ORDER BY document")]


def bound_since(tables: Tables, name: str, generation: str) -> int:
    """Units of a ledger that were bound for a later generation than one; names of generations sort by time."""
    return int(tables.rows(f"SELECT count(*) FROM ledger_{name} WHERE status = 'ok' AND generation > ?", [generation])[0][0])


def known_profile(tables: Tables, reading: str) -> str:
    """What a model said of the same excerpts before, as JSON; empty when it was not asked."""
    found = tables.rows("SELECT reply FROM profile_replies WHERE reading = ? ORDER BY key LIMIT 1", [reading])
    return str(found[0][0]) if found else ""
