"""Entities by likeness of their names: the nearest handles (EnSI-RAG, EN-10; PankRAG, PK-5), for names that nothing in the index is called word for word."""

import numpy as np

from pagerag_pipeline.stores.record_index import has_handles
from pagerag_pipeline.systems.gathering import Means

READ = 4
"""Handles looked at for each entity wanted: types and fields stand among them (chosen)."""


def alike_entities(vector: np.ndarray, means: Means, *, least: float, most: int) -> dict[str, float]:
    """Keys of the entities in scope whose handles are nearest to a vector, nearest first, with their cosines of at least `least`.

    Of `READ` x `most` handles; so there may be more than `most`. Raises GenerationError for a generation without vectors of handles.
    """
    if not has_handles(means.repository):
        return {}
    near = {key: cosine for key, cosine in means.repository.nearest("handles", vector, limit=READ * most, scope=means.scope) if cosine >= least}
    handles = means.repository.handles(list(near), means.scope)
    found: dict[str, float] = {}
    for key, cosine in near.items():
        for one in handles.get(key, []):
            if one.kind == "entity":
                found.setdefault(one.handle, cosine)
    return found
