"""Incremental equals clean: any history of changes ends in the digests of a clean build."""

import json
import random
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pagerag_pipeline_tests.homes import F1, F2, F3, corpus_of, digests, make_home, refreshed, write_files
from pagerag_pipeline_tests.refresh.conftest import FirstBuilds

NAMES = ("a.txt", "b.txt", "notes/c.md", "d.txt", "e.jsonl")
LONG = "\n\n".join(f"Chapter {i}\n\nMara Quill met Odo Fenn at Low Farm on day {i}. They spoke of Tinworks and of the bees." for i in range(1, 9))
TEXTS = (F1, F2, F3, f"{F1}\n\n{F2}", LONG, LONG.replace("day 3", "night 3"), f"# Bees\n\n{F3}\n\n# Works\n\n{F1}")

change = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(("x.txt", "a.txt", "deep/y.txt"))),
    st.tuples(st.just("copy"), st.sampled_from(NAMES), st.sampled_from(("z.txt", "b.txt"))),
)
histories = st.lists(st.lists(change, min_size=1, max_size=3), min_size=1, max_size=4)


def _content(name: str, text: str) -> str:
    if not name.endswith(".jsonl"):
        return text
    return "".join(json.dumps({"doc_id": str(i), "title": f"T{i}", "text": part}) + "\n" for i, part in enumerate(text.split("\n\n")))


def _apply(corpus: Path, kind: str, name: str, argument: str) -> None:
    path = corpus / name
    if kind == "write":
        write_files(corpus, {name: _content(name, argument)})
    elif path.exists() and kind == "delete":
        path.unlink()
    elif path.exists() and kind in ("rename", "copy"):
        target = corpus / (argument if path.suffix == ".txt" else argument + path.suffix)
        if target == path:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        if kind == "rename":
            path.unlink()


def _clean_build(corpus: Path, folder: Path, order: random.Random) -> dict[str, str]:
    files = sorted(path for path in corpus.rglob("*") if path.is_file())
    order.shuffle(files)
    home = make_home(folder, {})
    for path in files:
        write_files(corpus_of(home), {path.relative_to(corpus).as_posix(): path.read_text(encoding="utf-8")})
    return digests(refreshed(home))


# Not shrunk: an example costs seconds, and a history of a few changes can be read as it is.
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(history=histories, seed=st.integers(0, 3))
def test_any_history_of_changes_ends_in_the_digests_of_a_clean_build(
    first_builds: FirstBuilds, history: list[list[tuple[str, str, str]]], seed: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = first_builds.home(Path(folder) / "kept", {"a.txt": F1, "b.txt": F2})
        last = {}
        for changes in history:
            for kind, name, argument in changes:
                _apply(corpus_of(home), kind, name, argument)
            last = refreshed(home, force=True)
        assert digests(last) == _clean_build(corpus_of(home), Path(folder) / "clean", random.Random(seed))


def test_a_refresh_without_change_computes_nothing_and_publishes_nothing(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"a.txt": F1, "b.txt": LONG})
    first = refreshed(home)
    second = refreshed(home)
    assert digests(second) == digests(first)
    assert {name: report.computed for name, report in second.items()} == dict.fromkeys(second, 0)
    assert first["hybrid_repository"].details["published"] and not second["hybrid_repository"].details["published"]


def test_touching_files_computes_nothing(tmp_path: Path) -> None:
    home = make_home(tmp_path, {f"{i}.txt": f"{F1} Page {i}." for i in range(30)})
    refreshed(home)
    for path in corpus_of(home).iterdir():
        path.touch()
    assert sum(report.computed for report in refreshed(home).values()) == 0


def test_renaming_and_going_back_compute_no_unit_again(tmp_path: Path) -> None:
    home = make_home(tmp_path, {"a.txt": LONG, "b.txt": F2})
    refreshed(home)
    corpus = corpus_of(home)
    (corpus / "a.txt").rename(corpus / "moved.txt")
    renamed = refreshed(home)
    (corpus / "b.txt").write_text(F3, encoding="utf-8")
    refreshed(home)
    (corpus / "b.txt").write_text(F2, encoding="utf-8")
    reverted = refreshed(home)
    for reports in (renamed, reverted):
        assert all(reports[name].computed == 0 for name in ("document_profiles", "chunks", "chunk_embeddings", "entity_records"))
    assert renamed["source_documents"].added == 1 and renamed["source_documents"].deleted == 1
