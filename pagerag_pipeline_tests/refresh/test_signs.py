"""Signs of tokens beside the vectors: a home of a version that kept none goes on, and has them after the next refresh."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

from pagerag_pipeline.indexing import embed
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores import vector_sync
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.soundness import vector_seals
from pagerag_pipeline.stores.work import WORK_FILE
from pagerag_pipeline_tests.homes import F1, F2, make_home, refreshed, with_token_signs

QUESTION = "When did Mara Quill found Tinworks?"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A home as a version without signs left it: none in its work file, none in its vector tables."""
    home = make_home(tmp_path, {"a.txt": F1, "b.txt": F2})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embed, "VERSION", "embed/1")
        patch.setattr(vector_sync, "WITH_SIGNS", ())
        refreshed(home)
    with duckdb.connect(str(home / WORK_FILE)) as work:
        work.execute("ALTER TABLE vectors DROP COLUMN signs")
    return home


def _read(home: Path) -> tuple[dict[str, np.ndarray], list[tuple[str, float]]]:
    """The signs of all passages, and how near they are to one vector."""
    opened = open_repository(home, load_settings(home))
    try:
        near = opened.nearest("passages", np.full(384, 384**-0.5, dtype=np.float32), limit=100, scope=Scope())
        return opened.signs([key for key, _ in near]), near
    finally:
        opened.close()


def test_a_home_of_an_earlier_version_answers_and_is_given_signs_by_a_refresh(earlier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with QueryEngine(earlier) as engine:
        assert engine.ask(QUESTION).status == "answered"
    signs, near = _read(earlier)
    assert signs == {} and len(near) == 2
    with_token_signs(monkeypatch)
    assert refreshed(earlier)["chunk_embeddings"].computed == 2, "what was embedded without signs is embedded anew"
    signs, again = _read(earlier)
    assert again == near and sorted(signs) == sorted(key for key, _ in near)
    assert all(len(one) > 5 and one.shape[1] == 48 and one.any() for one in signs.values())
    with duckdb.connect(str(earlier / WORK_FILE), read_only=True) as work:
        assert work.execute("SELECT count(*) FILTER (signs IS NULL) > 0, count(*) FILTER (octet_length(signs) > 0) >= 2 FROM vectors").fetchone() == (True, True)
    with QueryEngine(earlier) as engine:
        assert engine.ask(QUESTION).status == "answered"


def test_the_seal_of_an_earlier_generation_still_holds(earlier: Path) -> None:
    opened = open_repository(earlier, load_settings(earlier))
    versions, seals = dict(opened.manifest.vectors), dict(opened.manifest.seals)
    opened.close()
    assert vector_seals(earlier, versions) == {table: seals[table] for table in versions}
