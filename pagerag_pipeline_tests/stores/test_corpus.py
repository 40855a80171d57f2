"""The corpus folder is listed whole, sorted and safe, and its files are read once."""

import os
from pathlib import Path

import pytest

from pagerag_pipeline.stores.corpus import CorpusError, SourceFile, corpus_digest, list_corpus, read_file


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_files_are_listed_by_relative_path_in_order(tmp_path: Path) -> None:
    write(tmp_path, {"b/readme.md": "x", "a/readme.md": "yy", "c.txt": "", 'odd "name": 1;.txt': "z"})
    listing = list_corpus(tmp_path)
    assert [(file.path, file.size) for file in listing.files] == [("a/readme.md", 2), ("b/readme.md", 1), ("c.txt", 0), ('odd "name": 1;.txt', 1)]
    assert listing.skipped == ()


def test_hidden_files_and_folders_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".pagerag/work.duckdb": "x", ".hidden": "x", "seen.txt": "x"})
    assert [file.path for file in list_corpus(tmp_path).files] == ["seen.txt"]


def test_a_missing_folder_is_an_error_and_no_empty_listing(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="does not exist"):
        list_corpus(tmp_path / "gone")


def test_links_never_lead_around_or_outside(tmp_path: Path) -> None:
    inside, outside = tmp_path / "corpus", tmp_path / "secret.txt"
    write(inside, {"a/one.txt": "1"})
    outside.write_text("no", encoding="utf-8")
    (inside / "a" / "loop").symlink_to(inside)
    (inside / "self.txt").symlink_to(inside / "self.txt")
    (inside / "broken.txt").symlink_to(inside / "nothing.txt")
    (inside / "out.txt").symlink_to(outside)
    (inside / "same.txt").symlink_to(inside / "a" / "one.txt")
    os.mkfifo(inside / "pipe")
    listing = list_corpus(inside)
    assert [file.path for file in listing.files] == ["a/one.txt", "same.txt"]
    assert [path for path, _ in listing.skipped] == ["a/loop", "broken.txt", "out.txt", "pipe", "self.txt"]
    assert dict(listing.skipped)["a/loop"] == "symbolic link to a folder"
    assert dict(listing.skipped)["self.txt"] == "symbolic link that leads to itself"
    for path in ("out.txt", "../secret.txt", "pipe"):
        with pytest.raises(CorpusError):
            read_file(inside, path, 100)


def test_a_name_that_is_not_utf8_is_reported_and_the_others_load(tmp_path: Path) -> None:
    write(tmp_path, {"good.txt": "x"})
    try:
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.txt"))).write_text("x", encoding="utf-8")
    except OSError:
        pytest.skip("this file system refuses such names")
    listing = list_corpus(tmp_path)
    assert [file.path for file in listing.files] == ["good.txt"]
    assert listing.skipped == (("bad\\xff.txt", "name is not valid UTF-8"),)


def test_bytes_come_whole_or_not_at_all(tmp_path: Path) -> None:
    write(tmp_path, {"five.txt": "12345"})
    assert read_file(tmp_path, "five.txt", 5) == b"12345"
    with pytest.raises(CorpusError, match="larger than"):
        read_file(tmp_path, "five.txt", 4)
    with pytest.raises(CorpusError, match="No such file"):
        read_file(tmp_path, "gone.txt", 4)


def test_the_digest_moves_with_path_size_and_time() -> None:
    file = SourceFile("a.txt", 3, 7, 7)
    others = [SourceFile("b.txt", 3, 7, 7), SourceFile("a.txt", 4, 7, 7), SourceFile("a.txt", 3, 8, 7), SourceFile("a.txt", 3, 7, 8)]
    assert corpus_digest([file]) == corpus_digest([SourceFile("a.txt", 3, 7, 7)])
    assert len({corpus_digest(files) for files in ([file], [], *([other] for other in others))}) == 6
