"""The answer is the shortest span of its quotes: of the type asked for, a name that is told, or whole clauses of at most 40 words."""

from collections.abc import Sequence

import pytest

from pagerag_pipeline.answering.asked import answer_type, read_question
from pagerag_pipeline.answering.coverage import weigh
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.answering.spans import ANSWER_WORDS, is_vague, typed_spans
from pagerag_pipeline.schema.knowledge import Tagged
from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import RULES, gate, shown, statistics

OPEN = AnswerSettings(threshold=0.0, unknown_share=1.0)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What did she want when the wall fell?", "thing"),
        ("What was kept in the box where the letter lay?", "thing"),
        ("When the wall fell, who mended it?", "person"),
        ("In what year did she die, and who was with her?", "time"),
        ("The mill was built when?", "time"),
    ],
)
def test_a_clause_of_time_or_place_does_not_say_what_is_asked(question: str, kind: str) -> None:
    assert answer_type(question) == kind


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How many geese did Anna Roe count in 1927?", "In 1927 Anna Roe counted forty geese.", "forty"),
        ("How much water did the barge draw?", "In 1868 the barge drew nine feet two inches of water.", "nine feet two inches"),
        ("On what day did the shop open?", "The shop opened on Tuesday 2 April.", "Tuesday 2 April"),
        ("What is the bakery's starter called?", "The bakery keeps a starter that everyone calls Uncle, and feeds it.", "Uncle"),
        ("What do the bakers call the oven?", "The bakers have an old oven, known as Bertha, in the cellar.", "Bertha"),
        ("What is the name of the ferry?", "The name of the ferry is the Gray Goose.", "the Gray Goose"),
        ("What type of bridge crosses the Orne?", "A covered wooden bridge crosses the Orne.", "covered wooden bridge"),
    ],
)
def test_the_span_that_is_asked_for_is_the_answer(question: str, text: str, answer: str) -> None:
    assert gate(question, text, settings=OPEN).answer == answer


def test_a_year_does_not_count_things() -> None:
    decision = gate("How many geese did Anna Roe count?", "Anna Roe counted geese from 1903 to 8 March 1927.", settings=OPEN)
    assert (decision.status, decision.reason) == ("refused", "insufficient")


def test_a_long_sentence_is_cut_to_the_clauses_that_cover_the_question() -> None:
    filler = "and the rain fell on the roofs of the town and on the fields behind it as it had fallen every night"
    text = f"That winter was long, {filler}; the miller mended the red wheel with a beam of oak; {filler}."
    answer = gate("What did the miller mend the red wheel with?", text, settings=OPEN).answer
    assert answer is not None and "a beam of oak" in answer
    assert answer in text
    assert len(answer.split()) <= ANSWER_WORDS


def test_a_heading_is_no_part_of_an_answer() -> None:
    decision = gate("What did the miller of Orne mend?", "# Notes of the parish of Orne\n\nThe miller mended the wheel.", settings=OPEN)
    assert decision.answer == "The miller mended the wheel."


def test_a_sentence_that_announces_its_answer_goes_with_what_follows_it() -> None:
    decision = gate("What was the rule of Miss Roe?", "Miss Roe had one rule. Do not write what you cannot see. It rained.", settings=OPEN)
    assert decision.answer is not None and "Do not write what you cannot see." in decision.answer
    assert "Do not write what you cannot see." in [sentence.text for sentence in decision.cited]


def test_a_name_that_the_next_sentence_tells_is_found_and_cited() -> None:
    decision = gate("What is the name of the delivery bicycle?", "We bought a delivery bicycle. The children called it Mule.", settings=OPEN)
    assert decision.answer == "Mule"
    assert "The children called it Mule." in [sentence.text for sentence in decision.cited]


def test_a_question_is_no_answer() -> None:
    question = "What is the place of the Orne race?"
    assert gate(question, question, "Sister Bell kept bees.", settings=OPEN).status == "refused"
    told = gate(question, question, "The Orne race has its place at Low Farm.", settings=OPEN)
    assert told.answer == "The Orne race has its place at Low Farm."


def test_a_question_answers_by_what_stands_behind_it() -> None:
    decision = gate("What does the ferry to Orne carry?", "What does the ferry to Orne carry? Hay and wool. What does it not carry?", settings=OPEN)
    assert decision.answer is None or "?" not in decision.answer
    decision = gate("What does the ferry to Orne carry?", "What does the ferry to Orne carry? It takes hay and wool alone.", settings=OPEN)
    assert decision.answer == "It takes hay and wool alone."


def test_a_heading_that_says_no_more_than_is_asked_is_no_answer() -> None:
    assert gate("What was the cause of the flood?", "The cause of the flood", "Sister Bell kept bees.", settings=OPEN).status == "refused"
    decision = gate("What was the cause of the flood?", "Cause of the flood: a broken sluice", "Sister Bell kept bees.", settings=OPEN)
    assert decision.answer == "Cause of the flood: a broken sluice"


def test_a_pronoun_goes_with_the_sentence_that_says_for_whom_it_stands() -> None:
    decision = gate("What was moved to the cellar of the mill?", "Ada Quill came home. She moved the oven to the cellar of the mill.", settings=OPEN)
    assert decision.answer == "Ada Quill came home. She moved the oven to the cellar of the mill."
    assert "Ada Quill came home." in [sentence.text for sentence in decision.cited]


def test_a_pronoun_of_another_passage_is_not_put_behind_a_name() -> None:
    texts = ("Odo Fenn kept the ledger of Tarn in a tin.", "Notes\n\nShe burned the long ledger.")
    decision = gate("What did Odo Fenn do with the long ledger of Tarn?", *texts, settings=OPEN)
    assert decision.answer is not None and not ("Odo Fenn" in decision.answer and "She" in decision.answer)


def test_an_indefinite_noun_alone_is_no_answer() -> None:
    text = "The link of two names in the list of Tarn is called \u201ca relation\u201d and is drawn in red."
    assert gate("What is the link of two names in the list of Tarn called?", text, settings=OPEN).answer == text
    assert [is_vague(answer) for answer in ("a relation", "A man", "a covered bridge", "the Mule", "Anna")] == [True, True, False, False, False]


def test_pounds_are_no_year() -> None:
    decision = gate("When was the bridge of Orne built?", "The bridge of Orne was built for 800 pounds in 1901.", settings=OPEN)
    assert decision.answer == "1901"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How much did the Tarn Bridge cost?", "The Tarn Bridge cost 1.2 million pounds, twice what was planned.", "1.2 million pounds"),
        ("How much does a bun cost?", "A bun costs 2 dollars and 50 cents.", "2 dollars and 50 cents"),
    ],
)
def test_a_sum_is_quoted_whole(question: str, text: str, answer: str) -> None:
    assert gate(question, text).answer == answer


class Heard:
    """The rules tagger, which remembers the texts it was given."""

    fingerprint = RULES.fingerprint

    def __init__(self) -> None:
        self.texts: list[str] = []

    def tag(self, texts: Sequence[str], language: str) -> list[Tagged]:
        """The tags of the rules."""
        self.texts += texts
        return RULES.tag(texts, language)


@pytest.mark.parametrize(
    ("question", "answer", "tagged"),
    [("How many men built the mill?", ["twelve"], 1), ("Who built the mill?", ["Ada Quill"], 2), ("When was the mill built?", [], 0)],
)
def test_only_sentences_that_may_hold_what_is_asked_are_tagged(question: str, answer: list[str], tagged: int) -> None:
    texts = ("The mill was built by Ada Quill of stone.", "The men who built the mill were twelve.")
    asked, tagger = read_question(question), Heard()
    found = typed_spans(asked, weigh(asked, statistics(*texts)), evidence_sentences(shown(*texts), RULES), tagger, enough=0.0)
    assert [span.text for span in found] == answer
    assert len(tagger.texts) == tagged
