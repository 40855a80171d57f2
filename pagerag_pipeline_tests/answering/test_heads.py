"""A noun that is asked for may be said in another form."""

import pytest

from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which prize did Mara Quill win?", "Mara Quill won two prizes."),
        ("Which license covers the code of Tinworks?", "The code of Tinworks stands under the MIT licence."),
        ("Which discovery did Mara Quill make?", "Mara Quill discovered radium."),
        ("What is the default timeout of the portal?", "The default time-out of the portal lasts a quarter."),
        ("What is the default time-out of the portal?", "The default timeout of the portal lasts a quarter."),
        ("What was the income of the society?", "# Minutes of the Society\n\nThe treasurer reported an income of some size."),
    ],
)
def test_a_noun_in_another_form_is_said(question: str, text: str) -> None:
    assert gate(question, text, settings=OPEN).status == "answered"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which prize did Mara Quill win?", "Mara Quill won the heart of Odo Fenn."),
        ("What was the income of the society?", "The treasurer reported an income of some size."),
    ],
)
def test_a_noun_that_no_quote_says_of_what_is_asked_is_named(question: str, text: str) -> None:
    assert "no cited sentence says" in gate(question, text, "The prize of Tarn and the society of bees are old.", settings=OPEN).missing[0]
