"""Words, terms and name keys are the same for writing and for asking, in every script."""

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.lexical import content_terms, name_key, stem, terms, words

TYPOGRAPHIC = "\u2013\u2014\u2018\u2019\u201a\u201b\u201c\u201d\u2026"
PLAIN = st.text(alphabet=st.one_of(st.characters(max_codepoint=127), st.sampled_from(TYPOGRAPHIC)), max_size=60)


@given(PLAIN)
def test_plain_and_general_reading_agree(text: str) -> None:
    assert words(text + " \u00e9t\u00e9") == [*words(text), "ete"]


def test_words_lose_case_diacritics_and_possessives() -> None:
    assert words("Zo\u00eb's caf\u00e9 isn't Mara's") == ["zoe", "cafe", "isn't", "mara"]


def test_a_script_without_spaces_gives_pairs_of_characters() -> None:
    assert words("\u6771\u4eac\u90fd Tokyo") == ["\u6771\u4eac", "\u4eac\u90fd", "tokyo"]


def test_a_rare_ideograph_and_a_repeat_mark_belong_to_their_run() -> None:
    assert words("\U00020bb7\u91ce\u5bb6 \u6642\u3005") == ["\U00020bb7\u91ce", "\u91ce\u5bb6", "\u6642\u3005"]


def test_a_vowel_sign_does_not_split_a_word() -> None:
    assert words("\u092d\u093e\u0937\u093e \u0915\u0940") == ["\u092d\u093e\u0937\u093e", "\u0915\u0940"]


def test_an_elided_article_is_no_part_of_its_word() -> None:
    assert words("L'homme qu\u2019elle aime, aujourd'hui dell'arte") == ["homme", "elle", "aime", "aujourd'hui", "arte"]
    assert words("It's five o'clock, don't ask d'Artagnan's friend") == ["it", "five", "o'clock", "don't", "ask", "artagnan", "friend"]


def test_terms_are_stems_and_content_terms_leave_function_words_out() -> None:
    assert terms("The founders founded") == ["the", "founder", "found"]
    assert content_terms("Who founded the Tinworks?") == ["found", "tinwork"]


def test_a_name_key_folds_case_space_marks_and_possessive() -> None:
    assert name_key("  Mara\u200f\n QUILL\u2019s ") == "mara quill"


def test_threads_do_not_cut_each_others_words() -> None:
    longer = [f"{word}{ending}" for word in ("general", "hope", "run", "happi", "nation") for ending in ("izations", "fulness", "ningly", "ation", "ousness")] * 40
    alone = [stem.__wrapped__(word) for word in longer]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: [stem.__wrapped__(word) for word in longer], range(8))) == [alone] * 8
