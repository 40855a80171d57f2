"""What the product `entity_records` keeps beneath the reading of chunks: records of their table rows, and passages around one main entity."""

import time
from dataclasses import replace

from pagerag_pipeline.refresh import codes
from pagerag_pipeline.refresh.asking_units import SILENT
from pagerag_pipeline.refresh.ledger import bring_up_to_date, check_failures
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.stores import entity_rows, work
from pagerag_pipeline.stores.tables import Tables

NAME = "entity_records"
_SILENT_SHARE = 0.2
"""Share of the texts in which a model may read nothing (chosen)."""


def state(tables: Tables) -> tuple[str, int]:
    """Digest of the product with all that it keeps beneath it, and the number of chunks read."""
    head, units = work.ledger_state(tables, NAME)
    return digest(head, *(work.ledger_state(tables, part)[0] for part in entity_rows.LEDGERS)), units


def with_parts(session: Session, report: ProductReport) -> ProductReport:
    """The report of the reading, after the parts beneath it were brought up to date as well.

    All have chunks as units, so one that was computed in several counts once. Details: `passages`, and `left_out`: rows and records that gave
    nothing, by reason.
    """
    begun = time.perf_counter()
    counts = {part: bring_up_to_date(session, part, codes.ledger_code(part, session.settings, session.ontology)) for part in entity_rows.LEDGERS}
    failed = [pair for part, count in counts.items() for pair in check_failures(session, part, count.units)]
    left_out = entity_rows.tallies(session.tables)
    computed = max(report.computed, *(count.computed for count in counts.values()))
    return replace(
        report,
        digest=state(session.tables)[0],
        rows=work.product_rows(session.tables, NAME),
        computed=computed,
        reused=report.reused + report.computed - computed,
        failed=report.failed + len(failed),
        seconds=report.seconds + time.perf_counter() - begun,
        details={
            **report.details,
            "failures": [*report.details["failures"], *map(list, failed)],
            "passages": entity_rows.passage_count(session.tables),
            "left_out": left_out,
            **_warned(left_out.get(SILENT, 0), report.units),
        },
    )


def _warned(silent: int, units: int) -> dict[str, list[str]]:
    """A warning where a model read nothing in many texts: a reader that finds nothing has failed, not succeeded."""
    if silent <= _SILENT_SHARE * units:
        return {}
    return {"warnings": [f"the chat model read nothing in {silent} of {units} texts: look at what it replies, or set another extract_model"]}
