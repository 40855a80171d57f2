"""What each corpus-wide product reads, as one digest: the states of its inputs and its code version."""

from collections.abc import Callable

from pagerag_pipeline.refresh.codes import ledger_code
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema import digest
from pagerag_pipeline.stores import work

OVERRIDES_FILE = "governance.toml"


def overrides_text(session: Session) -> str:
    """The governance overrides of the home as written by people; empty when there are none."""
    path = session.home / OVERRIDES_FILE
    return path.read_text(encoding="utf-8-sig") if path.exists() else ""


def raw_graph(session: Session) -> str:
    """The raw graph reads the live extractions and where their chunks stand."""
    return _given(session, "raw_graph", ledgers=("chunks", "entity_records"))


def governed_graph(session: Session) -> str:
    """The governed graph reads the raw graph, the gates of units and the overrides."""
    state = _state(session, "raw_graph")
    return digest(_given(session, "governed_graph", ledgers=("chunks", "unit_gates", "entity_records")), state, overrides_text(session))


def communities(session: Session) -> str:
    """Communities read the governed graph."""
    return digest(_given(session, "communities"), _state(session, "governed_graph"))


def reports(session: Session) -> str:
    """Reports read communities of some size, the evidence of their members and the chunks it stands in."""
    smallest = session.settings.cluster.min_report
    return digest(_given(session, "reports", ledgers=("chunks",)), _state(session, "communities"), _state(session, "governed_graph"), smallest)


def summary_tree(session: Session) -> str:
    """The tree reads the chunks, and the sentences found in them."""
    return digest(_given(session, "summary_tree", ledgers=("chunks", "entity_records")), ledger_code("summaries", session.settings))


GIVEN: dict[str, Callable[[Session], str]] = {
    "raw_graph": raw_graph,
    "governed_graph": governed_graph,
    "communities": communities,
    "reports": reports,
    "summary_tree": summary_tree,
}


def out_of_step(session: Session) -> list[str]:
    """Corpus-wide products that were derived from other inputs than those alive now."""
    return [name for name, given in GIVEN.items() if (work.product_state(session.tables, name) or ("",))[0] != given(session)]


def _given(session: Session, product: str, *, ledgers: tuple[str, ...] = ()) -> str:
    states = (work.ledger_state(session.tables, name)[0] for name in ledgers)
    return digest(product, ledger_code(product, session.settings), *states)


def _state(session: Session, product: str) -> str:
    state = work.product_state(session.tables, product)
    return state[1] if state else ""
