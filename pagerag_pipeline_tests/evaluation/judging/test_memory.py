"""What a judge said is remembered by all that decides it, and by nothing else."""

from pathlib import Path

import pytest

from pagerag_pipeline.evaluation.judging.grade import grade
from pagerag_pipeline.evaluation.judging.judge import Unjudged
from pagerag_pipeline.evaluation.judging.memory import Verdicts
from pagerag_pipeline.schema.language import Failure
from pagerag_pipeline_tests.evaluation.judging.judged import case, judge_of

RIGHT = {"grade": {"why": "same", "verdict": "correct"}}


def test_the_same_answer_to_the_same_question_is_judged_once(tmp_path: Path) -> None:
    judge, model = judge_of(tmp_path, RIGHT)
    for one in (case(), case(variant="e2", qid="9"), case(answer="Odo Fenn"), case(question="Who bought it?"), case(references=("Quill",))):
        grade(one, judge)
    assert len(model.requests) == 4
    again, later = judge_of(tmp_path, {})
    assert grade(case(), again)["judged_strict"] == 1.0 and later.requests == []
    assert again.told()["verdicts"] == {"given": 0, "remembered": 1, "failed": 0}


def test_another_model_is_asked_anew(tmp_path: Path) -> None:
    grade(case(), judge_of(tmp_path, RIGHT)[0])
    judge, model = judge_of(tmp_path, RIGHT)
    model.fingerprint = "stub/2"
    grade(case(), judge)
    assert len(model.requests) == 1


def test_a_failure_is_not_remembered(tmp_path: Path) -> None:
    with pytest.raises(Unjudged):
        grade(case(), judge_of(tmp_path, {"grade": Failure("timeout", "late", 1)})[0])
    assert grade(case(), judge_of(tmp_path, RIGHT)[0])["judged_strict"] == 1.0


def test_a_line_that_a_kill_cut_off_is_asked_again_and_no_other(tmp_path: Path) -> None:
    judge, _ = judge_of(tmp_path, RIGHT)
    grade(case(), judge)
    grade(case(answer="Odo Fenn"), judge)
    file = tmp_path / "judged.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    again, model = judge_of(tmp_path, RIGHT)
    grade(case(), again)
    grade(case(answer="Odo Fenn"), again)
    assert len(model.requests) == 1
    assert len(Verdicts(file)._kept) == 2
