"""A quote answers what asks over all rows only where it says all of the question."""

import pytest

from pagerag_pipeline.answering.asked import split_question
from pagerag_pipeline.answering.computed import said_whole
from pagerag_pipeline.answering.gate import Decision
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline_tests.answering.evidence import RULES, shown


def answered(answer: str, *texts: str) -> Decision:
    return Decision("answered", answer, (), tuple(evidence_sentences(shown(*texts), RULES)), (), None, 0.8, ())


@pytest.mark.parametrize(
    ("question", "answer", "text", "stands"),
    [
        ("Which cover had the most algal cells?", "none", "The control had the most algal cells of any cover.", True),
        ("Which cover had the most algal cells?", "cells", "The order of the covers is that of the algal cells.", False),
        ("How many vessels does the Calder Line own?", "nine", "The Calder Line owns nine vessels.", True),
        ("How many vessels does the Calder Line own?", "seven", "The Calder Line owns vessels that leave at seven in the morning.", False),
    ],
)
def test_a_quote_stands_where_it_says_all_of_the_question(question: str, answer: str, text: str, stands: bool) -> None:
    decision = said_whole(answered(answer, text), split_question(question), "not all rows were read")
    assert (decision.answer == answer) is stands
    assert stands or (decision.reason == "insufficient" and "not all rows were read" in decision.missing[0])
