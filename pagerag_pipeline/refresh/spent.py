"""What a product's calls to a chat model cost, beside what they were expected to, as its report tells it."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from pagerag_pipeline.refresh.asked import ASKED, is_asked
from pagerag_pipeline.refresh.codes import PARTS
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.stores.asked import spent_in_run

SHOWN = 20
"""Documents that are told with what they cost, dearest first; the rest stands in one line."""
EMBEDDING = ("chunk_embeddings", "handle_embeddings", "report_embeddings", "summary_embeddings")
"""Ledgers whose units are vectors."""


def accounted(function: Callable[[Session], ProductReport]) -> Callable[[Session], ProductReport]:
    """The product function, its report with `chat` in the details where a chat model computes a part of the product.

    `chat` holds calls, tokens and dollars of this run in all and by stage (a ledger), prompt and document, and by stage what was expected before
    the first call, with `ratio`, the tokens spent over the middle of those expected. `embedding` holds what an embeddings server was asked, where one is.
    """

    @functools.wraps(function)
    def told(session: Session) -> ProductReport:
        report = function(session)
        ledgers = (report.product, *PARTS.get(report.product, ()))
        names = [name for name in ledgers if name in ASKED and is_asked(name, session.settings)]
        embedding = embedding_total(session, [name for name in ledgers if name in EMBEDDING])
        more = {**({"chat": _spent(session, names)} if names else {}), **({"embedding": embedding} if embedding else {})}
        return replace(report, details={**report.details, **more}) if more else report

    return told


def run_total(session: Session) -> dict[str, Any]:
    """What the run spent so far, probes of servers included; empty where no server is set."""
    return _figures(session.chat.spending.total()) if session.settings.chat.on and session.chat else {}


def embedding_total(session: Session, ledgers: Sequence[str] = EMBEDDING) -> dict[str, Any]:
    """What a run spent so far on vectors of a server, but for the calls that recognize its model; empty where it asked for none."""
    spent = sum((one for _, one in spent_in_run(session.tables, session.run, ledgers, "ledger")), Spent()) if ledgers else Spent()
    return _figures(spent) if spent.calls else {}


def _spent(session: Session, names: list[str]) -> dict[str, Any]:
    by_stage = dict(spent_in_run(session.tables, session.run, names, "ledger"))
    documents = spent_in_run(session.tables, session.run, names, "document")
    shown = {name or "(the corpus)": _figures(spent) for name, spent in documents[:SHOWN]}
    rest = documents[SHOWN:]
    more = {f"({len(rest)} more)": _figures(sum((spent for _, spent in rest), Spent()))} if rest else {}
    return {
        **_figures(sum(by_stage.values(), Spent())),
        "stages": {name: _stage(session, name, by_stage.get(name, Spent())) for name in names},
        "prompts": {name: _figures(spent) for name, spent in spent_in_run(session.tables, session.run, names, "prompt")},
        "documents": {**shown, **more},
    }


def _stage(session: Session, name: str, spent: Spent) -> dict[str, Any]:
    expected = session.expected.get(name)
    figures = _figures(spent)
    if expected is None:
        return {**figures, "expected": None, "ratio": None}
    middle = (sum(expected.prompt_tokens) + sum(expected.completion_tokens)) / 2
    return {**figures, "expected": asdict(expected), "ratio": round(figures["tokens"] / middle, 4) if middle else None}


def _figures(spent: Spent) -> dict[str, Any]:
    tokens = spent.prompt_tokens + spent.completion_tokens
    return {**asdict(spent), "usd": round(spent.usd, 6), "tokens": tokens}
