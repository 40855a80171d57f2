"""Damaged CSV files lose no row in silence."""

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings


def parse(text: str) -> ParsedFile:
    return parse_file("x.csv", text.encode(), ParseSettings())


def test_a_quote_that_closes_in_a_later_row_swallows_none() -> None:
    parsed = parse('doc_id,title,text\na,T,First.\n"b,T,Second.\nc,T,"Third, still."\nd,T,Fourth.\n')
    assert [(document.sub_id, document.text) for document in parsed.documents] == [
        ("a", "First."), ('"b', "Second."), ("c", "Third, still."), ("d", "Fourth."),
    ]  # fmt: skip
    assert parsed.notes == (
        "line 3: a quote opens in this row and does not close as it should: it and the lines after it are read line by line, up to line 4",
    )


def test_rows_behind_a_quote_that_never_closes_are_read_line_by_line() -> None:
    parsed = parse('doc_id,title,text\na,T,First.\n"b,T,Second.\nc,T,Third.\nd,T,Fourth.\n')
    assert [(document.sub_id, document.text) for document in parsed.documents] == [("a", "First."), ('"b', "Second."), ("c", "Third."), ("d", "Fourth.")]
    assert parsed.notes == (
        "line 3: a quote opens in this row and does not close as it should: it and the lines after it are read line by line, up to line 5",
    )


def test_a_table_with_an_open_quote_keeps_its_rows() -> None:
    (document,) = parse('name,age\nAnn,"3\nBob,4\nCid,5\n').documents
    assert document.text == 'name | age\nAnn | "3\nBob | 4\nCid | 5\n'


def test_a_long_text_that_was_cut_off_stays_one_text() -> None:
    parsed = parse('doc_id,text\na,"One line.\nAnother line.\nA third')
    assert [document.text for document in parsed.documents] == ["One line.\nAnother line.\nA third"]
    assert parsed.notes == (
        "line 2: a quote opens in this row and does not close as it should: the lines after it are taken as part of it, up to line 4",
    )


def test_sound_quotes_over_several_lines_are_not_noted() -> None:
    parsed = parse('doc_id,text\na,"One line.\n\nAnother ""line""."\nb,"Last."')
    assert [document.text for document in parsed.documents] == ['One line.\n\nAnother "line".', "Last."]
    assert parsed.notes == ()


def test_cells_behind_the_last_column_are_noted_by_line() -> None:
    parsed = parse('doc_id,text\na,"First,\nreally."\nb,Hello, Mara Quill\nc,Fine,,\n')
    assert [document.text for document in parsed.documents] == ["First,\nreally.", "Hello", "Fine"]
    assert parsed.notes == ("line 4: 3 cells for 2 columns, the rest left out",)


def test_of_two_columns_with_one_name_the_taken_one_is_named() -> None:
    parsed = parse("Text,text,name,name\nworld,hello,a,b\n")
    (document,) = parsed.documents
    assert document.text == "hello"
    assert document.metadata == (("Text", "world"), ("name", "a"))
    assert parsed.notes == (
        "columns 2 and 1 are both 'text': the text of column 2 is taken",
        "columns 3 and 4 are both 'name': the text of column 3 is taken",
    )
