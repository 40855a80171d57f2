"""A question that takes for granted what the sources deny is refused, with the quote that speaks against it."""

import time

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.premise import find_denial
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline_tests.answering.evidence import RULES, gate, shown, statistics


def denial(question: str, *texts: str) -> str:
    """Why a question's premise does not hold by these texts; empty when nothing denies it."""
    asked = read_question(question)
    found = find_denial(asked, weigh(asked, statistics(*texts)), evidence_sentences(shown(*texts), RULES))
    return found.why if found else ""


@pytest.mark.parametrize(
    ("question", "text", "why"),
    [
        ("When was the mill of Tarn closed?", "The mill of Tarn was never closed.", "deny"),
        ("Why did Mara Quill sell Tinworks?", "Mara Quill did not sell Tinworks, whatever people said.", "deny"),
        ("Where did Odo Fenn bury the bell?", "Odo Fenn refused to bury the bell.", "deny"),
        ("What make was the electric oven that the bakers bought?", "A motion of the bakers to buy an electric oven was lost by two votes.", "deny"),
        ("Why did Anna Roe marry Odo Fenn?", "Anna Roe married Jonas Pell in spring.", "Jonas Pell"),
        ("Why did Odo Fenn found Tinworks?", "Mara Quill founded Tinworks in 1901.", "Mara Quill"),
        ("When did Odo Fenn paint the Harbour Gate?", "The Harbour Gate was painted by Mara Quill.", "Mara Quill"),
        ("Why was Tinworks founded in 1950?", "Tinworks was founded in 1901 by two sisters.", "1901"),
        ("Who founded the observatory in 1902?", "The observatory was founded by Ada Quill in 1887.", "it was in 1887"),
        ("Why does the ticket cost 12 pounds?", "A ticket costs 8 pounds because the line is short.", "it is 8, not 12"),
        ("Why does the ticket cost \u00a312?", "The price of a ticket is \u00a38.", "it is 8, not 12"),
        ("Why is the toll five shillings?", "The toll is two shillings for a cart.", "it is 2, not 5"),
        ("Did the bridge of Orne open in 1930?", "The bridge of Orne was painted green and opened on 4 May 1932.", "it was in 1932"),
        ("Was Anna Roe born in 1850?", "Roe was born in Tarn in 1852.", "it was in 1852"),
        ("Does the library hold 5,000 books?", "The library was founded in 1905. It holds 4,200 books and 310 maps.", "it is 4,200, not 5,000"),
        ("Is the bridge 300 meters long?", "The bridge is 212 meters long and 14 meters wide.", "it is 212, not 300"),
        ("Is Orne Bridge 300 metres long?", "Orne Bridge is painted. It is 212 metres long.", "it is 212, not 300"),
        ("Does the ticket cost \u00a312?", "A ticket costs 8 pounds.", "it is 8, not 12"),
        ("Was the rent of a full plot raised to 50 pounds?", "The rent of a full plot was raised from 40 to 45 pounds.", "it is 45, not 50"),
        ("Do clerks get thirty days of leave?", "Clerks get 27 days of leave a year.", "it is 27, not 30"),
        ("Why did the war last 30 years?", "The war lasted 12 years because nobody would yield.", "it is 12, not 30"),
    ],
)
def test_a_negation_or_another_filler_denies_a_premise(question: str, text: str, why: str) -> None:
    assert why in denial(question, text, "Sister Bell kept bees at Low Farm.")


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Why did Mara Quill not sell Tinworks?", ("Mara Quill did not sell Tinworks.",)),
        ("Did Mara Quill sell Tinworks?", ("Mara Quill never sold Tinworks.",)),
        ("Why did Mara Quill sell Tinworks?", ("Mara Quill never sold Lowfarm.",)),
        ("Why did Mara Quill sell Tinworks?", ("Mara Quill did not sell Tinworks in spring.", "Mara Quill sold Tinworks in autumn.")),
        ("Why did Anna Roe marry Odo Fenn?", ("Anna Roe married Odo Fenn in spring.", "Anna Roe married Jonas Pell later.")),
        ("Why did Anna Roe marry Odo Fenn?", ("Sister Bell married Jonas Pell.",)),
        ("When did Mara Quill found Tinworks?", ("Mara Quill founded Tinworks in 1901.",)),
        ("Why did Odo Fenn buy Tinworks?", ("Mara Quill bought Tinworks in 1901.",)),
        ("Who founded Tinworks?", ("Mara Quill founded Tinworks in 1901.",)),
        ("Who founded Tinworks in 1902?", ("Mara Quill founded Lowfarm in 1901.",)),
        ("Who founded Tinworks in 1901?", ("Mara Quill founded Tinworks in 1901.", "A guide says that Odo Fenn founded Tinworks in 1902.")),
        ("Why does the ticket cost 8 pounds?", ("A ticket costs 8 pounds because the line is short.",)),
        ("Why does the ticket cost 12 pounds?", ("A ticket costs 8 pounds for a child and 12 pounds for others.",)),
        ("Why does the ticket cost 12 pounds?", ("A boat costs 8 pounds.",)),
        ("Why does the ticket cost more than 12 pounds?", ("A ticket costs 8 pounds.",)),
        ("How much does the ticket cost?", ("A ticket costs 8 pounds.",)),
        ("Did the bridge of Orne open in 1932?", ("The bridge of Orne was opened on 4 May 1932.",)),
        ("Did the bridge of Orne open in 1930?", ("The bridge of Tarn was opened on 4 May 1932.",)),
        ("Did the bridge of Orne open in 1930?", ("The bridge of Orne was opened in 1932.", "The bridge of Orne opened in 1930, says a guide.")),
        ("Did the bridge of Orne open before 1940?", ("The bridge of Orne was opened in 1932.",)),
        ("Was the pier closed in 1979?", ("The pier was closed from 1978 to 1980.",)),
        ("Does the library hold 4,200 books?", ("The library was founded in 1905. It holds 4,200 books.",)),
        ("Does the library hold 5,000 books?", ("The library holds more than 4,000 books.",)),
        ("Does the library hold 5,000 books?", ("The mill is old. It holds 4,200 books.",)),
        ("Does the library hold more than 5,000 books?", ("The library holds 4,200 books.",)),
        ("Did the library hold 5,000 books in 1950?", ("The library holds 4,200 books.",)),
        ("Does the library have 3 floors?", ("The library holds 4,200 books.",)),
    ],
)
def test_nothing_is_denied_without_a_quote_against_it(question: str, texts: tuple[str, ...]) -> None:
    assert denial(question, *texts) == ""


def test_the_gate_refuses_and_names_the_premise_with_its_quote() -> None:
    text = "Anna Roe married Jonas Pell in spring."
    decision = gate("Why did Anna Roe marry Odo Fenn?", text, "Odo Fenn kept bees.")
    assert (decision.status, decision.reason, decision.answer) == ("refused", "false_premise", None)
    assert text in decision.missing[0]
    assert decision.confidence < 0.5


def test_the_half_of_a_question_that_stands_on_no_false_premise_is_answered() -> None:
    decision = gate("Who founded Tinworks, and when was Tinworks closed?", "Mara Quill founded Tinworks. Tinworks was never closed.")
    assert (decision.status, decision.answer, decision.reason) == ("partial", "Mara Quill", "false_premise")


def test_long_texts_take_no_more_than_their_length() -> None:
    begun = time.process_time()
    assert denial("What make was the oven that the bakers bought?", "A motion of the bakers to buy an oven " * 400) == ""
    assert time.process_time() - begun < 1.5
