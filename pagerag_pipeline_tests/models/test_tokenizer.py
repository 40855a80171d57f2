"""Every token has its place, nothing is cut off, and hard texts stay cheap."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.models import tokenizer as room
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.models.tokenizer import WordPieceTokenizer, WordTokenizer
from pagerag_pipeline.settings import EmbedSettings

ANY_TEXT = st.text(max_size=80)
HARD_PIECES = ["x" * 130, "สวัสดีครับ", "안녕하세요", "漢字かな", "e\u0301", "\u200b", "[SEP]", " ", "\n", "don't", "😀😀", "a\u0301" * 40]
HARD_TEXT = st.lists(st.sampled_from(HARD_PIECES)).map("".join)


@pytest.fixture(scope="module")
def wordpiece() -> WordPieceTokenizer:
    tokenizer = load_tokenizer(EmbedSettings())
    assert isinstance(tokenizer, WordPieceTokenizer)
    return tokenizer


@pytest.fixture(scope="module")
def words() -> WordTokenizer:
    return WordTokenizer("test")


def slices(text: str, offsets: np.ndarray) -> list[str]:
    return [text[start:end] for start, end in offsets]


def test_offsets_name_the_pieces_of_a_sentence(wordpiece: WordPieceTokenizer) -> None:
    text = "Mara Quill founded Tinworks in 1901."
    offsets = wordpiece.offsets(text)
    assert offsets.dtype == np.int32
    assert slices(text, offsets) == ["Mara", "Qui", "ll", "founded", "Tin", "works", "in", "1901", "."]


def test_a_text_without_tokens_has_an_empty_table(wordpiece: WordPieceTokenizer, words: WordTokenizer) -> None:
    for tokenizer in (wordpiece, words):
        assert tokenizer.offsets("").shape == (0, 2)
        assert tokenizer.offsets(" \n\t ").shape == (0, 2)


@given(text=ANY_TEXT | HARD_TEXT)
def test_tokens_lie_inside_the_text_in_order(wordpiece: WordPieceTokenizer, words: WordTokenizer, text: str) -> None:
    for tokenizer in (wordpiece, words):
        offsets = tokenizer.offsets(text)
        assert (offsets[:, 0] < offsets[:, 1]).all()
        assert (np.diff(offsets[:, 0]) >= 0).all()
        assert not len(offsets) or (offsets[0, 0] >= 0 and offsets[-1, 1] <= len(text))


@given(text=ANY_TEXT | HARD_TEXT)
def test_no_more_tokens_for_the_model_than_are_counted(wordpiece: WordPieceTokenizer, text: str) -> None:
    (ids,) = wordpiece.ids([text])
    assert len(ids) - 2 <= len(wordpiece.offsets(text))


@given(left=ANY_TEXT | HARD_TEXT, right=ANY_TEXT | HARD_TEXT, space=st.sampled_from(" \n"))
def test_a_cut_at_a_space_leaves_all_tokens_as_they_were(wordpiece: WordPieceTokenizer, left: str, right: str, space: str) -> None:
    parts = [*wordpiece.offsets(left), *(wordpiece.offsets(right) + len(left) + 1)]
    assert np.array_equal(wordpiece.offsets(left + space + right), np.array(parts, dtype=np.int32).reshape(-1, 2))


@given(text=HARD_TEXT)
def test_a_long_text_in_blocks_has_the_tokens_of_the_whole(wordpiece: WordPieceTokenizer, text: str) -> None:
    whole = wordpiece.offsets(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "BLOCK", 16)
        assert np.array_equal(wordpiece.offsets(text), whole)


def test_a_word_that_the_model_does_not_know_is_counted_by_its_length(wordpiece: WordPieceTokenizer) -> None:
    offsets = wordpiece.offsets("see " + "x" * 200_001 + " end")
    inside = offsets[1:-1]
    assert len(inside) == 50_001
    assert (inside[1:, 0] == inside[:-1, 1]).all()
    assert (inside[0, 0], inside[-1, 1]) == (4, 4 + 200_001)


def test_marks_that_the_model_drops_are_counted_by_their_length(wordpiece: WordPieceTokenizer) -> None:
    assert len(wordpiece.offsets("a" + "\u0301" * 999 + "b")) == 251


def test_a_lone_surrogate_is_a_character_like_any_other(wordpiece: WordPieceTokenizer, words: WordTokenizer) -> None:
    text = "before \udc9a after"
    assert slices(text, wordpiece.offsets(text))[-1] == "after"
    assert slices(text, words.offsets(text))[-1] == "after"


@pytest.mark.parametrize(
    "text",
    ["word, " * 170_000, "x" * 1_000_000, "A" + " " * 1_000_000 + "B", "!?" * 300_000, "漢" * 300_000, "a" + "\u0301" * 1_000_000, "안녕" * 200_000],
    ids=["prose", "one word", "spaces", "punctuation", "characters", "accents", "syllables"],
)
def test_a_megabyte_of_anything_takes_seconds(wordpiece: WordPieceTokenizer, text: str) -> None:
    begun = time.perf_counter()
    assert len(wordpiece.offsets(text)) >= 1
    assert time.perf_counter() - begun < 10


@given(text=ANY_TEXT | HARD_TEXT, data=st.data())
def test_a_cut_between_words_tokens_leaves_both_halves_as_they_were(words: WordTokenizer, text: str, data: st.DataObject) -> None:
    offsets = words.offsets(text)
    cut = data.draw(st.sampled_from([0, len(text), *offsets[:, 0].tolist()]))
    both = [*words.offsets(text[:cut]), *(words.offsets(text[cut:]) + cut)]
    assert np.array_equal(offsets, np.array(both, dtype=np.int32).reshape(-1, 2))
