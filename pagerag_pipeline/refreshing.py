"""`pagerag refresh` and `pagerag estimate`: a run of the job with what was asked for, and what a run would spend on chat models."""

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagerag_pipeline.settings_file import CEILINGS, load_settings, with_ceilings

if TYPE_CHECKING:
    from pagerag_pipeline.defs.runs import RefreshRun


def run_refresh_job(home: Path, given: argparse.Namespace) -> "RefreshRun":
    """Run the Dagster job `refresh_corpus` in this process, in the instance that the UI shows.

    Raises Held at once when that is certain, and SettingsError for ceilings that cannot be meant.
    """
    from pagerag_pipeline.stores.locks import Held, holder, read_progress
    from pagerag_pipeline.terminal import progress_shown

    ceilings = {name: getattr(given, name) for name in CEILINGS if getattr(given, name) is not None}
    with_ceilings(load_settings(home), **ceilings)
    busy = None if given.wait else holder(home)
    if busy is not None:
        raise Held(home, busy)
    import warnings

    warnings.simplefilter("ignore")  # Dagster tells of its beta features at every start
    from pagerag_pipeline.definitions import house
    from pagerag_pipeline.defs.instance import open_instance
    from pagerag_pipeline.defs.jobs import REFRESH_JOB
    from pagerag_pipeline.defs.runs import run_refresh

    resources = {"refresh": {"home": str(home), "force": given.force, "wait": given.wait, **ceilings}}
    with open_instance(home) as instance, progress_shown(lambda: read_progress(home), sys.stderr):
        return run_refresh(house(home).resolve_job_def(REFRESH_JOB), instance, resources)


def table_of(run: "RefreshRun") -> dict[str, Any]:
    """What came of a run, as `refresh --json` prints it."""
    told = {"kind": run.kind, "error": run.error} if run.error else {}
    return {
        "status": run.status,
        "unchanged": run.unchanged,
        "generation": run.generation,
        "published": run.published,
        "products": [asdict(report) for report in run.reports],
        "skipped": [entry for report in run.reports for entry in report.details.get("skipped", [])],
        "run_id": run.run_id,
        **told,
    }


def estimated(home: Path, corpus: str | None) -> tuple[dict[str, Any], str]:
    """What a refresh would spend on chat models, as a value and in words; nothing is asked or written. Raises as `refresh --dry-run` does."""
    from pagerag_pipeline.refresh.estimating import estimate
    from pagerag_pipeline.refresh.starting import checked

    found = estimate(home, checked(home, corpus, write=False))
    return found, estimate_text(found)


def estimate_text(found: dict[str, Any]) -> str:
    """An estimate, a line a stage."""
    from pagerag_pipeline.terminal import aligned

    if not found["stages"]:
        return "Nothing is asked of a chat model: none is set, or [build] leaves it to questions (ask = false) or switches off all that it could make."
    rows: list[tuple[str, ...]] = [("stage", "model", "units", "calls", "tokens read", "tokens written", "dollars", "from")]
    unpriced = found["unpriced"]
    rows += [_row(one["stage"], one["model"], one, priced=one["model"] not in unpriced) for one in found["stages"]]
    priced = any(one["model"] not in unpriced for one in found["stages"])
    rows.append(_row("in all", "", {**found["total"], "known": ""}, priced=priced))
    notes = [f"No price is set for {', '.join(unpriced)}, so its dollars are not counted: name it in [[chat.prices]] of pagerag.toml."] if unpriced else []
    return "\n".join([*aligned(rows), *notes, *found["notes"]])


def _row(stage: str, model: str, one: dict[str, Any], *, priced: bool) -> tuple[str, ...]:
    source = one["known"] if isinstance(one["known"], str) else "earlier runs" if one["known"] else "sizes"
    ranges = [f"{one[name][0]:,} to {one[name][1]:,}" for name in ("calls", "prompt_tokens", "completion_tokens")]
    dollars = f"{one['usd'][0]:,.4f} to {one['usd'][1]:,.4f}" if priced else "no price"
    return (stage, model, f"{one['units']:,}", *ranges, dollars, source)
