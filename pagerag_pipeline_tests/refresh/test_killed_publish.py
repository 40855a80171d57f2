"""Killed between any two steps of a publish: what was published before answers, and the next refresh ends in the clean digests."""

from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.stores.generations import current_name
from pagerag_pipeline_tests.cases.processes import killed
from pagerag_pipeline_tests.homes import F1, F2, build, copy_home, corpus_of, digests, make_home, refreshed, write_files

WHEN = "When did Mara Quill found Tinworks?"
BEFORE = {"f1.txt": F1, "f2.txt": F2}
AFTER = {"f1.txt": F1.replace("1901", "1902"), "f2.txt": F2, "f4.txt": "Ada Moss bought Low Farm in 1920. Ada Moss met Odo Fenn."}

STORES, PUBLISH = "pagerag_pipeline.stores", "pagerag_pipeline.refresh.publish"
STEPS = (
    (f"{PUBLISH}:sync_vectors", 1, False),
    (f"{STORES}.vectors:VectorStore.sync", 1, True),
    (f"{STORES}.vectors:VectorStore.index", 2, True),
    (f"{PUBLISH}:sync_vectors", 1, True),
    (f"{STORES}.generations:new_staging", 1, True),
    (f"{PUBLISH}:export_generation", 1, True),
    (f"{PUBLISH}:build_graph", 1, True),
    (f"{STORES}.vectors:VectorStore.tag", 1, True),
    (f"{STORES}.soundness:vector_seals", 1, True),
    (f"{STORES}.generations:publish", 1, False),
    (f"{STORES}.generations:_sync", 2, True),
    (f"{STORES}.generations:switch", 1, False),
    (f"{STORES}.generations:_sync", 7, True),
)
"""Steps of a publish up to the switch, in their order, each with the call that dies and whether it dies after it."""

LATER = (
    (f"{STORES}.generations:switch", 1, True),
    (f"{PUBLISH}:_mark", 1, True),
    (f"{STORES}.vectors:VectorStore.drop_tag", 1, True),
    (f"{STORES}.vectors:VectorStore.compact", 1, True),
    (f"{STORES}.soundness:seal_vectors", 1, True),
)
"""Steps after the switch."""


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of a home that never saw anything else."""
    return digests(refreshed(make_home(tmp_path_factory.mktemp("clean"), AFTER)))


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with as many generations as are kept, so that the next publish collects one."""
    folder = tmp_path_factory.mktemp("pristine")
    for text in ("Ada Moss met Odo Fenn.", "Ada Moss met Mara Quill."):
        build(folder, {**BEFORE, "f3.txt": text})
    return build(folder, BEFORE)


def ended(home: Path, clean: dict[str, str]) -> None:
    """Refresh to the end: the new text answers, the digests are clean ones, and nothing is left to do."""
    assert digests(refreshed(home)) == clean
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1902"
    assert sum(report.computed for report in refreshed(home).values()) == 0
    assert not [path.name for path in (home / "generations").iterdir() if path.name.startswith(".")]


def test_killed_at_every_step_before_the_switch_the_old_generation_answers(pristine: Path, tmp_path: Path, clean: dict[str, str]) -> None:
    home = copy_home(pristine, tmp_path / "own")
    old = current_name(home)
    write_files(corpus_of(home), AFTER)
    with QueryEngine(home) as engine:
        for step, call, after in STEPS:
            assert killed(home, step, call=call, after=after) == -9, step
            assert current_name(home) == old, step
            assert (engine.ask(WHEN).answer, engine.ask(WHEN).generation) == ("1901", old), step
            with QueryEngine(home) as fresh:
                assert fresh.ask(WHEN).answer == "1901", step
    ended(home, clean)


@pytest.mark.parametrize(("step", "call", "after"), LATER)
def test_killed_after_the_switch_the_new_generation_answers(
    pristine: Path, tmp_path: Path, clean: dict[str, str], step: str, call: int, after: bool
) -> None:
    home = copy_home(pristine, tmp_path / "own")
    write_files(corpus_of(home), AFTER)
    assert killed(home, step, call=call, after=after) == -9
    with QueryEngine(home) as engine:
        assert engine.ask(WHEN).answer == "1902"
    ended(home, clean)
