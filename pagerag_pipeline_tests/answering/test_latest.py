"""What holds now is answered from the source that is dated last."""

import pytest

from pagerag_pipeline.answering.latest import asks_latest
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)
OLD = "Note of 3 May 2019. The bakery buys its flour from Orne Mill."
NEW = "Note of 6 July 2021. The bakery buys its flour from Tarn Mill."


@pytest.mark.parametrize("texts", [(OLD, NEW), (NEW, OLD)])
@pytest.mark.parametrize("question", ["From which mill does the bakery now buy its flour?", "From which mill does the bakery buy its flour today?"])
def test_the_last_dated_source_says_what_holds_now(question: str, texts: tuple[str, str]) -> None:
    decision = gate(question, *texts, settings=OPEN)
    assert decision.answer is not None
    assert "Tarn Mill" in decision.answer and "Orne Mill" not in decision.answer
    assert any("Tarn Mill" in sentence.text for sentence in decision.cited)


def test_a_later_source_of_something_else_says_nothing_of_it() -> None:
    decision = gate("From which mill does the bakery now buy its flour?", OLD, "Note of 6 July 2021. The guild sells its carts to Tarn.", settings=OPEN)
    assert decision.answer is not None and "Orne Mill" in decision.answer


def test_a_question_without_a_word_for_now_asks_for_no_latest_source() -> None:
    assert not asks_latest("From which mill did the bakery buy its flour?")
    assert asks_latest("What are the latest hours of the bakery?")
