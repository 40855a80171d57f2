"""Local search ranks texts by entity and shared neighbors; global search goes down only below reports that bear on the question."""

import math

import pytest

from pagerag_pipeline.retrieval.around import Near, chunks_around, entities_of, nearest_entities
from pagerag_pipeline.retrieval.overview import Mapped, descend, map_scores
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.stores.activation import ActivationGraph
from pagerag_pipeline.stores.surroundings import SeenReport
from pagerag_pipeline_tests.memory_repository import MemoryRepository

TEXTS = {"a.txt": ["Mara Quill founded Tinworks.", "Mara Quill slept."], "b.txt": ["Odo Fenn bought Tinworks."]}
EDGES = [("Mara Quill", "founded", "Tinworks", "a.txt", "Mara Quill founded Tinworks."), ("Odo Fenn", "bought", "Tinworks", "b.txt", "Odo Fenn bought Tinworks.")]
MARA, ODO, TINWORKS = (entity_id(key) for key in ("mara quill", "odo fenn", "tinworks"))


def graph(*documents: str) -> ActivationGraph:
    return MemoryRepository(TEXTS, EDGES).activation_graph(Scope(documents or None))


def chunks() -> dict[str, str]:
    return {row.text: row.chunk_id for row in MemoryRepository(TEXTS, EDGES).rows}


def test_texts_come_by_the_rank_of_their_entity_then_by_shared_neighbors() -> None:
    ids = chunks()
    scores = chunks_around([Near(MARA, 0.8), Near(ODO, 0.5)], graph())
    assert list(scores) == [ids["Mara Quill founded Tinworks."], ids["Mara Quill slept."], ids["Odo Fenn bought Tinworks."]]
    shared = 1 + math.log(2)
    assert list(scores.values()) == pytest.approx([0.8 * shared, 0.8, 0.5 * shared], abs=1e-6)


def test_a_text_of_several_entities_has_the_best_score_of_one() -> None:
    scores = chunks_around([Near(ODO, 0.5), Near(TINWORKS, 0.9)], graph())
    assert scores[chunks()["Odo Fenn bought Tinworks."]] == pytest.approx(0.9 * (1 + math.log(2)), abs=1e-6)


def test_entities_need_a_similarity_and_are_limited_ties_going_to_the_rarer() -> None:
    found = nearest_entities({MARA: 0.5, ODO: 0.5, TINWORKS: 0.9, "nobody": 1.0}, graph(), PankSettings())
    assert [one.node for one in found] == [TINWORKS, ODO, MARA]
    assert [one.node for one in nearest_entities({MARA: 0.19, TINWORKS: 0.2}, graph(), PankSettings())] == [TINWORKS]
    assert len(nearest_entities({MARA: 0.5, ODO: 0.5}, graph(), PankSettings(entities=1))) == 1


def test_passages_lead_to_their_entities_in_scope_alone() -> None:
    ids = chunks()
    found = entities_of({ids["Mara Quill founded Tinworks."]: 0.4, ids["Odo Fenn bought Tinworks."]: 0.7}, graph())
    assert found == {MARA: 0.4, TINWORKS: 0.7, ODO: 0.7}
    assert entities_of({ids["Odo Fenn bought Tinworks."]: 0.7}, graph("a.txt")) == {}


def report(name: str, level: int, parent: str = "") -> SeenReport:
    return SeenReport(name, level, name, parent, 1, 3)


def test_map_scores_are_scaled_over_all_reports() -> None:
    reports = [report("a", 0), report("b", 0), report("c", 0)]
    assert [one.score for one in map_scores(reports, {"a": 0.2, "b": 0.6, "c": 0.4})] == [0, 100, 50]
    assert [one.score for one in map_scores(reports[:1], {"a": 0.2})] == [100] and map_scores([], {}) == []


def test_finer_reports_are_looked_at_below_those_that_bear_on_the_question() -> None:
    a, b, lost = Mapped(report("a", 0), 50), Mapped(report("b", 0), 49), Mapped(report("z", 2, "gone"), 10)
    below_a, below_b, deep = Mapped(report("a1", 1, "a"), 80), Mapped(report("b1", 1, "b"), 90), Mapped(report("a11", 2, "a1"), 0)
    assert descend([a, b, below_a, below_b, deep, lost], 50) == [below_a, a, b, lost]

