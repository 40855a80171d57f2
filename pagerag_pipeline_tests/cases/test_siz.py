"""SIZ: empty, tiny and huge input, through a whole refresh."""

import time
from pathlib import Path
from statistics import median

import pytest

from pagerag_pipeline.refresh.products import refresh
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings_file import SettingsError, load_settings
from pagerag_pipeline.stores.generations import current
from pagerag_pipeline_tests.cases.bad_input import add, over, read, texts
from pagerag_pipeline_tests.cases.conftest import Command
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, corpus_of, digests, refreshed

HOSTILE = {
    "one-word.txt": "x" * 200_000,
    "accents.txt": "word " + "\u00e9" * 200_000 + " end",
    "ideographs.txt": "\u738b" * 12_000,
    "spaces.txt": "A" + " " * 50_000 + "B",
    "line-ends.txt": "\n" * 200_000 + "x",
    "marks.txt": "a" + "\u0301" * 100_000,
    "invisible.txt": "\u200b" * 50_000 + "x",
    "stops.txt": ". " * 20_000 + "x",
    "quotes.txt": '"' * 20_000 + "x",
    "pipes.md": "|" * 100_000 + "\n" + "|-" * 50_000 + "x",
    "hashes.md": "#" * 100_000 + " x",
    "brackets.json": "[" * 100_000,
    "tags.html": "<div>" * 20_000 + "x",
    "emoji.txt": "\U0001f469\u200d\U0001f467" * 3_000,
}
"""Files that ask for more than they hold; each a few hundred kilobytes at most."""
CHUNK_CAP = 1800


def test_siz_04_an_empty_folder_says_so_and_an_emptied_one_erases_nothing(tmp_path: Path, pagerag: Command, capsys: pytest.CaptureFixture[str]) -> None:
    home = over(tmp_path, {})
    told = pagerag("--home", home, "refresh")
    assert (told.code, told.object["products"][0]["rows"]) == (0, 0)
    add(home, {"f1.txt": F1})
    refreshed(home)
    before = current(home)
    (corpus_of(home) / "f1.txt").unlink()
    told = pagerag("--home", home, "refresh")
    assert (told.code, told.object["kind"]) == (3, "CorpusGuard")
    assert len(told.error.strip().splitlines()) == 1
    assert current(home) == before


def test_siz_09_a_and_b_far_apart_are_two_chunks_at_most_and_take_no_time(tmp_path: Path) -> None:
    home = over(tmp_path, {"f1.txt": F1})
    refreshed(home)
    add(home, {"far.txt": "A" + " " * 50_000 + "B"})
    reports = refreshed(home)
    assert sum(reports[name].seconds for name in ("source_documents", "document_profiles", "chunks")) < 1
    found, _ = read(home)
    assert len([row for row in found.rows["chunks"] if row["document"] == "far.txt" and row["kind"] == "chunk"]) <= 2


def test_hostile_files_end_in_bounded_time_and_the_others_go_on(tmp_path: Path) -> None:
    home = over(tmp_path, {**HOSTILE, "f1.txt": F1})
    started = time.perf_counter()
    found, skipped = read(home)
    assert time.perf_counter() - started < 60
    assert set(texts(found)) | set(skipped) == {*HOSTILE, "f1.txt"}
    assert max(row["tokens"] for row in found.rows["chunks"]) <= CHUNK_CAP
    assert "Mara Quill" in found.column("nodes", "name")


def test_siz_16_more_workers_than_work_change_nothing(tmp_path: Path) -> None:
    files = {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3}
    one = refreshed(over(tmp_path / "one", files))
    many = refreshed(over(tmp_path / "many", files, settings=f'{STUB_MODELS}\n[refresh]\nbackend = "process"\nworkers = 16\nbatch_units = 1\n'))
    assert digests(one) == digests(many)
    assert many["chunk_embeddings"].rows == one["chunk_embeddings"].rows == 3


@pytest.mark.parametrize(
    ("chunk", "word"),
    [("embed_window = 512", "embed_window"), ("passage_tokens = 512", "passage_tokens"), ("chunk_tokens = 100", "chunk_tokens")],
)
def test_siz_17_a_text_larger_than_the_embedder_reads_is_refused_before_anything_runs(tmp_path: Path, chunk: str, word: str) -> None:
    home = over(tmp_path, {"f1.txt": F1}, settings=f"{STUB_MODELS}\n[chunk]\n{chunk}\n")
    with pytest.raises(SettingsError, match=word):
        load_settings(home)


def test_siz_17_chunks_above_the_window_are_embedded_as_passages_that_tile_them(tmp_path: Path) -> None:
    words = " ".join(f"Odo Fenn wrote letter {n} to Mara Quill about bell {n % 7}." for n in range(900))
    found, _ = read(over(tmp_path, {"long.txt": words}, settings=f"{STUB_MODELS}\n[chunk]\nchunk_tokens = 4000\n"))
    chunks = {row["chunk_id"]: row for row in found.rows["chunks"] if row["kind"] == "chunk"}
    passages = sorted((row for row in found.rows["chunks"] if row["kind"] == "passage"), key=lambda row: row["start_at"])
    assert max(row["tokens"] for row in chunks.values()) > 2000
    assert max(row["tokens"] for row in passages) < 254
    for name, chunk in chunks.items():
        assert "".join(row["text"] for row in passages if row["parent_id"] == name) == chunk["text"]


@pytest.mark.slow
def test_siz_13_a_novel_of_six_hundred_thousand_characters_completes_and_its_progress_moves(tmp_path: Path) -> None:
    chapter = "CHAPTER {n}\n\n" + "\n\n".join(f"Mara Quill met Odo Fenn at gate {{n}} of bell {i}, and they spoke of Tinworks for an hour." for i in range(140))
    home = over(tmp_path, {"novel.txt": "\n\n".join(chapter.format(n=n) for n in range(1, 51))})
    moved: list[tuple[str, int, int]] = []
    with Session.open(home, settings=load_settings(home)) as session:
        session.on_progress = lambda *step: moved.append(step)
        refresh(session)
    found, _ = read(home)
    assert len(texts(found)["novel.txt"]) > 580_000
    steps = [done for product, done, _ in moved if product == "entity_records"]
    assert len(steps) > 2
    assert steps == sorted(steps)


@pytest.mark.slow
def test_siz_14_the_last_of_a_thousand_files_takes_no_longer_than_the_first(tmp_path: Path) -> None:
    def files(first: int, last: int) -> dict[str, str]:
        return {f"{n:04}.txt": f"Letter {n}. Odo Fenn of house {n} sold bell {n} to Mara Quill in {1700 + n % 200}." for n in range(first, last)}

    home = over(tmp_path, files(0, 100))
    first = unit_seconds(refreshed(home))
    add(home, files(100, 900))
    refreshed(home)
    add(home, files(900, 1000))
    assert unit_seconds(refreshed(home)) < 3 * first + 1


@pytest.mark.slow
def test_siz_15_the_fiftieth_added_file_costs_no_more_than_twice_the_fifth(tmp_path: Path) -> None:
    home = over(tmp_path, {"first.txt": F1})
    seconds: list[float] = []
    for n in range(50):
        add(home, {f"{n:02}.txt": f"Letter {n}. Odo Fenn of house {n} sold bell {n} to Mara Quill in {1700 + n}."})
        begun = time.process_time()  # the clock on the wall tells more of what else the machine does
        refreshed(home)
        seconds.append(time.process_time() - begun)
    assert median(seconds[-5:]) <= 2 * median(seconds[2:7])


def unit_seconds(reports: dict[str, ProductReport]) -> float:
    """Seconds of the products whose work is per file, chunk or text."""
    return sum(reports[name].seconds for name in ("source_documents", "document_profiles", "chunks", "chunk_embeddings", "entity_records"))
