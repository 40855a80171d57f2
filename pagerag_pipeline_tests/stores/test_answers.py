"""Kept answers: asked once for a generation, a system and a question; asked again after a fault."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagerag_pipeline.schema import Question
from pagerag_pipeline.settings import AnswerSettings, Settings
from pagerag_pipeline.stores.answers import Answers, Asking, answer_batch

ASKING = Asking("g1", "page", Settings())
QUESTIONS = [Question(str(n), f"What is {n}?") for n in range(5)]


def outcome(question: Question, status: str = "answered", generation: str = "g1") -> dict[str, Any]:
    return {
        "qid": question.qid, "question": question.text, "system": "page", "status": status, "answer": "\u2014 \ud55c \U0001f600", "generation": generation,
    }  # fmt: skip


class Asker:
    """Stands for a system; remembers what it was asked."""

    def __init__(self, reply: Callable[[Question], dict[str, Any]] = outcome) -> None:
        self.asked: list[str] = []
        self._reply = reply

    def __call__(self, question: Question) -> dict[str, Any]:
        self.asked.append(question.qid)
        return self._reply(question)


def run(home: Path, ask: Asker, *, questions: list[Question] = QUESTIONS, asking: Asking = ASKING) -> list[tuple[dict[str, Any], bool]]:
    return list(answer_batch(questions, ask, answers=Answers(home, asking.settings), asking=asking, batch=2))


def test_a_second_batch_asks_nothing_and_gives_the_same(tmp_path: Path):
    first = run(tmp_path, Asker())
    ask = Asker()
    again = run(tmp_path, ask)
    assert ask.asked == []
    assert [o for o, _ in again] == [o for o, _ in first] == [outcome(q) for q in QUESTIONS]
    assert [kept for _, kept in first] == [False] * 5 and [kept for _, kept in again] == [True] * 5


def test_a_stopped_batch_goes_on_where_it_was_committed(tmp_path: Path):
    def stops(question: Question) -> dict[str, Any]:
        if question.qid == "3":
            raise KeyboardInterrupt
        return outcome(question)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, Asker(stops))
    ask = Asker()
    assert len(run(tmp_path, ask)) == 5
    assert ask.asked == ["2", "3", "4"]


def test_the_same_question_under_another_id_keeps_its_own_id(tmp_path: Path):
    run(tmp_path, Asker())
    ask = Asker()
    renamed = [replace(QUESTIONS[0], qid="other")]
    assert run(tmp_path, ask, questions=renamed) == [({**outcome(QUESTIONS[0]), "qid": "other"}, True)]
    assert ask.asked == []


@pytest.mark.parametrize(
    "asking",
    [
        replace(ASKING, system="passages"),
        replace(ASKING, settings=replace(Settings(), answer=AnswerSettings(threshold=0.9))),
    ],
)
def test_another_system_or_other_settings_are_asked_anew(tmp_path: Path, asking: Asking):
    run(tmp_path, Asker())
    ask = Asker()
    run(tmp_path, ask, asking=asking)
    assert len(ask.asked) == 5


def test_another_generation_is_asked_anew(tmp_path: Path):
    run(tmp_path, Asker())
    ask = Asker(lambda q: outcome(q, generation="g2"))
    run(tmp_path, ask, asking=replace(ASKING, generation="g2"))
    assert len(ask.asked) == 5


def test_a_scope_is_part_of_the_question(tmp_path: Path):
    run(tmp_path, Asker())
    ask = Asker()
    run(tmp_path, ask, questions=[replace(QUESTIONS[0], doc_ids=("a.txt",))])
    assert ask.asked == ["0"]


def test_a_fault_is_not_kept(tmp_path: Path):
    run(tmp_path, Asker(lambda q: outcome(q, status="failed")))
    ask = Asker()
    run(tmp_path, ask)
    assert len(ask.asked) == 5


def test_an_answer_of_a_generation_published_meanwhile_is_not_kept(tmp_path: Path):
    run(tmp_path, Asker(lambda q: outcome(q, generation="g2")))
    ask = Asker()
    run(tmp_path, ask)
    assert len(ask.asked) == 5
