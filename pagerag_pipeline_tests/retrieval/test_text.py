"""The text floor pools two rankings, scores every pooled passage by both, and keeps every place of a repeated text."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from pagerag_pipeline.lexical import content_terms
from pagerag_pipeline.retrieval.evidence import Found, likeness, passage_evidence, rescored, weighed
from pagerag_pipeline.retrieval.text import TextQuery, bm25, reciprocal_ranks, retrieve_text, z_scores
from pagerag_pipeline.schema.asking import Evidence, Scope, SourceSpan, TermStatistics
from pagerag_pipeline.settings_asking import RetrieveSettings
from pagerag_pipeline_tests.memory_repository import MemoryRepository

TEXTS = {
    "a.txt": ["Mara Quill founded Tinworks in 1901.", "Rain fell on the harbor."],
    "b.txt": ["Sister Bell kept bees at Low Farm.", "Rain fell on the harbor."],
    "c.txt": ["Odo Fenn bought Tinworks from Mara Quill in 1912."],
}


def ask(question: str, scope: Scope | None = None, **settings: int) -> tuple[Evidence, ...]:
    return found(question, scope, **settings).evidence


def found(question: str, scope: Scope | None = None, **settings: int) -> Found:
    repository = MemoryRepository(TEXTS)
    terms = tuple(content_terms(question))
    scope = scope or Scope()
    query = TextQuery(terms, repository.embedder.encode([question])[0], repository.statistics(terms, scope), repository.embedder.tokenizer)
    return retrieve_text(query, repository, scope=scope, settings=RetrieveSettings(**settings))  # type: ignore[arg-type]


def test_the_passage_that_shares_the_rare_word_comes_first() -> None:
    assert ask("Who kept bees?")[0].text == "Sister Bell kept bees at Low Farm."


def test_a_text_in_two_documents_is_one_item_with_both_places() -> None:
    best = ask("Where did rain fall?")[0]
    assert [span.document for span in best.spans] == ["a.txt", "b.txt"]
    assert all(span.quote == "Rain fell on the harbor." for span in best.spans)


def test_scope_hides_other_documents_and_other_places_of_a_text() -> None:
    found = ask("Where did rain fall on Tinworks?", Scope(("b.txt",)))
    assert {span.document for item in found for span in item.spans} == {"b.txt"}


def test_a_passage_that_only_one_ranking_found_still_has_both_scores() -> None:
    found = ask("Who bought Tinworks?", pool=2)
    assert all({name for name, _ in item.scores} == {"bm25", "dense", "coverage"} for item in found)
    assert dict(found[0].scores)["bm25"] > 0


def test_equal_scores_are_ordered_by_document() -> None:
    repository = MemoryRepository({"z.txt": ["alpha beta"], "y.txt": ["gamma delta"]})
    query = TextQuery(("omega",), np.zeros(384, dtype=np.float32), repository.statistics(("omega",), Scope()), repository.embedder.tokenizer)
    ordered = retrieve_text(query, repository, scope=Scope(), settings=RetrieveSettings()).evidence  # type: ignore[arg-type]
    assert [item.spans[0].document for item in ordered] == ["y.txt", "z.txt"]


def test_texts_for_which_the_pool_has_no_room_are_counted() -> None:
    assert found("Where did rain fall on Tinworks?").left_out == 0
    repository = MemoryRepository(TEXTS)
    vector = repository.embedder.encode(["Mara Quill founded Tinworks in 1901."])[0]
    query = TextQuery(("bee",), vector, repository.statistics(("bee",), Scope()), repository.embedder.tokenizer)
    narrow = retrieve_text(query, repository, scope=Scope(), settings=RetrieveSettings(pool=1))  # type: ignore[arg-type]
    assert narrow.step("text") == {"step": "text", "found": 1, "left_out": 1, "cut": 0}


def test_likeness_weighs_rare_terms_more_and_counts_each_once() -> None:
    statistics = TermStatistics(passages=10, mean_terms=4.0, counts={"rain": 8, "bell": 1})
    rare, common = statistics.weight("bell"), statistics.weight("rain")
    assert likeness(["bell", "rain", "bell"], {"bell"}, statistics) == pytest.approx(rare / (rare + common))
    assert likeness([], {"bell"}, statistics) == 0.0


def test_bm25_is_the_formula() -> None:
    statistics = TermStatistics(passages=3, mean_terms=4.0, counts={"bell": 1})
    weight = math.log(1 + (3 - 1 + 0.5) / 1.5)
    length = 1.2 * (1 - 0.75 + 0.75 * 2 / 4.0)
    assert bm25(weighed(["bell", "bell"], statistics), ["bell", "tower"], 4.0) == pytest.approx(weight * 2.2 / (1 + length))
    assert bm25(weighed(["bell"], statistics), ["bell", "bell"], 4.0) == pytest.approx(weight * 2 * 2.2 / (2 + length))


def test_ranks_of_two_lists_add_up_and_ties_go_to_the_key() -> None:
    assert reciprocal_ranks([["x", "b"], ["x", "a"]], 60) == ["x", "a", "b"]


def test_z_scores_of_equal_values_are_zero() -> None:
    assert z_scores([2.0, 2.0]) == [0.0, 0.0]
    assert z_scores([1.0, 3.0]) == [-1.0, 1.0]


def test_a_row_is_counted_with_the_header_it_is_shown_under() -> None:
    repository = MemoryRepository(TEXTS)
    row = replace(repository.rows[0], kind="row", context="name | year")
    shown = passage_evidence([row], 1.0, tokenizer=repository.embedder.tokenizer)
    assert shown.text == f"name | year\n{row.text}"
    assert shown.tokens == len(repository.embedder.tokenizer.offsets(shown.text)) > row.tokens
    assert shown.spans[0].quote == row.text


def test_an_item_scored_anew_is_otherwise_the_same() -> None:
    span = SourceSpan("a.txt", "c", 0, 4, "Bell")
    item = Evidence("row", "Bell", 0.5, (span,), 3, "E4", (("bm25", 7.0),), "Towers")
    assert rescored(item, 0.75, ("graph", 0.25)) == replace(item, score=0.75, scores=(("bm25", 7.0), ("graph", 0.25)))
    assert all(getattr(item, field.name) != field.default for field in fields(Evidence))
