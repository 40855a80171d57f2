"""The bundled corpus has the shape its questions rely on."""

import csv
import html
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[2] / "data"
CORPUS = DATA / "corpus"
NOVELLA = "novella/the_tide_clerk_of_pellgarrow.txt"
ESSAY = "essays/on_mending.md"
REPORT = "reports/mossgate_orchard_report.md"
PAPER = "reports/cistern_covers_paper.html"
TALKS = "collections/lantern_society_talks.jsonl"
LABELS = "collections/museum_labels.csv"
GERMAN = "other/die_seilfaehre_von_grauwinkel.md"

ANSWERABLE_KINDS = {
    "fact",
    "relation",
    "theme",
    "comparison",
    "list",
    "count",
    "table",
    "superseded",
    "multilingual",
}
UNANSWERABLE_KINDS = {"near_miss", "false_premise", "beyond_end", "outside"}
FIELDS = {"qid", "question", "answers", "answerable", "evidence", "kind"}

Question = dict[str, Any]


def corpus_files() -> list[Path]:
    return sorted(path for path in CORPUS.rglob("*") if path.is_file())


def read(name: str) -> str:
    return (CORPUS / name).read_text(encoding="utf-8")


def records(path: Path) -> list[dict[str, str]]:
    if path.suffix == ".jsonl":
        lines = path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def load_documents() -> dict[str, str]:
    documents: dict[str, str] = {}
    for path in corpus_files():
        name = path.relative_to(CORPUS).as_posix()
        if path.suffix in {".jsonl", ".csv"}:
            for record in records(path):
                documents[f"{name}#{record['doc_id']}"] = record["text"]
        else:
            documents[name] = path.read_text(encoding="utf-8")
    return documents


def load_questions() -> list[Question]:
    lines = (DATA / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


DOCUMENTS = load_documents()
QUESTIONS = load_questions()
ANSWERABLE = [question for question in QUESTIONS if question["answerable"]]
UNANSWERABLE = [question for question in QUESTIONS if not question["answerable"]]


def by_kind(*kinds: str) -> list[Question]:
    return [question for question in QUESTIONS if question["kind"] in kinds]


def qid(question: Question) -> str:
    return str(question["qid"])


def word_count(text: str) -> int:
    return len(text.split())


def without_tags(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", markup))


def chapter_bodies() -> dict[str, str]:
    parts = re.split(r"^ *CHAPTER ([IVX]+)\n", read(NOVELLA), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def table_rows(markup: str, table_id: str) -> list[list[str]]:
    found = re.search(rf'<table id="{table_id}">(.*?)</table>', markup, re.DOTALL)
    assert found is not None
    rows = re.findall(r"<tr>(.*?)</tr>", found.group(1), re.DOTALL)
    return [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in rows]


@pytest.mark.parametrize("path", corpus_files(), ids=lambda path: path.name)
def test_file_is_clean_utf8_with_lf(path: Path) -> None:
    raw = path.read_bytes()
    raw.decode("utf-8")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert b"\t" not in raw
    assert raw.endswith(b"\n")
    assert not raw.endswith(b"\n\n")


def test_document_ids_are_unique() -> None:
    for name in (TALKS, LABELS):
        ids = [record["doc_id"] for record in records(CORPUS / name)]
        assert len(ids) == len(set(ids))
    assert len(DOCUMENTS) == 25 + 5 + 10


def test_novella_length() -> None:
    assert word_count(read(NOVELLA)) >= 8_000


def test_novella_chapters_are_numbered_in_order() -> None:
    numerals = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
    assert list(chapter_bodies()) == numerals


def test_novella_chapters_have_a_title_and_a_body() -> None:
    for body in chapter_bodies().values():
        title, _, rest = body.strip().partition("\n\n")
        assert "\n" not in title
        assert 2 <= word_count(title) <= 8
        assert word_count(rest) >= 700


def test_novella_ends_at_a_definite_point() -> None:
    assert read(NOVELLA).rstrip().endswith("THE END")


@pytest.mark.parametrize("name", [ESSAY, REPORT, PAPER])
def test_essay_report_and_paper_length(name: str) -> None:
    assert 1_200 <= word_count(without_tags(read(name))) <= 1_800


def test_report_sections_are_numbered() -> None:
    numbers = re.findall(r"^## (\d+)\. ", read(REPORT), flags=re.MULTILINE)
    assert numbers == [str(index) for index in range(1, len(numbers) + 1)]
    assert len(numbers) >= 8


def test_essay_defines_its_kinds() -> None:
    essay = read(ESSAY)
    assert essay.count("is a kind of") >= 4
    assert len(re.findall(r"^##+ ", essay, flags=re.MULTILINE)) >= 10


@pytest.mark.parametrize(("table_id", "columns"), [("table1", 7), ("table2", 4)])
def test_paper_tables_are_numeric(table_id: str, columns: int) -> None:
    rows = [row for row in table_rows(read(PAPER), table_id) if row]
    assert len(rows) >= 6
    for row in rows:
        assert len(row) == columns
        for cell in row[1:]:
            float(cell)


def test_paper_tables_agree_with_each_other() -> None:
    first = {row[0]: row for row in table_rows(read(PAPER), "table1") if row}
    for name, dusty, calm, difference in filter(None, table_rows(read(PAPER), "table2")):
        mean = (9 * float(dusty) + 17 * float(calm)) / 26
        assert mean == pytest.approx(float(first[name][3]), abs=0.05)
        assert float(dusty) - float(calm) == pytest.approx(float(difference), abs=0.01)


def test_there_are_twenty_dated_notes() -> None:
    notes = sorted((CORPUS / "notes").iterdir())
    assert len(notes) == 20
    for note in notes:
        assert re.match(r"\d{4}-\d{2}-\d{2}_\w+\.(md|txt)$", note.name)
        assert 60 <= word_count(note.read_text(encoding="utf-8")) <= 150


def test_german_document_length() -> None:
    assert 500 <= word_count(read(GERMAN)) <= 800


def test_collections_have_their_fields() -> None:
    talks, labels = records(CORPUS / TALKS), records(CORPUS / LABELS)
    assert 4 <= len(talks) <= 6
    assert 6 <= len(labels) <= 15
    for record in talks + labels:
        assert list(record) == ["doc_id", "title", "text"]
        assert all(value.strip() for value in record.values())


def test_question_counts() -> None:
    assert len(QUESTIONS) >= 80
    assert len(UNANSWERABLE) >= 25
    assert {question["kind"] for question in QUESTIONS} == (ANSWERABLE_KINDS | UNANSWERABLE_KINDS)
    assert min(Counter(question["kind"] for question in QUESTIONS).values()) >= 5


def test_questions_and_qids_are_unique() -> None:
    for field in ("qid", "question"):
        values = [question[field] for question in QUESTIONS]
        assert len(values) == len(set(values))


def test_first_four_questions_make_a_demonstration() -> None:
    kinds = [question["kind"] for question in QUESTIONS[:4]]
    assert kinds == ["fact", "relation", "theme", "beyond_end"]


@pytest.mark.parametrize("question", QUESTIONS, ids=qid)
def test_question_is_well_formed(question: Question) -> None:
    assert set(question) == FIELDS
    assert re.fullmatch(r"q\d{3}", question["qid"])
    assert isinstance(question["answerable"], bool)
    assert question["question"].strip() == question["question"]
    assert question["question"].endswith("?")
    for field in ("answers", "evidence"):
        assert all(isinstance(item, str) and item for item in question[field])
        assert len(question[field]) == len(set(question[field]))


@pytest.mark.parametrize("question", ANSWERABLE, ids=qid)
def test_answerable_question_has_answers_and_known_evidence(question: Question) -> None:
    assert question["kind"] in ANSWERABLE_KINDS
    assert question["answers"]
    assert question["evidence"]
    assert set(question["evidence"]) <= set(DOCUMENTS)


@pytest.mark.parametrize("question", UNANSWERABLE, ids=qid)
def test_unanswerable_question_has_no_answer_and_no_evidence(
    question: Question,
) -> None:
    assert question["kind"] in UNANSWERABLE_KINDS
    assert question["answers"] == []
    assert question["evidence"] == []


@pytest.mark.parametrize("question", by_kind("fact"), ids=qid)
def test_first_answer_of_a_fact_occurs_in_its_document(question: Question) -> None:
    assert any(question["answers"][0] in DOCUMENTS[name] for name in question["evidence"])


@pytest.mark.parametrize("question", by_kind("list"), ids=qid)
def test_every_item_of_a_list_occurs_in_its_document(question: Question) -> None:
    joined = " ".join(" ".join(DOCUMENTS[name].split()) for name in question["evidence"])
    for item in question["answers"]:
        assert item.lower() in joined.lower()


@pytest.mark.parametrize("question", by_kind("table"), ids=qid)
def test_table_answer_is_a_cell(question: Question) -> None:
    markup = DOCUMENTS[question["evidence"][0]]
    assert any(f"<td>{answer}</td>" in markup for answer in question["answers"])


def test_every_document_is_asked_about() -> None:
    asked = {name for question in ANSWERABLE for name in question["evidence"]}
    assert asked == set(DOCUMENTS)
