"""Real files of many kinds: all load or are skipped with the right reason, and the evidence of their questions stands where it should.

Needs the folder that the environment variable PAGERAG_EVAL names.
"""

import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ChunkSettings, EmbedSettings, ParseSettings, ProfileSettings
from pagerag_pipeline_tests.homes import STUB_MODELS, refreshed

FOLDER = Path(os.environ["PAGERAG_EVAL"]) / "messy_files" if "PAGERAG_EVAL" in os.environ else None
pytestmark = pytest.mark.skipif(FOLDER is None, reason="PAGERAG_EVAL is not set")

NO_DOCUMENTS = {"manifest.jsonl": "its rows have no `text` field", "questions.jsonl": "its rows have no `text` field"}
PATHS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()) if FOLDER else []
QUESTIONS: list[dict[str, Any]] = [json.loads(line) for line in (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()] if FOLDER else []
WITH_EVIDENCE = [question for question in QUESTIONS if question["evidence"]]
LEAST_WORDS = 0.97
"""Share of an evidence's words that stand on its page: it was taken down by another reader, which loses some signs."""


@cache
def parsed(path: str) -> ParsedFile:
    assert FOLDER is not None
    return parse_file(path, (FOLDER / path).read_bytes(), ParseSettings())


@pytest.mark.parametrize("path", PATHS)
def test_a_file_loads_or_is_skipped_with_its_reason(path: str) -> None:
    assert parsed(path).skipped == NO_DOCUMENTS.get(path, "")
    for document in parsed(path).documents:
        assert document.text.strip()
        assert not re.search("^\ufeff|[\0\x02\ud800-\udfff]", document.text)
        assert all(0 <= block.start <= block.end <= len(document.text) for block in document.blocks)


@pytest.mark.parametrize("path", [path for path in PATHS if path not in NO_DOCUMENTS])
def test_the_chunks_of_a_file_are_its_text(path: str) -> None:
    tokenizer = load_tokenizer(EmbedSettings(model="hash"))
    for document in parsed(path).documents:
        chunks = chunk_document(document, profile_document(document, ProfileSettings()), tokenizer, ChunkSettings())
        assert "".join(chunk.text for chunk in chunks if chunk.kind == "chunk") == document.text
        assert all((chunk.page is not None) == path.endswith(".pdf") for chunk in chunks)


@pytest.mark.parametrize("question", WITH_EVIDENCE, ids=lambda question: question["qid"])
def test_the_evidence_of_a_question_stands_on_its_page(question: dict[str, Any]) -> None:
    for evidence, page in zip(question["evidence"], question["evidence_pages"], strict=True):
        held = words(page_text(question["doc_ids"][0], page + 1))
        wanted = words(evidence)
        assert sum(min(held.count(word), wanted.count(word)) for word in set(wanted)) >= LEAST_WORDS * len(wanted)


def test_the_evidence_of_running_text_stands_word_for_word() -> None:
    exact = [" ".join(words(q["evidence"][0])) in " ".join(words(parsed(q["doc_ids"][0]).documents[0].text)) for q in WITH_EVIDENCE]
    assert sum(exact) >= 7, [q["qid"] for q, found in zip(WITH_EVIDENCE, exact, strict=True) if not found]


def test_retrieval_finds_the_document_of_nearly_every_question(tmp_path: Path) -> None:
    assert FOLDER is not None
    corpus, home = tmp_path / "corpus", tmp_path / "home"
    for path in {path for question in QUESTIONS for path in question["doc_ids"]}:
        (corpus / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FOLDER / path, corpus / path)
    home.mkdir()
    (home / "pagerag.toml").write_text(f"[corpus]\nfolder = '{corpus}'\n\n{STUB_MODELS}", encoding="utf-8")
    refreshed(home, force=True)
    engine = QueryEngine(home)
    try:
        ranked = {q["qid"]: engine.retrieve(q["question"], system="passages", top=10) for q in QUESTIONS}
    finally:
        engine.close()
    found = [any(result.document in q["doc_ids"] for result in ranked[q["qid"]]) for q in QUESTIONS]
    assert sum(found) >= 0.9 * len(found), [q["qid"] for q, hit in zip(QUESTIONS, found, strict=True) if not hit]


def page_text(path: str, number: int) -> str:
    """The text of one page of a PDF."""
    (document,) = parsed(path).documents
    starts = [(block.start, block.label) for block in document.blocks if block.kind == "page"]
    at = [label for _, label in starts].index(str(number))
    return document.text[starts[at][0] : starts[at + 1][0] if at + 1 < len(starts) else len(document.text)]


def words(text: str) -> list[str]:
    """Words and numbers, in lower case."""
    return re.findall(r"\w+", text.lower())
