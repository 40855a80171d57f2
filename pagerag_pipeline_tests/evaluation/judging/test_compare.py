"""Pairs: both orders are asked, and what comes first wins nothing by it."""

from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.evaluation.judging.compare import DIMENSIONS, FAMILIES, compare, together
from pagerag_pipeline.schema.language import Request
from pagerag_pipeline_tests.evaluation.judging.judged import judge_of

GOOD, BAD = "Mara Quill founded it.", "Somebody did."


def verdicts(winner: Any) -> Any:
    """A reply in which a function of the request and the dimension says who wins."""

    def said(request: Request) -> dict[str, Any]:
        names = [name for name in DIMENSIONS if f"- {name}:" in request.text]
        return {"verdicts": [{"dimension": name.title(), "why": "", "winner": winner(request, name)} for name in names]}

    return said


def better_first(request: Request) -> bool:
    return request.text.index(GOOD) < request.text.index(BAD)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_better_answer_wins_in_whatever_place(tmp_path: Path, family: str) -> None:
    judge, model = judge_of(tmp_path, {"compare": verdicts(lambda request, name: "1" if better_first(request) else "2")})
    found = compare("Who founded it?", GOOD, BAD, family=family, judge=judge)
    assert tuple(found) == FAMILIES[family] and {(one.state, one.share) for one in found.values()} == {("win", 1.0)}
    assert {(one.state, one.share) for one in compare("Who founded it?", BAD, GOOD, family=family, judge=judge).values()} == {("loss", 0.0)}
    assert len(model.requests) == 2 and len({request.text for request in model.requests}) == 2


def test_a_judge_that_takes_whatever_comes_first_decides_nothing(tmp_path: Path) -> None:
    judge, _ = judge_of(tmp_path, {"compare": verdicts(lambda request, name: "1")})
    assert {(one.state, one.share) for one in compare("Who?", GOOD, BAD, family="four", judge=judge).values()} == {("disagree", 0.5)}


@pytest.mark.parametrize(
    ("forward", "backward", "state", "share"),
    [(1.0, 1.0, "win", 1.0), (0.0, 0.0, "loss", 0.0), (0.5, 0.5, "tie", 0.5), (1.0, 0.5, "disagree", 0.75), (0.0, 0.5, "disagree", 0.25)],
)
def test_two_orders_make_four_states(forward: float, backward: float, state: str, share: float) -> None:
    assert (together(forward, backward).state, together(forward, backward).share) == (state, share)


def test_a_reply_that_leaves_a_dimension_out_is_faulty(tmp_path: Path) -> None:
    judge, model = judge_of(tmp_path, {"compare": verdicts(lambda request, name: "tie")})
    compare("Who?", GOOD, BAD, family="four", judge=judge)
    told = list(model.requests[0].faults({"verdicts": [{"dimension": "diversity", "why": "", "winner": "1"}]}))
    assert len(told) == 1 and "comprehensiveness" in told[0] and "not diversity" in told[0]
