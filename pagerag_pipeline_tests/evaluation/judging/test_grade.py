"""Grades: what the judge decides, and what needs no judge."""

from pathlib import Path

import pytest

from pagerag_pipeline.evaluation.judging.grade import grade
from pagerag_pipeline.evaluation.judging.judge import Unjudged
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline_tests.evaluation.judging.judged import case, judge_of


@pytest.mark.parametrize(("verdict", "strict", "lenient"), [("correct", 1.0, 1.0), ("partly", 0.0, 1.0), ("wrong", 0.0, 0.0)])
def test_strict_is_fully_correct_and_lenient_at_least_partly(tmp_path: Path, verdict: str, strict: float, lenient: float) -> None:
    judge, model = judge_of(tmp_path, {"grade": {"why": "compared", "verdict": verdict}})
    assert grade(case(references=("Mara Quill", "M. Quill")), judge) == {"judged_strict": strict, "judged_lenient": lenient}
    assert "- Mara Quill\n- M. Quill" in model.requests[0].text and model.requests[0].stage == "judge"


def test_a_refusal_of_what_can_be_answered_is_wrong_without_a_call(tmp_path: Path) -> None:
    judge, model = judge_of(tmp_path, {})
    assert set(grade(case(answer="", status="refused"), judge).values()) == {0.0}
    assert set(grade(case(answer="", status="failed"), judge).values()) == {0.0}
    assert grade(case(answerable=False), judge) == {} and grade(case(references=()), judge) == {}
    assert model.requests == []


def test_a_failure_is_no_grade(tmp_path: Path) -> None:
    judge, _ = judge_of(tmp_path, {"grade": Failure("malformed", "no object", 2)})
    with pytest.raises(Unjudged) as caught:
        grade(case(), judge)
    assert caught.value.name == "grade: malformed"
    assert judge.told()["verdicts"] == {"given": 0, "remembered": 0, "failed": 1}
