"""Terms in memory rank as the index of the table does."""

import random

import polars as pl
import pyarrow as pa
import pytest

from pagerag_pipeline.schema.ids import digest
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.stores.term_table import TermTable
from pagerag_pipeline.stores.vectors import VectorReader, VectorStore

DRAW = random.Random(11)
TEXTS = {digest("key", number): " ".join(DRAW.choices([f"t{n}" for n in range(60)], k=DRAW.randrange(1, 90))) for number in range(300)} | {
    digest("key", "empty"): "",
    digest("key", "rare"): "t1 Été 東京 " + "x" * 300,
}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[VectorReader, TermTable]:
    folder = tmp_path_factory.mktemp("terms")
    store = VectorStore(folder, EmbedSettings())
    store.sync("passages", sorted(TEXTS), lambda some: pl.DataFrame({"key": list(some), "terms": [TEXTS[key] for key in some], "vector": [[1.0, 0.0]] * len(some)}))
    store.index("passages")
    reader = VectorReader(folder, store.versions())
    return reader, TermTable(pa.Table.from_batches(list(reader.batches("passages", ("key", "terms")))))


@pytest.mark.parametrize("limit", [1, 7, 50, 1000])
def test_the_ranking_is_that_of_the_index(both: tuple[VectorReader, TermTable], limit: int) -> None:
    reader, table = both
    for seed in range(40):
        terms = random.Random(seed).choices([f"t{n}" for n in range(70)], k=seed % 6 + 1)
        expected, found = reader.match("passages", terms, limit=limit), table.match(terms, limit=limit)
        assert [key for key, _ in found] == [key for key, _ in expected], terms
        assert all(abs(own - other) < 2e-4 for (_, own), (_, other) in zip(found, expected, strict=True)), terms


def test_keys_restrict_without_changing_scores(both: tuple[VectorReader, TermTable]) -> None:
    reader, table = both
    keys = [*random.Random(2).sample(sorted(TEXTS), 40), "unknown"]
    for seed in range(10):
        terms = random.Random(seed).choices([f"t{n}" for n in range(60)], k=4)
        every = dict(table.match(terms, limit=1000))
        found = table.match(terms, limit=15, keys=keys)
        assert [key for key, _ in found] == [key for key, _ in reader.match("passages", terms, limit=15, keys=keys)]
        assert found and all(every[key] == score for key, score in found)
    assert table.match(["t1"], limit=5, keys=[]) == []


def test_terms_are_matched_as_they_are_and_what_is_unknown_matches_nothing(both: tuple[VectorReader, TermTable]) -> None:
    reader, table = both
    for terms in (["Été"], ["ete"], ["東京"], ["東"], ["x" * 300], ["t1 t2"], [""], []):
        assert [key for key, _ in table.match(terms, limit=400)] == [key for key, _ in reader.match("passages", terms, limit=400)], terms
    assert table.match(["t1"], limit=0) == []


def test_a_table_without_any_term_matches_nothing(both: tuple[VectorReader, TermTable]) -> None:
    empty = TermTable(pa.table({"key": ["a", "b"], "terms": ["", ""]}))
    assert empty.match(["t1"], limit=5) == []
    assert empty.nbytes < both[1].nbytes
