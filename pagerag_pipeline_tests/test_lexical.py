"""Words, terms and name keys are the same for writing and for asking, in every script."""

from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.lexical import content_terms, name_key, terms, words

ASCII = st.text(alphabet=st.characters(max_codepoint=127), max_size=60)


@given(ASCII)
def test_plain_and_general_reading_agree(text: str) -> None:
    assert words(text + " \u00e9t\u00e9") == [*words(text), "ete"]


def test_words_lose_case_diacritics_and_possessives() -> None:
    assert words("Zo\u00eb's caf\u00e9 isn't Mara's") == ["zoe", "cafe", "isn't", "mara"]


def test_a_script_without_spaces_gives_pairs_of_characters() -> None:
    assert words("\u6771\u4eac\u90fd Tokyo") == ["\u6771\u4eac", "\u4eac\u90fd", "tokyo"]


def test_terms_are_stems_and_content_terms_leave_function_words_out() -> None:
    assert terms("The founders founded") == ["the", "founder", "found"]
    assert content_terms("Who founded the Tinworks?") == ["found", "tinwork"]


def test_a_name_key_folds_case_space_marks_and_possessive() -> None:
    assert name_key("  Mara\u200f\n QUILL\u2019s ") == "mara quill"
