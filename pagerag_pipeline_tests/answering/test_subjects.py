"""Of what a sentence tells a deed."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.subjects import without_other_subjects
from pagerag_pipeline_tests.answering.evidence import RULES, shown, statistics

TELM, PRIZE, TOWN = "Telm was founded by Bishop Aldric.", "The Dunmore Prize was founded in 1950.", "Aldric founded the town."


def kept(question: str, *texts: str) -> list[str]:
    asked = read_question(question)
    return [one.text for one in without_other_subjects(asked, weigh(asked, statistics(*texts)), evidence_sentences(shown(*texts), RULES))]


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("When was Telm founded?", [TELM, PRIZE], [TELM]),
        ("Who founded the Dunmore Prize?", [TELM, PRIZE], [PRIZE]),
        ("Who founded Telm?", [PRIZE, TOWN], [PRIZE, TOWN]),
        ("Who founded Telm?", ["Telm is old. It was founded by Aldric.", PRIZE], ["Telm is old.", "It was founded by Aldric."]),
        ("Who founded Telm?", [TELM, "It was founded again by Odo."], [TELM, "It was founded again by Odo."]),
        ("Who holds the keys to Telm?", ["They are held in Telm.", "Odo Fenn holds one."], ["They are held in Telm.", "Odo Fenn holds one."]),
        ("How many rooms were founded in Telm?", [TELM, PRIZE], [TELM, PRIZE]),
    ],
)
def test_a_deed_told_of_something_else_is_left_out_where_it_is_told_of_what_is_asked_about(question: str, texts: list[str], expected: list[str]) -> None:
    assert kept(question, *texts) == expected
