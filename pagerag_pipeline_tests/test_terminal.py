"""How results look."""

import io
import json
import time
from dataclasses import replace
from typing import Any

import pytest

from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.stores.locks import Progress
from pagerag_pipeline.terminal import Output, outcome_text, progress_line, progress_shown, refresh_text

OUTCOME: dict[str, Any] = {
    "qid": "q", "question": "Who?", "system": "page", "status": "answered", "answer": "Mara Quill founded it. Odo Fenn bought it.",
    "claims": [{"text": "Mara Quill founded it.", "labels": ["E2"]}, {"text": "Odo Fenn bought it.", "labels": ["E1", "E2"]}],
    "missing": [], "reason": None, "confidence": 0.91, "generation": "g1", "evidence": [],
    "citations": [
        {"label": "E2", "document": "a.txt", "chunk_id": "c", "start": 0, "end": 4, "quote": "Mara\n  Quill founded it.", "section": ["I", "Start"], "page": None},
        {"label": "E1", "document": "b.pdf", "chunk_id": "d", "start": 0, "end": 4, "quote": "Odo Fenn bought it.", "section": [], "page": 7},
    ],
}  # fmt: skip

PROGRESS = Progress("r", "chunks", 0, 200, "running")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def test_an_answer_shows_numbered_citations_with_document_section_page_and_quote():
    lines = outcome_text(OUTCOME).splitlines()
    assert lines[0] == "Mara Quill founded it. [1] Odo Fenn bought it. [2][1]"
    assert lines[2:6] == ["[1] a.txt, I > Start", "    Mara Quill founded it.", "[2] b.pdf, page 7", "    Odo Fenn bought it."]
    assert lines[-1] == "(confidence 0.91 that the evidence suffices, generation g1)"


def test_a_short_answer_stands_above_the_claims_that_it_rests_on():
    lines = outcome_text({**OUTCOME, "answer": "Mara Quill"}).splitlines()
    assert lines[:4] == ["Mara Quill", "", "Mara Quill founded it. [1] Odo Fenn bought it. [2][1]", ""]


def test_a_place_is_told_once_with_all_its_quotes_under_it():
    first, second = OUTCOME["citations"]
    lines = outcome_text({**OUTCOME, "citations": [first, second, {**first, "quote": "She sold it."}, first]}).splitlines()
    assert lines[2:7] == ["[1] a.txt, I > Start", "    Mara Quill founded it.", "    She sold it.", "[2] b.pdf, page 7", "    Odo Fenn bought it."]


def test_a_refusal_shows_its_reason_and_what_is_missing():
    refused = {**OUTCOME, "status": "refused", "answer": None, "claims": [], "citations": [], "reason": "insufficient", "missing": ["the year"]}
    assert outcome_text(refused) == "No answer (insufficient, confidence 0.91 that the evidence suffices).\nmissing: the year"


def test_a_fault_is_not_shown_as_an_answer():
    assert outcome_text({**OUTCOME, "status": "failed", "error": "disk"}) == "This question failed: disk"


def test_a_refresh_is_a_table_with_what_was_skipped_and_a_closing_line():
    report = ProductReport("chunks", "d", 12345, 3, 2, 1, 0, 1.25, added=1, details={"skipped": [["x.bin", "not text"]]})
    lines = refresh_text([report], "Done.").splitlines()
    assert lines[0].split() == ["product", "rows", "computed", "reused", "failed", "seconds"]
    assert lines[1].split() == ["chunks", "12,345", "2", "1", "0", "1.2"]
    assert lines[2:] == ["documents: 1 added, 0 changed, 0 deleted", "skipped x.bin: not text", "Done."]


def test_what_an_event_does_not_hold_and_what_would_be_too_long_is_counted():
    details = {"skipped": [["x.bin", "not text"]], "skipped_count": 2001, "notes": [[f"{n}.csv", "no text"] for n in range(21)]}
    lines = refresh_text([ProductReport("chunks", "d", 1, 1, 1, 0, 0, 0.1, details=details)], "Done.").splitlines()
    assert lines[2:4] == ["skipped x.bin: not text", "skipped 2,000 more"]
    assert lines[4] == "noted 0.csv: no text" and lines[-2:] == ["noted 1 more", "Done."] and len(lines) == 26


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
def test_json_reads_back_whatever_the_stream_can_carry(encoding: str):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace")
    Output(stream, json=True).show({"text": "\x96 \u2014 \ud55c \U0001f600 \ud800"}, "never shown")
    assert json.loads(raw.getvalue().decode(encoding)) == {"text": "\x96 \u2014 \ud55c \U0001f600 \ud800"}


def test_progress_tells_rate_and_time_left():
    assert progress_line(replace(PROGRESS, done=50), 40, 20.0) == "chunks 50/200, 2.0/s, 1 min 15 s left"
    assert progress_line(PROGRESS, 0, 0.0) == "chunks 0/200"
    assert progress_line(PROGRESS, 0, 75.0) == "chunks 0/200, 1 min 15 s so far"
    assert progress_line(replace(PROGRESS, done=1, total=20_000), 1, 1.0).endswith("5 h 33 min left")


def test_progress_moves_on_a_terminal_and_is_silent_elsewhere_while_all_is_quick():
    moving, plain = Terminal(), io.StringIO()
    with progress_shown(lambda: PROGRESS, moving), progress_shown(lambda: PROGRESS, plain):
        time.sleep(1.2)
    assert "chunks 0/200" in moving.getvalue() and moving.getvalue().endswith("\r\x1b[K")
    assert plain.getvalue() == ""


def test_progress_of_a_long_product_is_a_plain_line_elsewhere(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pagerag_pipeline.terminal.FIRST_LINE_SECONDS", 0.0)
    plain = io.StringIO()
    with progress_shown(lambda: PROGRESS, plain):
        time.sleep(1.7)
    assert plain.getvalue() == "chunks 0/200\n"
