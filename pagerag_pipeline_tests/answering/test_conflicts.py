"""Sources that contradict each other are shown side by side, and what they leave open is named."""

import pytest

from pagerag_pipeline_tests.answering.evidence import gate


@pytest.mark.parametrize(
    ("question", "one", "other", "values"),
    [
        ("When was Tinworks founded?", "Tinworks was founded in 1901.", "Tinworks was founded in 1903.", ("1901", "1903")),
        ("Who founded Tinworks?", "Mara Quill founded Tinworks.", "Odo Fenn founded Tinworks.", ("Mara Quill", "Odo Fenn")),
        ("How many rooms does Tinworks have?", "Tinworks has twelve rooms.", "Tinworks has fourteen rooms.", ("twelve", "fourteen")),
        ("What color is the roof of Tinworks?", "The roof of Tinworks is red.", "The roof of Tinworks is green.", ("red", "green")),
    ],
)
def test_both_values_are_shown_with_their_labels(question: str, one: str, other: str, values: tuple[str, str]) -> None:
    decision = gate(question, one, other, "Sister Bell kept bees.")
    assert decision.status == "partial"
    assert decision.answer == f"{values[0]} (E1); {values[1]} (E2)"
    assert [(claim.text, claim.labels) for claim in decision.claims] == [(values[0], ("E1",)), (values[1], ("E2",))]
    assert {sentence.text for sentence in decision.cited} >= {one, other}
    assert "contradict" in decision.missing[0]
    assert decision.reason == "insufficient"


@pytest.mark.parametrize(
    ("question", "one", "other", "answer"),
    [
        ("Who founded Tinworks?", "Mara Quill founded Tinworks.", "Quill founded Tinworks.", "Mara Quill"),
        ("When was Tinworks founded?", "Tinworks was founded in 1901.", "Lowfarm was founded in 1903.", "1901"),
        ("When was Tinworks founded?", "Tinworks was founded in 1901.", "Tinworks burned in 1903.", "1901"),
        ("Who bought Tinworks in 1912?", "Odo Fenn bought Tinworks in 1912.", "Jonas Pell bought Tinworks in 1920.", "Odo Fenn"),
    ],
)
def test_what_speaks_of_something_else_contradicts_nothing(question: str, one: str, other: str, answer: str) -> None:
    decision = gate(question, one, other, "Sister Bell kept bees.")
    assert (decision.status, decision.answer, decision.missing) == ("answered", answer, ())
