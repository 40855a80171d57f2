"""Quotes on the right names are no answer when the deed, its date or its being done is left unsaid."""

import pytest

from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


@pytest.mark.parametrize(
    ("question", "text", "why"),
    [
        ("Why did Odo Fenn burn the ledger?", "Odo Fenn kept the ledger of Tinworks because it was old.", "no source says"),
        ("Did Mara Quill and Odo Fenn ever drink their wine in the garden?", "Mara Quill and Odo Fenn stood on the doorstep.", "something else"),
        ("What reply did the council of Tarn give?", "The council of Tarn must reply by May.", "planned or due"),
        ("What did the surveyor of Tarn measure?", "The council will instruct the surveyor of Tarn to measure the storms.", "planned or due"),
        ("Who was elected chair of the guild in November 2021?", "Note of 2 December 2019: elected as chair of the guild was Hester Roe.", "another time"),
        ("When was Car 2 scrapped?", "Car 3 was scrapped in 1958.", "the quotes are of Car 3, not of Car 2"),
        ("How many passengers does Car 4 seat?", "Car 1 seats 24 passengers.", "the quotes are of Car 1, not of Car 4"),
    ],
)
def test_what_is_left_unsaid_is_refused_and_named(question: str, text: str, why: str) -> None:
    decision = gate(question, text, "It rained from June to November 2021.", settings=OPEN)
    assert (decision.status, decision.reason) == ("refused", "insufficient")
    assert why in decision.missing[0]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Why did Odo Fenn burn the ledger?", "Odo Fenn burned the ledger because it was false."),
        ("Did Mara Quill ever drink wine?", "Mara Quill drank wine on the doorstep."),
        ("What reply did the council of Tarn give?", "The council of Tarn replied that it would wait."),
        ("What must the surveyor of Tarn measure?", "The surveyor of Tarn must measure the storms."),
        ("Who was elected chair of the guild in November 2021?", "Note of 29 November 2021: elected as chair of the guild was Hester Roe."),
        ("Who was elected chair of the guild after June 2021?", "Note of 2 December 2022: elected as chair of the guild was Hester Roe."),
        ("When was Car 3 scrapped?", "Car 3 was scrapped in 1958, Car 2 in 1960."),
        ("When did Apollo 11 land?", "Apollo 11 landed in July 1969, two months after Apollo 10."),
        ("Who was elected chair of the guild in 2021?", "Elected as chair of the guild was Hester Roe."),
    ],
)
def test_what_is_said_is_answered(question: str, text: str) -> None:
    assert gate(question, text, "It rained from June to November 2021.", settings=OPEN).status == "answered"
