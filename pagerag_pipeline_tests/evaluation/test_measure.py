"""One question scored: by hand for an answer, a refusal and a fault; and what a system is given tells nothing of gold."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from pagerag_pipeline.evaluation.datasets import Gold, Task
from pagerag_pipeline.evaluation.measure import EVIDENCE_TOKENS, Variant, measured
from pagerag_pipeline.schema.asking import Citation, Evidence, Outcome, Plan, Question, Reason, SourceSpan, TermStatistics, Usage
from pagerag_pipeline.systems.gathering import Gathered, Reading

PLAN = Plan({}, ("text", "path", "rerank"), {}, ())
ANSWERED = Outcome(
    "", "", "page", "answered", "Odo Fenn did", (), (), None, 0.8,
    (Citation("E1", "b.txt", "c", 0, 5, "Odo Fenn bought Tinworks in 1912."),), (), PLAN,
    ({"step": "gate", "features": {"cosine": 0.5}},), Usage(evidence_tokens=40, seconds=0.1, steps={"text": 0.05}), "g1",
)  # fmt: skip
TASK = Task(
    Question("secret-true", "Who bought Tinworks?", ("a.txt", "b.txt")),
    Gold(True, ("Odo Fenn",), {"b.txt": 1}, kind="secret kind", group="secret group"),
)


def passage(document: str, text: str) -> Evidence:
    return Evidence("passage", text, 1.0, (SourceSpan(document, document, 0, len(text), text),), 5)


class Fake:
    """An engine that gives one outcome and notes what it was given."""

    def __init__(self, outcome: Outcome | Exception, ranked: Sequence[Evidence] = ()) -> None:
        self.outcome = outcome
        self.ranked = tuple(ranked)
        self.given: list[object] = []

    def ask(self, question: Question, *, system: str, plan: str) -> Outcome:
        self.given.append((question, system, plan) if plan else (question, system))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def gather(self, question: Question, *, system: str, budget: int, plan: str) -> Gathered:
        self.given.append((question, system, budget, plan) if plan else (question, system, budget))
        reading = Reading(question, "", (), (), (), np.zeros(1), TermStatistics(1, 1.0, {}))
        return Gathered(reading, PLAN, self.ranked, self.ranked[:1], ())


class Book:
    """Texts that hold every answer."""

    def hold(self, documents: Sequence[str] | None, answers: Sequence[str]) -> bool:
        return documents == ("a.txt", "b.txt") and answers == ("Odo Fenn",)


RANKED = [passage("b.txt", "Odo Fenn bought it."), passage("b.txt", "In 1912."), passage("a.txt", "Mara Quill founded it.")]


def test_an_answer_is_scored() -> None:
    row = measured(Fake(ANSWERED, RANKED), Variant("page"), TASK, Book())
    assert row["ranked"] == ["b.txt", "a.txt"] and row["relevant"] == {"b.txt": 1}
    assert (row["lenient"], row["strict"], row["hit"], row["present"]) == (True, True, True, True)
    assert (row["variant"], row["confidence"], row["seconds"], row["evidence_tokens"]) == ("page", 0.8, 0.1, 40)
    assert row["features"] == {"cosine": 0.5} and row["operators"] == ["text", "path", "rerank"] and row["steps"] == {"text": 0.05}


def test_a_refusal_answers_nothing_and_a_question_without_gold_has_no_scores() -> None:
    refused = replace(ANSWERED, status="refused", answer=None, citations=(), reason="insufficient", trace=())
    row = measured(Fake(refused, RANKED[1:]), Variant("page", "no_floor"), TASK, Book())
    assert (row["variant"], row["status"], row["lenient"], row["strict"], row["hit"]) == (
        "page:no_floor",
        "refused",
        False,
        False,
        False,
    )
    fake = Fake(refused)
    row = measured(fake, Variant("page"), replace(TASK, gold=Gold(False)), Book())
    assert (row["lenient"], row["strict"], row["hit"], row["present"], row["ranked"]) == (None,) * 5 and len(fake.given) == 1


@pytest.mark.parametrize("outcome", [RuntimeError("no room"), replace(ANSWERED, status="failed", error="RuntimeError: no room")])
def test_a_fault_is_a_row_that_counts_as_wrong(outcome: Outcome | Exception) -> None:
    row = measured(Fake(outcome), Variant("page"), TASK, Book())
    assert (row["status"], row["error"]) == ("failed", "RuntimeError: no room")
    assert (row["lenient"], row["strict"], row["hit"], row["ranked"], row["answerable"]) == (False, False, False, [], True)


@pytest.mark.parametrize(("reason", "found", "status"), [
    ("malformed", True, "failed"), ("malformed", False, "failed"), ("ceiling", True, "failed"), ("ceiling", False, "refused"), ("insufficient", True, "refused"),
])  # fmt: skip
def test_a_refusal_that_says_nothing_of_the_evidence_is_a_fault_and_no_right_refusal(reason: Reason, found: bool, status: str) -> None:
    evidence = (passage("a.txt", "Tinworks"),) if found else ()
    refused = replace(ANSWERED, status="refused", answer=None, citations=(), reason=reason, evidence=evidence)
    row = measured(Fake(refused, RANKED), Variant("page"), TASK, Book())
    assert row["status"] == status and (status == "refused" or reason in row["error"])


def test_ctrl_c_in_a_statement_is_no_fault_of_the_question() -> None:
    with pytest.raises(KeyboardInterrupt):
        measured(Fake(RuntimeError("Query interrupted")), Variant("page"), TASK, Book())


def test_a_variant_behind_a_planner_is_asked_behind_it() -> None:
    fake = Fake(ANSWERED, RANKED)
    row = measured(fake, Variant("page", plan="pank"), TASK, Book())
    assert row["variant"] == "page+pank" and [one[-1] for one in fake.given] == ["pank", "pank"]  # type: ignore[index]


def test_a_system_is_given_the_question_and_nothing_that_tells_gold() -> None:
    fake = Fake(ANSWERED, RANKED)
    measured(fake, Variant("page"), TASK, Book())
    (asked, _), (gathered, _, budget) = fake.given  # type: ignore[misc]
    assert asked == gathered and budget == EVIDENCE_TOKENS
    assert replace(asked, qid="") == Question("", "Who bought Tinworks?", ("a.txt", "b.txt"))
    assert "secret" not in repr(fake.given) and "Odo" not in repr(fake.given)
