"""Packing fills the budget by rank, shows evidence in document order, and keeps the text floor."""

from dataclasses import replace

from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.schema.asking import Evidence, EvidenceKind, SourceSpan
from pagerag_pipeline.settings import EmbedSettings
from pagerag_pipeline.systems.packing import cut_to_budget, interleave, named_rows_first, pack


def item(document: str, start: int, *, tokens: int = 10, kind: EvidenceKind = "passage", text: str = "") -> Evidence:
    text = text or f"text {document} {start}"
    return Evidence(kind, text, 1.0, (SourceSpan(document, f"c{document}{start}", start, start + len(text), text),), tokens)


def test_evidence_is_packed_by_rank_and_shown_in_document_order() -> None:
    packed = pack([item("b", 0), item("a", 50), item("a", 0)], [], budget=20, most=None, floor=3)
    assert [(e.label, e.spans[0].document, e.spans[0].start) for e in packed.evidence] == [("E1", "a", 50), ("E2", "b", 0)]
    assert (packed.tokens, packed.left_out) == (20, 1)


def test_three_passages_come_before_any_graph_item() -> None:
    graph = [item("g", 0, tokens=25, kind="edge")]
    packed = pack([item("a", 0), item("b", 0), item("c", 0)], graph, budget=40, most=None, floor=3)
    assert [e.kind for e in packed.evidence] == ["passage"] * 3


def test_graph_items_stand_behind_the_passages() -> None:
    packed = pack([item("z", 0)], [item("a", 0, kind="path"), item("b", 0, kind="edge")], budget=100, most=None, floor=3)
    assert [e.kind for e in packed.evidence] == ["passage", "edge", "path"]
    assert [e.label for e in packed.evidence] == ["E1", "E2", "E3"]


def test_a_smaller_item_may_follow_one_that_does_not_fit() -> None:
    packed = pack([item("a", 0, tokens=30), item("b", 0, tokens=5)], [], budget=20, most=None, floor=3)
    assert [e.spans[0].document for e in packed.evidence] == ["b"]


def test_a_row_inside_a_shown_passage_is_not_shown_twice() -> None:
    passage = item("t.csv", 0, text="name,price\nloaf,3")
    row = item("t.csv", 11, kind="row", text="loaf,3")
    assert [e.kind for e in pack([passage, row], [], budget=100, most=None, floor=3).evidence] == ["passage"]


def test_a_row_inside_a_passage_that_does_not_show_its_header_is_kept() -> None:
    begun, row = item("t.csv", 0, text="name | price\nbun | 1\nloaf | 3"), item("t.csv", 21, kind="row", text="loaf | 3")
    later, other = item("t.csv", 60, text="roll | 2\ncake | 9"), item("t.csv", 69, kind="row", text="cake | 9")
    under = [replace(one, context="Shop > Prices of 1901: name | price") for one in (row, other)]
    packed = pack([begun, later, *under], [], budget=100, most=None, floor=3)
    assert [e.text for e in packed.evidence] == [begun.text, later.text, "cake | 9"]


def test_a_passage_larger_than_the_budget_is_cut_to_an_exact_slice_around_what_is_asked() -> None:
    text = "Rain fell all day on the quay. Mara Quill founded Tinworks in 1901. Then the rain stopped again."
    cut = cut_to_budget(item("a", 7, text=text), ["found"], budget=8, tokenizer=load_tokenizer(EmbedSettings(model="hash")))
    assert cut is not None and cut.tokens <= 8 and "founded" in cut.text
    span = cut.spans[0]
    assert text[span.start - 7 : span.end - 7] == span.quote == cut.text


def test_two_rankings_take_turns_after_the_floor_and_no_item_comes_twice() -> None:
    a, b, c, d = (item(name, 0) for name in "abcd")
    ordered = interleave([d, c, a, b], [a, b, c, d], 1)
    assert [one.spans[0].document for one in ordered] == ["a", "d", "b", "c"]


def test_rows_whose_name_the_question_says_whole_come_first() -> None:
    texts = [item("a", 0, text="The Heron sails."), *(item("t", n, kind="row", text=f"| {name} | Ada Holt |") for n, name in enumerate(("Plover", "Heron Mill", "Heron")))]
    ordered = named_rows_first(texts, ["who", "own", "heron"])
    assert [one.text for one in ordered] == ["| Heron | Ada Holt |", "The Heron sails.", "| Plover | Ada Holt |", "| Heron Mill | Ada Holt |"]
