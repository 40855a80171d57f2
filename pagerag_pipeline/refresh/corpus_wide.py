"""How a corpus-wide product is kept fresh: skipped while what it reads did not move, else derived again in full, in one transaction."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.stores import work


class Derived(NamedTuple):
    """State of a corpus-wide product; `fresh` tells whether it was derived now."""

    digest: str
    rows: int
    fresh: bool


def derive(session: Session, product: str, *, given: str, tables: Sequence[str], make: Callable[[], None]) -> Derived:
    """Bring corpus-wide tables to the state that the digest `given` of all their inputs and code asks for."""
    state = work.product_state(session.tables, product)
    if state is not None and state[0] == given:
        return Derived(state[1], state[2], False)
    session.progress(product, 0, 1)
    with session.tables.transaction():
        work.clear_tables(session.tables, tables)
        make()
        found, rows = work.table_state(session.tables, tables)
        work.save_state(session.tables, product, given=given, digest=found, rows=rows)
    session.progress(product, 1, 1)
    return Derived(found, rows, True)
