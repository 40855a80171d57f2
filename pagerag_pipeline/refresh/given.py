"""What each corpus-wide product reads, as one digest: the states of its inputs and its code version."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from pagerag_pipeline.refresh.codes import ledger_code
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.stores import work
from pagerag_pipeline.stores.governance import governance_text
from pagerag_pipeline.stores.tables import Tables


class Standing(Protocol):
    """What the state of a home is read from: a session, or a look at it (`preview`)."""

    @property
    def home(self) -> Path:
        """The home."""

    @property
    def settings(self) -> Settings:
        """Its settings."""

    @property
    def ontology(self) -> str:
        """Its ontology as people wrote it."""

    @property
    def tables(self) -> Tables:
        """Its open work file."""


def raw_graph(session: Standing) -> str:
    """The raw graph reads the live extractions and where their chunks stand."""
    return _given(session, "raw_graph", ledgers=("chunks", "entity_records"))


def governed_graph(session: Standing) -> str:
    """The governed graph reads the raw graph, the gates of units and the overrides."""
    state = _state(session, "raw_graph")
    return digest(_given(session, "governed_graph", ledgers=("chunks", "unit_gates", "entity_records")), state, governance_text(session.home))


def handles(session: Standing) -> str:
    """Handles are the words of the live records and of the governed graph."""
    return digest(_given(session, "handles", ledgers=("chunks", "entity_records", "row_records", "passage_records")), _state(session, "governed_graph"))


def graph_shape(session: Standing) -> str:
    """The shape reads both graphs, and where the raw one's statements come from."""
    return digest(_given(session, "graph_shape"), _state(session, "raw_graph"), _state(session, "governed_graph"))


def communities(session: Standing) -> str:
    """Communities read the governed graph."""
    return digest(_given(session, "communities"), _state(session, "governed_graph"))


def reports(session: Standing) -> str:
    """Reports read communities of some size, the evidence of their members and the chunks it stands in; and which of them could be made."""
    smallest = session.settings.cluster.min_report
    return digest(_given(session, "reports", ledgers=("chunks", "reports")), _state(session, "communities"), _state(session, "governed_graph"), smallest)


def summary_tree(session: Standing) -> str:
    """The tree reads the chunks, and the sentences found in them; and which summaries could be made."""
    return digest(_given(session, "summary_tree", ledgers=("chunks", "entity_records", "summaries")), ledger_code("summaries", session.settings))


GIVEN: dict[str, Callable[[Standing], str]] = {
    "raw_graph": raw_graph,
    "governed_graph": governed_graph,
    "handles": handles,
    "graph_shape": graph_shape,
    "communities": communities,
    "reports": reports,
    "summary_tree": summary_tree,
}


def out_of_step(session: Standing) -> list[str]:
    """Corpus-wide products that were derived from other inputs than those alive now."""
    return [name for name, given in GIVEN.items() if (work.product_state(session.tables, name) or ("",))[0] != given(session)]


def _given(session: Standing, product: str, *, ledgers: tuple[str, ...] = ()) -> str:
    states = (work.ledger_state(session.tables, name)[0] for name in ledgers)
    return digest(product, ledger_code(product, session.settings, session.ontology), *states)


def _state(session: Standing, product: str) -> str:
    state = work.product_state(session.tables, product)
    return state[1] if state else ""
