"""A claim stands when the sentences it cites say it, and falls when they merely exist."""

import pytest

from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.support import Support, find_support, foreign_words
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import RULES, shown
from pagerag_pipeline_tests.homes import F1, F2, F3

WHEN = "When was Tinworks founded?"


def support(claim: str, *texts: str, question: str = WHEN, strict: bool = False) -> Support:
    evidence = shown(*texts)
    return find_support(claim, question, evidence, evidence_sentences(evidence, RULES), settings=(AnswerSettings(), strict))


@pytest.mark.parametrize(
    ("claim", "texts", "cited"),
    [
        ("Tinworks was founded in 1901.", (F1,), ["Mara Quill founded Tinworks in 1901."]),
        ("Mara Quill was the founder of Tinworks.", (F1, F3), ["Mara Quill founded Tinworks in 1901."]),
        ("Mara Quill founded Tinworks and Odo Fenn bought it.", (F1, F2), ["Odo Fenn bought Tinworks from Mara Quill in 1912.", "Mara Quill founded Tinworks in 1901."]),
        ("She paid 11 shillings for the whistle.", ("She paid eleven shillings for the silver whistle.",), ["She paid eleven shillings for the silver whistle."]),
        ("She founded it in 1901.", (F1,), ["Mara Quill founded Tinworks in 1901."]),
        ("Mara Quill gr\u00fcndete Tinworks im Jahr 1901.", (F1,), ["Mara Quill founded Tinworks in 1901."]),
    ],
)
def test_what_the_cited_text_says_is_supported_by_its_sentences(claim: str, texts: tuple[str, ...], cited: list[str]) -> None:
    found = support(claim, *texts)
    assert found.why == "" and [sentence.text for sentence in found.sentences] == cited


@pytest.mark.parametrize(
    ("claim", "texts", "told"),
    [
        ("Tinworks was founded in 1901.", (F3,), "does not say 1901"),
        ("Tinworks was founded in 1901.", (F1.replace(" in 1901", ""),), "does not say 1901"),
        ("Tinworks was founded by the painter Michelangelo.", (F1,), "does not say michelangelo"),
        ("Mara Quill loved horses, brandy and long winters.", (F1,), "of its words"),
        ("Tinworks was founded.", (F3,), "of its words"),
        ("Schwester Glocke z\u00fcchtete 7 Bienen.", (F3,), "does not say 7"),
        ("Gegr\u00fcndet wurde es vor langer Zeit.", (F1,), "share no name or number"),
        ("Tinworks was founded in 1901.", (), "no sentence of the sources"),
    ],
)
def test_what_the_cited_text_does_not_say_is_not(claim: str, texts: tuple[str, ...], told: str) -> None:
    assert told in support(claim, *texts).why


def test_the_strict_gate_looks_at_the_chosen_sentences_alone() -> None:
    text = "The founder slept. The barn was cold. A miller came. Rain fell. Sheep bleated. The wind rose. A ferry passed. Snow melted."
    claim = "The founder, a miller, sheep, rain, wind, a ferry, snow and a barn were there."
    lenient, strict = (support(claim, text, question="Who?", strict=gate) for gate in (False, True))
    assert lenient.why == "" and lenient.overlap > strict.overlap and "of its words" in strict.why


def test_a_difference_of_two_numbers_is_supported_by_both() -> None:
    text, question = "Aldric was born in 986. Berta was born in 988.", "How many years older is Aldric than Berta?"
    found = support("Aldric, born in 986, was 2 years older than Berta, born in 988.", text, question=question)
    assert found.why == "" and [sentence.text for sentence in found.sentences] == ["Aldric was born in 986.", "Berta was born in 988."]
    assert "does not say 3" in support("Aldric was 3 years older than Berta.", text, question=question).why


@pytest.mark.parametrize("claim", ["Mara Quill was a sculptor.", "Odo Fenn founded Tinworks.", "Mara Quill loved brandy.", "Mara Quill sold Tinworks in 1901.", "Quill sold it.", "Michelangelo founded Tinworks in 1901."])
def test_names_beside_each_other_do_not_say_what_joins_them(claim: str) -> None:
    assert support(claim, F1).why


def test_numbers_and_names_of_nobody_are_foreign() -> None:
    known = (F1, "Who founded it in 1899?")
    assert foreign_words("Then in 1901 and 1899 Quill was on Harbour Lane, 2 years later.", known) == []
    assert foreign_words("Then in 1902 Fenn was on the Lane.", known) == ["1902", "fenn"]
