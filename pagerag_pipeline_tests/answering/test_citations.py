"""A claim stands only on quotes that stand word for word in their documents."""

from dataclasses import replace

from pagerag_pipeline.answering.citations import cite, supported
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.schema.asking import Claim, SourceSpan
from pagerag_pipeline.stores.found import Place
from pagerag_pipeline_tests.answering.evidence import RULES, shown

TEXT = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
SENTENCES = evidence_sentences(shown(TEXT), RULES)


PLACES = {"c1": Place(("Chapter I",), 7, 0, TEXT)}


def test_citations_are_in_document_order_with_section_and_page() -> None:
    citations = cite(list(reversed(SENTENCES)), PLACES)
    assert [(c.start, c.end, c.quote) for c in citations] == [(0, 36, TEXT[:36]), (37, 69, TEXT[37:])]
    assert {(c.section, c.page, c.label) for c in citations} == {(("Chapter I",), 7, "E1")}


def test_a_claim_with_an_unknown_label_or_none_is_not_supported() -> None:
    citations = cite(SENTENCES, PLACES)
    assert supported([Claim("1901", ("E1",))], citations, PLACES)
    assert not supported([Claim("1901", ("E1", "E9"))], citations, PLACES)
    assert not supported([Claim("1901", ())], citations, PLACES)
    assert not supported([], citations, PLACES)


def test_a_quote_that_does_not_stand_there_supports_nothing() -> None:
    citations = cite(SENTENCES, PLACES)
    assert not supported([Claim("1901", ("E1",))], citations, {"c1": Place((), None, 1, TEXT)})


def test_a_sentence_of_a_chunk_that_is_gone_is_not_cited() -> None:
    assert cite(SENTENCES, {}) == []


def test_a_sentence_in_two_documents_is_kept_once_with_its_first_place() -> None:
    sentences = evidence_sentences(shown("One bell rang twice.", "One bell rang twice."), RULES)
    assert [s.span.document for s in sentences] == ["d1.txt"]


def test_what_an_edge_quotes_out_of_a_shown_passage_is_read_in_the_passage() -> None:
    passage = shown(TEXT)[0]
    quote = SourceSpan("d1.txt", "whole", 0, 36, TEXT[:36])
    edge = replace(passage, kind="edge", text="Mara Quill | founded | Tinworks", spans=(quote,), label="E2")
    assert {s.label for s in evidence_sentences([passage, edge], RULES)} == {"E1"}
    assert {s.label for s in evidence_sentences([edge], RULES)} == {"E2"}
