"""An option is chosen when the quotes of a sufficient answer hold it and no other; nothing is guessed."""

import pytest

from pagerag_pipeline.answering.options import choose_option, distinct_options
from pagerag_pipeline_tests.answering.evidence import gate

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
F2 = "Odo Fenn bought Tinworks from Mara Quill in 1912."


@pytest.mark.parametrize(
    ("question", "options", "answer"),
    [
        ("Who founded Tinworks?", ("Odo Fenn", "Mara Quill, the founder", "Quill"), "Quill"),
        ("Who bought Tinworks?", ("Mara Quill", "Odo Fenn"), "Odo Fenn"),
        ("Does Tinworks stand on Harbour Lane?", ("on Harbour Lane", "on Mill Lane"), "on Harbour Lane"),
    ],
)
def test_the_option_that_the_quotes_hold_is_the_answer_under_the_same_citation(question: str, options: tuple[str, ...], answer: str) -> None:
    plain = gate(question, F1, F2)
    chosen = choose_option(plain, options)
    assert (chosen.answer, chosen.claims[0].text) == (answer, answer)
    assert (chosen.claims[0].labels, chosen.cited, chosen.confidence) == (plain.claims[0].labels, plain.cited, plain.confidence)
    assert chosen.trace[-1] == {"step": "options", "chosen": answer, "quoted": plain.answer}


def test_a_quote_that_fits_several_options_or_none_stays_the_answer() -> None:
    plain = gate("Who founded Tinworks?", F1, F2)
    for options in (("Mara", "Quill"), ("Ida Holt", "Odo Fenn")):
        assert choose_option(plain, options).answer == "Mara Quill"


def test_options_that_differ_in_white_space_alone_are_one() -> None:
    assert distinct_options(("Odo  Fenn", " ", "Quill", "Odo Fenn")) == ("Odo  Fenn", "Quill")
    assert choose_option(gate("Who bought Tinworks?", F1, F2), ("Odo  Fenn", "Odo Fenn", "Mara Quill")).answer == "Odo  Fenn"


def test_a_refusal_stays_a_refusal_whatever_the_options_say() -> None:
    refused = gate("What color is the roof of Tinworks?", "Tinworks has a bell.")
    assert choose_option(refused, ("a bell", "Tinworks")) == refused


def test_a_question_without_options_is_left_alone() -> None:
    plain = gate("Who founded Tinworks?", F1)
    assert choose_option(plain, ()) is plain
