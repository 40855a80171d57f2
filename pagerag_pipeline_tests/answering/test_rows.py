"""The lines of tables are read one by one, under the header of their table."""

import pytest

from pagerag_pipeline.answering.rows import pieces, read_headers
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline.schema.asking import Evidence, SourceSpan
from pagerag_pipeline_tests.answering.evidence import RULES, shown


def span(text: str, start: int = 0) -> SourceSpan:
    return SourceSpan("d.csv", "c", start, start + len(text), text)


@pytest.mark.parametrize(
    "table",
    [
        "name | founded\nTarn Mill | 1877\nOakes Bakery | 1902",
        "| name | founded |\n|---|---|\n| Tarn Mill | 1877 |\n| Oakes Bakery | 1902 |",
    ],
)
def test_each_line_of_a_table_is_one_row_under_its_header(table: str) -> None:
    text = f"Shops of the town.\n\n{table}\n\nMore was not found."
    found = pieces(span(text), {})
    rows = [piece.row for piece in found if piece.row is not None]
    assert [row.cells for row in rows] == [("Tarn Mill", "1877"), ("Oakes Bakery", "1902")]
    assert {row.header for row in rows} == {("name", "founded")}
    assert [text[p.span.start : p.span.end].strip() for p in found if not p.line] == ["Shops of the town.", "More was not found."]


def test_empty_cells_keep_their_place() -> None:
    rows = [piece.row for piece in pieces(span("a | b | c\n | x | \ny |  | z"), {}) if piece.row is not None]
    assert [row.cells for row in rows] == [("", "x", ""), ("y", "", "z")]


def test_a_bar_in_prose_makes_no_table() -> None:
    assert [piece.line for piece in pieces(span("He wrote a | b on the board.\nThen he left."), {})] == [False]


def test_rows_cut_off_from_their_header_take_it_from_the_row_that_search_found() -> None:
    text = "Tarn Mill | 1877\nOakes Bakery | 1902"
    assert {piece.row for piece in pieces(span(text, start=100), {})} == {None}
    item = Evidence("row", "", 1.0, (span("Oakes Bakery | 1902", start=117),), 5, context="Shops > Table 1: name | founded")
    found = pieces(span(text, start=100), read_headers([item]))
    assert [(piece.row.header, piece.row.caption) for piece in found if piece.row] == [(("name", "founded"), "Table 1")] * 2


def test_sentences_of_evidence_never_run_over_rows() -> None:
    sentences = evidence_sentences(shown("Two shops. Both stand.\n\nname | founded\nTarn Mill | 1877\nOakes Bakery | 1902\n"), RULES)
    assert [s.text.strip() for s in sentences] == ["Two shops.", "Both stand.", "name | founded", "Tarn Mill | 1877", "Oakes Bakery | 1902"]
    assert [s.read for s in sentences][-1] == "name | founded\nOakes Bakery | 1902"


def test_framed_rows_stand_under_a_header_that_search_gives_without_its_frame() -> None:
    text = "| Mill | Built |\n|---|---|\n| Tarn Mill | 1877 |\n|  | 1790 |"
    item = Evidence("row", "", 1.0, (span("| Tarn Mill | 1877 |", start=27),), 5, context="Mills > Mill | Built")
    rows = [piece.row for piece in pieces(span(text), read_headers([item])) if piece.row is not None]
    assert [(row.header, row.cells) for row in rows] == [(("Mill", "Built"), ("Tarn Mill", "1877")), (("Mill", "Built"), ("", "1790"))]
