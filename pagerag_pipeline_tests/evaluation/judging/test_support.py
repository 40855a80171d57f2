"""The measures of Ragas by their definitions, worked out by hand."""

import re
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.evaluation.judging.support import (
    answer_relevance,
    context_precision,
    context_recall,
    faithfulness,
    mean_precision,
)
from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.schema.language import Request
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline_tests.evaluation.judging.judged import case, judge_of

EMBEDDER = load_embedder(EmbedSettings(model="hash"))
TWO = {"statements": ["Mara Quill founded Tinworks.", "Mara Quill founded Tinworks in 1850."]}
PIECES = ("Bees sleep at Low Farm.", "Mara Quill founded Tinworks in 1901.", "Odo Fenn was born in Norwick.", "Tinworks was founded by Mara Quill.")


def said(*true: str) -> Any:
    """Which numbered statements are said, by their words."""

    def reply(request: Request) -> dict[str, Any]:
        numbered = re.findall(r"^(\d+)\. (.+)$", request.text, re.MULTILINE)
        return {"verdicts": [{"number": int(number), "said": text in true} for number, text in numbered]}

    return reply


def useful(word: str) -> Any:
    """The pieces that hold a word are useful."""

    def reply(request: Request) -> dict[str, Any]:
        pieces = re.findall(r"^(C\d+):\n=+ \w+ =+\n(.*?)\n=+ \w+ =+$", request.text, re.MULTILINE | re.DOTALL)
        return {"verdicts": [{"label": f"[{label}]", "useful": word in text} for label, text in pieces]}

    return reply


def test_faithfulness_is_the_share_of_statements_that_the_evidence_says(tmp_path: Path) -> None:
    judge, _ = judge_of(tmp_path, {"statements": TWO, "entail": said(TWO["statements"][0])})
    assert faithfulness(case(), judge) == 0.5
    assert faithfulness(case(contexts=()), judge) == 0.0
    assert faithfulness(case(answer="", status="refused"), judge) is None
    silent, _ = judge_of(tmp_path / "silent", {"statements": {"statements": []}})
    assert faithfulness(case(), silent) is None


def test_context_recall_looks_at_the_reference_and_not_at_the_answer(tmp_path: Path) -> None:
    judge, model = judge_of(tmp_path, {"statements": TWO, "entail": said(*TWO["statements"])})
    assert context_recall(case(answer="Something else entirely."), judge) == 1.0
    assert "Something else" not in "".join(request.text for request in model.requests)
    assert context_recall(case(references=()), judge) is None and context_recall(case(answerable=False), judge) is None


def test_context_precision_weighs_ranks(tmp_path: Path) -> None:
    assert mean_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert mean_precision([False, True]) == 0.5 and mean_precision([False]) == mean_precision([]) == 0.0
    judge, model = judge_of(tmp_path, {"useful": useful("Mara Quill")})
    assert context_precision(case(contexts=PIECES), judge) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert len(model.requests) == 1


def test_what_does_not_fit_the_window_at_once_is_judged_in_groups(tmp_path: Path) -> None:
    whole, _ = judge_of(tmp_path, {"useful": useful("Mara Quill")})
    parted, model = judge_of(tmp_path / "parted", {"useful": useful("Mara Quill"), "statements": TWO, "entail": said(TWO["statements"][0])}, room=1_250)
    assert context_precision(case(contexts=PIECES), whole) == context_precision(case(contexts=PIECES), parted)
    assert len(model.requests) > 1
    assert faithfulness(case(contexts=PIECES), parted) == 0.5


def test_answer_relevance_is_the_mean_cosine_with_questions_written_back(tmp_path: Path) -> None:
    asked = case().question
    same, _ = judge_of(tmp_path / "same", {"reverse": {"questions": [asked] * 3, "evasive": False}})
    assert answer_relevance(case(), same, EMBEDDER) == pytest.approx(1.0, abs=1e-6)
    mixed, _ = judge_of(tmp_path / "mixed", {"reverse": {"questions": [asked, "Bees?", "Bees?"], "evasive": False}})
    cosine = float(EMBEDDER.encode([asked])[0] @ EMBEDDER.encode(["Bees?"])[0])
    assert answer_relevance(case(), mixed, EMBEDDER) == pytest.approx((1 + 2 * cosine) / 3, abs=1e-6)
    evasive, _ = judge_of(tmp_path / "evasive", {"reverse": {"questions": [], "evasive": True}})
    assert answer_relevance(case(), evasive, EMBEDDER) == 0.0
    assert answer_relevance(case(answer="", status="refused"), evasive, EMBEDDER) == 0.0
    assert answer_relevance(case(answerable=False), evasive, EMBEDDER) is None


def test_replies_that_leave_something_out_are_faulty(tmp_path: Path) -> None:
    judge, model = judge_of(tmp_path, {"statements": TWO, "entail": said(), "reverse": {"questions": ["a", "b", "c"], "evasive": False}})
    faithfulness(case(), judge)
    answer_relevance(case(), judge, EMBEDDER)
    entail, reverse = (next(one for one in model.requests if one.prompt == name) for name in ("entail", "reverse"))
    assert "each number of 1, 2 once, not 2" in next(iter(entail.faults({"verdicts": [{"number": 2, "said": True}]})))
    assert "3 questions, not 1" in next(iter(reverse.faults({"questions": ["a", ""], "evasive": False})))
