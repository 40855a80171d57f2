"""INP: formats, paths and settings, through a whole refresh and the command line."""

import os
from pathlib import Path

import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.stores.corpus import read_file
from pagerag_pipeline_tests.cases.bad_input import add, notes, over, read, texts
from pagerag_pipeline_tests.cases.conftest import Command
from pagerag_pipeline_tests.cases.stored import stored
from pagerag_pipeline_tests.homes import F1, F2, F3, STUB_MODELS, corpus_of, refreshed

PAGE = f"<html><head><title>Works</title><script>var owner = 'Fake Person';</script></head><body><p>{F1}</p><script>'Fake Person'</script></body></html>"


def test_inp_02_of_a_good_a_blank_and_a_broken_line_one_loads_and_one_is_named(tmp_path: Path) -> None:
    home = over(tmp_path, {"docs.jsonl": f'{{"doc_id": "a", "text": "{F1}"}}\n\n{{bad'})
    assert notes(refreshed(home)) == {"docs.jsonl": "line 3: not JSON"}
    assert texts(read(home)[0]) == {"docs.jsonl#a": F1}


@pytest.mark.parametrize("command", ["answer", "retrieve"])
def test_inp_04_a_text_is_no_file_of_questions(home: Path, pagerag: Command, tmp_path: Path, command: str) -> None:
    (tmp_path / "notes.txt").write_text(F1, encoding="utf-8")
    told = pagerag("--home", home, command, tmp_path / "notes.txt")
    assert told.code == 2
    assert "notes.txt, line 1: not a question" in told.error
    assert len(told.error.strip().splitlines()) == 1


def test_inp_04_a_question_file_among_the_documents_is_skipped_and_a_file_is_no_corpus(tmp_path: Path, pagerag: Command) -> None:
    home = over(tmp_path, {"questions.jsonl": '{"qid": 1, "question": "Who?"}\n', "f1.txt": F1})
    assert read(home)[1]["questions.jsonl"].startswith("its rows have no `text` field")
    told = pagerag("--home", tmp_path / "other", "refresh", "--corpus", corpus_of(home) / "f1.txt")
    assert (told.code, "does not exist or is not a folder" in told.error) == (2, True)
    assert not (tmp_path / "other").exists()


def test_inp_05_mis_named_empty_and_binary_files_are_skipped_by_name_and_the_others_load(tmp_path: Path) -> None:
    odd: dict[str, str | bytes] = {
        "empty.txt": b"",
        "blank.md": " \n\t\n\u3000",
        "dots.txt": "...\n\n---",
        "noise.txt": bytes(range(256)) * 8,
        "zeros.txt": b"\0" * 4000,
        "slides.pptx": b"PK\x03\x04",
        "fake.pdf": F2,
        "photo.txt": b"\x89PNG\r\n\x1a\n" + bytes(99),
        "data.xyz": "x",
        "table.parquet": b"PAR1",
    }
    found, skipped = read(over(tmp_path, {**odd, "notes.html": PAGE, "f3.txt": F3}))
    assert set(skipped) == set(odd)
    assert all(reason.strip() for reason in skipped.values())
    assert set(texts(found)) == {"notes.html", "f3.txt"}


def test_inp_08_what_a_script_names_is_nowhere(tmp_path: Path) -> None:
    found, _ = read(over(tmp_path, {"notes.html": PAGE}))
    assert found.holding("Fake Person") == []
    assert "Mara Quill" in found.column("nodes", "name")


def test_inp_12_line_ends_make_no_other_document(tmp_path: Path) -> None:
    text = f"{F1}\n\n{F2}\n"
    found, _ = read(over(tmp_path, {"dos.txt": text.replace("\n", "\r\n"), "mac.txt": text.replace("\n", "\r"), "unix.txt": text}))
    assert set(texts(found).values()) == {text}
    assert len(found.column("documents", "key")) == 1


def test_inp_13_a_file_that_grows_while_it_is_scanned_is_read_as_one_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = over(tmp_path, {"f1.txt": F1})
    def growing(folder: Path, path: str, limit: int) -> bytes:
        data = read_file(folder, path, limit)
        (folder / path).write_text(f"{F1}\n\n{F2}", encoding="utf-8")
        return data

    with monkeypatch.context() as patch:
        patch.setattr("pagerag_pipeline.refresh.documents.read_file", growing)
        refreshed(home)
    first = stored(home)
    assert texts(first) == {"f1.txt": F1}
    assert "Odo Fenn" not in first.column("nodes", "name")
    assert texts(read(home)[0]) == {"f1.txt": f"{F1}\n\n{F2}"}


ODD_NAMES = ["it's.txt", 'say "x": y;.txt', "a#b%20c.txt", "new\nline.txt", "tab\there.txt", "--flag.txt", "$(x).txt", "\u738b \U0001f600.txt", "e\u0301.txt", "\u00e9.txt"]


def test_files_of_any_name_are_documents_that_are_found_asked_by_name_and_deleted(tmp_path: Path) -> None:
    files = {name: f"Sister Bell kept {n + 2} bees in house number {n}. Zone{n}x was its sign." for n, name in enumerate(ODD_NAMES)}
    home = over(tmp_path, files)
    found, skipped = read(home)
    assert (set(texts(found)), skipped) == (set(files), {})
    with QueryEngine(home) as engine:
        for n, name in enumerate(ODD_NAMES):
            assert engine.retrieve(f"zone{n}x", system="passages", top=1)[0].document == name
    for name in ODD_NAMES[:4]:
        (corpus_of(home) / name).unlink()
    assert refreshed(home)["source_documents"].deleted == 4
    assert set(texts(read(home)[0])) == set(ODD_NAMES[4:])


def test_links_pipes_and_locked_folders_are_skipped_by_name(tmp_path: Path) -> None:
    home = over(tmp_path, {"f1.txt": F1})
    corpus = corpus_of(home)
    (corpus / "loop").symlink_to(corpus)
    (corpus / "self.txt").symlink_to(corpus / "self.txt")
    (corpus / "one.txt").symlink_to(corpus / "two.txt")
    (corpus / "two.txt").symlink_to(corpus / "one.txt")
    (corpus / "out.txt").symlink_to(tmp_path / "home" / "pagerag.toml")
    os.mkfifo(corpus / "pipe.txt")
    found, skipped = read(home)
    assert set(texts(found)) == {"f1.txt"}
    circle = "symbolic link that leads to itself"
    outside = "symbolic link that leads outside the corpus folder"
    assert skipped == {
        "loop": "symbolic link to a folder", "self.txt": circle, "one.txt": circle, "two.txt": circle, "out.txt": outside, "pipe.txt": "not a regular file",
    }  # fmt: skip


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_that_may_not_be_read_is_skipped_by_name(tmp_path: Path) -> None:
    home = over(tmp_path, {"f1.txt": F1, "locked.txt": F2})
    (corpus_of(home) / "locked.txt").chmod(0)
    found, skipped = read(home)
    assert (set(texts(found)), set(skipped)) == ({"f1.txt"}, {"locked.txt"})


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("[corpus\n", "not a readable TOML file"),
        (b"\xff\xfe", "not a readable TOML file"),
        ('[corpus]\nfoldr = "x"\n', "unknown key corpus.foldr; known are folder"),
        ("[corpse]\n", "unknown section [corpse]"),
        ("[chunk]\nchunk_tokens = 'many'\n", "chunk.chunk_tokens must be a whole number"),
        ("chunk = 7\n", "[chunk] must be a section"),
        (f"[corpus]\nfolder = 'gone'\n{STUB_MODELS}", "is not there"),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_one_line(tmp_path: Path, pagerag: Command, settings: str | bytes, words: str) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "pagerag.toml").write_bytes(settings if isinstance(settings, bytes) else settings.encode())
    told = pagerag("--home", tmp_path / "home", "refresh")
    assert told.code in (2, 3)
    assert words in told.error
    assert len(told.error.strip().splitlines()) == 1


def test_a_home_that_is_a_file_is_told_in_one_line(tmp_path: Path, pagerag: Command) -> None:
    (tmp_path / "home").write_text("x", encoding="utf-8")
    (tmp_path / "corpus").mkdir()
    for command in (["refresh", "--corpus", tmp_path / "corpus"], ["status"]):
        told = pagerag("--home", tmp_path / "home", *command)
        assert (told.code, told.error.count("\n")) == (2, 1)
        assert "is not a folder" in told.error or "is a file, not a folder" in told.error


def test_one_bad_file_after_another_never_stops_a_good_one(tmp_path: Path) -> None:
    home = over(tmp_path, {"f1.txt": F1})
    read(home)
    add(home, {"f1.txt": b"\0" * 4000, "nul.txt": b"Mara\0 Quill\0 founded Tinworks.", "f3.txt": F3})
    reports = refreshed(home)
    assert notes(reports) == {"nul.txt": "2 NUL characters removed"}
    found, skipped = read(home)
    assert texts(found) == {"nul.txt": "Mara Quill founded Tinworks.", "f3.txt": F3}
    assert skipped == {"f1.txt": "binary data, not text"}
