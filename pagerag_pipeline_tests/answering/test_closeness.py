"""How closely sentences meet a question, word by word, with an embedder whose tokens are near when they are the same."""

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.closeness import READ, Closeness, measure_closeness
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline_tests.answering.evidence import HASH, RULES, shown, statistics


def closeness(question: str, *texts: str) -> Closeness:
    asked = read_question(question)
    return measure_closeness(asked, weigh(asked, statistics(*texts)), evidence_sentences(shown(*texts), RULES), HASH)


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
    near = [f"Mara Quill founded and sold Tinworks {number} times." for number in range(READ)]
    denied = closeness("Who did not found and sell Tinworks?", *near, "Nobody did.")
    assert denied.negation == 1.0


def test_the_mean_of_the_read_sentences_is_told_beside_the_best() -> None:
    one = closeness("Who founded Tinworks?", "Mara Quill founded Tinworks.")
    two = closeness("Who founded Tinworks?", "Mara Quill founded Tinworks.", "Odo Fenn was late for dinner.")
    assert one.mean == one.cosine == two.cosine
    assert two.mean < two.cosine
