"""How closely sentences meet a question, word by word, with an embedder whose tokens are near when they are the same."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.closeness import NEAR, PLACED_SHARE, Closeness, measure_closeness
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.tokens import kept_tokens
from pagerag_pipeline_tests.answering.evidence import HASH, RULES, TURNED, shown, signs_of, statistics


def closeness(question: str, *texts: str) -> Closeness:
    asked = read_question(question)
    return measure_closeness(asked, weigh(asked, statistics(*texts)), evidence_sentences(shown(*texts), RULES), (), HASH)


def test_nothing_to_read_is_near_nothing() -> None:
    assert closeness("Who founded Tinworks?") == Closeness()


def test_a_sentence_that_says_every_word_meets_every_word() -> None:
    found = closeness("Who founded Tinworks?", "Mara Quill founded Tinworks.")
    assert (found.names, found.matched, found.negation) == (1.0, 1.0, 0.0)


def test_the_name_that_is_not_said_is_met_least() -> None:
    found = closeness("Who founded Tinworks in Norwich?", "Mara Quill founded Tinworks.")
    assert found.names < 0.5
    assert found.matched == 1.0


def test_words_that_are_not_said_are_not_met() -> None:
    found = closeness("Who founded and sold Tinworks?", "Mara Quill founded Tinworks.")
    assert found.names == 1.0
    assert found.matched == 0.5


def test_a_denial_that_no_sentence_makes_is_told() -> None:
    assert closeness("Who did not found Tinworks?", "Mara Quill founded Tinworks.").negation == 1.0
    assert closeness("Who did not found Tinworks?", "Odo Fenn did not found Tinworks.").negation == 0.0
    assert closeness("Who founded Tinworks?", "Odo Fenn did not found Tinworks.").negation == 0.0


def test_the_sentence_that_says_most_is_the_one_that_counts() -> None:
    assert closeness("Who founded Tinworks?", "The harbor of Tinworks is old.", "Mara Quill founded Tinworks.").matched == 1.0


def test_a_text_that_is_not_among_the_nearest_is_not_read() -> None:
    near = [f"Mara Quill founded and sold Tinworks {number} times." for number in range(NEAR)]
    denied = closeness("Who did not found and sell Tinworks?", *near, "Nobody did.")
    assert denied.negation == 1.0


def test_a_sentence_that_begins_with_a_pronoun_is_read_with_the_one_before_it() -> None:
    apart = closeness("Who founded Tinworks?", "Tinworks stands in Norwich.", "A mason named Odo Fenn founded it.")
    behind = closeness("Who founded Tinworks?", "Tinworks stands in Norwich. It was founded by a mason named Odo Fenn.")
    assert (apart.names, apart.matched) != (1.0, 1.0)
    assert (behind.names, behind.matched) == (1.0, 1.0)
    assert closeness("Who ran Tinworks in 1902?", "Tinworks burned in 1902. It was run by Odo Fenn.").numbers == 1.0


def in_place(question: str, *texts: str) -> Closeness:
    """The same with the signs of the tokens kept, as a model that tells them would keep them."""
    asked, evidence = read_question(question), shown(*texts)
    kept = kept_tokens(evidence, signs_of(evidence), TURNED.tokenizer)
    return measure_closeness(asked, weigh(asked, statistics(*texts)), evidence_sentences(evidence, RULES), kept, TURNED)


def test_one_sentence_is_read_and_stands_for_all_where_no_tokens_were_kept() -> None:
    found = closeness("Who founded Tinworks?", "Mara Quill founded Tinworks.", "Odo Fenn was late for dinner.")
    assert found.in_place == pytest.approx(PLACED_SHARE * found.cosine, abs=1e-4) and found.cosine > 0


def test_of_the_sentences_that_cover_most_the_nearest_in_its_place_is_read() -> None:
    texts = ("Tinworks founded the club of Ely and of Wells and of York and of Bath long after.", "Mara Quill founded Tinworks.")
    assert closeness("Who founded Tinworks?", *texts).cosine < in_place("Who founded Tinworks?", *texts).cosine


def test_the_nearest_sentence_in_its_place_counts_whatever_else_is_said() -> None:
    told, near, far = "Mara Quill founded Tinworks.", "Tinworks was founded by Mara Quill.", "Odo Fenn was late for dinner."
    alone, beside, other = (in_place("Who founded Tinworks?", " ".join(some)).in_place for some in ((told,), (far, told), (near, far)))
    assert alone == beside > other > in_place("Who founded Tinworks?", far).in_place


def test_numbers_of_the_question_are_looked_for_in_what_is_nearest() -> None:
    assert closeness("Who founded Tinworks in 1902?", "Mara Quill founded Tinworks in 1902.").numbers == 1.0
    assert closeness("Who founded Tinworks in 1902?", "Mara Quill founded Tinworks in 1887.").numbers == 0.0
    assert closeness("Who sold 1,000 of 40 cups?", "Mara Quill sold 1000 cups.").numbers == 0.5
    assert closeness("Who founded Tinworks?", "Mara Quill founded Tinworks in 1887.").numbers == 1.0
