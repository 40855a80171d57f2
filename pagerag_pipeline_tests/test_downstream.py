"""The example of a second code location does what it says."""

import importlib.util
from pathlib import Path
from types import ModuleType

import dagster as dg
import pytest
import yaml

from pagerag_pipeline_tests.homes import F1, F2, make_home, refreshed

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "downstream"


@pytest.fixture
def location() -> ModuleType:
    """The example's module, loaded from its file as Dagster does."""
    spec = importlib.util.spec_from_file_location("downstream", FOLDER / "definitions.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_briefing_answers_from_the_published_generation(location: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    home = make_home(tmp_path, {"f1.txt": F1, "f2.txt": F2})
    refreshed(home)
    monkeypatch.setenv("PAGERAG_HOME", str(home))
    job = location.defs.resolve_implicit_global_asset_job_def()
    config = {"ops": {"briefing": {"config": {"questions": ["Who founded Tinworks?", "Who keeps penguins on the moon?"]}}}}
    with dg.DagsterInstance.ephemeral() as instance:
        assert job.execute_in_process(instance=instance, run_config=config).success
        event = instance.get_latest_materialization_event(dg.AssetKey("briefing"))
    assert event is not None and event.asset_materialization is not None
    told = {name: entry.value for name, entry in event.asset_materialization.metadata.items()}
    assert "**Who founded Tinworks?**" in told["briefing"] and "No answer: " in told["briefing"]
    assert told["refused"] == 1


def test_the_briefing_stands_downstream_of_the_repository(location: ModuleType):
    (spec,) = [spec for spec in location.defs.resolve_all_asset_specs() if spec.key == dg.AssetKey("briefing")]
    assert [dep.asset_key for dep in spec.deps] == [dg.AssetKey("hybrid_repository")]


def test_its_workspace_names_both_locations():
    loaded = yaml.safe_load((FOLDER / "workspace.yaml").read_text(encoding="utf-8"))["load_from"]
    assert loaded[0] == {"python_module": "pagerag_pipeline.definitions"}
    assert (FOLDER / loaded[1]["python_file"]["relative_path"]).is_file()
