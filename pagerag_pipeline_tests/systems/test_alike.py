"""Names that are no alias are linked by likeness to what records and nodes are called, in scope, where that is asked for."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.lexical import name_candidates
from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.systems.alike import alike_entities
from pagerag_pipeline.systems.gathering import Means, encode_question
from pagerag_pipeline.systems.page import link
from pagerag_pipeline_tests.homes import build

FILES = {
    "a.txt": "Harbour Granary Trust Limited bought grain in 1901. Harbour Granary Trust Limited sold flour to Ann Hale.",
    "b.txt": "Odo Fenn built a mill. Odo Fenn sold it to Ann Hale.",
}
QUESTION = "What did the Harbour Granary Trust buy in 1901?"


@pytest.fixture(scope="module")
def means(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Means]:
    home: Path = build(tmp_path_factory.mktemp("alike"), FILES)
    with QueryEngine(home) as engine, engine._repository() as repository:
        made = engine._means(repository, Scope(), None)
        yield replace(made, ensi=replace(made.ensi, entity_cosine=0.6))


def linking(means: Means) -> Means:
    return replace(means, retrieve=replace(means.retrieve, link_records=True))


def test_a_name_that_is_no_alias_is_linked_by_likeness_where_that_is_asked_for(means: Means) -> None:
    plain, more = link(QUESTION, name_candidates(QUESTION), means), link(QUESTION, name_candidates(QUESTION), linking(means))
    assert "Harbour Granary Trust Limited" not in [one.name for one in plain]
    assert [one.name for one in more[len(plain) :]] == ["Harbour Granary Trust Limited"]


def test_a_name_that_is_linked_word_for_word_brings_no_other(means: Means) -> None:
    question = "What did Odo Fenn build?"
    assert link(question, name_candidates(question), linking(means)) == link(question, name_candidates(question), means) != ()


def test_only_what_is_called_so_in_scope_is_alike(means: Means) -> None:
    assert link(QUESTION, name_candidates(QUESTION), replace(linking(means), scope=Scope(("b.txt",)))) == ()
    vector = encode_question("harbour granary trust", means.embedder)
    assert "harbour granary trust limited" in alike_entities(vector, means, least=0.6, most=3)
    assert alike_entities(vector, means, least=0.99, most=3) == {}
