"""Evidence made of typed texts, as packing would label it."""

from collections.abc import Sequence

import numpy as np

from pagerag_pipeline.answering.asked import split_question
from pagerag_pipeline.answering.coverage import search_terms
from pagerag_pipeline.answering.gate import Decision, Readers, decide
from pagerag_pipeline.answering.sufficiency import Grounds
from pagerag_pipeline.answering.tokens import embedded_text
from pagerag_pipeline.lexical import terms
from pagerag_pipeline.models.embedder import load_embedder
from pagerag_pipeline.models.tagger import load_tagger
from pagerag_pipeline.schema.asking import Evidence, SourceSpan, TermStatistics
from pagerag_pipeline.schema.ids import content_id
from pagerag_pipeline.schema.protocols import Encoded, TokenVectors
from pagerag_pipeline.settings import EmbedSettings, ExtractSettings
from pagerag_pipeline.settings_asking import AnswerSettings

HASH = load_embedder(EmbedSettings(model="hash"))
RULES = load_tagger(ExtractSettings(tagger="rules"))


def shown(*texts: str, cosine: float = 0.6) -> list[Evidence]:
    """One passage a text, each a document of its own: d1.txt, d2.txt, ..."""
    return [
        Evidence("passage", text, 1.0 / n, (SourceSpan(f"d{n}.txt", f"c{n}", 0, len(text), text),), 10, f"E{n}", (("dense", cosine),))
        for n, text in enumerate(texts, start=1)
    ]


class Turned:
    """The hash embedder with its vectors turned in space, so that no number is 0 and signs say what those of a model say; cosines are the same."""

    fingerprint, window, dimension, tokenizer = HASH.fingerprint, HASH.window, HASH.dimension, HASH.tokenizer

    def __init__(self) -> None:
        self._turn: np.ndarray = np.linalg.qr(np.random.default_rng(7).normal(size=(self.dimension, self.dimension)))[0].astype(np.float32)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of texts."""
        return HASH.encode(texts) @ self._turn

    def encode_passages(self, texts: Sequence[str]) -> list[Encoded]:
        """The same with the signs of their tokens."""
        return [Encoded(one.pooled, np.packbits(one.vectors > 0, axis=1)) for one in self.token_vectors(texts)]

    def token_vectors(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The tokens of each text."""
        return [TokenVectors(one.offsets, one.vectors @ self._turn, one.pooled @ self._turn) for one in HASH.token_vectors(texts)]


TURNED = Turned()


def signs_of(evidence: Sequence[Evidence]) -> dict[str, np.ndarray]:
    """Signs of the tokens of passages by embed key."""
    texts = [embedded_text(item) for item in evidence]
    return {content_id(text): one.signs for text, one in zip(texts, TURNED.encode_passages(texts), strict=True)}


def statistics(*texts: str) -> TermStatistics:
    """Term counts over the texts as if they were the whole corpus."""
    sets = [set(terms(text)) for text in texts]
    return TermStatistics(len(texts), 10.0, {term: sum(term in one for one in sets) for term in set().union(*sets)})


def gate(question: str, *texts: str, cosine: float = 0.6, strict: bool = False, settings: AnswerSettings | None = None) -> Decision:
    """The gate's decision on a question when exactly these texts are the corpus and all of them were found."""
    parts = split_question(question)
    assert search_terms(parts)
    evidence = tuple(shown(*texts, cosine=cosine))
    grounds = Grounds(evidence, evidence, statistics(*texts), "hash", strict)
    return decide(parts, grounds, readers=Readers(RULES, RULES, HASH), settings=settings or AnswerSettings())
