"""Homes of evaluations: keyed by documents and settings, made of copies, never made out of a home of something else."""

from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.evaluation.datasets import QuestionSet
from pagerag_pipeline.evaluation.homes import EvaluatedHome, cache_key, place_corpus, ready_home, settings_text
from pagerag_pipeline.evaluation.raw_graph import raw_home
from pagerag_pipeline.evaluation.sources import EvaluationError
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.settings import EmbedSettings, Settings
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.generations import current
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline_tests.homes import F1, F2, STUB_MODELS, build


def test_the_key_moves_with_documents_and_with_settings_that_shape_an_index(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    files, settings = {"own/a.txt": tmp_path / "a.txt"}, Settings()
    key = cache_key(files, settings)
    assert len(key) == 12 and key == cache_key(files, replace(settings, answer=replace(settings.answer, threshold=0.9)))
    assert key != cache_key(files, replace(settings, embed=EmbedSettings(model="hash")))
    assert key != cache_key({"own/b.txt": tmp_path / "a.txt"}, settings)
    (tmp_path / "a.txt").write_text("two", encoding="utf-8")
    assert key != cache_key(files, settings)


def test_settings_are_written_as_they_are_read(tmp_path: Path) -> None:
    settings = replace(Settings(), embed=EmbedSettings(model="hash", batch_size=3))
    settings = replace(settings, answer=replace(settings.answer, threshold=0.25), schedule=replace(settings.schedule, enabled=True))
    (tmp_path / "pagerag.toml").write_text(settings_text(settings), encoding="utf-8")
    assert load_settings(tmp_path) == settings
    assert settings_text(Settings()) == ""


def test_a_corpus_is_copied_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    place_corpus({"deep/own/a.txt": tmp_path / "a.txt"}, tmp_path / "corpus")
    copied = tmp_path / "corpus" / "deep" / "own" / "a.txt"
    assert copied.read_text(encoding="utf-8") == "one" and copied.stat().st_nlink == 1
    place_corpus({}, tmp_path / "corpus")
    assert copied.exists() and not (tmp_path / ".corpus").exists()


def test_a_named_home_is_taken_as_published_or_built_new_and_never_over_another_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(F1, encoding="utf-8")
    asked = QuestionSet("own", "eval", (), {"own/a.txt": tmp_path / "a.txt"})
    new = tmp_path / "new"
    new.mkdir()
    (new / "pagerag.toml").write_text(STUB_MODELS, encoding="utf-8")
    assert ready_home(asked, new, tmp_path / "start").reused is False
    with QueryEngine(new) as engine:
        assert engine.ask("Who founded Tinworks?").answer == "Mara Quill"
    generation = current(new)
    assert ready_home(asked, new, tmp_path / "start").reused is True and current(new) == generation
    other = tmp_path / "other"
    other.mkdir()
    (other / "pagerag.toml").write_text(f"[corpus]\nfolder = '{tmp_path}'\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match="published nothing yet"):
        ready_home(asked, other, tmp_path / "start")
    with pytest.raises(EvaluationError, match="--corpus"):
        ready_home(replace(asked, files={}), None, tmp_path / "start")


def test_a_build_that_did_not_come_to_its_end_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text(F1, encoding="utf-8")
    asked = QuestionSet("own", "eval", (), {"own/a.txt": tmp_path / "a.txt"})
    new = tmp_path / "new"
    new.mkdir()
    (new / "pagerag.toml").write_text(STUB_MODELS, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("pagerag_pipeline.evaluation.homes.refresh", lambda session: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            ready_home(asked, new, tmp_path / "start")
    assert current(new) is None
    assert ready_home(asked, new, tmp_path / "start").reused is False and current(new) is not None


def test_the_raw_graph_is_asked_beside_the_home_and_the_home_stays(tmp_path: Path) -> None:
    home = build(tmp_path, {"f1.txt": F1, "f2.txt": F2})
    before = current(home)
    settings = load_settings(home)
    evaluated = EvaluatedHome(home, settings, tmp_path / "cache", True)
    raw = raw_home(evaluated)
    assert raw == raw_home(evaluated) and raw.parent == tmp_path / "cache" and current(home) == before
    governed, ungoverned = open_repository(home, settings), open_repository(raw, settings)
    try:
        assert governed.documents() == ungoverned.documents()
        (linked,) = ungoverned.linked(["tinworks"], ungoverned.resolve_scope(None))
        edges = ungoverned.neighbors([linked.entity_id], ungoverned.resolve_scope(None), limit=10)
        spans = ungoverned.bindings([edge.edge_id for edge in edges], ungoverned.resolve_scope(None))
        assert edges and all(ungoverned.slice(s.document, s.start, s.end) == s.quote for one in spans.values() for s in one)
    finally:
        governed.close()
        ungoverned.close()
    with QueryEngine(raw) as engine:
        assert engine.ask("Who bought Tinworks from Mara Quill?").answer == "Odo Fenn"
