"""Topics of conceptual and argumentative texts: nouns that recur there stay in the graph without an edge, marked and told (systems, G7)."""

from dataclasses import replace
from pathlib import Path

import pytest

from pagerag_pipeline.refresh.governing import govern
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Extraction, Term, Unit
from pagerag_pipeline.settings import GovernSettings
from pagerag_pipeline.stores import knowledge
from pagerag_pipeline.stores.tables import Tables
from pagerag_pipeline_tests.stores.knowledge_case import add_chunks, empty_work, put

SETTINGS = GovernSettings(topics_per_thousand=1000.0)


def chunk(*nouns: str, held: str = "") -> tuple[str, Extraction]:
    """A text of these nouns, with a held statement about a phrase that is no term."""
    text = " ".join((*nouns, held or "."))
    starts = [sum(len(noun) + 1 for noun in nouns[:place]) for place in range(len(nouns))]
    terms = tuple(Term(noun, noun, "NOUN", start, start + len(noun), 0) for noun, start in zip(nouns, starts, strict=True))
    at = len(text) - len(held)
    unit = Unit("relation", held, "NOUN", "related_to", nouns[0], "NOUN", "asserted", 0.5, at, len(text), text[at:])
    return text, Extraction((Span(0, len(text)),), terms, (unit,) if held else (), ())


def governed(folder: Path, mode: str, chunks: list[tuple[str, Extraction]], settings: GovernSettings = SETTINGS) -> Tables:
    tables = empty_work(folder)
    add_chunks(tables, "d.txt", [text for text, _ in chunks], [one for _, one in chunks])
    put(tables, "ledger_document_profiles", [("d.txt", "p", "", "", "ok", "", 1, 0.0, "")])
    put(tables, "sections", [("p", 0, "", "body", 0, 0, 1000, "[]", mode)])
    knowledge.assemble(tables)
    govern(tables, "", settings)
    return tables


def topics(tables: Tables) -> dict[str, bool]:
    return dict(tables.rows("SELECT name, isolated FROM nodes"))


CHUNKS = [chunk("doubt", "doubt", "river"), chunk("doubt", "mask", "mask"), chunk("mask", "thing", "thing"), chunk("thing", "error", "error", "error")]


def test_a_noun_that_recurs_over_chunks_is_kept_and_told(tmp_path: Path) -> None:
    tables = governed(tmp_path, "conceptual", CHUNKS)
    assert topics(tables) == {"doubt": True, "mask": True}
    told = tables.rows("SELECT gate, act, reason, detail FROM decisions WHERE reason = 'topic' ORDER BY element_id")
    assert told == [("G7", "isolate", "topic", "3 mentions, no statement in the graph")] * 2
    assert len(tables.rows("SELECT 1 FROM bindings WHERE element_kind = 'node'")) == 6


@pytest.mark.parametrize("mode", ["narrative", "mixed"])
def test_other_texts_have_no_topics(tmp_path: Path, mode: str) -> None:
    assert topics(governed(tmp_path, mode, CHUNKS)) == {}


def test_a_phrase_that_statements_speak_of_in_enough_chunks_is_a_topic(tmp_path: Path) -> None:
    chunks = [chunk("doubt", held="private world"), chunk("river", held="private world"), chunk("lamp", held="other world")]
    tables = governed(tmp_path, "argumentative", chunks, replace(SETTINGS, promote_spans=9))
    assert topics(tables) == {"private world": True}
    assert {quote for (quote,) in tables.rows("SELECT quote FROM bindings")} == {"private world"}


def test_topics_are_bounded_by_the_length_of_the_text(tmp_path: Path) -> None:
    chunks = [*CHUNKS, chunk("doubt", "river")]
    tables = governed(tmp_path, "conceptual", chunks, replace(SETTINGS, topics_per_thousand=200.0))
    assert topics(tables) == {"doubt": True}


def test_what_is_linked_is_no_isolated_topic(tmp_path: Path) -> None:
    text, extraction = chunk("doubt", held="belief")
    sure = replace(extraction, units=(replace(extraction.units[0], confidence=0.9),))
    tables = governed(tmp_path, "conceptual", [*CHUNKS, (text, sure)])
    assert topics(tables) == {"doubt": False, "belief": False, "mask": True}
