"""Corpus-wide tables of an earlier layout are made anew, and nothing that is remembered is lost."""

from pathlib import Path

from pagerag_pipeline.settings import StoreSettings
from pagerag_pipeline.stores import layout
from pagerag_pipeline.stores.corpus_tables import lay_out
from pagerag_pipeline.stores.work import open_work
from pagerag_pipeline_tests.cases.stored import stored
from pagerag_pipeline_tests.homes import F1, F2, build, digests, refreshed


def test_a_current_layout_is_left_as_it_is(tmp_path: Path) -> None:
    with open_work(tmp_path, StoreSettings()) as tables:
        tables.execute("INSERT INTO nodes (entity_id) VALUES ('n')")
        assert lay_out(tables) == []
        assert tables.rows("SELECT entity_id FROM nodes") == [("n",)]


def test_an_earlier_layout_is_derived_anew_and_no_model_runs_again(tmp_path: Path) -> None:
    home = build(tmp_path, {"f1.txt": F1, "f2.txt": F2})
    before, wanted = stored(home), digests(refreshed(home))
    with open_work(home, StoreSettings()) as tables:
        tables.execute("ALTER TABLE decisions DROP COLUMN other_id")
        tables.execute("DROP TABLE unit_states")
        tables.execute("ALTER TABLE edges ALTER weight TYPE INTEGER")
    with open_work(home, StoreSettings()) as tables:
        assert tables.rows("SELECT count(*) FROM states") == [(0,)]
        assert [tables.rows(f"SELECT count(*) FROM {name}") for name in ("decisions", "edges", "unit_states")] == [[(0,)]] * 3
    reports = refreshed(home)
    assert digests(reports) == wanted
    for name in ("source_documents", "document_profiles", "chunks", "chunk_embeddings", "entity_records"):
        assert reports[name].computed == 0
    assert stored(home).rows == before.rows


def test_every_column_has_one_name_and_one_type() -> None:
    for columns in layout.CORPUS.values():
        assert all(len(column.split()) == 2 for column in columns.split(", "))
