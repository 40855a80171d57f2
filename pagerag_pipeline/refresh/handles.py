"""Handles of records and nodes with their vectors: listed anew when records or the graph moved, embedded only where the words are new."""

from pagerag_pipeline.refresh import codes, given
from pagerag_pipeline.refresh.corpus_wide import derive
from pagerag_pipeline.refresh.ledger import Counts, check_failures
from pagerag_pipeline.refresh.ledger import bring_up_to_date as bring_ledger
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.stores import handles

LEDGER = "handle_embeddings"


def bring_up_to_date(session: Session) -> Counts:
    """Bring handles and their vectors to the state of the records and the governed graph."""
    derive(
        session, handles.NAME, given=given.handles(session), tables=handles.TABLES, make=lambda: handles.write_handles(session.tables)
    )
    embedded = bring_ledger(session, LEDGER, codes.ledger_code(LEDGER, session.settings))
    check_failures(session, LEDGER, embedded.units)
    return embedded


def counts(session: Session) -> dict[str, int]:
    """Handles by kind."""
    return handles.counts(session.tables)
