"""The gate answers with the quoted sentence, answers half, or refuses with the reason that fits."""

import pytest

from pagerag_pipeline.settings_asking import AnswerSettings
from pagerag_pipeline_tests.answering.evidence import gate

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
F2 = "Odo Fenn bought Tinworks from Mara Quill in 1912."


@pytest.mark.parametrize(
    ("question", "answer", "quote"),
    [
        ("When was Tinworks founded?", "1901", "Mara Quill founded Tinworks in 1901."),
        ("Who founded Tinworks?", "Mara Quill", "Mara Quill founded Tinworks in 1901."),
        ("Who was the founder of Tinworks?", "Mara Quill", "Mara Quill founded Tinworks in 1901."),
        ("Where does Tinworks stand?", "Harbour Lane", "Tinworks stands on Harbour Lane."),
        ("Where is Tinworks located?", "Harbour Lane", "Tinworks stands on Harbour Lane."),
        ("Who bought Tinworks?", "Odo Fenn", F2),
        ("Whom did Odo Fenn buy Tinworks from?", "Mara Quill", F2),
        ("In what year did Odo Fenn buy Tinworks?", "1912", F2),
    ],
)
def test_the_shortest_span_answers_and_its_sentence_is_cited(question: str, answer: str, quote: str) -> None:
    decision = gate(question, F1, F2)
    assert (decision.status, decision.answer) == ("answered", answer)
    assert quote in [sentence.text for sentence in decision.cited]
    assert all(claim.labels for claim in decision.claims)


def test_an_owner_after_the_founder_is_found_by_two_sentences() -> None:
    decision = gate("Who owned Tinworks after its founder?", F1, F2)
    assert (decision.status, decision.answer) == ("answered", "Odo Fenn")
    assert {sentence.span.document for sentence in decision.cited} == {"d1.txt", "d2.txt"}


@pytest.mark.parametrize(
    ("question", "texts", "reason"),
    [
        ("What color is the roof of Tinworks?", ("Tinworks has a bell.",), "insufficient"),
        ("Does Tinworks have a red roof?", ("Tinworks has a bell.",), "insufficient"),
        ("In which year was Tinworks founded?", ("Mara Quill founded Tinworks. Tinworks stands on Harbour Lane.",), "insufficient"),
        ("When was Tinworks founded?", ("Mara Quill founded Tinworks.", F2), "insufficient"),
        ("Who taught Napoleon Bonaparte at Tinworks?", (F1, F2), "beyond_scope"),
    ],
)
def test_what_the_evidence_does_not_hold_is_refused(question: str, texts: tuple[str, ...], reason: str) -> None:
    decision = gate(question, *texts)
    assert (decision.status, decision.reason, decision.answer) == ("refused", reason, None)
    assert decision.confidence < 0.5
    assert decision.missing


def test_the_supported_half_is_answered_and_the_rest_is_named() -> None:
    decision = gate("Who founded Tinworks, and where was the founder born?", F1)
    assert (decision.status, decision.answer) == ("partial", "Mara Quill")
    assert len(decision.missing) == 1
    assert "where was the founder born" in decision.missing[0]


def test_a_founder_and_their_birthplace_are_two_questions() -> None:
    decision = gate("Who is the founder of Tinworks and the founder's birthplace?", F1)
    assert (decision.status, decision.answer) == ("partial", "Mara Quill")
    assert "birthplace" in decision.missing[0]


@pytest.mark.parametrize(
    ("question", "answer", "missing"),
    [
        ("Who founded Tinworks, and what was the name of her husband?", "Mara Quill", "husband"),
        ("When was Tinworks founded and how many rooms does it have?", "1901", "rooms"),
        ("How many rooms does Tinworks have, and when was it founded?", "1901", "rooms"),
        ("Where does Tinworks stand, and what color is its roof?", "Harbour Lane", "roof"),
        ("Tell me who bought Tinworks and why he sold it later.", "Odo Fenn", "sold"),
        ("What is the founder of Tinworks and her birthplace?", "Mara Quill", "birthplace"),
        ("Name the founder of Tinworks and the founder's mother.", "Mara Quill", "mother"),
        ("Who is the founder of Tinworks as well as the architect of its roof?", "Mara Quill", "architect"),
        ("When did Mara Quill found Tinworks and when did she die?", "1901", "die"),
    ],
)
def test_half_a_question_in_other_words_is_answered_by_half(question: str, answer: str, missing: str) -> None:
    decision = gate(question, F1, F2, "Sister Bell kept bees.")
    assert (decision.status, decision.answer, len(decision.missing)) == ("partial", answer, 1)
    assert missing in decision.missing[0]


@pytest.mark.parametrize(
    "question",
    [
        "How many years older is Aldric than Berta?",
        "How many years older was Aldric than Berta?",
        "How many years older than Berta is Aldric?",
        "How many years older is Aldric?",
        "How many years lie between Aldric and Berta?",
    ],
)
def test_a_difference_of_years_is_computed_from_two_quotes(question: str) -> None:
    decision = gate(question, "Aldric was born in 986.\nBerta was born in 988.")
    assert decision.status == "answered"
    assert decision.answer is not None and decision.answer.startswith("2 years")
    assert [sentence.text for sentence in decision.cited] == ["Aldric was born in 986.", "Berta was born in 988."]


def test_a_difference_with_an_undated_side_is_refused() -> None:
    assert gate("How many years older is Aldric than Berta?", "Aldric was born in 986. Berta was born in winter.").status == "refused"


def test_a_yes_no_question_is_answered_by_the_deciding_sentence() -> None:
    decision = gate("Does Tinworks stand on Harbour Lane?", F1, F2)
    assert (decision.status, decision.answer) == ("answered", "Tinworks stands on Harbour Lane.")


def test_the_strict_gate_asks_for_more_of_the_estimate() -> None:
    question = "Who founded Tinworks?"
    chance = gate(question, F1, F2).confidence
    above = AnswerSettings(threshold=0.0, strict_threshold=min(1.0, chance + 0.01))
    assert gate(question, F1, F2, settings=above).status == "answered"
    refused = gate(question, F1, F2, strict=True, settings=above)
    assert (refused.status, refused.reason) == ("refused", "insufficient")
    assert "strict gate" in refused.missing[0]


def test_the_strict_gate_wants_what_is_asked_in_one_cited_sentence() -> None:
    lenient = AnswerSettings(threshold=0.0, strict_threshold=0.0)
    question, texts = "Did the founder of Tinworks keep seven bees?", (F1, "Sister Bell kept seven goats.")
    assert gate(question, *texts, settings=lenient).status == "answered"
    refused = gate(question, *texts, strict=True, settings=AnswerSettings(threshold=0.0, strict_threshold=0.0, strict_overlap=0.9))
    assert (refused.status, refused.reason) == ("refused", "insufficient")
    assert "no cited sentence covers" in refused.missing[0]


def test_the_strict_gate_answers_what_one_sentence_says() -> None:
    decision = gate("Who founded Tinworks?", F1, F2, strict=True)
    assert (decision.status, decision.answer) == ("answered", "Mara Quill")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the maiden name of the Widow of Cable Row?", "Honor Threlk was called the Widow of Cable Row, as though there were no other."),
        ("Which joiner made the bench from Dunnock Row?", "A bench of pear wood from Dunnock Row was made about 1790."),
    ],
)
def test_a_sentence_that_says_all_but_the_noun_asked_for_is_no_answer(question: str, text: str) -> None:
    settings = AnswerSettings(threshold=0.0, unknown_share=1.0)
    decision = gate(question, text, "A maiden was married to a joiner.", settings=settings)
    assert (decision.status, decision.reason) == ("refused", "insufficient")
    assert "no cited sentence says" in decision.missing[0]


def test_a_sentence_that_says_the_noun_asked_for_answers() -> None:
    text = "The maiden name of the Widow of Cable Row was Averill."
    decision = gate("What was the maiden name of the Widow of Cable Row?", text, F1, settings=AnswerSettings(threshold=0.0))
    assert (decision.status, decision.answer) == ("answered", "Averill")


def test_a_theme_is_told_by_sentences_that_follow_one_another() -> None:
    one = "Hidden error grows into harm. It was wrong of him. He answered for it at last. Rain fell."
    other = "An error of eight inches was small. The harm was great."
    decision = gate("What does the story suggest about hidden error and harm?", "# Error and harm\n\n" + one, other, settings=AnswerSettings(threshold=0.0, unknown_share=1.0))
    assert decision.answer == "Hidden error grows into harm. It was wrong of him. He answered for it at last."
