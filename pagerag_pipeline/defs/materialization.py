"""How a product's report is told to Dagster, and read back from a run's events."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

from pagerag_pipeline.defs.picture import shape_picture, shape_table
from pagerag_pipeline.refresh.report import ProductReport

LISTED = 1000
"""Entries of a list in the details that an event keeps at most; the whole count stands beside it."""

SHAPE = ("graph", "removed")
"""Details that are told as a picture and tables of their own."""

COUNTS = ("rows", "units", "computed", "reused", "failed", "added", "changed", "deleted", "seconds")


def metadata_of(report: ProductReport) -> dict[str, Any]:
    """Metadata of a materialization: numbers that the UI plots over time, and a table to look at."""
    details = report.details
    shape = {"shape": dg.MetadataValue.md(_shape(details["graph"], details["removed"]))} if all(name in details for name in SHAPE) else {}
    return {
        **shape,
        "dagster/row_count": report.rows,
        "documents_added": report.added,
        "documents_changed": report.changed,
        "documents_deleted": report.deleted,
        "units": report.units,
        "rows_computed": report.computed,
        "rows_reused": report.reused,
        "units_failed": report.failed,
        "calls": details.get("chat", {}).get("calls", 0),
        "tokens": details.get("chat", {}).get("tokens", 0),
        "usd": details.get("chat", {}).get("usd", 0.0),
        "seconds": round(report.seconds, 3),
        "digest": report.digest,
        "summary": dg.MetadataValue.md(_table(report)),
        "details": dg.MetadataValue.json(_shortened(details)),
    }


def report_from(metadata: Mapping[str, dg.MetadataValue[Any]], product: str) -> ProductReport:
    """The report that `metadata_of` told, with lists in the details as far as the event keeps them."""
    value = {name: entry.value for name, entry in metadata.items()}
    return ProductReport(
        product=product,
        digest=value["digest"],
        rows=value["dagster/row_count"],
        units=value["units"],
        computed=value["rows_computed"],
        reused=value["rows_reused"],
        failed=value["units_failed"],
        seconds=value["seconds"],
        added=value["documents_added"],
        changed=value["documents_changed"],
        deleted=value["documents_deleted"],
        details=value["details"],
    )


def _shape(graph: Mapping[str, Mapping[str, float]], removed: Sequence[Sequence[str | int]]) -> str:
    return f"{shape_picture(graph, removed)}\n\n{shape_table(graph, removed)}"


def _table(report: ProductReport) -> str:
    """Counts of the report and the plain numbers of its details, as a Markdown table."""
    counts = [(name, getattr(report, name)) for name in COUNTS]
    details = {name: value for name, value in report.details.items() if name not in (*SHAPE, "chat")}
    details |= _chat(report.details.get("chat", {}))
    plain = [(name, value) for name, value in details.items() if isinstance(value, int | float | str)]
    nested = [(f"{name}: {key}", value) for name, part in details.items() if isinstance(part, dict) for key, value in part.items()]
    rows = [f"| {name} | {_cell(value)} |" for name, value in [*counts, *plain, *nested]]
    listed = [f"| {name} | {len(part)} |" for name, part in details.items() if isinstance(part, list)]
    return "\n".join(["| | |", "| --- | --- |", *rows, *listed])


def _chat(spent: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What was spent by stage, prompt and document, a line each; by stage with what was expected."""
    told: dict[str, dict[str, str]] = {}
    for kind in ("stages", "prompts", "documents"):
        for name, one in spent.get(kind, {}).items():
            expected = one.get("expected")
            before = f"; expected {expected['calls'][0]:,} to {expected['calls'][1]:,} calls" if expected else ""
            told.setdefault(f"chat {kind}", {})[name] = f"{one['calls']:,} calls, {one['tokens']:,} tokens, {one['usd']:.4f} dollars{before}"
    return told


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.2f}" if isinstance(value, float) else str(value).replace("|", "\\|")


def _shortened(details: Mapping[str, Any]) -> dict[str, Any]:
    shortened: dict[str, Any] = {}
    for name, value in details.items():
        shortened[name] = value[:LISTED] if isinstance(value, list) else value
        if isinstance(value, list) and len(value) > LISTED:
            shortened[f"{name}_count"] = len(value)
    return shortened
