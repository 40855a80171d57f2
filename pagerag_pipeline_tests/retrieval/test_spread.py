"""Activation reaches the second hop through shared entities, decays with distance, and stays in scope."""

from typing import Any

import numpy as np
import pytest

from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.retrieval.evidence import passage_evidence
from pagerag_pipeline.retrieval.spread import Start, Walk, likeness, order_by_activation, personalized_pagerank, spread_activation
from pagerag_pipeline.schema.asking import Evidence, Scope
from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline_tests.memory_repository import MemoryRepository

TEXTS = {
    "a.txt": ["Mara Quill founded Tinworks in 1901."],
    "b.txt": ["Odo Fenn bought Tinworks in 1912."],
    "c.txt": ["Odo Fenn came from Low Farm."],
    "d.txt": ["Nothing else was said."],
}
EDGES = [
    ("Mara Quill", "founded", "Tinworks", "a.txt", "Mara Quill founded Tinworks in 1901."),
    ("Odo Fenn", "bought", "Tinworks", "b.txt", "Odo Fenn bought Tinworks in 1912."),
    ("Odo Fenn", "came_from", "Low Farm", "c.txt", "Odo Fenn came from Low Farm."),
]


def start(*names: str, pool: tuple[Evidence, ...] = (), vectors: tuple[np.ndarray, ...] = ()) -> Start:
    return Start({name_key(name): entity_id(name_key(name)) for name in names}, pool, vectors)


def reached(repository: MemoryRepository, begin: Start, scope: Scope | None = None, **knobs: Any) -> dict[str, float]:
    found = spread_activation(begin, repository, scope=scope or Scope(), settings=RetrieveSettings(**knobs))  # type: ignore[arg-type]
    documents = {row.chunk_id: row.document for row in repository.rows}
    return {documents[chunk]: value for chunk, value in found.activation.items()}


def activation(*names: str, scope: Scope | None = None) -> dict[str, float]:
    return reached(MemoryRepository(TEXTS, EDGES), start(*names), scope)


def test_passages_beyond_the_pool_are_counted() -> None:
    repository = MemoryRepository(TEXTS, EDGES)
    found = spread_activation(start("Mara Quill"), repository, scope=Scope(), settings=RetrieveSettings(pool=1))  # type: ignore[arg-type]
    assert found.step() == {"step": "spread", "found": 1, "left_out": 2}


def test_a_passage_two_hops_away_is_reached_with_less() -> None:
    found = activation("Mara Quill")
    assert list(found) == ["a.txt", "b.txt", "c.txt"]
    assert "d.txt" not in found


def test_activation_does_not_pass_through_what_is_out_of_scope() -> None:
    assert list(activation("Mara Quill", scope=Scope(("a.txt", "c.txt")))) == ["a.txt"]


def test_nothing_to_start_from_gives_nothing() -> None:
    assert activation("Nobody Known") == {}


def test_pagerank_keeps_all_activation_and_agrees_with_the_linear_equation() -> None:
    graph = MemoryRepository(TEXTS, EDGES).activation_graph(Scope())
    size = len(graph.starts) - 1
    seed = graph.nodes[entity_id(name_key("Tinworks"))]
    found = personalized_pagerank(graph, {seed: 2.0}, Walk(np.ones(len(graph.passages)), (), damping=0.5, steps=20))
    matrix = np.zeros((size, size))
    for node in range(size):
        for edge in range(graph.starts[node], graph.starts[node + 1]):
            matrix[graph.ends[edge], node] += graph.shares[edge]
    reset = np.zeros(size)
    reset[seed] = 1.0
    exact = np.linalg.solve(np.eye(size) - 0.5 * matrix, 0.5 * reset)
    assert found == pytest.approx(exact, abs=1e-4)
    assert found.sum() == pytest.approx(1.0, abs=1e-3)


def test_what_would_come_back_to_a_closed_node_starts_anew() -> None:
    graph = MemoryRepository(TEXTS, EDGES).activation_graph(Scope())
    odo, mara = (graph.nodes[entity_id(name_key(name))] for name in ("Odo Fenn", "Mara Quill"))
    pull = np.ones(len(graph.passages))
    opened, closed = (personalized_pagerank(graph, {odo: 1.0, mara: 1.0}, Walk(pull, nodes, damping=0.5, steps=20)) for nodes in ((), (odo,)))
    assert opened.sum() == pytest.approx(1.0) and closed.sum() == pytest.approx(1.0)
    assert closed[odo] < opened[odo] and closed[mara] > opened[mara]


def test_all_stays_with_seeds_that_nothing_leads_away_from() -> None:
    graph = MemoryRepository(TEXTS, EDGES).activation_graph(Scope())
    lone = next(node for node in range(len(graph.passages)) if graph.starts[node] == graph.starts[node + 1])
    found = personalized_pagerank(graph, {lone: 1.0}, Walk(np.ones(len(graph.passages)), (), damping=0.5, steps=8))
    assert np.flatnonzero(found).tolist() == [lone] and found[lone] == 1.0


def test_a_common_noun_is_started_from_less_than_a_name() -> None:
    texts = {"a.txt": ["Odo Fenn slept."], "b.txt": ["A mill burned."]}
    edges = [("Odo Fenn", "is", "Odo Fenn", "a.txt", "Odo Fenn slept."), ("mill", "is", "mill", "b.txt", "A mill burned.")]
    begin = start("Odo Fenn", "mill")
    less, alike = (reached(MemoryRepository(texts, edges), begin, spread_common=weight, spread_steps=1) for weight in (0.3, 1.0))
    assert less["b.txt"] / less["a.txt"] == pytest.approx(0.3 * alike["b.txt"] / alike["a.txt"], rel=1e-3)


def test_of_what_an_entity_leads_to_the_passage_like_the_question_gets_more() -> None:
    repository = MemoryRepository(
        {"a.txt": ["Odo Fenn sold rope."], "b.txt": ["Odo Fenn kept bees at the mill."], "c.txt": ["A mill."]},
        [("Odo Fenn", "sold", "rope", "a.txt", "Odo Fenn sold rope.")],
    )
    plain = reached(repository, start("Odo Fenn"), spread_likeness=0.0)
    question = repository.embedder.encode(["bees at the mill"])[0]
    drawn = reached(repository, start("Odo Fenn", vectors=(question,)), spread_likeness=1.0)
    assert list(plain) == ["a.txt", "b.txt"] and list(drawn) == ["b.txt", "a.txt"]


def test_a_passage_is_as_like_a_question_as_its_likest_form() -> None:
    passages = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], dtype=np.float32)
    one, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert likeness(passages, [one]).tolist() == pytest.approx([1.41421, -0.70711, -0.70711], abs=1e-4)
    assert likeness(passages, [one, other]).tolist() == pytest.approx([1.41421, 1.41421, -0.70711], abs=1e-4)
    assert likeness(passages, []).tolist() == [0.0, 0.0, 0.0]
    assert likeness(np.zeros((2, 0), dtype=np.float32), [one]).tolist() == [0.0, 0.0]


def test_what_a_page_is_about_and_what_its_title_names_lead_to_it() -> None:
    texts = {"a.txt": ["She was born in Low Farm."], "b.txt": ["It was settled early."], "c.txt": ["Dry stone walls."]}
    edges = [("Mara Quill", "born_in", "Low Farm", "a.txt", "She was born in Low Farm.")]
    titles = {"a.txt": "Mara Quill (founder)", "b.txt": "History of Low Farm", "c.txt": "Walls"}
    assert list(reached(MemoryRepository(texts, edges, titles=titles), start("Mara Quill"))) == ["a.txt", "b.txt"]
    assert list(reached(MemoryRepository(texts, edges), start("Mara Quill"))) == []
    titled = Start({"walls": "", "wall": ""}, ())
    assert list(reached(MemoryRepository(texts, edges, titles=titles), titled)) == ["c.txt"]


def test_a_title_that_is_a_common_noun_elsewhere_is_started_from_and_the_noun_is_not() -> None:
    texts = {"a.txt": ["Songs."], "b.txt": ["It was a privilege."]}
    repository = MemoryRepository(texts, [("privilege", "is", "it", "b.txt", "It was a privilege.")], titles={"a.txt": "Privilege (album)"})
    assert list(reached(repository, start("privilege"))) == ["a.txt"]


def test_a_name_inside_a_longer_one_is_not_started_from() -> None:
    texts = {"a.txt": ["A film."], "b.txt": ["Glory be."]}
    repository = MemoryRepository(texts, [("Glory", "is", "be", "b.txt", "Glory be.")], titles={"a.txt": "Jump for Glory", "b.txt": "Glory"})
    both = Start({"jump for glory": "", "glory": entity_id("glory")}, ())
    assert list(reached(repository, both, spread_steps=1)) == ["a.txt"]


def test_reached_passages_come_first_and_the_rest_keep_their_order() -> None:
    repository = MemoryRepository(TEXTS)
    rows, tokenizer = repository.rows, repository.embedder.tokenizer
    ranked = [passage_evidence([row], score, tokenizer=tokenizer) for row, score in zip(rows, (4.0, 3.0, 2.0, 1.0), strict=True)]
    ordered = order_by_activation(ranked, {rows[2].chunk_id: 0.2, rows[1].chunk_id: 0.1}, RetrieveSettings(spread_order_text=0.0))
    assert [item.spans[0].document for item in ordered] == ["c.txt", "b.txt", "a.txt", "d.txt"]
    assert [item.score for item in ordered][:2] == [1.0, 0.5]


def test_of_two_passages_that_activation_hardly_parts_the_better_text_comes_first() -> None:
    repository = MemoryRepository(TEXTS)
    rows, tokenizer = repository.rows, repository.embedder.tokenizer
    ranked = [passage_evidence([row], score, tokenizer=tokenizer) for row, score in zip(rows, (4.0, 3.0, 2.0, 1.0), strict=True)]

    def order(first: float, **knobs: float) -> dict[str, float]:
        activation = {rows[0].chunk_id: first, rows[1].chunk_id: 0.2}
        ordered = order_by_activation(ranked, activation, RetrieveSettings(**knobs))  # type: ignore[arg-type]
        return {item.spans[0].document: item.score for item in ordered}

    assert list(order(0.19)) == ["a.txt", "b.txt", "c.txt", "d.txt"]
    assert list(order(0.17)) == list(order(0.19, spread_order_text=0.0)) == ["b.txt", "a.txt", "c.txt", "d.txt"]
    told = order(0.19, spread_order_text=0.5, spread_sharpness=1.0)
    assert told["a.txt"] == pytest.approx((0.95 + 0.5) / 1.5, abs=1e-6) and told["b.txt"] == pytest.approx((1 + 0.5 * np.exp(-1)) / 1.5, abs=1e-6)
