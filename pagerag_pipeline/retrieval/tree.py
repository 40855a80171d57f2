"""The tree operator: summaries of the summary tree that are nearest to the question, of any level."""

import numpy as np

from pagerag_pipeline.retrieval.evidence import Found, accounts
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline.stores.repository import Repository


def retrieve_summaries(
    vector: np.ndarray, repository: Repository, *, scope: Scope, settings: RetrieveSettings, tokenizer: Tokenizer
) -> Found:
    """Evidence of kind `summary`, nearest first, within the same number and tokens as reports, told in their quotes in scope.

    Left out are those of the `report_read` nearest that found no room.
    """
    near = repository.nearest("summaries", vector, limit=settings.report_read, scope=scope)
    told = repository.summaries([key for key, _ in near], scope)
    return accounts(near, told, "summary", settings=settings, tokenizer=tokenizer)
