"""Replies of an embeddings server: what is wrong with one is told, and no part of it becomes a vector."""

import json
from typing import Any

import numpy as np
import pytest

from pagerag_pipeline.models.chat.faults import Fault
from pagerag_pipeline.models.endpoint.replies import vectors_of


def rows(*vectors: Any) -> dict[str, Any]:
    return {"data": [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]}


def test_vectors_come_at_length_one_in_the_order_of_the_texts() -> None:
    table = {"data": [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [3.0, 4.0]}]}
    assert np.allclose(vectors_of(table, 2, 2), [[0.6, 0.8], [0.0, 1.0]]) and vectors_of(table, 2, 0).dtype == np.float32
    assert np.allclose(vectors_of({"data": [{"embedding": [2.0, 0.0]}]}, 1, 0), [[1.0, 0.0]])


@pytest.mark.parametrize(
    ("table", "texts", "told"),
    [
        (rows([1.0, 0.0]), 2, "1 vectors came for 2 texts"),
        (rows([1.0, 0.0], [1.0, 0.0], [1.0, 0.0]), 2, "3 vectors came for 2 texts"),
        ({"data": []}, 1, "0 vectors came for 1 texts"),
        ({"data": "none"}, 1, "no vectors came"),
        (rows([1.0, 0.0, 0.0]), 1, "vector 0 has 3 dimensions, expected 2"),
        (rows([1.0, float("nan")]), 1, "something else than finite numbers"),
        (rows([1.0, float("inf")]), 1, "something else than finite numbers"),
        (rows([1e200, 1.0]), 1, "something else than finite numbers"),
        (rows([10**400, 1.0]), 1, "something else than finite numbers"),
        (rows([1.0, None]), 1, "something else than finite numbers"),
        (rows([1.0, True]), 1, "something else than finite numbers"),
        (rows([0.0, 0.0]), 1, "vector 0 has no length"),
        (rows("AACAPwAAAAA="), 1, "is no list of numbers"),
        (rows([]), 1, "is no list of numbers"),
        ({"data": [{"index": 0, "embedding": [1.0, 0.0]}, {"index": 0, "embedding": [1.0, 0.0]}]}, 2, "for one that has a vector"),
        ({"data": [{"index": 5, "embedding": [1.0, 0.0]}]}, 1, "stands for no text"),
        ({"data": [[1.0, 0.0]]}, 1, "stands for no text"),
    ],
)
def test_whatever_is_wrong_is_a_fault(table: dict[str, Any], texts: int, told: str) -> None:
    with pytest.raises(Fault) as caught:
        vectors_of(json.loads(json.dumps(table)), texts, 2)
    assert caught.value.kind == "malformed" and told in caught.value.message


def test_vectors_of_one_reply_have_one_size() -> None:
    with pytest.raises(Fault, match="vector 1 has 3 dimensions, expected 2"):
        vectors_of(rows([1.0, 0.0], [1.0, 0.0, 0.0]), 2, 0)


def test_vectors_of_an_unknown_size_have_one_size_in_whatever_order_they_come() -> None:
    table = {"data": [{"index": 1, "embedding": [1.0, 0.0]}, {"index": 0, "embedding": [1.0, 0.0, 0.0]}]}
    with pytest.raises(Fault, match="vector 1 has 3 dimensions, expected 2"):
        vectors_of(table, 2, 0)
