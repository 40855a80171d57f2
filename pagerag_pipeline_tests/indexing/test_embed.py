"""A text of any length gets one vector that all of it decided, and pieces that fit the window tile it."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.embed import encode_texts, split_to_window
from pagerag_pipeline.models.embedder import load_embedder, load_tokenizer
from pagerag_pipeline.settings import EmbedSettings

SETTINGS = EmbedSettings(model="hash")
EMBEDDER = load_embedder(SETTINGS)
TOKENIZERS = [EMBEDDER.tokenizer, load_tokenizer(EmbedSettings())]
PIECES = ["word ", "x" * 150, "안녕", "漢字", "\n", "   ", "a\u0301" * 30, "unbelievably, ", "9.81"]


def _vectors(texts: Sequence[str], settings: EmbedSettings) -> np.ndarray:
    return np.stack([one.vector for one in encode_texts(texts, EMBEDDER, settings)])


def test_texts_come_back_in_order_and_equal_texts_share_a_vector() -> None:
    texts = ["Tinworks", "Harbour Lane", "Tinworks"]
    assert np.array_equal(_vectors(texts, SETTINGS), EMBEDDER.encode(texts))
    assert encode_texts([], EMBEDDER, SETTINGS) == []


def test_many_texts_pass_in_slices() -> None:
    texts = [f"text {number}" for number in range(600)]
    assert np.array_equal(_vectors(texts, EmbedSettings(model="hash", batch_size=1)), EMBEDDER.encode(texts))


def test_the_end_of_a_text_beyond_the_window_still_counts() -> None:
    filler = "the tide came in and went out again " * 200
    (with_end, without), query = _vectors([filler + "Sister Bell kept bees. " * 60, filler], SETTINGS), EMBEDDER.encode(["Sister Bell kept bees."])[0]
    assert query @ with_end > query @ without + 0.1
    assert np.linalg.norm(with_end) == pytest.approx(1)


def test_a_long_text_changes_nothing_for_its_neighbors() -> None:
    vectors = _vectors(["Tinworks", "word " * 1000, ""], SETTINGS)
    assert np.array_equal(vectors[[0, 2]], EMBEDDER.encode(["Tinworks", ""]))


@pytest.mark.models
def test_the_signs_of_a_long_text_are_those_of_its_pieces_in_order() -> None:
    settings = EmbedSettings()
    model = load_embedder(settings)
    long = " ".join(f"On day {number} Mara Quill met Odo Fenn at the mill." for number in range(60))
    pieces = [long[span.start : span.end] for span in split_to_window(long, model.tokenizer, model.window)]
    before, told, after = encode_texts(["Tinworks", long, "Low Farm"], model, settings)
    assert len(pieces) > 2
    tokens = np.concatenate([one.vectors for one in model.token_vectors(pieces)])
    differs = np.unpackbits(told.signs, axis=1).astype(bool) != (tokens > 0)
    assert np.abs(tokens[differs]).max(initial=0.0) < 1e-6
    assert [len(one.signs) for one in (before, after)] == [len(model.tokenizer.offsets(text)) for text in ("Tinworks", "Low Farm")]


def test_a_text_that_fits_stays_whole() -> None:
    for tokenizer in TOKENIZERS:
        (span,) = split_to_window("word " * 254, tokenizer, 254)
        assert (span.start, span.end) == (0, 254 * 5)
        assert split_to_window("", tokenizer, 254) == []


def test_pieces_end_after_white_space_where_there_is_some() -> None:
    text = "Some words of a summary that is longer than it should be. " * 30
    for tokenizer in TOKENIZERS:
        spans = split_to_window(text, tokenizer, 50)
        assert len(spans) > 5
        assert all(text[span.end - 1] == " " for span in spans)


def test_a_chunk_of_four_thousand_tokens_splits_for_a_window_of_512() -> None:
    text = "word " * 4000
    spans = split_to_window(text, EMBEDDER.tokenizer, 512)
    assert [len(EMBEDDER.tokenizer.offsets(text[s.start : s.end])) for s in spans] == [512] * 7 + [416]


@given(text=st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=60), window=st.integers(3, 12))
def test_pieces_tile_the_text_and_fit_the_window(text: str, window: int) -> None:
    for tokenizer in TOKENIZERS:
        spans = split_to_window(text, tokenizer, window)
        assert "".join(text[span.start : span.end] for span in spans) == text
        assert all(len(tokenizer.offsets(text[span.start : span.end])) <= window for span in spans)
        assert all(span.start < span.end for span in spans)


def test_a_window_below_one_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one token"):
        split_to_window("text", EMBEDDER.tokenizer, 0)
