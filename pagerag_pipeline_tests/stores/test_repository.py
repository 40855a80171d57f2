"""Reading a generation: limits come after the scope, and what a limit leaves out is counted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.settings_file import load_settings
from pagerag_pipeline.stores.opening import open_repository
from pagerag_pipeline.stores.repository import Repository
from pagerag_pipeline_tests.homes import build, with_token_signs

BOOK = "\n\n".join(f"# Chapter {n}\n\nMara Quill founded Tinworks in 1901. Tinworks stood on Harbour Lane in {1900 + n}." for n in range(1, 4))
FILES = {
    "a.md": BOOK,
    "b.txt": "Odo Fenn bought Tinworks in 1912. Odo Fenn married Ida Holt. Odo Fenn sold Tinworks to Ida Holt.",
    "c.txt": "Ida Holt bought Low Farm. Ida Holt married Odo Fenn.",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    home = build(tmp_path_factory.mktemp("read"), FILES)
    opened = open_repository(home, load_settings(home))
    yield opened
    opened.close()


def ident(repository: Repository, name: str, scope: Scope | None = None) -> str:
    return repository.linked([name_key(name)], scope or Scope())[0].entity_id


def test_all_neighbors_are_counted_whatever_the_limit_and_the_scope(repository: Repository) -> None:
    tinworks = ident(repository, "Tinworks")
    for scope in (Scope(), Scope(("a.md", "b.txt", "c.txt")), Scope(("b.txt",)), Scope(("c.txt",))):
        edges = repository.neighbors([tinworks], scope, limit=100)
        assert repository.count_neighbors([tinworks], scope) == len(edges)
        assert repository.neighbors([tinworks], scope, limit=1) == edges[:1]
        assert set(repository.bindings([edge.edge_id for edge in edges], scope)) == {edge.edge_id for edge in edges}
    assert repository.neighbors([tinworks], Scope(("a.md", "b.txt", "c.txt")), limit=100) == repository.neighbors([tinworks], Scope(), limit=100)
    assert len(repository.neighbors([tinworks], Scope(("b.txt",)), limit=100)) < repository.count_neighbors([tinworks], Scope())


def test_paths_keep_to_edges_in_scope(repository: Repository) -> None:
    ends = ident(repository, "Mara Quill"), ident(repository, "Ida Holt")
    whole = repository.paths(*ends, Scope(), max_edges=4, limit=9).paths
    assert whole
    assert repository.paths(*ends, Scope(("a.md", "b.txt")), max_edges=4, limit=9).paths
    assert repository.paths(*ends, Scope(("b.txt", "c.txt")), max_edges=4, limit=9).paths == []


def test_records_that_hold_what_is_asked_come_before_the_limit_and_all_are_counted(repository: Repository) -> None:
    key = [name_key("Odo Fenn")]
    every, total = repository.records(key, Scope(), terms=(), limit=100)
    assert len(every) == total > 1
    for term in ("marri", "bought"):
        first, counted = repository.records(key, Scope(), terms=(term,), limit=1)
        assert term in f"{first[0].text} {first[0].spans[0].quote}" and counted == total
    scoped, few = repository.records(key, Scope(("c.txt",)), terms=(), limit=100)
    assert len(scoped) == few < total and {record.spans[0].document for record in scoped} <= {"c.txt"}
    assert repository.records(["nobody"], Scope(), terms=("x",), limit=5) == ([], 0)


@pytest.mark.parametrize("table", ["passages", "summaries", "reports"])
def test_the_nearest_of_each_kind_are_looked_for_in_scope(repository: Repository, table: str) -> None:
    vector = np.full(384, 384**-0.5, dtype=np.float32)
    whole = repository.nearest(table, vector, limit=100, scope=Scope())
    for document in FILES:
        near = repository.nearest(table, vector, limit=100, scope=Scope((document,)))
        read = {"passages": repository.passages, "summaries": repository.summaries, "reports": repository.reports}[table]
        assert set(near) <= set(whole)
        assert len(read([key for key, _ in near], Scope((document,)))) == len(near)


def test_handles_are_the_names_types_and_fields_of_what_is_in_scope(repository: Repository) -> None:
    vector = np.full(384, 384**-0.5, dtype=np.float32)

    def found(scope: Scope) -> set[tuple[str, str]]:
        near = [key for key, _ in repository.nearest("handles", vector, limit=1000, scope=scope)]
        handles = repository.handles(near, scope)
        assert set(handles) == set(near)
        return {(one.kind, one.handle) for some in handles.values() for one in some}

    whole, farm = found(Scope()), found(Scope(("c.txt",)))
    assert {("entity", "odo fenn"), ("entity", "mara quill"), ("entity", "low farm"), ("field", "founded")} <= whole
    assert {kind for kind, _ in farm} == {"entity", "type", "field"}
    assert {("entity", "odo fenn"), ("entity", "low farm")} <= farm < whole
    assert not farm & {("entity", "mara quill"), ("field", "founded")}
    assert repository.handles(["nothing"], Scope()) == {}


def test_boundaries_are_those_of_the_profiles_in_scope(repository: Repository) -> None:
    assert [facts["chapters"] for facts in repository.boundaries(Scope(("a.md",)))] == ["3"]
    assert all("chapters" not in facts for facts in repository.boundaries(Scope(("b.txt", "c.txt"))))
    assert len(repository.boundaries(Scope())) == 1 + len(repository.boundaries(Scope(("b.txt", "c.txt"))))


def test_forms_are_told_of_the_documents_that_are_asked_about(repository: Repository) -> None:
    forms = repository.forms(["a.md", "b.txt", "nowhere.txt"])
    assert set(forms) == {"a.md", "b.txt"}
    assert all(form in ("fiction", "report", "research_paper", "mixed") for form in forms.values())


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Repository, Repository]]:
    """One generation that asks its engines, and one that keeps what it reads."""
    home = build(tmp_path_factory.mktemp("kept"), FILES)
    asking, keeping = (open_repository(home, load_settings(home)) for _ in range(2))
    keeping.keep()
    yield asking, keeping
    asking.close()
    keeping.close()


SCOPES = (Scope(), Scope(("a.md", "b.txt", "c.txt")), Scope(("b.txt",)), Scope(("a.md", "c.txt")))


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: str(scope.documents))
def test_what_is_kept_in_memory_gives_what_the_engines_give(keeping: tuple[Repository, Repository], scope: Scope) -> None:
    asking, kept = keeping
    words = [name_key(name) for name in ("Tinworks", "Odo Fenn", "Ida Holt", "Mara Quill", "nobody")]
    linked = asking.linked(words, scope)
    assert linked and kept.linked(words, scope) == linked
    entities = [one.entity_id for one in linked]
    edges = asking.neighbors(entities, scope, limit=50)
    assert edges and kept.neighbors(entities, scope, limit=50) == edges
    assert kept.count_neighbors(entities, scope) == asking.count_neighbors(entities, scope)
    assert kept.joined(entities, scope) == asking.joined(entities, scope)
    elements = [*entities, *(edge.edge_id for edge in edges)]
    bound = asking.bindings(elements, scope)
    assert bound and kept.bindings(elements, scope) == bound
    assert kept.names(entities) == asking.names(entities)
    for source, target in zip(entities, entities[1:], strict=False):
        assert kept.paths(source, target, scope, max_edges=4, limit=9) == asking.paths(source, target, scope, max_edges=4, limit=9)
    passages = asking.passages([key for key, _ in asking.match(("tinwork", "odo"), limit=20, scope=scope)], scope)
    ids = [passage.chunk_id for passage in passages]
    assert passages and kept.passages([passage.embed_key for passage in passages], scope) == passages
    assert kept.passages_by_id(ids, scope) == asking.passages_by_id(ids, scope) == passages
    chunks = sorted({span.chunk_id for spans in bound.values() for span in spans})
    assert kept.places([*ids, *chunks]) == asking.places([*ids, *chunks]) and not set(chunks) <= set(ids)
    assert kept.forms(sorted(FILES)) == asking.forms(sorted(FILES))
    assert kept.statistics(["tinwork", "odo", "zzz"], scope) == asking.statistics(["tinwork", "odo", "zzz"], scope)


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: str(scope.documents))
def test_the_graph_of_a_scope_is_the_same_kept_in_memory_or_not(keeping: tuple[Repository, Repository], scope: Scope) -> None:
    asked, kept = (list(zip(*repository.graph_sources(scope).related().to_pydict().values(), strict=True)) for repository in keeping)
    assert kept == asked and (asked or scope.documents)
    asking, keeps = (repository.activation_graph(scope) for repository in keeping)
    assert asking.passages == keeps.passages and list(asking.nodes.items()) == list(keeps.nodes.items()) and len(asking.ends)
    for field in ("starts", "ends", "shares", "rarity", "common", "vectors"):
        assert np.array_equal(getattr(asking, field), getattr(keeps, field)), field


def test_a_generation_that_keeps_does_not_open_its_graph_file(keeping: tuple[Repository, Repository], monkeypatch: pytest.MonkeyPatch) -> None:
    _, kept = keeping
    monkeypatch.setattr("pagerag_pipeline.stores.governed_edges.GraphReader", lambda *given: pytest.fail("the graph file was opened"))
    assert kept.neighbors([ident(kept, "Tinworks")], Scope(), limit=5)


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: str(scope.documents))
def test_terms_that_are_kept_rank_as_the_index_does(keeping: tuple[Repository, Repository], scope: Scope) -> None:
    asking, kept = keeping
    for terms in (("tinwork",), ("tinwork", "odo", "holt"), ("zzz",), ()):
        for limit in (1, 3, 100):
            ranked, found = asking.match(terms, limit=limit, scope=scope), kept.match(terms, limit=limit, scope=scope)
            assert [key for key, _ in found] == [key for key, _ in ranked]
            assert all(abs(own - other) < 2e-4 for (_, own), (_, other) in zip(found, ranked, strict=True))


@pytest.mark.parametrize("table", ["passages", "summaries", "reports"])
def test_vectors_that_are_kept_are_the_same_and_as_near(keeping: tuple[Repository, Repository], table: str) -> None:
    asking, kept = keeping
    for seed in range(5):
        vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
        for limit in (1, 3, 100):
            for scope in SCOPES:
                near, found = asking.nearest(table, vector, limit=limit, scope=scope), kept.nearest(table, vector, limit=limit, scope=scope)
                assert found == near
    assert kept.nearest(table, vector, limit=0, scope=Scope()) == []
    one = kept.nearest(table, vector, limit=2, scope=Scope(("c.txt",)))
    assert one == asking.nearest(table, vector, limit=2, scope=Scope(("c.txt",)))
    keys = [key for key, _ in near]
    assert keys and all(np.array_equal(own, asking.vectors(table, keys)[key]) for key, own in kept.vectors(table, [*keys, "no key"]).items())
    with pytest.raises(ValueError, match="384"):
        kept.nearest(table, vector[:9], limit=1, scope=Scope())


def test_signs_are_told_by_key_kept_in_memory_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_token_signs(monkeypatch)
    home = build(tmp_path, FILES)
    settings = load_settings(home)
    known = [key for key, _ in nearest_of_all(home)]
    plain, keeping, narrow = (open_repository(home, replace(settings, store=replace(settings.store, kept_bytes=most))) for most in (2**30, 2**30, 0))
    keeping.keep()
    narrow.keep()
    try:
        told = plain.signs([*known, "no such key"])
        assert sorted(told) == sorted(known) and all(one.shape[1] == 48 and len(one) for one in told.values())
        for other in (keeping, narrow):
            found = other.signs([*known, "no such key"])
            assert sorted(found) == sorted(told) and all(np.array_equal(found[key], one) for key, one in told.items())
        assert keeping._lookups.signs("passages") is not None and narrow._lookups.signs("passages") is None and plain._lookups.signs("passages") is None
        assert plain._vectors.token_bytes("summaries") == 0, "passages alone are compared token by token"
    finally:
        for one in (plain, keeping, narrow):
            one.close()


def nearest_of_all(home: Path) -> list[tuple[str, float]]:
    opened = open_repository(home, load_settings(home))
    try:
        return opened.nearest("passages", np.full(384, 384**-0.5, dtype=np.float32), limit=1000, scope=Scope())
    finally:
        opened.close()
