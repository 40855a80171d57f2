"""The embedder for tests: the same bits everywhere, and near for texts that share words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.models.hashing import hashed
from pagerag_pipeline.settings import EmbedSettings

EMBEDDER = load_embedder(EmbedSettings(model="hash"))


def test_the_bits_are_the_same_on_every_machine() -> None:
    vector = hashed("Mara Quill")
    assert {place: round(float(vector[place]), 4) for place in vector.nonzero()[0].tolist()} == {118: 0.3333, 182: 0.6667, 347: 0.6667}


def test_texts_that_share_words_are_nearer_than_others() -> None:
    query, near, far = EMBEDDER.encode(["Who founded Tinworks?", "Mara Quill founded Tinworks in 1901.", "Sister Bell kept bees at Low Farm."])
    assert query @ near > 0.3
    assert abs(query @ far) < 0.15


def test_the_order_of_words_counts_a_little() -> None:
    one, same, other = EMBEDDER.encode(["the mill bought the farm", "the mill bought the farm", "the farm bought the mill"])
    assert one @ same == pytest.approx(1)
    assert 0.7 < one @ other < 0.99


def test_a_text_without_terms_has_the_first_unit_vector() -> None:
    vectors = EMBEDDER.encode(["", " \n ", "?!"])
    assert np.array_equal(vectors, np.eye(3, 384, dtype=np.float32)[[0, 0, 0]])


@given(st.lists(st.text(max_size=60), max_size=5))
def test_rows_have_length_one_and_do_not_depend_on_the_batch(texts: list[str]) -> None:
    vectors = EMBEDDER.encode(texts)
    assert vectors.shape == (len(texts), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert all(np.array_equal(vectors[i], EMBEDDER.encode([text])[0]) for i, text in enumerate(texts))


def test_a_text_longer_than_the_window_is_refused() -> None:
    assert EMBEDDER.encode(["word " * 254]).shape == (1, 384)
    with pytest.raises(ValueError, match="text 1 has 255 tokens, the embedder's window is 254"):
        EMBEDDER.encode(["short", "word " * 255])


def test_a_token_is_near_the_same_token_and_no_other() -> None:
    first, second = EMBEDDER.token_vectors(["Tinworks sold", "sold Tinworks"])
    assert np.round(first.vectors @ second.vectors.T, 3).tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert np.array_equal(first.pooled, EMBEDDER.encode(["Tinworks sold"])[0])


def test_passages_have_vectors_and_no_tokens() -> None:
    texts = ["Tinworks sold", "", "Mara Quill founded Tinworks in 1901."]
    encoded = EMBEDDER.encode_passages(texts)
    assert np.array_equal(np.stack([one.vector for one in encoded]), EMBEDDER.encode(texts))
    assert [(one.signs.shape, one.signs.dtype) for one in encoded] == [((0, 48), np.uint8)] * 3
