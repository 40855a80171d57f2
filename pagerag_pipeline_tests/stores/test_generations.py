"""Generations appear whole or not at all, are kept while they are read, and are collected tag first."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.stores import generations
from pagerag_pipeline.stores.generations import (
    GenerationError,
    Manifest,
    collect,
    current,
    current_name,
    generation_folder,
    lease,
    link_from,
    list_generations,
    new_generation_id,
    new_staging,
    publish,
    read_manifest,
    remove_leftovers,
    switch,
)


class Tags:
    """Stands for the vector store; notes what it is told and whether the files were still there."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.told: list[str] = []

    def drop_tag(self, generation: str) -> None:
        """Note the tag."""
        assert generation_folder(self.home, generation).exists()
        self.told.append(generation)

    def compact(self) -> None:
        """Note the cleanup."""
        self.told.append("compact")


def manifest(generation: str) -> Manifest:
    return Manifest(generation, "2026-01-01T00:00:00+00:00", "c" * 32, {"chunks": {"digest": "d", "rows": 3}}, {"passages": 4})


def publish_one(home: Path, text: str = "tables") -> str:
    name = new_generation_id(home)
    staging = new_staging(home, name)
    (staging / "tables.duckdb").write_text(text)
    (staging / "graph.kuzu").write_text("graph")
    publish(home, manifest(name), staging)
    return name


def test_before_the_first_publish_there_is_nothing(tmp_path: Path):
    assert current(tmp_path) is None and current_name(tmp_path) is None and list_generations(tmp_path) == []


def test_a_published_generation_is_current_and_whole(tmp_path: Path):
    name = publish_one(tmp_path)
    found = current(tmp_path)
    assert found is not None and found == read_manifest(tmp_path, name) and replace(found, seals={}) == manifest(name)
    assert {part: seal["size"] for part, seal in found.seals.items()} == {"tables.duckdb": 6, "graph.kuzu": 5}
    assert sorted(path.name for path in (tmp_path / "generations" / name).iterdir()) == [
        "graph.kuzu", "lease", "manifest.json", "tables.duckdb",
    ]  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["CURRENT", "generations"]


def test_names_sort_by_time_even_within_a_second_or_when_the_clock_goes_back(tmp_path: Path):
    names = [publish_one(tmp_path) for _ in range(4)]
    assert names == sorted(set(names))
    future = "29991231T235959"
    (tmp_path / "generations" / names[-1]).rename(tmp_path / "generations" / future)
    names[-1] = future
    assert [publish_one(tmp_path) for _ in range(2)] == ["29991231T235959-001", "29991231T235959-002"]


def test_a_staging_that_lacks_a_file_is_not_published(tmp_path: Path):
    first = publish_one(tmp_path)
    name = new_generation_id(tmp_path)
    staging = new_staging(tmp_path, name)
    (staging / "tables.duckdb").write_text("tables")
    with pytest.raises(GenerationError, match="graph.kuzu is missing"):
        publish(tmp_path, manifest(name), staging)
    assert current_name(tmp_path) == first and list_generations(tmp_path) == [first]


@pytest.mark.parametrize("step", ["_sync", "switch", "read_manifest"])
def test_a_crash_before_the_switch_leaves_the_old_generation_and_the_next_publish_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
):
    first = publish_one(tmp_path)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(generations, step, crash)
        with pytest.raises(KeyboardInterrupt):
            publish_one(tmp_path)
    assert current_name(tmp_path) == first
    last = publish_one(tmp_path)
    assert current_name(tmp_path) == last
    assert not [path for path in (tmp_path / "generations").iterdir() if path.name.startswith(".")]


def test_a_publisher_killed_anywhere_leaves_a_whole_current_generation(tmp_path: Path):
    code = """
import sys
from dataclasses import replace
from pathlib import Path
from pagerag_pipeline_tests.stores.test_generations import publish_one
print("go", flush=True)
while True:
    publish_one(Path(sys.argv[1]), "x" * 100_000)
"""
    for _ in range(5):
        process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdout.readline() == b"go\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.15)
        process.kill()
        process.wait()
        found = current(tmp_path)
        if found is not None:
            assert len((generation_folder(tmp_path, found.generation) / "tables.duckdb").read_text()) == 100_000
    last = publish_one(tmp_path)
    assert current_name(tmp_path) == last


def test_leftovers_of_the_dead_are_removed_and_nothing_else(tmp_path: Path):
    name = publish_one(tmp_path)
    staging = new_staging(tmp_path, new_generation_id(tmp_path))
    (staging / "tables.duckdb.wal").write_text("half")
    assert remove_leftovers(tmp_path) == [staging.name]
    assert remove_leftovers(tmp_path) == [] and list_generations(tmp_path) == [name]


def test_a_file_that_did_not_change_is_shared_with_the_former_generation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    first = publish_one(tmp_path, "unchanged")
    staging = new_staging(tmp_path, new_generation_id(tmp_path))
    assert link_from(tmp_path, first, "tables.duckdb", staging / "tables.duckdb")
    assert (staging / "tables.duckdb").stat().st_ino == (generation_folder(tmp_path, first) / "tables.duckdb").stat().st_ino
    assert not link_from(tmp_path, first, "absent", staging / "absent")

    def no_links(*_: object) -> None:
        raise OSError("no hard links here")

    monkeypatch.setattr(os, "link", no_links)
    assert link_from(tmp_path, first, "graph.kuzu", staging / "graph.kuzu") and (staging / "graph.kuzu").read_text() == "graph"


def test_switch_goes_back_to_an_older_generation_and_refuses_an_unknown_one(tmp_path: Path):
    first, second = publish_one(tmp_path), publish_one(tmp_path)
    switch(tmp_path, first)
    assert current_name(tmp_path) == first
    with pytest.raises(GenerationError, match=f"there are: {first}, {second}"):
        switch(tmp_path, "20000101T000000")
    for bad in ("../outside", "", "x"):
        with pytest.raises(GenerationError, match="no name of a generation"):
            switch(tmp_path, bad)
    assert current_name(tmp_path) == first


def test_collection_keeps_the_newest_the_current_and_what_is_read(tmp_path: Path):
    names = [publish_one(tmp_path) for _ in range(5)]
    switch(tmp_path, names[1])
    tags = Tags(tmp_path)
    with lease(tmp_path, names[0]) as folder:
        assert collect(tmp_path, 2, tags) == [names[2]]
        assert (folder / "tables.duckdb").read_text() == "tables"
    assert tags.told == [names[2], "compact"]
    assert collect(tmp_path, 2, tags) == [names[0]]
    assert list_generations(tmp_path) == [names[1], names[3], names[4]]
    with pytest.raises(GenerationError, match="no generation"), lease(tmp_path, names[0]):
        pass


def test_a_reader_in_another_process_keeps_its_generation_until_it_dies(tmp_path: Path):
    names = [publish_one(tmp_path) for _ in range(2)]
    code = """
import sys
from dataclasses import replace
from pathlib import Path
from pagerag_pipeline.stores.generations import lease
with lease(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path), names[0]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    assert collect(tmp_path, 1, Tags(tmp_path)) == []
    process.kill()
    process.wait()
    assert collect(tmp_path, 1, Tags(tmp_path)) == [names[0]]


def test_several_readers_hold_one_generation(tmp_path: Path):
    name = publish_one(tmp_path)
    publish_one(tmp_path)
    with lease(tmp_path, name):
        with lease(tmp_path, name):
            pass
        assert collect(tmp_path, 1, Tags(tmp_path)) == []


def test_a_collection_that_died_halfway_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    names = [publish_one(tmp_path) for _ in range(2)]

    def crash(path: Path) -> None:
        next(path.iterdir()).unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(generations.shutil, "rmtree", crash)
        with pytest.raises(KeyboardInterrupt):
            collect(tmp_path, 1, Tags(tmp_path))
    assert list_generations(tmp_path) == [names[1]]
    assert collect(tmp_path, 1, Tags(tmp_path)) == []
    assert [path.name for path in (tmp_path / "generations").iterdir()] == [names[1]]


def test_engine_versions_are_the_installed_ones():
    assert generations.engine_versions()["kuzu"] == "0.11.3" and sorted(generations.engine_versions()) == ["duckdb", "kuzu", "lancedb"]


def test_a_damaged_manifest_is_named(tmp_path: Path):
    name = publish_one(tmp_path)
    (generation_folder(tmp_path, name) / "manifest.json").write_text("{")
    with pytest.raises(GenerationError, match="manifest.json cannot be read"):
        current(tmp_path)
