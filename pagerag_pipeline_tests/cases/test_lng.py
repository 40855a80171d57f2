"""LNG: languages, encodings and odd characters, through a whole refresh."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline_tests.cases.bad_input import notes, over, read, texts, work
from pagerag_pipeline_tests.homes import F1, F3, corpus_of, refreshed

CHINESE = "林黛玉在1743年走进荣国府。贾宝玉在怡红院读了《西厢记》。"
JAPANESE = "マーラ・クイルは1901年にティンワークスを設立しました。ティンワークスは港通りにあります。"
PARSED = '[embed]\nmodel = "hash"\n'
CHUNK_CAP = 1800


@pytest.mark.parametrize(("case", "data"), [("LNG-01", b"\xef\xbb\xbf" + F1.encode()), ("LNG-02", F1.encode("utf-16")), ("LNG-02", F1.encode("utf-16-le"))])
def test_lng_01_02_whatever_its_unicode_encoding_a_file_is_the_same_document(tmp_path: Path, case: str, data: bytes) -> None:
    found, _ = read(over(tmp_path, {"plain.txt": F1, "other.txt": data}))
    assert texts(found) == {"plain.txt": F1, "other.txt": F1}, case
    assert len(found.column("documents", "key")) == 1
    assert "Mara Quill" in found.column("nodes", "name")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp932", "gbk", "cp1252"])
def test_lng_03_no_encoding_of_the_locale_changes_text_or_ends_a_run(tmp_path: Path, encoding: str) -> None:
    odd = "Mara Quill \u2014 \ud55c \U0001f600 \u2014 founded Tinworks."
    home = over(tmp_path, {"f1.txt": odd, "\u201codd\ud55c.png": b"\x89PNG"})
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    for arguments in (["refresh"], ["show", "document", "f1.txt"], ["ask", "What did Mara Quill found \u2014 \U0001f600?"]):
        command = [sys.executable, "-m", "pagerag_pipeline.cli", "--home", str(home), *arguments]
        result = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert result.returncode == 0, result.stderr
        result.stdout.decode(encoding)
    found, _ = read(home)
    assert texts(found) == {"f1.txt": odd}


def test_lng_04_a_name_that_is_no_utf8_is_skipped_and_deletion_goes_on(tmp_path: Path) -> None:
    home = over(tmp_path, {"a.txt": b"Odd \xed\xb2\x9a mark at Tinworks.", "f3.txt": F3})
    bad = os.fsencode(corpus_of(home)) + b"/bad\xff.txt"
    try:
        Path(os.fsdecode(bad)).write_text(F1, encoding="utf-8")
    except OSError:
        pytest.skip("this file system refuses such names")
    found, skipped = read(home)
    assert skipped == {"bad\\xff.txt": "name is not valid UTF-8"}
    assert texts(found) == {"a.txt": "Odd \ufffd mark at Tinworks.", "f3.txt": F3}
    (corpus_of(home) / "f3.txt").unlink()
    reports = refreshed(home)
    assert reports["source_documents"].deleted == 1
    assert notes(reports)["a.txt"] == "1 lone surrogate replaced"


def test_lng_06_names_and_summaries_of_a_chinese_text_are_spans_of_it(tmp_path: Path) -> None:
    home = over(tmp_path, {"z.txt": "\n\n".join(f"第{n}回\n\n{CHINESE * 60}" for n in "一二三四五六")})
    found, _ = read(home)
    assert found.column("profiles", "language") == {"zh"}
    text = texts(found)["z.txt"]
    assert found.rows["tree_quotes"]
    assert all(row["quote"] in text for row in found.rows["tree_quotes"])
    assert all(str(surface) in text for (surface,) in work(home, "SELECT DISTINCT surface FROM terms"))
    assert "西厢记" in found.column("nodes", "name") | {surface for (surface,) in work(home, "SELECT surface FROM terms")}


def test_lng_08_a_summary_of_a_japanese_text_is_japanese(tmp_path: Path) -> None:
    found, _ = read(over(tmp_path, {"j.txt": "\n\n".join(f"第{n}章\n\n{JAPANESE * 60}" for n in "一二三四五六")}))
    assert found.column("profiles", "language") == {"ja"}
    summaries = [row["text"] for row in found.rows["tree"] if row["level"] > 0]
    assert summaries
    assert not any(c.isascii() and c.isalpha() for text in summaries for c in text)


def test_lng_10_chinese_without_a_line_end_is_cut_at_its_stops_within_the_cap(tmp_path: Path) -> None:
    sentences = [f"贾宝玉走了{n}里路，{'又' * (n % 17)}回到荣国府。" for n in range(800)]
    found, _ = read(over(tmp_path, {"z.txt": "".join(sentences)}))
    chunks = [row for row in found.rows["chunks"] if row["kind"] == "chunk"]
    assert len(texts(found)["z.txt"]) > 12_000
    assert len(chunks) > 5
    assert all(row["tokens"] <= CHUNK_CAP for row in chunks)
    assert all(row["text"].endswith("。") for row in found.rows["chunks"])


def test_lng_12_emoji_and_ideographs_at_every_boundary_stay_whole(tmp_path: Path) -> None:
    text = "\U0001f469\u200d\U0001f467王\U0001f600é。" * 2500
    found, _ = read(over(tmp_path, {"e.txt": text}))
    assert len([row for row in found.rows["chunks"] if row["kind"] == "chunk"]) > 3
    assert found.holding("\ufffd") == []
    assert all(text[row["start_at"] : row["end_at"]] == row["text"] for row in found.rows["chunks"])
    assert not any(row["text"].startswith("\u200d") for row in found.rows["chunks"])


@pytest.mark.models
def test_lng_13_chinese_is_never_read_by_an_english_parser_not_even_inside_an_english_text(tmp_path: Path) -> None:
    mixed = f"The mill was built by Mara Quill on the bank of the river.\n\n{CHINESE}\n\nIt was sold to Odo Fenn in the spring."
    home = over(tmp_path, {"z.txt": CHINESE * 20, "mixed.txt": mixed}, settings=PARSED)
    found, _ = read(home)
    assert refreshed(home)["entity_records"].details["without_parser"] == {"zh": 1}
    assert {row["document"]: row["language"] for row in found.rows["profiles"]} == {"z.txt": "zh", "mixed.txt": "en"}
    terms = {(surface, label) for surface, label in work(home, "SELECT surface, label FROM terms")}
    assert {("Mara Quill", "PERSON"), ("西厢记", "WORK_OF_ART")} <= terms
    assert not [one for one in terms if not str(one[0]).isascii() and one[1] in ("NOUN", "PERSON", "PROPN")]


@pytest.mark.parametrize("asked", ["محمد\u200f علي", "محمد علي"])
def test_lng_15_a_direction_mark_inside_a_name_hides_nothing(tmp_path: Path, asked: str) -> None:
    home = over(tmp_path, {"a.txt": "زار محمد\u200f علي القاهرة في عام 1805.", "f3.txt": F3})
    read(home)
    assert name_key("محمد\u200f علي") == name_key(asked)
    with QueryEngine(home) as engine:
        assert engine.retrieve(asked, system="passages", top=1)[0].document == "a.txt"


@pytest.mark.parametrize("odd", ["Tinworks \udce2\udc80\udc94 1901", "Tinworks \ud83d 1901"])
def test_a_question_with_lone_surrogates_is_asked_like_any_other(home: Path, odd: str) -> None:
    with QueryEngine(home) as engine:
        assert engine.retrieve(odd, top=1)[0].document == "f1.txt"
        outcome = engine.ask(odd)
    assert outcome.status != "failed"
    outcome.question.encode("utf-8")


def test_a_corpus_of_many_languages_refreshes_and_each_text_is_found_in_its_own(tmp_path: Path) -> None:
    german, french = "Das Dach der Mühle ist im Winter eingestürzt.", "Le toit de l'église est tombé dans la rivière."
    home = over(tmp_path, {"z.txt": CHINESE, "d.txt": german, "e.txt": f"{F1} It is the oldest house of the town.", "j.txt": JAPANESE, "f.txt": french})
    found, _ = read(home)
    assert {row["document"]: row["language"] for row in found.rows["profiles"]} == {"z.txt": "zh", "d.txt": "de", "e.txt": "en", "f.txt": "fr", "j.txt": "ja"}
    asked = {"怡红院": "z.txt", "Mühle eingestürzt": "d.txt", "église rivière": "f.txt", "Harbour Lane": "e.txt", "ティンワークス": "j.txt"}
    with QueryEngine(home) as engine:
        assert {text: engine.retrieve(text, system="passages", top=1)[0].document for text in asked} == asked
