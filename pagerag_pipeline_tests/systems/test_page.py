"""The page system routes by what is asked, says why, and never leaves text out."""

from dataclasses import replace

import pytest

from pagerag_pipeline.schema.asking import Question, Scope, Turn
from pagerag_pipeline.settings_asking import AnswerSettings, RetrieveSettings
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
    return gather_page(Question("q", question), means_over(repository, scope, budget))


def means_over(repository: MemoryRepository, scope: Scope | None = None, budget: int | None = None) -> Means:
    return Means(repository, repository.embedder, RetrieveSettings(), AnswerSettings(), scope or Scope(), budget)  # type: ignore[arg-type]


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


def test_the_strict_gate_follows_the_setting_and_is_told() -> None:
    near = gather("Who painted the Sistine ceiling?")
    assert near.strict and near.plan.profile["strict"] is True and any("strict gate" in why for why in near.plan.why)
    assert not gather("Who bought Tinworks?").strict
    repository = MemoryRepository(TEXTS, EDGES, TOLD)
    means = replace(means_over(repository), answer=AnswerSettings(strict_boundary=0.0))
    assert gather_page(Question("q", "Who bought Tinworks?"), means).strict


def test_every_operator_says_what_it_shows_and_what_it_leaves_out() -> None:
    gathered = gather("How is Mara Quill connected with Ida Holt?")
    steps = {step["step"]: step for step in gathered.trace}
    assert set(gathered.plan.operators) - {"rerank"} <= set(steps)
    assert all({"found", "left_out"} <= set(steps[name]) for name in gathered.plan.operators if name != "rerank")


def test_graph_items_beyond_their_share_are_counted() -> None:
    packed = gather("How is Mara Quill connected with Ida Holt?", budget=40).trace[-1]
    assert packed["step"] == "pack" and packed["over_share"] > 0


def test_a_question_that_leans_on_earlier_turns_is_searched_with_them() -> None:
    repository = MemoryRepository(TEXTS, EDGES, TOLD)
    history = (Turn("user", "Who kept the bees?"), Turn("assistant", "Mara Quill"))
    leaning = gather_page(Question("q", "Where did she keep them?", history=history), means_over(repository))
    assert leaning.ranked[0].text == "Sister Bell kept bees at Low Farm."
    assert set(leaning.reading.content) >= {"kept", "bee"} and "quill" not in leaning.reading.content
    alone = gather_page(Question("q", "Who bought Tinworks?", history=history), means_over(repository))
    assert alone.reading.searched == "Who bought Tinworks?"


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
    gathered = gather_passages(Question("q", "Who founded Tinworks?"), means_over(repository))
    assert gathered.plan.operators == ("text", "rerank")
    assert {item.kind for item in gathered.evidence} == {"passage"}
    assert gathered.ranked[0].text == "Mara Quill founded Tinworks in 1901."


def test_a_question_longer_than_the_window_is_encoded_whole() -> None:
    repository = MemoryRepository(TEXTS)
    long = encode_question("alpha " * 400 + "tinworks", repository.embedder)
    assert long.shape == (384,) and abs(float((long**2).sum()) - 1.0) < 1e-5
    assert float(long @ repository.embedder.encode(["tinworks"])[0]) > 0


def test_entities_beyond_the_limit_of_linking_are_counted() -> None:
    repository = MemoryRepository(TEXTS, EDGES, TOLD)
    means = replace(means_over(repository), retrieve=RetrieveSettings(link_nodes=1))
    step = gather_page(Question("q", "How is Mara Quill connected with Ida Holt?"), means).trace[0]
    assert len(step["entities"]) == 1 and step["left_out"] == 1


def ablated(question: str, *ablations: str) -> Gathered:
    means = replace(means_over(MemoryRepository(TEXTS, EDGES, TOLD)), ablations=frozenset(ablations))
    return gather_page(Question("q", question), means)


def documents(gathered: Gathered) -> set[str]:
    return {span.document for item in gathered.ranked for span in item.spans}


def test_without_the_floor_only_passages_remain_that_the_graph_leads_to() -> None:
    question = "How is Mara Quill connected with Ida Holt?"
    assert documents(gather(question)) == {"a.txt", "b.txt", "c.txt"}
    bare = ablated(question, "no_floor")
    assert documents(bare) == {"a.txt", "b.txt"} and {"edge", "path"} <= {item.kind for item in bare.evidence}
    assert ablated("When were the bees kept?", "no_floor").ranked == ()


def test_without_guidance_there_are_no_paths_and_text_stands_in_the_order_of_text() -> None:
    question = "How is Mara Quill connected with Ida Holt?"
    plain = gather_passages(Question("q", question), means_over(MemoryRepository(TEXTS, EDGES, TOLD)))
    bare = ablated(question, "no_structural_guidance")
    assert bare.plan.operators == ("text", "neighborhood", "rerank")
    assert [item.text for item in bare.ranked] == [item.text for item in plain.ranked]
    assert "path" not in {item.kind for item in bare.evidence}
