"""The driver's own file, `work.duckdb`: ledgers, content-keyed memory and the rows of products. The bookkeeping statements stand here.

One rule holds for every ledger: a unit is bound to the memo key of what it reads, the rows stand under that key, and whatever is not
bound is not alive. So a rename or a step back to old content binds again and computes nothing.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import corpus_tables, damaged, layout
from pagerag_pipeline.stores.tables import Tables, TablesError, TablesLocked, TablesVersion, open_tables

WORK_FILE = "work.duckdb"
_HELP = "The published generation still answers. Move the file away and refresh again: it is rebuilt from the corpus."


class WorkLayoutError(RuntimeError):
    """A work file that this program cannot go on with, damaged or of another layout version; the message says what to do."""


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What became of one memo key: rows by table name, or an error in words."""

    key: str
    output: str
    rows: dict[str, list[tuple[Any, ...]]]
    seconds: float = 0.0
    error: str = ""
    attempts: int = 1
    """How many attempts of `max_attempts` a failure counts for: none where the unit is not to blame."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What binding the wanted units changed before any work: units wanted, bound already, bound from memory, unbound because gone."""

    wanted: int
    unchanged: int
    remembered: int
    gone: int


def open_work(home: Path, settings: StoreSettings) -> Tables:
    """The work file of a home, made or checked. Raises WorkLayoutError when it is damaged or another version of this package laid it out."""
    path = home / WORK_FILE
    try:
        tables = open_tables(path, settings)
    except (TablesLocked, TablesVersion):
        raise
    except (TablesError, damaged.FileDamaged) as error:
        raise WorkLayoutError(f"{error} {_HELP}") from error
    try:
        _prepare(tables, path)
    except BaseException:
        tables.close()
        raise
    return tables


def laid_out(tables: Tables, path: Path) -> bool:
    """Whether an open work file was laid out before. Raises WorkLayoutError when another version of this package did it."""
    tables.damaged = lambda told: WorkLayoutError(f"{told} {_HELP}")
    known = tables.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = 'main'")
    version = tables.rows("SELECT value FROM meta WHERE name = 'work_version'") if ("meta",) in known else []
    if known and version != [(layout.WORK_VERSION,)]:
        raise WorkLayoutError(f"{path} has layout version {version[0][0] if version else 'none'}; this program needs {layout.WORK_VERSION}. {_HELP}")
    return bool(known)


def _prepare(tables: Tables, path: Path) -> None:
    known = laid_out(tables, path)
    with tables.transaction():
        for name in layout.LEDGERS:
            tables.execute(layout.LEDGER.format(name=name))
        tables.execute(layout.WORK)
        corpus_tables.lay_out(tables)
        tables.execute(layout.LIVE)
        if not known:
            tables.execute("INSERT INTO meta VALUES ('work_version', ?)", [layout.WORK_VERSION])


def stage_wanted(tables: Tables, name: str, code: str, wanted: str) -> None:
    """Lay out `wanted_<name>`: the columns of the query `wanted` (unit, input, weight, ...) and the memo key of code and input."""
    tables.execute(f"DROP TABLE IF EXISTS wanted_{name}")
    tables.execute(f"CREATE TEMP TABLE wanted_{name} AS SELECT sha256(? || ':' || input)[:32] AS key, * FROM ({wanted})", [code])


def memo_key(code: str, given: str) -> str:
    """Memo key of a unit that reads `given` under a code version; the same formula stands in SQL in `stage_wanted`."""
    return hashlib.sha256(f"{code}:{given}".encode()).hexdigest()[:32]


def settle(tables: Tables, name: str, code: str, generation: str) -> Settled:
    """Unbind what is gone or reads something else now, bind what the memory holds; what is left is work. One transaction."""
    tables.ledger_states.pop(name, None)
    ledger, wanted, memory = f"ledger_{name}", f"wanted_{name}", f"memory_{name}"
    with tables.transaction():
        count = _count(tables, f"SELECT count(*) FROM {wanted}")
        gone = _count(tables, f"SELECT count(*) FROM {ledger} l ANTI JOIN {wanted} w USING (unit)")
        stale = _count(tables, f"SELECT count(*) FROM {ledger} l ANTI JOIN {wanted} w USING (unit, key)")
        if stale:
            tables.execute(f"DELETE FROM {ledger} WHERE (unit, key) NOT IN (SELECT (unit, key) FROM {wanted})")
        unchanged = _count(tables, f"SELECT count(*) FROM {ledger} WHERE status = 'ok'")
        bind = f"""
            INSERT INTO {ledger}
            SELECT w.unit, w.key, ?, m.output, 'ok', '', 0, 0, ? FROM {wanted} w JOIN {memory} m USING (key)
            ANTI JOIN {ledger} l ON l.unit = w.unit
        """
        tables.execute(bind, [code, generation])
        bound = _count(tables, f"SELECT count(*) FROM {ledger} WHERE status = 'ok'")
    return Settled(count, unchanged, bound - unchanged, gone)


@dataclass(frozen=True, slots=True)
class Batching:
    """How much stands in one batch, and how often a failing unit is tried."""

    units: int
    weight: int
    attempts: int


def stage_todo(tables: Tables, name: str, payload: str, *, batching: Batching, where: str = "true") -> list[tuple[int, int]]:
    """Lay out `todo_<name>`: the payload of every memo key to compute, in batches of bounded units and weight.

    `payload` selects from `todo` (the columns of wanted, once per key, with `batch`); `where` narrows the wanted rows. Keys that failed
    `attempts` times are left alone. Returns (batch number, keys in it), in order.
    """
    for table in (f"todo_{name}", "todo"):
        tables.execute(f"DROP TABLE IF EXISTS {table}")
    tables.execute(
        f"""
        CREATE TEMP TABLE todo AS
        WITH open AS (
            SELECT w.* FROM (SELECT DISTINCT ON (key) * FROM wanted_{name} WHERE {where} ORDER BY key, unit) w
            ANTI JOIN memory_{name} m USING (key)
            ANTI JOIN (SELECT key FROM ledger_{name} WHERE status = 'failed' AND attempts >= ?) f USING (key)
        ), numbered AS (
            SELECT *, row_number() OVER ordered AS number, sum(weight) OVER ordered AS total FROM open
            WINDOW ordered AS (ORDER BY weight, key ROWS UNBOUNDED PRECEDING)
        )
        SELECT * EXCLUDE (number, total), dense_rank() OVER (ORDER BY (number - 1) // ?, CAST(total AS BIGINT) // ?) AS batch FROM numbered
        """,
        [batching.attempts, batching.units, batching.weight],
    )
    batches = tables.rows("SELECT batch, count(*) FROM todo GROUP BY batch ORDER BY batch")
    if batches:
        tables.execute(f"CREATE TEMP TABLE todo_{name} AS SELECT * FROM ({payload}) ORDER BY batch, key")
    return [(int(batch), int(count)) for batch, count in batches]


def todo_batch(tables: Tables, name: str, batch: int) -> list[dict[str, Any]]:
    """The payload rows of one batch."""
    return tables.frame(f"SELECT * FROM todo_{name} WHERE batch = ? ORDER BY key", [batch]).to_dicts()


def commit(tables: Tables, name: str, results: Sequence[UnitResult], *, code: str, generation: str) -> None:
    """Write a batch whole: rows, also those that a failure left, memory and ledger in one transaction. Rows of `texts` and `contents` are written once per id."""
    tables.ledger_states.pop(name, None)
    done, failed = ([r for r in results if bool(r.error) == wrong] for wrong in (False, True))
    rows: dict[str, list[tuple[Any, ...]]] = {}
    for table, some in (pair for result in results for pair in result.rows.items()):
        rows.setdefault(table, []).extend(some)
    with tables.transaction():
        for table in sorted(rows):
            _append(tables, table, rows[table])
        _remember(tables, name, done)
        _bind(tables, name, done, code=code, generation=generation)
        _bind_failures(tables, name, failed, code=code, generation=generation)


def _append(tables: Tables, table: str, rows: list[tuple[Any, ...]]) -> None:
    columns = tables.frame(f"SELECT * FROM {table} LIMIT 0")
    frame = pl.DataFrame(rows, schema=columns.schema, orient="row")
    identity = {"texts": "text_id", "contents": "content_id"}.get(table)
    if identity is None:
        tables.insert(table, frame)
        return
    with tables.staged("staged_rows", frame.unique(identity, keep="first", maintain_order=True)) as staged:
        tables.execute(f"INSERT INTO {table} SELECT s.* FROM {staged} s ANTI JOIN {table} t ON t.{identity} = s.{identity}")


def _remember(tables: Tables, name: str, done: Sequence[UnitResult]) -> None:
    schema = {"key": pl.String, "output": pl.String, "rows": pl.Int64, "seconds": pl.Float64}
    rows = [(r.key, r.output, sum(map(len, r.rows.values())), r.seconds) for r in done]
    tables.insert(f"memory_{name}", pl.DataFrame(rows, schema=schema, orient="row"))


def _bind(tables: Tables, name: str, done: Sequence[UnitResult], *, code: str, generation: str) -> None:
    frame = pl.DataFrame(
        [(r.key, r.output, r.seconds) for r in done], schema={"key": pl.String, "output": pl.String, "seconds": pl.Float64}, orient="row"
    )
    with tables.staged("staged_done", frame) as staged:
        tables.execute(f"DELETE FROM ledger_{name} WHERE key IN (SELECT key FROM {staged})")
        tables.execute(
            f"INSERT INTO ledger_{name} SELECT w.unit, w.key, ?, d.output, 'ok', '', 0, d.seconds, ? "
            f"FROM wanted_{name} w JOIN {staged} d USING (key)",
            [code, generation],
        )


def _bind_failures(tables: Tables, name: str, failed: Sequence[UnitResult], *, code: str, generation: str) -> None:
    if not failed:
        return
    frame = pl.DataFrame([(r.key, r.error, r.attempts) for r in failed], schema={"key": pl.String, "error": pl.String, "tries": pl.Int32}, orient="row")
    with tables.staged("staged_failed", frame) as staged:
        before = f"(SELECT key, max(attempts) AS attempts FROM ledger_{name} GROUP BY key)"
        tables.execute(
            f"CREATE OR REPLACE TEMP TABLE failing AS SELECT w.unit, w.key, ? AS code, '' AS output, 'failed' AS status, f.error, "
            f"coalesce(b.attempts, 0) + f.tries AS attempts, 0.0 AS seconds, ? AS generation "
            f"FROM wanted_{name} w JOIN {staged} f USING (key) LEFT JOIN {before} b USING (key)",
            [code, generation],
        )
    tables.execute(f"DELETE FROM ledger_{name} WHERE key IN (SELECT key FROM failing)")
    tables.execute(f"INSERT INTO ledger_{name} FROM failing")


def failures(tables: Tables, name: str) -> list[tuple[str, str]]:
    """Units whose last attempt failed, with the error, in order."""
    return tables.rows(f"SELECT unit, error FROM ledger_{name} WHERE status = 'failed' ORDER BY unit")  # type: ignore[return-value]


def other_codes(tables: Tables, name: str, code: str) -> int:
    """Units of a ledger that were bound under another code version."""
    return int(tables.rows(f"SELECT count(*) FROM ledger_{name} WHERE code <> ?", [code])[0][0])


def open_failures(tables: Tables, name: str, attempts: int) -> int:
    """Failed units of a ledger that a refresh would try again."""
    return int(tables.rows(f"SELECT count(*) FROM ledger_{name} WHERE status = 'failed' AND attempts < ?", [attempts])[0][0])


def ledger_state(tables: Tables, name: str) -> tuple[str, int]:
    """Digest over (unit, output, status) of a ledger whatever the order of its rows, and the number of bound units; found out once per change."""
    if name not in tables.ledger_states:
        tables.ledger_states[name] = _digest_of(tables, f"SELECT unit || ':' || output || ':' || status AS row FROM ledger_{name}")
    return tables.ledger_states[name]


def table_state(tables: Tables, names: Sequence[str]) -> tuple[str, int]:
    """Digest over all rows of corpus-wide tables whatever their order, and the number of rows of the first."""
    parts = [_digest_of(tables, f"SELECT CAST(t AS VARCHAR) AS row FROM {name} t") for name in names]
    joined = "".join(part for part, _ in parts)
    return tables.rows("SELECT sha256(?)[:32]", [joined])[0][0], parts[0][1]


def _digest_of(tables: Tables, query: str) -> tuple[str, int]:
    value, count = tables.rows(
        f"SELECT sha256(concat_ws(':', count(*), sum(md5_number_lower(row)::HUGEINT), sum(md5_number_upper(row)::HUGEINT)))[:32], count(*) "
        f"FROM ({query})"
    )[0]
    return value, int(count)


def _count(tables: Tables, sql: str) -> int:
    return int(tables.rows(sql)[0][0])


def product_state(tables: Tables, product: str) -> tuple[str, str, int] | None:
    """(input digest, digest, rows) that a corpus-wide product was last derived with, or None."""
    found = tables.rows("SELECT input, digest, rows FROM states WHERE product = ?", [product])
    return found[0] if found else None  # type: ignore[return-value]


def save_state(tables: Tables, product: str, *, given: str, digest: str, rows: int) -> None:
    """Note what a corpus-wide product was derived with; call it in the transaction that wrote the product."""
    tables.execute("DELETE FROM states WHERE product = ?", [product])
    tables.execute("INSERT INTO states VALUES (?, ?, ?, ?)", [product, given, digest, rows])


def clear_tables(tables: Tables, names: Sequence[str]) -> None:
    """Empty corpus-wide tables before they are derived again."""
    for name in names:
        tables.execute(f"DELETE FROM {name}")


def table_counts(tables: Tables, names: Sequence[str]) -> dict[str, int]:
    """Rows by table."""
    return {name: _count(tables, f"SELECT count(*) FROM {name}") for name in names}


_PRODUCT_ROWS = {
    "source_documents": "live_documents",
    "document_profiles": "live_profiles",
    "chunks": "live_chunks",
    "chunk_embeddings": "ledger_chunk_embeddings WHERE status = 'ok'",
    "entity_records": "live_records",
}


def product_rows(tables: Tables, product: str) -> int:
    """Live rows of a per-unit product's chief table."""
    return _count(tables, f"SELECT count(*) FROM {_PRODUCT_ROWS[product]}")
