"""The table of contents: complete, in flow order, cheap to import, switched by one setting."""

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from pagerag_pipeline.definitions import PRODUCTS, house
from pagerag_pipeline.defs.assets.corpus_folder import corpus_folder
from pagerag_pipeline.settings_file import SettingsError
from pagerag_pipeline.stores.layout import PRODUCTS as NAMES
from pagerag_pipeline_tests.homes import make_home

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("igraph", "kuzu", "lancedb", "leidenalg", "sentence_transformers", "spacy", "torch", "transformers")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path, {"a.txt": "Mara Quill founded Tinworks."})


def specs(home: Path) -> dict[str, dg.AssetSpec]:
    return {spec.key.to_user_string(): spec for spec in house(home).resolve_all_asset_specs()}


def test_importing_the_definitions_loads_no_model_and_no_engine():
    code = f"import sys\nimport pagerag_pipeline.definitions\nprint([m for m in {HEAVY} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_the_products_stand_in_flow_order_over_the_corpus_folder(home: Path):
    assert [asset.key.to_user_string() for asset in PRODUCTS] == list(NAMES)
    found = specs(home)
    assert set(found) == {*NAMES, "corpus_folder", "evaluation_report"}
    assert {dep.asset_key.to_user_string() for dep in found["evaluation_report"].deps} == {"hybrid_repository"}
    for position, name in enumerate(NAMES):
        above = {dep.asset_key.to_user_string() for dep in found[name].deps}
        assert above <= {"corpus_folder", *NAMES[:position]} and above


def test_every_product_describes_itself_and_declares_checks(home: Path):
    checks = {key.asset_key.to_user_string() for asset in PRODUCTS for key in asset.check_keys}
    assert checks == set(NAMES)
    for name, spec in specs(home).items():
        assert spec.description and len(spec.description) > 40 and spec.group_name and spec.kinds and spec.owners, name
        assert "\n    " not in spec.description, f"{name}: an indented paragraph is shown as code"
    assert corpus_folder.key.to_user_string() == "corpus_folder"


def test_a_code_version_moves_with_the_settings_that_shape_the_product(home: Path):
    before = {name: spec.code_version for name, spec in specs(home).items() if name in NAMES}
    assert all(before.values())
    toml = home / "pagerag.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + "\n[cluster]\nmax_leaf = 8\n", encoding="utf-8")
    after = {name: spec.code_version for name, spec in specs(home).items() if name in NAMES}
    assert {name for name in NAMES if before[name] != after[name]} == {"communities"}


@pytest.mark.parametrize("enabled", [True, False])
def test_one_switch_starts_sensor_and_schedule(home: Path, enabled: bool):
    toml = home / "pagerag.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + f"\n[schedule]\nenabled = {str(enabled).lower()}\n", encoding="utf-8")
    repository = house(home).get_repository_def()
    sensor, schedule = repository.get_sensor_def("corpus_sensor"), repository.get_schedule_def("daily_refresh")
    assert (sensor.default_status == dg.DefaultSensorStatus.RUNNING) is enabled
    assert (schedule.default_status == dg.DefaultScheduleStatus.RUNNING) is enabled


def test_every_job_runs_in_one_process(home: Path):
    definitions = house(home)
    for name in ("refresh_corpus", "answer_questions", "evaluate", "__ASSET_JOB"):
        assert definitions.resolve_job_def(name).executor_def is dg.in_process_executor


def test_settings_that_cannot_be_used_are_named(home: Path):
    (home / "pagerag.toml").write_text("[nonsense]\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="nonsense"):
        house(home)
