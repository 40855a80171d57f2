"""Metrics of one question, worked out by hand."""

import math

import pytest

from pagerag_pipeline.evaluation.metrics import holds, is_lenient, is_strict, normalized, ranking_values, token_f1


def test_texts_are_compared_without_case_punctuation_and_articles() -> None:
    assert normalized("The  \u201cTin-Works\u201d, a shed!") == " tin works shed "
    assert normalized("\u9ed1\u8c79\u961f 308") == " \u9ed1 \u8c79 \u961f 308 "


def test_an_answer_stands_in_a_text_as_whole_words() -> None:
    assert holds([normalized("It was sold in 1912.")], ["1912"])
    assert not holds([normalized("It was sold in 19123.")], ["1912"])
    assert not holds([normalized("anything")], ["the", ""])


def test_token_f1_is_the_harmonic_mean_of_the_shared_words() -> None:
    assert token_f1("the red tin shed", "red shed by the sea") == pytest.approx(2 * 2 / (3 + 4))
    assert token_f1("one", "other") == 0.0


def test_lenient_takes_a_quote_or_half_the_words() -> None:
    assert is_lenient("long ago", ["It was bought in 1912."], ["1912"])
    assert is_lenient("Mara Anne Quill", [], ["Mara Quill"])
    assert not is_lenient("Odo", ["Odo Fenn bought it."], ["Mara Quill"])


def test_strict_takes_short_answers_alone() -> None:
    assert is_strict("It was Mara Quill.", ["Mara Quill"])
    assert not is_strict("word " * 39 + "Mara Quill", ["Mara Quill"])
    assert not is_strict("Mara", ["Mara Quill"])


def test_rankings_are_judged_as_by_hand() -> None:
    values = ranking_values({"q": ["x", "a", "y", "b"], "none": []}, {"q": {"a": 1, "b": 1}, "none": {"c": 1}})
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    assert values["q"] == pytest.approx(
        {
            "recall@2": 0.5, "recall@5": 1.0, "recall@10": 1.0, "all_gold@8": 1.0, "mrr@10": 0.5,
            "ndcg@10": gain / (1 + 1 / math.log2(3)), "map": (1 / 2 + 2 / 4) / 2,
        }
    )  # fmt: skip
    assert set(values["none"].values()) == {0.0}


def test_grades_count_and_a_gold_document_beyond_the_eighth_is_missed() -> None:
    ranked = [f"x{i}" for i in range(8)] + ["a"]
    values = ranking_values({"late": ranked, "graded": ["b", "a"]}, {"late": {"a": 1}, "graded": {"a": 2, "b": 1}})
    assert (values["late"]["all_gold@8"], values["late"]["recall@10"], values["late"]["mrr@10"]) == (0.0, 1.0, pytest.approx(1 / 9))
    assert values["graded"]["ndcg@10"] == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)))
