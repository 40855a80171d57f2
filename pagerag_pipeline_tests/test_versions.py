"""A VERSION moves with the source it speaks for: else an old memory would answer for new code."""

import json
import shutil
from pathlib import Path

import pytest

from pagerag_pipeline_tests.versions import COMMAND, PACKAGE, ROOT, STARTS, TABLE, source_digest, sources

ACCEPTED = json.loads(TABLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", STARTS)
def test_a_version_moved_if_the_source_it_speaks_for_did(version: str) -> None:
    now, accepted = sources()[version], ACCEPTED[version]
    where = version.replace(":", ".")
    assert now == accepted, (
        f"{where} is {now['version']} now: run `{COMMAND}` to note it"
        if now["version"] != accepted["version"]
        else f"the source of {where} changed: bump it, or, if the output is the same, run `{COMMAND}` to accept"
    )


def test_the_table_has_every_version_of_the_package_and_no_other() -> None:
    assert set(ACCEPTED) == set(STARTS), f"run `{COMMAND}`"
    stated = {f"{module_of(path)}:VERSION" for path in (ROOT / PACKAGE).rglob("*.py") if "\nVERSION = " in path.read_text(encoding="utf-8")}
    assert stated <= set(STARTS), "name in `versions.STARTS` where the source of a new VERSION starts"


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT / PACKAGE).with_suffix("").parts)


@pytest.mark.parametrize(
    ("file", "before", "after", "moved"),
    [
        ("indexing/cutting/tokens.py", '"""', '"""Truly: ', set()),
        ("indexing/cluster.py", "VERSION = \"cluster/2\"", "VERSION = \"cluster/99\"  # a comment", set()),
        ("indexing/cluster.py", "known = set(nodes)\n", "known = set(nodes)\n    nodes = nodes[1:]\n", {"indexing.cluster:VERSION"}),
        ("stores/rows.py", "c.occurrence, c.page)", "c.occurrence, None)", {"indexing.chunk:VERSION"}),
        ("indexing/profiling/profile_weights.json", "{", " {", {"indexing.profile:VERSION"}),
        ("schema/documents.py", "def embed_text(context: str, text: str) -> str:\n", "def embed_text(context: str, text: str) -> str:\n    text = text.strip()\n", {"indexing.asking.report:VERSION", "indexing.chunk:VERSION", "indexing.embed:VERSION", "indexing.report:VERSION", "indexing.table_rows:VERSION"}),
        ("stores/raw_statements.py", "INSERT INTO graph_terms", "INSERT OR IGNORE INTO graph_terms", {"stores.knowledge:VERSION"}),
        ("lexical.py", "def stem(word: str) -> str:\n", "def stem(word: str) -> str:\n    word = word[1:]\n", {"lexical:VERSION"}),
        ("systems/packing.py", "\n\n\ndef ", "\n\nLOOSE = 1\n\n\ndef ", set()),
    ],
)
def test_what_changes_a_digest_is_code_and_data_that_is_reached(tmp_path: Path, file: str, before: str, after: str, moved: set[str]) -> None:
    shutil.copytree(ROOT / PACKAGE, tmp_path / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / PACKAGE / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    now = sources()
    assert {version for version in STARTS if source_digest(tmp_path, version) != now[version]["source"]} == moved
