"""An ontology that people give: it replaces the shipped one, extraction and gates are made again, and nothing else is."""

from pathlib import Path

import pytest

from pagerag_pipeline.indexing.ontology import OntologyError
from pagerag_pipeline.refresh import products
from pagerag_pipeline.refresh.report import ProductReport
from pagerag_pipeline.refresh.session import Session
from pagerag_pipeline.settings import EmbedSettings, ExtractSettings, Settings
from pagerag_pipeline.settings_file import write_corpus_folder
from pagerag_pipeline.stores.governance import ONTOLOGY_FILE

SETTINGS = Settings(embed=EmbedSettings(model="hash"), extract=ExtractSettings(tagger="rules"))
GIVEN = '[predicates]\nestablished = { verbs = ["found"], head = "agent", inverse = "established_by" }\n'
AGAIN = {"entity_records"}
"""Per-unit products that read the ontology."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_text("Mara Quill founded Tinworks in 1901. Odo Fenn bought Millworks in 1903.", encoding="utf-8")
    home = tmp_path / "home"
    home.mkdir()
    write_corpus_folder(home, corpus)
    return home


def refreshed(home: Path) -> tuple[dict[str, ProductReport], set[str]]:
    """The reports of a refresh, and the predicates of the governed graph after it."""
    corpus = home.parent / "corpus"
    settings = Settings(**{**{name: getattr(SETTINGS, name) for name in Settings.__slots__}, "corpus": type(SETTINGS.corpus)(folder=str(corpus))})
    with Session.open(home, settings=settings) as session:
        reports = {report.product: report for report in products.refresh(session)}
        return reports, {row[0] for row in session.tables.rows("SELECT DISTINCT predicate FROM edges")}


def test_a_given_ontology_replaces_the_shipped_one_and_only_what_reads_it_is_made_again(home: Path) -> None:
    _, before = refreshed(home)
    assert {"founded", "bought"} <= before
    (home / ONTOLOGY_FILE).write_text(GIVEN, encoding="utf-8")
    reports, given = refreshed(home)
    assert given == {"established"}
    ledgers = ("source_documents", "document_profiles", "chunks", "chunk_embeddings", "entity_records")
    assert {name for name in ledgers if reports[name].computed} == AGAIN
    (home / ONTOLOGY_FILE).unlink()
    reports, after = refreshed(home)
    assert after == before
    assert all(reports[name].computed == 0 for name in ledgers), "what was known before is known still"


def test_a_faulty_ontology_is_refused_before_any_work(home: Path) -> None:
    (home / ONTOLOGY_FILE).write_text('[predicates]\nfounded = { head = "wizard" }', encoding="utf-8")
    with pytest.raises(OntologyError, match=r"ontology.toml: Unknown class 'wizard' of predicate 'founded' \(predicates.founded.head\)"):
        refreshed(home)
    assert not (home / "work.duckdb").exists()
