"""What is published, opened to be looked at: the tables of the current generation, held while one looks. Needs neither models nor the work file."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.tables import Tables, open_tables


class NoIndex(RuntimeError):
    """Nothing has been published in this home yet."""


@contextlib.contextmanager
def opened(home: Path, settings: Settings, *, needs: str = "") -> Iterator[tuple[Tables, str]]:
    """The tables of the current generation, read-only, and its name, which stays readable while the block runs.

    `needs` is a query that has a row where the generation keeps what is to be shown. Raises NoIndex, and GenerationError where it has none.
    """
    generation = generations.current_name(home)
    if generation is None:
        raise NoIndex(f"Nothing is published in {home} yet: run a refresh first.")
    with (
        generations.lease(home, generation) as folder,
        open_tables(folder / generations.TABLES_FILE, settings.store, read_only=True) as tables,
    ):
        if needs and not tables.rows(needs):
            raise generations.GenerationError(f"Generation {generation} was written by an earlier version, which kept no such story: refresh.")
        yield tables, generation
