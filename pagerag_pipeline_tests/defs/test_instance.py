"""The instance of a home: the same folder for the command line, the UI and plain `dagster dev`."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from pagerag_pipeline.defs.instance import (
    CONFIGURATION,
    instance_folder,
    open_instance,
    prepared_folder,
    ui_command,
    ui_environment,
)

ROOT = Path(__file__).resolve().parent.parent.parent

WHERE = """
import os, tempfile
from dagster._core.instance.ref import InstanceRef
from dagster import DagsterInstance

with tempfile.TemporaryDirectory() as folder, DagsterInstance.from_ref(InstanceRef.from_dir(folder, config_dir=os.getcwd())) as instance:
    print(instance.root_directory)
    print(type(instance).__name__, instance.telemetry_enabled, instance.run_monitoring_enabled)
"""


@pytest.fixture(autouse=True)
def no_instance_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)


def test_a_home_has_an_instance_that_keeps_its_history(tmp_path: Path):
    with open_instance(tmp_path / "home") as instance:
        assert instance.is_persistent
        assert Path(instance.root_directory) == tmp_path / "home" / "dagster"
        assert not instance.telemetry_enabled
        assert instance.run_monitoring_enabled
        assert instance.get_settings("run_monitoring")["free_slots_after_run_end_seconds"] == 60


def test_a_dagster_home_that_is_set_is_used_and_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "own"))
    assert instance_folder(tmp_path / "home") == tmp_path / "own"
    assert list(tmp_path.iterdir()) == []


def test_a_configuration_that_its_owner_wrote_stays(tmp_path: Path):
    folder = prepared_folder(tmp_path)
    (folder / "dagster.yaml").write_text("telemetry:\n  enabled: true\n", encoding="utf-8")
    assert (prepared_folder(tmp_path) / "dagster.yaml").read_text(encoding="utf-8") == "telemetry:\n  enabled: true\n"


def test_the_repositorys_configuration_says_the_same_as_a_homes():
    here = yaml.safe_load((ROOT / "dagster.yaml").read_text(encoding="utf-8"))
    assert here.pop("instance_class") == {"module": "pagerag_pipeline.defs.instance", "class": "HomeInstance"}
    assert here == yaml.safe_load(CONFIGURATION)


def test_plain_dagster_dev_keeps_its_history_in_the_home(tmp_path: Path):
    environment = {"PAGERAG_HOME": str(tmp_path / "home"), "PATH": "", "PYTHONPATH": str(ROOT)}
    out = subprocess.run([sys.executable, "-c", WHERE], cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert out.splitlines() == [str(tmp_path / "home" / "dagster"), "HomeInstance False True"]


def test_the_ui_is_told_the_home_and_its_instance(tmp_path: Path):
    environment = ui_environment(tmp_path)
    assert environment["PAGERAG_HOME"] == str(tmp_path)
    assert environment["DAGSTER_HOME"] == str(tmp_path / "dagster")
    command = ui_command(host="127.0.0.1", port=4000)
    assert command[0] == sys.executable and "pagerag_pipeline.definitions" in command
