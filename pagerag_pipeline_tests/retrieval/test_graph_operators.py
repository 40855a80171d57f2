"""Neighborhood, path and community operators keep to their budgets and show only what is bound in scope."""

from collections.abc import Callable

from pagerag_pipeline.lexical import content_terms, name_key
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.retrieval.community import retrieve_reports
from pagerag_pipeline.retrieval.evidence import EntityQuery, Found
from pagerag_pipeline.retrieval.neighborhood import retrieve_neighborhood
from pagerag_pipeline.retrieval.path import retrieve_paths
from pagerag_pipeline.retrieval.records import retrieve_records
from pagerag_pipeline.schema.asking import Scope
from pagerag_pipeline.schema.knowledge import entity_id
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline_tests.memory_repository import MemoryRepository

TEXTS = {
    "a.txt": ["Mara Quill founded Tinworks in 1901."],
    "b.txt": ["Odo Fenn bought Tinworks in 1912.", "Odo Fenn married Ida Holt."],
}
EDGES = [
    ("Mara Quill", "founded", "Tinworks", "a.txt", "Mara Quill founded Tinworks in 1901."),
    ("Odo Fenn", "bought", "Tinworks", "b.txt", "Odo Fenn bought Tinworks in 1912."),
    ("Odo Fenn", "married", "Ida Holt", "b.txt", "Odo Fenn married Ida Holt."),
]
FACTS = [
    ("Odo Fenn", "trade", "tinsmith", "b.txt", "Odo Fenn bought Tinworks in 1912."),
    ("Odo Fenn", "wife", "Ida Holt", "b.txt", "Odo Fenn married Ida Holt."),
]
TOKENIZER = load_tokenizer(EmbedSettings(model="hash"))


def ident(name: str) -> str:
    return entity_id(name_key(name))


def run(operator: Callable[..., Found], question: str, *names: str, scope: Scope | None = None, **settings: float) -> Found:
    repository = MemoryRepository(TEXTS, EDGES, facts=FACTS)
    terms = tuple(content_terms(question))
    keys = tuple(name_key(name) for name in names)
    query = EntityQuery(tuple(ident(name) for name in names), keys, terms, repository.statistics(terms, Scope()))
    knobs = RetrieveSettings(**settings)  # type: ignore[arg-type]
    return operator(query, repository, scope=scope or Scope(), settings=knobs, tokenizer=TOKENIZER)


def neighborhood(question: str, *names: str, scope: Scope | None = None, **settings: int) -> list[str]:
    return texts(run(retrieve_neighborhood, question, *names, scope=scope, **settings))


def paths(source: str, target: str, scope: Scope | None = None, **settings: int) -> list[str]:
    return texts(run(retrieve_paths, "Tinworks", source, target, scope=scope, **settings))


def texts(found: Found) -> list[str]:
    return [item.text for item in found.evidence]


def test_the_edge_that_says_what_is_asked_comes_first() -> None:
    assert neighborhood("Who bought Tinworks?", "Tinworks")[0] == "Odo Fenn | bought | Tinworks"


def test_few_edges_open_the_second_hop() -> None:
    assert "Odo Fenn | bought | Tinworks" in neighborhood("Whom did Ida Holt marry?", "Ida Holt")


def test_edges_bound_outside_the_scope_are_not_shown() -> None:
    assert neighborhood("Who owned Tinworks?", "Tinworks", scope=Scope(("a.txt",))) == ["Mara Quill | founded | Tinworks"]


def test_the_edge_budget_holds() -> None:
    assert len(neighborhood("Who owned Tinworks?", "Tinworks", neighbor_edges=1)) == 1


def test_a_path_chains_edges_and_shows_one_span_an_edge() -> None:
    assert paths("Mara Quill", "Ida Holt") == [
        "Mara Quill | founded | Tinworks; Odo Fenn | bought | Tinworks; Odo Fenn | married | Ida Holt"
    ]


def test_a_path_longer_than_the_budget_or_unbound_in_scope_is_not_found() -> None:
    assert paths("Mara Quill", "Ida Holt", path_edges=2) == []
    assert paths("Mara Quill", "Ida Holt", Scope(("b.txt",))) == []


def test_reports_keep_to_their_number_tokens_and_scope() -> None:
    told = [("a.txt", "Mara Quill founded Tinworks in 1901."), ("b.txt", "Odo Fenn married Ida Holt.")]
    repository = MemoryRepository(TEXTS, EDGES, told)
    vector = repository.embedder.encode(["Who founded Tinworks?"])[0]

    def ask(scope: Scope, **settings: int) -> list[str]:
        knobs = RetrieveSettings(**settings)  # type: ignore[arg-type]
        return texts(retrieve_reports(vector, repository, scope=scope, settings=knobs, tokenizer=TOKENIZER))  # type: ignore[arg-type]

    assert ask(Scope()) == [told[0][1], told[1][1]]
    assert ask(Scope(), reports=1) == [told[0][1]]
    assert ask(Scope(), report_tokens=8) == [told[0][1]]
    assert ask(Scope(("b.txt",))) == [told[1][1]]


def test_a_report_that_is_too_long_makes_way_for_a_shorter_one_and_is_counted() -> None:
    told = [("a.txt", "Mara Quill founded Tinworks in 1901."), ("b.txt", "Odo Fenn married Ida Holt.")]
    repository = MemoryRepository(TEXTS, EDGES, told)
    vector = repository.embedder.encode(["Who founded Tinworks?"])[0]
    knobs = RetrieveSettings(report_tokens=6)
    found = retrieve_reports(vector, repository, scope=Scope(), settings=knobs, tokenizer=TOKENIZER)  # type: ignore[arg-type]
    assert texts(found) == [told[1][1]]
    assert found.step("community") == {"step": "community", "found": 1, "left_out": 1, "cut": 0}


def test_edges_beyond_the_budget_and_beyond_what_is_read_are_counted() -> None:
    shown = run(retrieve_neighborhood, "Who owned Tinworks?", "Tinworks", neighbor_edges=1, neighbor_few=0)
    assert (len(shown.evidence), shown.left_out, shown.cut) == (1, 1, 0)
    read = run(retrieve_neighborhood, "Who owned Tinworks?", "Tinworks", neighbor_read=1, neighbor_few=0)
    assert (len(read.evidence), read.left_out, read.cut) == (1, 1, 1)


def test_spans_of_shown_edges_that_are_not_shown_are_counted() -> None:
    assert run(retrieve_neighborhood, "Who owned Tinworks?", "Tinworks", neighbor_few=0).notes == {}
    assert run(retrieve_neighborhood, "Who owned Tinworks?", "Tinworks", neighbor_few=0, neighbor_spans=0).notes == {"spans_left_out": 2}


def test_a_limit_on_reading_is_not_used_up_by_edges_outside_the_scope() -> None:
    found = run(retrieve_neighborhood, "Who owned Tinworks?", "Tinworks", scope=Scope(("b.txt",)), neighbor_read=1, neighbor_few=0)
    assert texts(found) == ["Odo Fenn | bought | Tinworks"]
    assert found.left_out == 0


def test_pairs_that_are_not_tried_and_paths_that_may_be_more_are_counted() -> None:
    found = run(retrieve_paths, "Tinworks", "Mara Quill", "Tinworks", "Ida Holt", path_pairs=1, path_read=1)
    assert found.step("path") == {"step": "path", "found": 1, "left_out": 0, "cut": 0, "pairs_left_out": 2, "pairs_with_more": 1}


def test_records_are_ranked_by_what_else_is_asked_and_the_rest_is_counted() -> None:
    found = run(retrieve_records, "Whom did Odo Fenn marry?", "Odo Fenn")
    assert texts(found) == ["Odo Fenn | wife | Ida Holt"]
    assert (found.left_out, found.cut) == (1, 0)
    read = run(retrieve_records, "Whom did Odo Fenn marry?", "Odo Fenn", record_read=1)
    assert texts(read) == texts(found) and (read.left_out, read.cut) == (1, 1)
