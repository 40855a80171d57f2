"""A cell answers when its row holds all that the question names and its heading is what the question asks for."""

import pytest

from pagerag_pipeline.answering.asked import split_question
from pagerag_pipeline.answering.gate import Decision, Readers, decide
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import HASH, RULES, gate, statistics

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


SHIPS = "Ship | Owner | Length (m) | Passengers | First lit\nHeron | Calder Line | 49.6 | 311 | 1896\nPlover | Ann Hale | 21.5 | 90 | 1801\n"
WORKS = "Mill | Output 1871 (bushels) | Output 1881 (bushels)\nHeron Mill | 2260 | 3483\nTarn Mill | 900 | 800\n"


@pytest.mark.parametrize(
    ("question", "tables", "answer"),
    [
        ("Who owns the Heron?", (SHIPS, WORKS), "Calder Line"),
        ("How long is the Plover?", (SHIPS,), "21.5"),
        ("How many passengers may the Heron carry?", (SHIPS, WORKS), "311"),
        ("How many bushels did Tarn Mill put out in 1881?", (WORKS,), "800"),
        ("How many bushels did Tarn Mill make in 1871?", (WORKS,), "900"),
        ("When was the Plover first lit?", (SHIPS,), "1801"),
    ],
)
def test_a_cell_whose_row_and_column_are_named_needs_no_estimate(question: str, tables: tuple[str, ...], answer: str) -> None:
    decision = gate(question, *tables, cosine=0.0, settings=AnswerSettings(threshold=0.99))
    assert (decision.status, decision.answer) == ("answered", answer) and decision.confidence >= AnswerSettings().cell_confidence
    assert "names the row and the column" in decision.trace[0]["why"]


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("Who sold the Heron?", SHIPS),
        ("How many passengers did the Heron lose?", SHIPS),
        ("What was the length of the Heron before she was rebuilt?", SHIPS),
        ("When was the Heron first painted?", SHIPS),
        ("Who built Tarn Mill?", "Mill | Built | Miller\nTarn Mill | 1877 | Ann Hale\nRook Mill | 1790 | Odo Fenn\n"),
        ("What was the output of Tarn Mill in 1861?", WORKS),
        ("What was the output of Falcon Mill in 1871?", WORKS),
    ],
)
def test_a_word_that_the_table_does_not_say_leaves_a_cell_to_the_estimate(question: str, table: str) -> None:
    assert gate(question, table, cosine=0.0, settings=AnswerSettings(threshold=0.99)).answer is None


def test_a_row_of_the_pool_that_says_otherwise_speaks_against_a_cell_and_is_not_quoted() -> None:
    header = "School | Year | Pupils"
    lines = [f"Ashby School | {year} | {pupils}" for year, pupils in ((1885, 250), (1890, 51))]
    rows = [
        Evidence("row", f"{header}\n{line}", 1.0, (SourceSpan("s.csv", f"c{n}", 40 * n, 40 * n + len(line), line),), 9, f"E{n}", context=header)
        for n, line in enumerate(lines, 1)
    ]

    def decided(question: str, pool: list[Evidence]) -> Decision:
        grounds = Grounds((rows[0],), tuple(pool), statistics(*lines, header), "hash")
        return decide(split_question(question), grounds, readers=Readers(RULES, RULES, HASH), settings=AnswerSettings())

    assert decided("How many pupils had Ashby School?", rows[:1]).answer == "250"
    assert decided("How many pupils had Ashby School?", rows).answer is None
    assert decided("How many pupils had Ashby School in 1885?", rows).answer == "250"


@pytest.mark.parametrize("question", ["Which shop is in Port Selwyn?", "List the shops in Port Selwyn.", "Which shops were founded in Port Selwyn?"])
def test_a_line_that_the_question_does_not_name_is_no_answer_by_itself(question: str) -> None:
    assert gate(question, SHOPS, settings=LENIENT).answer is None


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


def test_several_cells_without_a_header_say_nothing_of_a_number() -> None:
    assert gate("How many pupils had Carrow School?", "Carrow School | Anstrand | 1895 | 235 | 2", settings=LENIENT).answer is None
    assert gate("When was Tarn Mill founded?", "Tarn Mill was founded in 1877. It has a bar | for the sluice.", settings=LENIENT).answer == "1877"


def test_a_row_that_was_found_and_not_packed_speaks_against_a_quote_about_something_else() -> None:
    prose = "Odo Fenn owns the sluice at Heron Mill."
    line = "Heron | Calder Line | 49.6 | 311 | 1896"
    header = SHIPS.splitlines()[0]
    row = Evidence("row", f"{header}\n{line}", 1.0, (SourceSpan("ships.csv", "c1", 60, 60 + len(line), line),), 9, "E9", context=header)
    shown = Evidence("passage", prose, 1.0, (SourceSpan("a.txt", "c2", 0, len(prose), prose),), 9, "E1", (("dense", 0.9),))

    def decided(*pool: Evidence) -> Decision:
        grounds = Grounds((shown,), (shown, *pool), statistics(prose, line, header), "hash")
        return decide(split_question("Who owns the Heron?"), grounds, readers=Readers(RULES, RULES, HASH), settings=LENIENT)

    assert decided().answer == "Odo Fenn"
    beside = decided(row)
    assert beside.answer is None and "a row of ships.csv tells it" in beside.missing[0]


HARBOR = "Ship | Owner | Built | Tons 1871 | Tons 1881\nHeron | Calder Line | 1896 | 300 | 310\nPlover | Ann Hale | 1885 | 120 | \n"


@pytest.mark.parametrize(
    "question",
    [
        "How many ships were built before the Heron?",
        "Which ship was built after the Heron?",
        "When was the Heron not built?",
        "How many tons did the Plover have in 1881?",
        "How many ships had more tons than the Heron in 1871?",
    ],
)
def test_no_cell_answers_what_asks_beside_it_nor_for_an_empty_one(question: str) -> None:
    assert gate(question, HARBOR).status == "refused"


def test_the_next_column_does_not_answer_for_an_empty_cell() -> None:
    assert gate("What were the tons of the Plover in 1871?", HARBOR).answer == "120"
    assert gate("What were the tons of the Plover in 1881?", HARBOR).answer != "120"


@pytest.mark.parametrize("question", ["What was the cargo of the Heron?", "What is the owner of the Plover?", "What flag did the Heron have?"])
def test_a_row_is_not_quoted_whole_for_a_cell_that_it_leaves_empty(question: str) -> None:
    ships = "ship | owner | cargo | flag\nHeron | Ann Hale | | -\nPlover | | grain | red\n"
    assert gate(question, ships, settings=AnswerSettings(threshold=0.0, unknown_share=1.0)).answer is None
    assert gate("What was the cargo of the Plover?", ships, settings=AnswerSettings(threshold=0.0, unknown_share=1.0)).answer == "grain"
