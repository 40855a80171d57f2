"""The community operator O_c: reports of the communities whose account is nearest to the question."""

import numpy as np

from pagerag_pipeline.retrieval.evidence import count_tokens
from pagerag_pipeline.schema import Evidence, Scope, Tokenizer
from pagerag_pipeline.settings import RetrieveSettings
from pagerag_pipeline.stores.repository import Repository

WIDER = 10
"""Reports looked at per report shown: those without a quote in scope fall out."""


def retrieve_reports(
    vector: np.ndarray, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> list[Evidence]:
    """Evidence of kind `report`, nearest first, at most `reports` and `report_tokens` in all, told in their quotes in scope."""
    near = repository.nearest("reports", vector, limit=settings.reports * WIDER, scope=scope)
    cosines = dict(near)
    found: list[Evidence] = []
    used = 0
    for report in repository.reports([key for key, _ in near], scope):
        tokens = count_tokens(report.text, tokenizer)
        if len(found) == settings.reports or used + tokens > settings.report_tokens:
            break
        used += tokens
        cosine = round(cosines[report.key], 5)
        found.append(Evidence("report", report.text, cosine, report.spans, tokens, scores=(("dense", cosine),)))
    return found
