"""A look at the work file of a home that leaves no trace: read-only, and an empty one elsewhere where there is none."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import layout, locks, work
from pagerag_pipeline.stores.tables import Tables, open_tables

_TRIED = {
    "files": "SELECT * FROM main.files",
    "parsed": "SELECT * REPLACE ('' AS metadata, '' AS blocks) FROM main.parsed",
}
"""Tables that a look tries changes on: copies of its own stand before those of the file."""


@contextmanager
def work_looked_at(home: Path, settings: StoreSettings) -> Iterator[Tables]:
    """The work file of a home as no refresh is changing it; what is tried on it is lost. Raises locks.Held and as `work.open_work` does."""
    path = home / work.WORK_FILE
    if not path.exists():
        with tempfile.TemporaryDirectory() as folder, work.open_work(Path(folder), settings) as tables:
            yield tables
        return
    with locks.kept_still(home), open_tables(path, settings, read_only=True) as tables:
        work.laid_out(tables, path)
        for name, rows in _TRIED.items():
            tables.execute(f"CREATE TEMP TABLE {name} AS {rows}")
        _add_later_ledgers(tables)
        yield tables


def _add_later_ledgers(tables: Tables) -> None:
    """Lay out, for this look alone, the ledgers that the next refresh will add to a file that was laid out before they were known."""
    known = {name for (name,) in tables.rows("SELECT table_name FROM information_schema.tables")}
    for name in layout.LEDGERS:
        if f"ledger_{name}" not in known:
            tables.execute(layout.LEDGER.format(name=name).replace("CREATE TABLE IF NOT EXISTS", "CREATE TEMP TABLE"))
