"""What is told of a longer name is not told of the name that it begins with."""

import pytest

from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("When was Tarn founded?", "The club Tarn Rovers was founded in 1898. Tarn lies on the Sarn. It was founded in 1243.", "1243"),
        ("When was Tarn founded?", "Tarn Rovers was founded in 1898. In 1243 Tarn was founded.", "1243"),
        ("When was Tarn Rovers founded?", "Tarn was founded in 1243. Tarn Rovers was founded in 1898.", "1898"),
        ("When was Tarn founded?", "Tarn Ltd was founded in 1898.", "1898"),
    ],
)
def test_what_is_told_of_a_longer_name_gives_way(question: str, text: str, answer: str) -> None:
    assert gate(question, text, settings=OPEN).answer == answer
