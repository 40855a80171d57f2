"""Neighborhood, path and community operators keep to their budgets and show only what is bound in scope."""

from pagerag_pipeline.lexical import content_terms, name_key
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.retrieval.community import retrieve_reports
from pagerag_pipeline.retrieval.neighborhood import GraphQuery, retrieve_neighborhood
from pagerag_pipeline.retrieval.path import retrieve_paths
from pagerag_pipeline.schema import Scope, entity_id
from pagerag_pipeline.settings import EmbedSettings, RetrieveSettings
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
TOKENIZER = load_tokenizer(EmbedSettings(model="hash"))


def ident(name: str) -> str:
    return entity_id(name_key(name))


def neighborhood(question: str, *names: str, scope: Scope | None = None, **settings: int) -> list[str]:
    repository = MemoryRepository(TEXTS, EDGES)
    terms = tuple(content_terms(question))
    query = GraphQuery(tuple(ident(n) for n in names), terms, repository.statistics(terms, Scope()))
    found = retrieve_neighborhood(
        query, repository, scope=scope or Scope(), settings=RetrieveSettings(**settings), tokenizer=TOKENIZER  # type: ignore[arg-type]
    )
    return [item.text for item in found]


def paths(source: str, target: str, scope: Scope | None = None, **settings: int) -> list[str]:
    repository = MemoryRepository(TEXTS, EDGES)
    asked = (("tinwork",), repository.statistics(("tinwork",), Scope()))
    found = retrieve_paths(
        [ident(source), ident(target)], repository, asked=asked, scope=scope or Scope(), settings=(RetrieveSettings(**settings), TOKENIZER)  # type: ignore[arg-type]
    )
    return [item.text for item in found]


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
        return [r.text for r in retrieve_reports(vector, repository, scope=scope, settings=knobs, tokenizer=TOKENIZER)]  # type: ignore[arg-type]

    assert ask(Scope()) == [told[0][1], told[1][1]]
    assert ask(Scope(), reports=1) == [told[0][1]]
    assert ask(Scope(), report_tokens=8) == [told[0][1]]
    assert ask(Scope(("b.txt",))) == [told[1][1]]
