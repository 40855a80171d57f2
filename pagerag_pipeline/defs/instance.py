"""The Dagster instance of a home: where it stands, how it is configured, and how plain `dagster dev` finds it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.instance.ref import InstanceRef

import pagerag_pipeline
from pagerag_pipeline.defs.runs import LOCATION
from pagerag_pipeline.settings_file import HOME_VARIABLE, home_folder, load_settings

INSTANCE_VARIABLE = "DAGSTER_HOME"

CONFIGURATION = """\
telemetry:
  enabled: false
nux:
  enabled: false
run_monitoring:
  enabled: true
  free_slots_after_run_end_seconds: 60
concurrency:
  runs:
    max_concurrent_runs: 4
python_logs:
  managed_python_loggers: [pagerag_pipeline]
  python_log_level: WARNING
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
"""
"""`dagster.yaml` of a home. Warnings of our rooms become events; standard error stays on the terminal, so that progress can be shown there.

The lock of the home lets one refresh work at a time; a limit in the run queue besides would stand still behind a run that was killed.
"""


def instance_folder(home: Path) -> Path:
    """The instance's folder: `DAGSTER_HOME` when it is set, else `dagster/` in the home, made and configured on first use."""
    given = os.environ.get(INSTANCE_VARIABLE)
    return Path(given).expanduser() if given else prepared_folder(home)


def prepared_folder(home: Path) -> Path:
    """`dagster/` in the home, with a `dagster.yaml` unless its owner wrote one."""
    folder = home / "dagster"
    folder.mkdir(parents=True, exist_ok=True)
    configuration = folder / "dagster.yaml"
    if not configuration.exists():
        temporary = folder / f"dagster.yaml.{os.getpid()}"
        temporary.write_text(CONFIGURATION, encoding="utf-8")
        temporary.replace(configuration)
    return folder


def open_instance(home: Path) -> dg.DagsterInstance:
    """The instance of a home, which the UI, the daemon and the command line share; close it by leaving its context."""
    return dg.DagsterInstance.from_config(str(instance_folder(home)))


def ui_environment(home: Path) -> dict[str, str]:
    """The environment in which Dagster's own commands work on a home and its instance. Raises SettingsError for a home they could not load."""
    load_settings(home)
    return {**os.environ, HOME_VARIABLE: str(home), INSTANCE_VARIABLE: str(instance_folder(home))}


def ui_command(*, host: str, port: int) -> list[str]:
    """The command that serves the UI and runs the daemon (sensor, schedule, run queue)."""
    # Dagster points users of `dagster dev` to another tool at every start.
    quiet = ["-W", "ignore"]
    location = ["-m", LOCATION, "-d", str(Path(pagerag_pipeline.__file__).parent.parent)]
    return [sys.executable, *quiet, "-m", "dagster", "dev", *location, "--host", host, "--port", str(port)]


class HomeInstance(dg.DagsterInstance):
    """The instance that the repository's own `dagster.yaml` names: its storage is the home's, not a temporary folder.

    `dagster dev` makes its instance before it loads any definitions; this class is the only place where it can learn of the home.
    """

    @classmethod
    def config_schema(cls) -> Mapping[str, Any]:
        """No keys of its own."""
        return {}

    @classmethod
    def config_defaults(cls, base_dir: str) -> Mapping[str, Any]:
        """Dagster's defaults below the home's folder instead of the temporary `base_dir`."""
        return InstanceRef.config_defaults(str(prepared_folder(home_folder())))
