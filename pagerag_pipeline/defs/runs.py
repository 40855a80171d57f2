"""Runs: started in this process and told as values, signed by the process that works at them, and ended when that process has died."""

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg

from pagerag_pipeline.defs.materialization import report_from
from pagerag_pipeline.refresh.asking import CeilingReached
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.starting import CorpusGuard
from pagerag_pipeline.settings_file import home_folder
from pagerag_pipeline.stores.generations import standing_name
from pagerag_pipeline.stores.layout import PRODUCTS
from pagerag_pipeline.stores.locks import process_identity

LOCATION = "pagerag_pipeline.definitions"

SKIPPED_TAG = "pagerag/skipped"
"""On a run that found the home held by another: by whom."""
PROCESS_TAG = "pagerag/process"
"""On a run of a refresh: `host|pid|identity` of the process that works at it."""

_STATUS = {CorpusGuard.__name__: "refused", CeilingReached.__name__: "stopped"}
_ENDED = {"refused": "was refused", "stopped": "stopped at its ceiling"}
_SILENT = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True, slots=True)
class RefreshRun:
    """What came of a run of `refresh_corpus`."""

    run_id: str
    status: str
    """done | failed | refused (by the guard against sudden loss) | stopped (at a ceiling of what may be spent) | held | interrupted"""
    reports: tuple[ProductReport, ...]
    """Of the products that were brought up to date, in flow order."""
    kind: str = ""
    """Name of the error's class when it failed."""
    error: str = ""
    """What failed, or who holds the home, in words."""
    standing: str | None = None
    """The generation that was current before the run; None when nothing was published."""

    @property
    def generation(self) -> str | None:
        """The generation that is current after the run, as far as the run got to know it."""
        return next((str(r.details["generation"]) for r in self.reports if "generation" in r.details), None)

    @property
    def published(self) -> bool:
        """Whether the run published a new generation."""
        return any(bool(r.details.get("published")) for r in self.reports)

    @property
    def unchanged(self) -> bool:
        """Whether the run found nothing to do: no document came, went or changed, and nothing was computed."""
        return self.status == "done" and not any(r.computed or r.failed or r.added or r.changed or r.deleted for r in self.reports)

    @property
    def in_words(self) -> str:
        """The closing line of a run."""
        if self.status == "held":
            return "Nothing was done: another refresh is running."
        if self.status != "done":
            stays = f"generation {self.standing} stays" if self.standing else "nothing is published yet"
            return f"The refresh {_ENDED.get(self.status, 'failed')}; {stays}."
        if self.unchanged:
            return f"Nothing changed: nothing was computed, generation {self.generation} stays."
        if not self.published:
            return f"The published products did not change: generation {self.generation} stays."
        return f"Generation {self.generation} is published."


def run_refresh(job: dg.JobDefinition, instance: dg.DagsterInstance, resources: Mapping[str, Any]) -> RefreshRun:
    """Run the refresh job in this process, recorded in the instance like any run from the UI; never raises for what the job raised."""
    end_abandoned_runs(instance)
    standing = standing_name(home_folder(resources.get("refresh", {}).get("home") or None))
    result = job.execute_in_process(
        instance=instance,
        run_config={**_SILENT, "resources": {name: {"config": config} for name, config in resources.items()}},
        raise_on_error=False,
        # With this label the job's page in the UI lists runs of the command line too.
        tags={".dagster/repository": f"__repository__@{LOCATION}", "dagster/code_location": LOCATION},
    )
    events = result.all_events
    reports = tuple(sorted(map(_report, filter(_materialized, events)), key=lambda report: PRODUCTS.index(report.product)))
    run = instance.get_run_by_id(result.run_id)
    held = run.tags.get(SKIPPED_TAG, "") if run else ""
    if result.success:
        return RefreshRun(result.run_id, "held", (), "Held", held) if held else RefreshRun(result.run_id, "done", reports)
    kind, error = _failure(events)
    status = "interrupted" if "Interrupted" in kind else _STATUS.get(kind, "failed")
    return RefreshRun(result.run_id, status, reports, kind, error, standing)


def sign(instance: dg.DagsterInstance, run_id: str, pid: int) -> None:
    """Note on a run which process works at it."""
    instance.add_run_tags(run_id, {PROCESS_TAG: f"{socket.gethostname()}|{pid}|{process_identity(pid) or ''}"})


def end_abandoned_runs(instance: dg.DagsterInstance) -> list[str]:
    """Mark signed runs whose process on this host has died as failed; returns their ids. Dagster itself would show them running for ever."""
    ended = []
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])):
        host, _, rest = run.tags.get(PROCESS_TAG, "").partition("|")
        pid, _, identity = rest.partition("|")
        if host == socket.gethostname() and identity and process_identity(int(pid)) != identity:
            instance.report_run_failed(run, "The process of this run has died. The next refresh takes up its work.")
            ended.append(run.run_id)
    return ended


def _materialized(event: dg.DagsterEvent) -> bool:
    return event.is_step_materialization


def _report(event: dg.DagsterEvent) -> ProductReport:
    told = event.step_materialization_data.materialization
    return report_from(told.metadata, told.asset_key.to_user_string())


def _failure(events: Sequence[dg.DagsterEvent]) -> tuple[str, str]:
    """Class name and message of the first failure, as its room raised it."""
    for event in events:
        if event.is_step_failure and event.step_failure_data.error is not None:
            error = event.step_failure_data.error
            # Dagster wraps what a room raised; what lies beneath that is the room's own business.
            while error.cause is not None and (error.cls_name or "").rpartition(".")[2].startswith("Dagster"):
                error = error.cause
            kind = (error.cls_name or "").rpartition(".")[2]
            return kind, error.message.strip().partition(": ")[2] or error.message.strip()
    return "", "The run failed before its first step; `pagerag ui` shows its events."
