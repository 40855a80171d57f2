"""The watch over the corpus folder: a change that has come to rest starts a refresh, a failed one is tried again ever more rarely."""

import json
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import dagster as dg

from pagerag_pipeline.defs.jobs import refresh_corpus
from pagerag_pipeline.defs.runs import end_abandoned_runs
from pagerag_pipeline.settings import ScheduleSettings
from pagerag_pipeline.settings_file import SettingsError, corpus_folder, load_settings
from pagerag_pipeline.stores.corpus import CorpusError, corpus_digest, list_corpus
from pagerag_pipeline.stores.locks import Holder, holder
from pagerag_pipeline.stores.refreshed import read_refreshed

RETRY_SECONDS = 60
"""Pause after the first failure of a refresh; it doubles with each further one ..."""
LONGEST_RETRY_SECONDS = 6 * 3600
"""... up to this."""

GOING = frozenset(
    {
        dg.DagsterRunStatus.QUEUED,
        dg.DagsterRunStatus.NOT_STARTED,
        dg.DagsterRunStatus.STARTING,
        dg.DagsterRunStatus.STARTED,
        dg.DagsterRunStatus.CANCELING,
    }
)


@dataclass(frozen=True, slots=True)
class Watch:
    """What the sensor remembers from tick to tick; the cursor holds it as JSON. It stays small however large the corpus is."""

    digest: str = ""
    """The listing that was seen last and is not refreshed yet."""
    since: float = 0.0
    """When it was first seen, in seconds of the epoch."""
    run_key: str = ""
    """Key of the run that was asked for it."""
    attempts: int = 0
    not_before: float = 0.0
    """When the next run may be asked for."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a tick sees."""

    now: float
    digest: str
    """Of the corpus listing."""
    refreshed: str
    """Digest of the listing that the latest successful refresh saw."""
    busy: Holder | None
    run: dg.DagsterRunStatus | None
    """Status of the run that was asked for last, None when there is none."""


def decide(watch: Watch, sight: Sight, debounce: float) -> tuple[Watch, str]:
    """The watch to remember, and the reason in words why no refresh is asked for; empty when one is, under the new `run_key`."""
    if sight.digest == sight.refreshed:
        return Watch(), "The corpus is as the latest refresh saw it."
    if sight.digest != watch.digest:
        watch = Watch(digest=sight.digest, since=sight.now)
    quiet = sight.now - watch.since
    if quiet < debounce:
        return watch, f"The corpus changed; a refresh starts once it has been quiet for {debounce:g} s ({quiet:.0f} s so far)."
    if sight.run in GOING:
        return watch, f"A run for this change is {sight.run.value.lower()}."
    if watch.run_key:
        watch = _after(watch, sight)
    if sight.now < watch.not_before:
        wait = watch.not_before - sight.now
        return watch, f"The refresh for this change has not succeeded in {watch.attempts} attempts; the next one starts in {wait:.0f} s."
    if sight.busy is not None:
        return watch, f"A refresh is running: {sight.busy}."
    # The moment of first sight makes the key of a change that comes back (A, B, A) a new one: Dagster never runs a key twice.
    return replace(watch, run_key=f"{watch.digest}:{int(watch.since)}:{watch.attempts}"), ""


def _after(watch: Watch, sight: Sight) -> Watch:
    """The watch after the run that was asked for ended without the refresh of this listing."""
    attempts = watch.attempts + 1
    pause = min(RETRY_SECONDS * 2.0 ** (attempts - 1), LONGEST_RETRY_SECONDS)
    return replace(watch, run_key="", attempts=attempts, not_before=sight.now + pause)


def corpus_sensor(home: Path, settings: ScheduleSettings) -> dg.SensorDefinition:
    """The sensor of a home."""

    @dg.sensor(
        name="corpus_sensor",
        job=refresh_corpus,
        minimum_interval_seconds=settings.sensor_seconds,
        description="Refresh the corpus when its listing (paths, sizes, times of change) differs from what the latest successful refresh "
        "saw, and has been quiet for a while.",
        default_status=dg.DefaultSensorStatus.RUNNING if settings.enabled else dg.DefaultSensorStatus.STOPPED,
    )
    def tick(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
        try:
            digest = _listing_digest(home)
        except (CorpusError, SettingsError) as error:
            return dg.SkipReason(str(error))
        end_abandoned_runs(context.instance)
        before = Watch(**json.loads(context.cursor)) if context.cursor else Watch()
        mark = read_refreshed(home)
        sight = Sight(time.time(), digest, mark.corpus_digest if mark else "", holder(home), _status(context.instance, before.run_key))
        watch, reason = decide(before, sight, load_settings(home).schedule.debounce_seconds)
        requests = [] if reason else [dg.RunRequest(run_key=watch.run_key)]
        return dg.SensorResult(run_requests=requests, skip_reason=reason or None, cursor=json.dumps(asdict(watch)))

    return tick


def _listing_digest(home: Path) -> str:
    folder = corpus_folder(home, load_settings(home))
    if folder is None:
        raise CorpusError("No corpus folder is set: run `pagerag refresh --corpus DIR` once.")
    return corpus_digest(list_corpus(folder).files)


def _status(instance: dg.DagsterInstance, run_key: str) -> dg.DagsterRunStatus | None:
    if not run_key:
        return None
    runs = instance.get_runs(filters=dg.RunsFilter(tags={"dagster/run_key": run_key}), limit=1)
    return runs[0].status if runs else None
