"""The fixtures once more with the real embedder and tagger, and the coefficients fitted for them."""


import pytest

from pagerag_pipeline.query import QueryEngine
from pagerag_pipeline_tests.homes import F1, F2, F3, build

pytestmark = pytest.mark.models

REAL = '[embed]\nmodel = "minilm"\n[extract]\ntagger = "spacy"\n'


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> QueryEngine:
    home = build(tmp_path_factory.mktemp("real"), {"f1.txt": F1, "f2.txt": F2, "f3.txt": F3, "roof.txt": "The mill has a bell."}, settings=REAL)
    with QueryEngine(home) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer", "documents"),
    [
        ("When was Tinworks founded?", "1901", {"f1.txt"}),
        ("Who owned Tinworks after its founder?", "Odo Fenn", {"f1.txt", "f2.txt"}),
        ("From whom did Odo Fenn buy Tinworks?", "Mara Quill", {"f2.txt"}),
        ("Where did Sister Bell keep bees?", "Low Farm", {"f3.txt"}),
    ],
)
def test_what_the_corpus_holds_is_answered(engine: QueryEngine, question: str, answer: str, documents: set[str]) -> None:
    outcome = engine.ask(question)
    assert (outcome.status, outcome.answer) == ("answered", answer)
    assert {citation.document for citation in outcome.citations} == documents


@pytest.mark.parametrize(
    "question", ["Who painted the Sistine ceiling?", "What color is the roof of the mill?", "When was the mill founded?"]
)
def test_what_it_does_not_hold_is_refused(engine: QueryEngine, question: str) -> None:
    outcome = engine.ask(question)
    assert (outcome.status, outcome.answer) == ("refused", None)
    assert outcome.confidence < 0.5


def test_half_is_answered_and_the_rest_named(engine: QueryEngine) -> None:
    outcome = engine.ask("Who founded Tinworks, and where was the founder born?")
    assert (outcome.status, outcome.answer) == ("partial", "Mara Quill")
    assert "where was the founder born" in outcome.missing[0]
