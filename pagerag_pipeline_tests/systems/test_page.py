"""The page system routes by what is asked, says why, and never leaves text out."""

import pytest

from pagerag_pipeline.schema import Question, Scope
from pagerag_pipeline.settings import Settings
from pagerag_pipeline.systems.gathering import Gathered, Means, encode_question
from pagerag_pipeline.systems.page import gather_page
from pagerag_pipeline.systems.passages import gather_passages
from pagerag_pipeline_tests.memory_repository import MemoryRepository

TEXTS = {
    "a.txt": ["Mara Quill founded Tinworks in 1901.", "Tinworks stands on Harbour Lane."],
    "b.txt": ["Odo Fenn bought Tinworks in 1912.", "Odo Fenn married Ida Holt."],
    "c.txt": ["Sister Bell kept bees at Low Farm."],
}
EDGES = [
    ("Mara Quill", "founded", "Tinworks", "a.txt", "Mara Quill founded Tinworks in 1901."),
    ("Odo Fenn", "bought", "Tinworks", "b.txt", "Odo Fenn bought Tinworks in 1912."),
    ("Odo Fenn", "married", "Ida Holt", "b.txt", "Odo Fenn married Ida Holt."),
]
TOLD = [("a.txt", "Mara Quill founded Tinworks in 1901.")]


def gather(question: str, *, budget: int | None = None, scope: Scope | None = None) -> Gathered:
    repository = MemoryRepository(TEXTS, EDGES, TOLD)
    means = Means(repository, repository.embedder, Settings(), scope or Scope(), budget)  # type: ignore[arg-type]
    return gather_page(Question("q", question), means)


@pytest.mark.parametrize(
    ("question", "scope", "operators"),
    [
        ("When were the bees kept?", "local", ("text", "rerank")),
        ("What are the main themes?", "global", ("text", "community", "tree", "rerank")),
        ("How is Mara Quill connected with Tinworks?", "relational", ("text", "neighborhood", "spread", "rerank")),
        ("How is Mara Quill connected with Ida Holt?", "relational", ("text", "neighborhood", "path", "spread", "rerank")),
    ],
)
def test_the_route_fits_the_question_and_says_why(question: str, scope: str, operators: tuple[str, ...]) -> None:
    gathered = gather(question)
    assert gathered.plan.profile["scope"] == scope
    assert gathered.plan.operators == operators
    assert gathered.plan.why
    assert sum(item.kind == "passage" for item in gathered.evidence) >= 3


def test_what_the_graph_points_at_joins_the_evidence() -> None:
    kinds = {item.kind for item in gather("How is Mara Quill connected with Ida Holt?").evidence}
    assert {"passage", "edge", "path"} <= kinds


def test_a_question_about_unknown_things_is_near_the_boundary() -> None:
    assert gather("Who painted the Sistine ceiling?").plan.profile["boundary"] == 1.0
    assert gather("Who bought Tinworks?").plan.profile["boundary"] == 0.0


def test_a_budget_below_one_passage_keeps_the_best_words_and_says_so() -> None:
    gathered = gather("Who founded Tinworks?", budget=4)
    assert len(gathered.evidence) == 1
    assert sum(item.tokens for item in gathered.evidence) <= 4
    assert any("cut to fit" in why for why in gathered.plan.why)


def test_items_without_room_are_counted_in_the_plan() -> None:
    gathered = gather("Who founded Tinworks?", budget=9)
    assert sum(item.tokens for item in gathered.evidence) <= 9
    assert any("found no room" in why for why in gathered.plan.why)


def test_scope_holds_for_every_operator() -> None:
    gathered = gather("How is Mara Quill connected with Ida Holt?", scope=Scope(("a.txt", "c.txt")))
    assert {span.document for item in gathered.evidence for span in item.spans} <= {"a.txt", "c.txt"}
    assert "Ida Holt" not in gathered.plan.profile["linked"]


def test_passages_uses_text_alone() -> None:
    repository = MemoryRepository(TEXTS, EDGES, TOLD)
    gathered = gather_passages(Question("q", "Who founded Tinworks?"), Means(repository, repository.embedder, Settings(), Scope()))  # type: ignore[arg-type]
    assert gathered.plan.operators == ("text", "rerank")
    assert {item.kind for item in gathered.evidence} == {"passage"}
    assert gathered.ranked[0].text == "Mara Quill founded Tinworks in 1901."


def test_a_question_longer_than_the_window_is_encoded_whole() -> None:
    repository = MemoryRepository(TEXTS)
    long = encode_question("alpha " * 400 + "tinworks", repository.embedder)
    assert long.shape == (384,) and abs(float((long**2).sum()) - 1.0) < 1e-5
    assert float(long @ repository.embedder.encode(["tinworks"])[0]) > 0
