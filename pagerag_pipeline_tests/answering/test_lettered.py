"""A question with options is answered by the likeliest letter, where the evidence holds that option, and refused where it does not."""

from dataclasses import replace
from typing import Any

import pytest

from pagerag_pipeline.answering.generative import Generated
from pagerag_pipeline.answering.lettered import UNSAID, choose_by_letter
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.schema.asking import Question
from pagerag_pipeline.schema.language import Failure, Reply, Request, Spent
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import RULES, shown, statistics
from pagerag_pipeline_tests.answering.test_generative import BEFORE, said
from pagerag_pipeline_tests.homes import F1, F2, F3

WHEN = Question("q", "When was Tinworks founded?", options=("1899", "1901", "1912"))


class Lettered:
    """A model that is likely to write some letters, and says a structured reply where it is asked for one."""

    name, fingerprint = "stub", "stub/1"

    def __init__(self, chances: dict[str, float] | Failure, structured: dict[str, Any] | None = None) -> None:
        self._chances = chances
        self._structured = structured
        self.requests: list[Request] = []

    def fits(self, request: Request) -> bool:
        return True

    def reply(self, request: Request) -> Reply | Failure:
        self.requests.append(request)
        if not request.letters:
            return Reply(self._structured, Spent(1, 100, 10))
        return self._chances if isinstance(self._chances, Failure) else Reply(self._chances, Spent(1, 100, 1))


def choose(model: Lettered, *texts: str, question: Question = WHEN, **changes: Any) -> Generated:
    evidence = tuple(shown(*texts))
    grounds = replace(Grounds(evidence, evidence, statistics(*texts), "hash"), **changes)
    return choose_by_letter(question, grounds, BEFORE, model=model, readers=(RULES, AnswerSettings()))


def test_the_likeliest_letter_is_the_answer_with_the_sentence_that_holds_its_option() -> None:
    model = Lettered({"B": -0.1, "A": -3.0, "D": -4.0})
    made = choose(model, F1, F2)
    found = made.decision
    assert found is not None and (found.status, found.answer, found.reason) == ("answered", "1901", None)
    assert [(sentence.label, sentence.text) for sentence in found.cited] == [("E1", "Mara Quill founded Tinworks in 1901.")]
    step = found.trace[-1]
    assert (step["way"], step["chosen"], step["log_probabilities"]) == ("log probabilities", "B", {"A": -3.0, "B": -0.1, "D": -4.0})
    (request,) = model.requests
    assert "A: 1899\nB: 1901\nC: 1912\nD: " + UNSAID in request.text and request.letters == ("A", "B", "C", "D")
    assert made.spent.calls == 1


def test_what_the_evidence_does_not_say_is_refused_however_sure_the_model_is() -> None:
    undated = "Ida Holt founded Bellworks. Bellworks stands on Mill Lane."
    question = Question("q", "When was Bellworks founded?", options=("1899", "1901"))
    for texts, reason in (((undated, F3), "uncited"), ((undated, F1), "uncited")):
        found = choose(Lettered({"B": -0.01}), *texts, question=question).decision
        assert found is not None and (found.status, found.reason, found.answer, found.claims) == ("refused", reason, None, ()), found.trace
        assert found.confidence < AnswerSettings().threshold


def test_the_letter_of_no_option_is_a_refusal() -> None:
    found = choose(Lettered({"D": -0.1, "B": -2.0}), F1).decision
    assert found is not None and (found.status, found.reason, found.trace[-1]["chosen"]) == ("refused", "insufficient", None)


def test_equal_chances_go_to_the_first_letter_and_equal_options_are_one() -> None:
    question = replace(WHEN, options=("1901", "1901", " 1901\t", "1912"))
    model = Lettered({"B": -1.0, "A": -1.0})
    found = choose(model, F1, F2, question=question).decision
    assert found is not None and found.answer == "1901" and model.requests[0].letters == ("A", "B", "C")


def test_yes_and_no_are_held_by_what_the_question_says() -> None:
    question = Question("q", "Was Tinworks founded by Mara Quill?", options=("Yes", "No"))
    found = choose(Lettered({"A": -0.1}), F1, F3, question=question).decision
    assert found is not None and (found.status, found.answer) == ("answered", "Yes") and found.cited[0].text == "Mara Quill founded Tinworks in 1901."


def test_without_log_probabilities_the_structured_answer_is_given_and_the_trace_says_why() -> None:
    model = Lettered(Failure("unsupported", "The server tells no log probabilities.", 1, Spent(1, 5, 1)), said("1901", ("Tinworks was founded in 1901.", ["E1"])))
    made = choose(model, F1, F2)
    assert made.decision is not None and (made.decision.status, made.decision.answer) == ("answered", "1901")
    (step,) = [step for step in made.decision.trace if step["step"] == "letters"]
    assert step["way"] == "structured answer" and "no log probabilities" in step["why"] and made.spent.calls == 2


@pytest.mark.parametrize("options", [("1901",), tuple(str(year) for year in range(1890, 1912))])
def test_one_option_and_very_many_are_left_to_the_structured_answer(options: tuple[str, ...]) -> None:
    model = Lettered({"A": 0.0}, said("1901", ("Tinworks was founded in 1901.", ["E1"])))
    made = choose(model, F1, question=replace(WHEN, options=options))
    assert made.decision is not None and made.decision.answer == "1901" and [request.letters for request in model.requests] == [()]


@pytest.mark.parametrize(("kind", "status"), [("ceiling", "refused"), ("transport", None)])
def test_a_model_that_was_not_reached_is_no_reason_to_ask_it_again(kind: Any, status: str | None) -> None:
    model = Lettered(Failure(kind, "no", 1))
    made = choose(model, F1)
    assert (made.decision.status if made.decision else None) == status and len(model.requests) == 1


@pytest.mark.parametrize("options", [("He", "Ida Holt"), ("A", "B"), ("all of them", "1901")])
def test_an_option_that_stands_for_something_else_is_held_by_no_text(options: tuple[str, ...]) -> None:
    found = choose(Lettered({"A": -0.1, "B": -3.0}), F1, F2, question=replace(WHEN, options=options)).decision
    assert found is not None and (found.status, found.reason) == ("refused", "uncited")
