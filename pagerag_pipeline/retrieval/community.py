"""The community operator O_c: reports of the communities whose account is nearest to the question."""

import numpy as np

from pagerag_pipeline.retrieval.evidence import Found, accounts
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.repository import Repository


def retrieve_reports(
    vector: np.ndarray, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> Found:
    """Evidence of kind `report`, nearest first, at most `reports` and `report_tokens` in all, told in their quotes in scope.

    Left out are those of the `report_read` nearest that found no room.
    """
    near = repository.nearest("reports", vector, limit=settings.report_read, scope=scope)
    told = repository.reports([key for key, _ in near], scope)
    return accounts(near, told, "report", settings=settings, tokenizer=tokenizer)
