"""Code versions: each moves with all that shapes its product, and with nothing else."""

import dataclasses

import pytest

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing import ontology
from pagerag_pipeline.refresh import codes
from pagerag_pipeline.settings import EmbedSettings, ExtractSettings, Settings

SETTINGS = Settings(embed=EmbedSettings(model="hash"), extract=ExtractSettings(tagger="rules"))
WITHOUT_TERMS = {"descriptions", "source_documents", "chunks", "entity_passages", "communities", "summary_tree"}
"""What is made without comparing a word or a name."""


def ledger_codes(settings: Settings = SETTINGS) -> dict[str, str]:
    return {name: codes.ledger_code(name, settings) for name in codes._LEDGER_CODES}


def moved(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_another_analysis_of_words_moves_all_that_compares_words(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ledger_codes()
    monkeypatch.setattr(lexical, "VERSION", "lexical/other")
    assert moved(before, ledger_codes()) == set(before) - WITHOUT_TERMS


def test_another_ontology_moves_extraction_gates_and_the_governed_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ledger_codes()
    monkeypatch.setattr(ontology, "ontology_fingerprint", lambda text: "other")
    assert moved(before, ledger_codes()) == {"entity_records", "row_records", "unit_gates", "governed_graph"}


def test_how_work_is_spread_moves_nothing() -> None:
    spread = dataclasses.replace(SETTINGS, refresh=dataclasses.replace(SETTINGS.refresh, backend="process", workers=7, batch_units=1))
    assert moved(ledger_codes(), ledger_codes(spread)) == set()
