"""Sentences that begin with a pronoun, and what they lean on."""

import pytest

from pagerag_pipeline.answering.leaning import LEANING, leans
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline_tests.answering.evidence import RULES, shown


def read(*texts: str) -> list[list[str]]:
    """Of each sentence, what it leans on."""
    return [[one.text for one in sentence.before] for sentence in evidence_sentences(shown(*texts), RULES)]


def test_a_pronoun_leans_on_the_sentence_before_it() -> None:
    assert read("The Corn Exchange is old. It was built by Odo Fenn. Mara Quill sold it.") == [[], ["The Corn Exchange is old."], []]


def test_pronouns_in_a_row_lean_on_the_same_in_the_order_of_the_text() -> None:
    first, *others = (f"{'She' if times else 'Mara Quill'} left {times} times." for times in range(LEANING + 2))
    assert read(" ".join([first, *others]))[LEANING] == [first, *others[: LEANING - 1]]
    assert len(read(" ".join([first, *others]))[-1]) == LEANING


def test_a_person_leans_on_no_sentence_of_a_thing() -> None:
    told = ["Mara Quill wrote Tin Songs.", "It was sung in Norwich.", "She married Odo Fenn."]
    assert read(" ".join(told)) == [[], told[:1], told[:1]]
    assert read("She wrote Tin Songs. It was sung in Norwich.")[1] == ["She wrote Tin Songs."]


def test_that_leans_on_the_sentence_before_it_alone() -> None:
    told = ["The Dunlin is old.", "It replaced the Plover.", "That sank in 2003."]
    assert read(" ".join(told)) == [[], told[:1], told[1:2]]


def test_nothing_of_another_passage_is_leaned_on() -> None:
    assert read("The Corn Exchange is old.", "It was built by Odo Fenn.") == [[], []]


@pytest.mark.parametrize(("text", "expected"), [("It rained.", True), ("It was in 1901 that she left.", False), ("Itself a wonder, the bridge held.", False)])
def test_a_pronoun_that_stands_for_nothing_is_quoted_alone(text: str, expected: bool) -> None:
    assert leans(text) is expected
