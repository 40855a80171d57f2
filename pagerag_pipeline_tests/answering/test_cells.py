"""A cell answers when its row holds all that the question names and its heading is what the question asks for."""

import pytest

from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

SHOPS = "name | founded | town\nOakes Bakery | 1902 | Port Selwyn\nTarn Mill | 1877 | Dunmore\nHollow Forge | 1911 | Port Selwyn\n"
FARES = "from | to | fare\nArl | Dunmore | 6.75\nArl | Port Selwyn | 4.20\nDunmore | Port Selwyn | 3.10\n"
ROUTES = "| Route | Fare |\n|---|---|\n| Port Selwyn to Arl | 4.20 |\n| Arl to Dunmore | 6.75 |\n"
MILLS = "Mill | Built | Village\nTarn Mill | 1877 | Dunmore\nRook Mill | 1790 | Arl\n"
LENIENT = AnswerSettings(threshold=0.0)


@pytest.mark.parametrize(
    ("question", "table", "answer", "row"),
    [
        ("When was Tarn Mill founded?", SHOPS, "1877", "Tarn Mill | 1877 | Dunmore"),
        ("In which town is Tarn Mill?", SHOPS, "Dunmore", "Tarn Mill | 1877 | Dunmore"),
        ("Where is Tarn Mill?", SHOPS, "Dunmore", "Tarn Mill | 1877 | Dunmore"),
        ("What is the name for 1911?", SHOPS, "Hollow Forge", "Hollow Forge | 1911 | Port Selwyn"),
        ("What is the fare from Arl to Dunmore?", FARES, "6.75", "Arl | Dunmore | 6.75"),
        ("What is the fare between Arl and Port Selwyn?", FARES, "4.20", "Arl | Port Selwyn | 4.20"),
        ("How much does the fare from Arl to Dunmore cost?", FARES + "\nThe cost of ink rose.\n", "6.75", "Arl | Dunmore | 6.75"),
        ("When was Rook Mill built?", MILLS, "1790", "Rook Mill | 1790 | Arl"),
        ("What is the fare from Arl to Dunmore?", ROUTES, "6.75", "| Arl to Dunmore | 6.75 |"),
    ],
)
def test_the_cell_of_the_row_and_the_column_answers(question: str, table: str, answer: str, row: str) -> None:
    decision = gate(question, table, settings=LENIENT)
    assert (decision.status, decision.answer) == ("answered", answer)
    assert [sentence.text for sentence in decision.cited] == [row]


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("When did Tarn Mill burn down?", SHOPS),
        ("Who founded Tarn Mill?", SHOPS),
        ("What is the capacity of Tarn Mill?", SHOPS),
        ("When was Tarn Forge founded?", SHOPS),
        ("How many shops were founded in Port Selwyn?", SHOPS),
        ("When was the shop in Port Selwyn founded?", SHOPS),
        ("What is the lowest fare from Arl?", FARES),
        ("What is the fare from Dunmore to Arl?", FARES),
        ("What is the fare from Dunmore to Arl?", ROUTES),
    ],
)
def test_no_row_answers_what_it_does_not_say(question: str, table: str) -> None:
    assert gate(question, table, settings=LENIENT).answer is None


def test_prose_beside_a_table_still_answers() -> None:
    decision = gate("Who founded Tarn Mill?", f"{SHOPS}\nAnn Hale founded Tarn Mill with her brother.\n", settings=LENIENT)
    assert decision.answer == "Ann Hale"


def test_the_difference_of_two_rows_is_that_of_their_years() -> None:
    decision = gate("How many years lie between Aldric and Berta?", "name | born\nAldric | 986\nBerta | 988\n")
    assert decision.answer is not None and decision.answer.startswith("2 years")
