"""Sets are read whole: questions apart from gold, documents found where they stand, and what is left out counted."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.evaluation.datasets import Gold, Selection, Task, crossed, read_set, sampled
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline_tests.evaluation.sets import QUESTIONS, write_books, write_lines, write_set

BOOKS = {"1": "Mara Quill founded Tinworks.", "2": "Odo Fenn bought Tinworks, and married Ida Holt.", "3": "Sister Bell kept bees."}


def ask_books(folder: Path, books: tuple[str, ...] = ("1", "2")) -> Path:
    rows = [
        {
            "qid": f"q{one}",
            "question": f"Who is in {one}?",
            "doc_ids": [f"gid-{one}"],
            "answers": ["x"],
            "answerable": True,
            "evidence": [],
        }
        for one in books
    ]
    write_lines(folder / "questions.jsonl", rows)
    return folder


def test_a_question_has_no_gold_and_gold_has_no_question(tmp_path: Path) -> None:
    found = read_set(write_set(tmp_path / "own"), Selection())
    assert {f.name for f in fields(Question)} & {f.name for f in fields(Gold)} == set()
    first = found.tasks[0]
    assert first.question == Question("1", "Who founded Tinworks?")
    assert first.gold == Gold(True, ("Mara Quill",), {"quill": 1}, group="1")
    assert (found.name, found.split, dict(found.left_out)) == ("own", "questions.jsonl", {})
    assert found.files == {"own/docs.jsonl": tmp_path / "own" / "docs.jsonl"}


def test_a_file_without_text_is_a_named_skip_and_no_document(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "own")
    write_lines(folder / "summaries.jsonl", [{"doc_id": "quill", "summary": "short"}])
    found = read_set(folder, Selection())
    assert [name for name, _ in found.skipped] == ["summaries.jsonl"] and "`text`" in found.skipped[0][1]
    assert list(found.files) == ["own/docs.jsonl"]


def test_books_are_found_by_an_index_in_a_folder_beside_and_only_those_asked_of_come(tmp_path: Path) -> None:
    books = write_books(tmp_path / "books", BOOKS)
    found = read_set(ask_books(tmp_path / "novels"), Selection())
    assert found.files == {f"books/{one}_a-book.txt": books / f"{one}_a-book.txt" for one in ("1", "2")}
    assert [task.question.doc_ids for task in found.tasks] == [("1_a-book.txt",), ("2_a-book.txt",)]


def test_the_folder_of_documents_can_be_named(tmp_path: Path) -> None:
    write_books(tmp_path / "far" / "books", BOOKS)
    asked = ask_books(tmp_path / "novels")
    with pytest.raises(EvaluationError, match="gid-1.*--corpus"):
        read_set(asked, Selection())
    assert len(read_set(asked, Selection(), corpus=tmp_path / "far" / "books").files) == 2
    with pytest.raises(EvaluationError, match="does not exist"):
        read_set(asked, Selection(), corpus=tmp_path / "nowhere")


def test_a_folder_of_plain_files_is_a_corpus_whose_ids_are_paths(tmp_path: Path) -> None:
    (tmp_path / "corpus" / "deep").mkdir(parents=True)
    (tmp_path / "corpus" / "deep" / "a.txt").write_text("Mara Quill founded Tinworks.", encoding="utf-8")
    write_lines(
        tmp_path / "asked" / "questions.jsonl", [{"question": "Who?", "answers": ["Mara Quill"], "evidence": ["deep/a.txt"]}]
    )
    (task,) = read_set(tmp_path / "asked", Selection(), corpus=tmp_path / "corpus").tasks
    assert task.question.doc_ids is None and task.gold.relevant == {"deep/a.txt": 1}


def test_a_document_of_a_file_of_many_may_be_named_by_the_path_of_its_file(tmp_path: Path) -> None:
    write_lines(tmp_path / "corpus" / "talks.jsonl", [{"doc_id": "talk-1", "text": "x"}])
    (tmp_path / "corpus" / "labels.csv").write_text("doc_id,text\nlabel-1,y\n", encoding="utf-8")
    rows = [{"question": "Who?", "answers": ["x"], "evidence": ["talks.jsonl#talk-1", "labels.csv#label-1", "nowhere.csv#1"]}]
    write_lines(tmp_path / "asked" / "questions.jsonl", rows)
    found = read_set(tmp_path / "asked", Selection(), corpus=tmp_path / "corpus")
    assert found.tasks[0].gold.relevant == {"talks.jsonl#talk-1": 1, "labels.csv#label-1": 1}
    assert set(found.files) == {"corpus/talks.jsonl", "corpus/labels.csv"}


def test_one_of_several_question_files_brings_its_own_documents_alone(tmp_path: Path) -> None:
    for language in ("en", "zh"):
        rows = [{"qid": language, "question": "Who?", "doc_ids": [f"{language}-1"], "answers": ["x"], "evidence": []}]
        write_lines(tmp_path / "both" / f"{language}_questions.jsonl", rows)
        write_lines(tmp_path / "both" / f"{language}_docs.jsonl", [{"doc_id": f"{language}-1", "text": "x"}])
    assert len(read_set(tmp_path / "both", Selection()).tasks) == 2
    one = read_set(tmp_path / "both", Selection(questions="en_questions.jsonl"))
    assert list(one.files) == ["both/en_docs.jsonl"] and len(one.tasks) == 1
    assert read_set(tmp_path / "both" / "en_questions.jsonl", Selection()).tasks == one.tasks


def scoped(name: str, documents: tuple[str, ...], *, answerable: bool = True) -> dict[str, Any]:
    return {
        "qid": name,
        "question": f"Who is {name}?",
        "doc_ids": list(documents),
        "answers": ["x"] * answerable,
        "answerable": answerable,
        "evidence": [],
    }


def test_a_pool_is_asked_as_a_whole_and_what_a_question_names_is_gold(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "pooled", [scoped("a", ("quill",)), scoped("b", ("fenn",), answerable=False)])
    plain = read_set(folder, Selection())
    assert [(t.question.doc_ids, t.gold.relevant) for t in plain.tasks] == [(("quill",), {}), (("fenn",), {})]
    pooled = read_set(folder, Selection(pool=True))
    assert [(t.question.doc_ids, t.gold.relevant, t.gold.group) for t in pooled.tasks] == [
        (None, {"quill": 1}, "quill"),
        (None, {}, "fenn"),
    ]


def test_graded_gold_and_evidence_in_words(tmp_path: Path) -> None:
    rows = [
        {"question": "Who?", "answers": [], "evidence": ["quill", "fenn"], "qrels": {"quill": 2, "fenn": 0}},
        {"question": "When?", "answers": ["x"], "evidence": ["Odo Fenn bought Tinworks."]},
    ]
    first, second = read_set(write_set(tmp_path / "graded", rows), Selection()).tasks
    assert first.gold.relevant == {"quill": 2} and second.gold.relevant == {}


def test_what_is_selected_and_what_is_left_out_is_counted(tmp_path: Path) -> None:
    rows = [{**row, "kind": kind, "lang": "en"} for row, kind in zip(QUESTIONS, ("a", "b", "c", "b"), strict=True)]
    folder = write_set(tmp_path / "kinds", rows)
    found = read_set(folder, Selection(where=(("kind", "b"), ("kind", "c"), ("lang", "en")), limit=2))
    assert dict(found.left_out) == {"not_selected": 1, "beyond_limit": 1}
    assert sorted(task.gold.answerable for task in found.tasks) == [False, True]
    with pytest.raises(EvaluationError, match="no question is left"):
        read_set(folder, Selection(where=(("kind", "z"),)))


def test_the_smallest_documents_bring_their_questions(tmp_path: Path) -> None:
    write_books(tmp_path / "books", BOOKS)
    found = read_set(ask_books(tmp_path / "novels", ("1", "2", "3")), Selection(shortest=2))
    assert [task.question.qid for task in found.tasks] == ["q1", "q3"]
    assert set(found.files) == {"books/1_a-book.txt", "books/3_a-book.txt"} and dict(found.left_out) == {"of_longer_documents": 1}


def test_crossing_asks_each_answerable_question_of_other_documents_too() -> None:
    tasks = [Task(Question(name, "Who?", (f"{name}.txt",)), Gold(name != "c", ("x",), group=f"{name}.txt")) for name in "abc"]
    found, alone = crossed(tasks, seed=7)
    assert [(t.question.qid.partition("@")[0], t.gold.answerable, t.gold.crossed) for t in found] == [
        ("a", True, False), ("a", False, True), ("b", True, False), ("b", False, True),
    ]  # fmt: skip
    assert alone == 0 and all(
        t.question.doc_ids != (f"{t.question.qid[0]}.txt",) and t.gold.answers == () for t in found if t.gold.crossed
    )
    assert crossed(tasks, seed=7) == (found, alone)
    with pytest.raises(EvaluationError, match="exclude each other"):
        read_set(Path("nowhere"), Selection(cross=True, pool=True))
    whole = [Task(Question("a", "Who?"), Gold(True))]
    assert crossed(whole, seed=7) == (whole, 1)


def test_a_sample_is_half_answerable_where_it_can_be_and_the_same_each_time() -> None:
    tasks = [Task(Question(str(i), "?"), Gold(i >= 3)) for i in range(20)]
    sample = sampled(tasks, 10, 7)
    assert (
        sum(task.gold.answerable for task in sample) == 7
        and len(sample) == 10
        and sample == sampled(tasks, 10, 7) != sampled(tasks, 10, 8)
    )
    assert sum(task.gold.answerable for task in sampled(tasks, 4, 7)) == 2
    assert sampled(tasks, None, 7) == tasks


def test_earlier_turns_can_be_left_out(tmp_path: Path) -> None:
    folder = write_set(
        tmp_path / "turns", [{"question": "And who?", "history": [["user", "before"]], "answers": ["x"], "evidence": []}]
    )
    assert len(read_set(folder, Selection()).tasks[0].question.history) == 1
    assert read_set(folder, Selection(last_turn=True)).tasks[0].question.history == ()


def test_a_set_that_cannot_be_read_is_told_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    with pytest.raises(EvaluationError, match="--questions"):
        read_set(tmp_path / "bad", Selection())
    (tmp_path / "bad" / "questions.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match="line 1"):
        read_set(tmp_path / "bad", Selection())


def test_a_folder_that_is_not_there_is_not_its_parent(tmp_path: Path) -> None:
    write_set(tmp_path)
    with pytest.raises(EvaluationError, match="no folder or question file .*questionz"):
        read_set(tmp_path / "questionz", Selection())
    assert len(read_set(tmp_path, Selection()).tasks) == 4


def test_a_neighbor_that_cannot_be_read_is_no_index_and_is_told(tmp_path: Path) -> None:
    asked = ask_books(tmp_path / "novels")
    write_lines(tmp_path / "afar" / "index.jsonl", [{"doc_id": "a", "file": "a.txt"}, {"file": "b.txt"}])
    (tmp_path / "bytes").mkdir()
    (tmp_path / "bytes" / "latin.jsonl").write_bytes('{"text": "Café"}\n'.encode("latin-1"))
    with pytest.raises(
        EvaluationError, match=r"gid-1, which stands nowhere.*\.\./afar/index\.jsonl.*line 2.*doc_id.*latin\.jsonl.*UTF-8"
    ):
        read_set(asked, Selection())
    write_books(tmp_path / "books", BOOKS)
    found = read_set(asked, Selection())
    assert len(found.files) == 2 and [name for name, _ in found.skipped] == ["../afar/index.jsonl"]
    write_lines(asked / "own.jsonl", [{"doc_id": "a", "file": "a.txt"}, {"file": "b.txt"}])
    with pytest.raises(EvaluationError, match=r"own\.jsonl, line 2: it has no `doc_id`"):
        read_set(asked, Selection())


def test_plain_files_beside_documents_in_lines_are_told_when_all_documents_are_asked(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "own")
    (folder / "notes.txt").write_text("Ada Moss bought Low Farm.", encoding="utf-8")
    (told,) = read_set(folder, Selection()).noted
    assert told.startswith("1 plain files") and "notes.txt" in told and "--corpus" in told
    assert read_set(folder, Selection(), corpus=folder).noted == ()
    write_lines(folder / "questions.jsonl", [scoped("a", ("quill",))])
    assert read_set(folder, Selection()).noted == ()


def test_evidence_that_names_no_document_is_counted_and_what_the_home_knows_is_gold(tmp_path: Path) -> None:
    rows = [{"question": "Who?", "answers": ["x"], "evidence": ["quill", "far/away.txt"]}]
    folder = write_set(tmp_path / "own", rows)
    lost = read_set(folder, Selection())
    assert lost.tasks[0].gold.relevant == {"quill": 1}
    assert lost.noted == ("1 of 2 pieces of evidence name no document, no ranking is judged by them: far/away.txt",)
    rows = [{"question": "When?", "answers": ["x"], "evidence": ["Odo Fenn\nbought Tinworks."]}]
    (words,) = read_set(write_set(tmp_path / "words", rows), Selection()).noted
    assert words.endswith("by them: Odo Fenn bought Tinworks.")
    kept = read_set(folder, Selection(), held={"far/away.txt"}.__contains__)
    assert kept.tasks[0].gold.relevant == {"quill": 1, "far/away.txt": 1} and kept.noted == ()


def test_crossing_counts_the_sets_own_unanswerable_questions_and_tells_those_asked_as_they_are(tmp_path: Path) -> None:
    rows = [scoped("a", ("quill",)), scoped("b", ("fenn",)), scoped("c", ("bell",), answerable=False)]
    rows.append({**QUESTIONS[0], "qid": "d"})
    found = read_set(write_set(tmp_path / "own", rows), Selection(cross=True))
    assert dict(found.left_out) == {"unanswerable_of_its_own": 1}
    assert found.noted == ("1 questions asked of their own documents alone: nothing to cross with",)
    assert [task.question.qid.partition("@")[0] for task in found.tasks] == ["a", "a", "b", "b", "d"]


def test_a_set_tells_its_split_and_never_the_folder_that_a_clone_stands_in(tmp_path: Path) -> None:
    def split_of(folder: Path, **more: Any) -> str:
        return read_set(write_set(folder, [{**question, **more} for question in QUESTIONS]), Selection()).split

    assert split_of(tmp_path / "my-clone" / "data") == "questions.jsonl"
    assert split_of(tmp_path / "test" / "own") == "test" and split_of(tmp_path / "Dev" / "own") == "Dev"
    assert split_of(tmp_path / "test" / "other", split="validation") == "validation"
    named = write_lines(tmp_path / "my-clone" / "data" / "cells.jsonl", QUESTIONS)
    assert read_set(named, Selection()).split == "cells.jsonl"
