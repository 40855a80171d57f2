"""A question names nodes by the same rules as the sentences of its documents."""

from functools import lru_cache

import pytest

from pagerag_pipeline.indexing.extract import extract_chunks
from pagerag_pipeline.indexing.graph_terms import graph_terms, text_terms
from pagerag_pipeline.models.rules_tagger import RulesTagger
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.knowledge import Term
from pagerag_pipeline.schema.protocols import Tagger
from pagerag_pipeline.settings import ExtractSettings


@lru_cache
def loaded(tagger: str) -> Tagger:
    return load_tagger(ExtractSettings(tagger=tagger))  # type: ignore[arg-type]


def keys(text: str, tagger: str = "rules") -> list[str]:
    return [term.key for term in text_terms(text, loaded(tagger))]


def test_words_of_a_name_are_nodes_and_each_comes_once_a_sentence() -> None:
    assert keys("Did Mara Quill sell it to Mara Quill?") == ["mara", "quill"]


def test_a_question_of_few_words_is_no_heading() -> None:
    assert keys("Tinworks") == ["tinworks"]


def test_keys_are_folded_and_the_form_is_kept() -> None:
    (term,) = text_terms("Where did they meet TINWORKS?", RulesTagger())
    assert (term.key, term.surface) == ("tinworks", "TINWORKS")


@pytest.mark.parametrize("text", ["", " \n ", "?", "\u4ed6\u5728\u54ea\u91cc\uff1f", "Where is it?"])
def test_a_question_may_name_nothing(text: str) -> None:
    assert keys(text) == []


def test_names_of_other_labels_hide_their_words() -> None:
    terms = [Term("low farm", "Low Farm", "FAC", 0, 8, 0), Term("hale", "Hale", "GPE", 10, 14, 0), Term("1901", "1901", "DATE", 16, 20, 0)]
    assert [term.key for term in graph_terms(terms)] == ["hale"]


@pytest.mark.models
def test_a_parsed_question_names_what_its_sentence_does() -> None:
    said = "Dr. Mara Quill of London sold two old bells to the Bell Company in May 1901."
    (found,) = extract_chunks([said], loaded("spacy"), language="en", mode="narrative")
    assert [term.key for term in graph_terms(found.terms)] == keys(said, "spacy")
    assert {"mara", "quill", "london", "bell", "bell company"} <= set(keys(said, "spacy"))
    assert not {"mara quill", "1901", "may", "may 1901", "two"} & set(keys(said, "spacy"))
