"""A claim stands only on quotes that stand word for word in their documents."""

from pagerag_pipeline.answering.citations import cite, supported
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.schema import Claim
from pagerag_pipeline_tests.answering.evidence import RULES, shown

TEXT = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."
SENTENCES = evidence_sentences(shown(TEXT), RULES)


def read(document: str, start: int, end: int) -> str:
    return TEXT[start:end] if document == "d1.txt" else ""


def test_citations_are_in_document_order_with_section_and_page() -> None:
    citations = cite(list(reversed(SENTENCES)), lambda ids: {one: (("Chapter I",), 7) for one in ids})
    assert [(c.start, c.end, c.quote) for c in citations] == [(0, 36, TEXT[:36]), (37, 69, TEXT[37:])]
    assert {(c.section, c.page, c.label) for c in citations} == {(("Chapter I",), 7, "E1")}


def test_a_claim_with_an_unknown_label_or_none_is_not_supported() -> None:
    citations = cite(SENTENCES, lambda ids: {})
    assert supported([Claim("1901", ("E1",))], citations, read)
    assert not supported([Claim("1901", ("E1", "E9"))], citations, read)
    assert not supported([Claim("1901", ())], citations, read)
    assert not supported([], citations, read)


def test_a_quote_that_is_not_in_its_document_supports_nothing() -> None:
    citations = cite(SENTENCES, lambda ids: {})
    assert not supported([Claim("1901", ("E1",))], citations, lambda document, start, end: "something else")


def test_a_sentence_in_two_documents_is_kept_once_with_its_first_place() -> None:
    sentences = evidence_sentences(shown("One bell rang twice.", "One bell rang twice."), RULES)
    assert [s.span.document for s in sentences] == ["d1.txt"]
