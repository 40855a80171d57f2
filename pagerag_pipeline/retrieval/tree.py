"""The tree operator: summaries of the summary tree that are nearest to the question, of any level."""

import numpy as np

from pagerag_pipeline.retrieval.evidence import count_tokens
from pagerag_pipeline.schema import Evidence, Scope, Tokenizer
from pagerag_pipeline.settings import RetrieveSettings
from pagerag_pipeline.stores.repository import Repository

WIDER = 10
"""Summaries looked at per summary shown: those without a quote in scope fall out."""


def retrieve_summaries(
    vector: np.ndarray, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> list[Evidence]:
    """Evidence of kind `summary`, nearest first, within the same number and tokens as reports, told in their quotes in scope."""
    near = repository.nearest("summaries", vector, limit=settings.reports * WIDER, scope=scope)
    cosines = dict(near)
    found: list[Evidence] = []
    used = 0
    for summary in repository.summaries([key for key, _ in near], scope):
        tokens = count_tokens(summary.text, tokenizer)
        if len(found) == settings.reports or used + tokens > settings.report_tokens:
            break
        used += tokens
        cosine = round(cosines[summary.key], 5)
        found.append(Evidence("summary", summary.text, cosine, summary.spans, tokens, scores=(("dense", cosine),)))
    return found
