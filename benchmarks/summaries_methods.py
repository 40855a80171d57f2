"""Ways to summarize that the house's is held against: the beginning, TextRank, LexRank and the centroid. All fill the same budget with whole sentences."""

from collections.abc import Callable, Sequence

import numpy as np

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.rank import DAMPING, centrality, choose, term_matrix
from pagerag_pipeline.indexing.summarize import Budget, SummaryPart, clipped, sentences, summarize_texts
from pagerag_pipeline.schema.knowledge import Quote, Summary
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings import SummarizeSettings

Summarizer = Callable[[Sequence[SummaryPart], Tokenizer, SummarizeSettings], Summary]

_PASSES = 50
_LIKE = 0.95
"""Cosine above which the centroid method does not repeat itself (Rossiello et al. 2017)."""


def lead(parts: Sequence[SummaryPart], tokenizer: Tokenizer, settings: SummarizeSettings) -> Summary:
    """The first sentences, until one does not fit."""
    quotes = _quotes(parts)
    budget = Budget(tokenizer, settings.summary_tokens)
    kept: list[int] = []
    while len(kept) < len(quotes) and budget.takes(quotes[len(kept)].text):
        kept.append(len(kept))
    return _summary(quotes, kept, tokenizer, settings)


def textrank(parts: Sequence[SummaryPart], tokenizer: Tokenizer, settings: SummarizeSettings) -> Summary:
    """Mihalcea and Tarau (2004): PageRank over sentences joined by shared words / (ln words + ln words); the best that fit, repeats or not."""
    quotes = _quotes(parts)
    words = [set(lexical.content_terms(quote.text)) for quote in quotes]
    return _best(quotes, _page_rank(_overlap(words)), tokenizer, settings)


def lexrank(parts: Sequence[SummaryPart], tokenizer: Tokenizer, settings: SummarizeSettings) -> Summary:
    """Erkan and Radev (2004), continuous, less the likeness to what is chosen: what the house's summaries start from."""
    quotes = _quotes(parts)
    matrix = term_matrix([lexical.content_terms(quote.text) for quote in quotes])
    budget = Budget(tokenizer, settings.summary_tokens)
    kept = choose(
        centrality(matrix),
        matrix,
        fits=lambda index: budget.takes(quotes[index].text),
        gain=lambda: np.zeros(len(quotes)),
        most=len(quotes),
    )
    return _summary(quotes, kept, tokenizer, settings)


def centroid(parts: Sequence[SummaryPart], tokenizer: Tokenizer, settings: SummarizeSettings) -> Summary:
    """Radev et al. (2004): cosine with the mean of all sentences in tf-idf space, leaving out near repeats."""
    quotes = _quotes(parts)
    matrix = term_matrix([lexical.content_terms(quote.text) for quote in quotes])
    middle = matrix.transposed_times(np.ones(matrix.count))
    return _best(quotes, matrix.times(middle), tokenizer, settings, like=matrix.likeness)


METHODS: dict[str, Summarizer] = {"house": summarize_texts, "lead": lead, "textrank": textrank, "lexrank": lexrank, "centroid": centroid}


def _overlap(words: Sequence[set[str]]) -> np.ndarray:
    """Weights of all pairs; sentences of a word or none stand alone, as the logarithm would not part them."""
    place: dict[str, int] = {}
    table = np.zeros((len(words), len({word for some in words for word in some})), dtype=np.float32)
    for row, some in enumerate(words):
        for word in sorted(some):
            table[row, place.setdefault(word, len(place))] = 1
    logs = np.log(np.maximum([len(some) for some in words], 1)).astype(np.float32)
    weights = table @ table.T
    sums = logs[:, None] + logs[None, :]
    np.divide(weights, sums, out=weights, where=sums > 0)
    weights[logs == 0] = 0
    weights[:, logs == 0] = 0
    np.fill_diagonal(weights, 0)
    return weights


def _page_rank(weights: np.ndarray) -> np.ndarray:
    out = weights.sum(axis=1)
    scores = np.ones(len(weights))
    for _ in range(_PASSES):
        scores = (1 - DAMPING) + DAMPING * (weights @ np.divide(scores, out, out=np.zeros(len(out)), where=out > 0))
    return scores


def _best(
    quotes: Sequence[Quote],
    values: np.ndarray,
    tokenizer: Tokenizer,
    settings: SummarizeSettings,
    *,
    like: Callable[[int], np.ndarray] | None = None,
) -> Summary:
    """The sentences of most value that fit, each less than _LIKE like one before it if `like` is given."""
    budget = Budget(tokenizer, settings.summary_tokens)
    free = np.ones(len(quotes), dtype=bool)
    kept: list[int] = []
    misses = 0
    for index in np.argsort(-np.round(values, 9), kind="stable") if len(quotes) else ():
        if misses == 40:
            break
        if not free[index]:
            continue
        if not budget.takes(quotes[index].text):
            misses += 1
            continue
        misses = 0
        kept.append(int(index))
        if like is not None:
            free &= like(int(index)) < _LIKE
    return _summary(quotes, kept, tokenizer, settings)


def _quotes(parts: Sequence[SummaryPart]) -> list[Quote]:
    return sentences(parts)[0]


def _summary(quotes: Sequence[Quote], kept: Sequence[int], tokenizer: Tokenizer, settings: SummarizeSettings) -> Summary:
    """The kept sentences in reading order; the beginning of the first one when none fits."""
    chosen = [quotes[index] for index in sorted(kept)] or [clipped(quote, tokenizer, settings.summary_tokens) for quote in quotes[:1]]
    return Summary(" ".join(quote.text for quote in chosen), tuple(chosen))
