"""The daily refresh, for what a sensor cannot see; switched on with it by `[schedule] enabled` in `pagerag.toml`."""

from pathlib import Path

import dagster as dg

from pagerag_pipeline.defs.jobs import refresh_corpus
from pagerag_pipeline.settings import ScheduleSettings
from pagerag_pipeline.stores.locks import holder


def daily_refresh(home: Path, settings: ScheduleSettings) -> dg.ScheduleDefinition:
    """The schedule of a home; it passes over a day on which a refresh is at work anyway."""

    @dg.schedule(
        name="daily_refresh",
        job=refresh_corpus,
        cron_schedule=settings.cron,
        description="Refresh the corpus at a fixed time (UTC), whether or not the sensor saw a change.",
        default_status=dg.DefaultScheduleStatus.RUNNING if settings.enabled else dg.DefaultScheduleStatus.STOPPED,
    )
    def tick() -> dg.RunRequest | dg.SkipReason:
        busy = holder(home)
        if busy is not None:
            return dg.SkipReason(f"A refresh is running: {busy}.")
        return dg.RunRequest()

    return tick
