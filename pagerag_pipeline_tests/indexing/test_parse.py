"""Files become documents, or named skips; one bad line or file never spoils the others."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagerag_pipeline.indexing.parse import parse_file
from pagerag_pipeline.schema.documents import Block, ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

F1 = "Mara Quill founded Tinworks in 1901. Tinworks stands on Harbour Lane."


def parse(path: str, data: str | bytes) -> ParsedFile:
    return parse_file(path, data.encode() if isinstance(data, str) else data, ParseSettings())


def only(path: str, data: str | bytes) -> ParsedDocument:
    parsed = parse(path, data)
    assert parsed.skipped == ""
    (document,) = parsed.documents
    return document


def slices(document: ParsedDocument, kind: str) -> list[str]:
    return [document.text[b.start : b.end] for b in document.blocks if b.kind == kind]


def test_a_marked_file_equals_its_unmarked_twin() -> None:
    assert only("a.txt", b"\xef\xbb\xbf" + F1.encode()).key == only("b.txt", F1).key == only("c.txt", F1.encode("utf-16")).key


def test_crlf_and_lf_give_the_same_document() -> None:
    assert only("a.txt", "Harbour Lane.\r\n\r\nTinworks.\r\n").key == only("a.txt", "Harbour Lane.\n\nTinworks.\n").key


@pytest.mark.parametrize("data", [b"", b" \n\t\n", "\u3000\n".encode(), b"\xef\xbb\xbf\n"])
def test_an_empty_file_is_skipped_as_empty(data: bytes) -> None:
    assert parse("empty.txt", data) == ParsedFile((), skipped="empty")


@pytest.mark.parametrize("text", ["...", "\u2026", "---\n\n***\n", ".\n\n_ _ _", "=====\n| |\n", "\ufffd\ufffd"])
def test_a_file_without_a_letter_number_or_picture_is_skipped(text: str) -> None:
    assert parse("blank.txt", text) == ParsedFile((), skipped="no words")
    assert parse("blank.jsonl", json.dumps({"id": "1", "text": text}) + "\n").notes == ("line 1: no text",)


@pytest.mark.parametrize("text", ["\U0001f600", "7", "\u738b", "\u2660", "a"])
def test_one_letter_number_or_picture_is_a_text(text: str) -> None:
    assert only("short.txt", text).text == text


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("slides.pptx", b"PK\x03\x04", "named .pptx but is a broken ZIP archive"),
        ("notes.odt", b"PK\x03\x04", "no reader for .odt files"),
        ("paper.txt", b"%PDF-1.7 ...", "named .txt but is a PDF"),
        ("photo.md", b"\x89PNG\r\n\x1a\n", "named .md but is a PNG image"),
        ("noise.txt", bytes(range(32)) * 9, "binary data, not text"),
        ("table.parquet", b"PAR1 nothing PAR1", "not readable as Parquet"),
        ("questions.jsonl", b'{"qid": 1, "question": "Who?"}\n', "its rows have no `text` field"),
        ("list.jsonl", b"[1, 2]\n{bad\n", "holds no JSON objects"),
    ],
)
def test_what_cannot_be_read_is_skipped_with_its_reason(path: str, data: bytes, reason: str) -> None:
    parsed = parse(path, data)
    assert parsed.documents == ()
    assert parsed.skipped.startswith(reason)


def test_a_bad_line_is_named_by_its_number_and_the_others_load() -> None:
    parsed = parse("docs.jsonl", '{"doc_id": "a", "text": "Good."}\n\n{bad\n{"doc_id": "b", "text": " "}\n')
    assert [document.sub_id for document in parsed.documents] == ["a"]
    assert parsed.notes == ("line 3: not JSON", "line 4: no text")


def test_rows_give_documents_with_their_own_ids_titles_and_metadata() -> None:
    row = {"doc_id": 7, "title": "Bees", "text": "Sister Bell kept bees.\r\n", "year": 1901, "tags": ["farm"]}
    expected = ParsedDocument("7", "Bees", "Sister Bell kept bees.\n", (), (("year", "1901"), ("tags", '["farm"]')))
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row]), buffer)
    assert only("docs.jsonl", json.dumps(row)) == expected
    assert only("docs.parquet", buffer.getvalue()) == expected
    assert only("docs.csv", "doc_id,title,text,year,tags\n7,Bees,\"Sister Bell kept bees.\r\n\",1901,\"[\"\"farm\"\"]\"\n") == expected


def test_a_row_without_id_is_named_by_its_content_and_an_id_that_returns_is_numbered() -> None:
    first = parse("x.jsonl", '{"text": "One."}\n{"text": "Two."}')
    second = parse("x.jsonl", '{"text": "Two."}\n{"text": "One."}')
    assert {d.sub_id for d in first.documents} == {d.sub_id for d in second.documents}
    again = parse("x.jsonl", '{"doc_id": "a", "text": "One."}\n{"doc_id": "a", "text": "Two."}')
    assert [d.sub_id for d in again.documents] == ["a", "a~2"]
    assert again.notes == ("line 2: id 'a' stands in the file 2 times: 'a~2' here",)


def test_lone_surrogates_in_json_are_replaced_and_counted() -> None:
    parsed = parse("x.jsonl", '{"doc_id": "a", "text": "Odd \\udc9a mark."}')
    assert parsed.documents[0].text == "Odd \ufffd mark."
    assert parsed.notes == ("line 1: 1 lone surrogate replaced",)


def test_a_csv_without_text_is_one_table_whose_rows_know_their_header() -> None:
    document = only("rooms.csv", "room;size\nHall;12\n\"Red; room\";9\n")
    assert document.text == "room | size\nHall | 12\nRed; room | 9\n"
    assert slices(document, "row") == ["Hall | 12", "Red; room | 9"]
    assert {b.label for b in document.blocks if b.kind == "row"} == {"room | size"}


def test_a_title_comes_from_the_text_and_never_from_the_path() -> None:
    assert only("folder/name.txt", F1).title == ""
    assert only("x.txt", "THE TIN WORKS\n\nMara Quill founded them.\n").title == "THE TIN WORKS"
    assert only("x.txt", "The Project Gutenberg EBook of Bees\n\nTitle: Bees\n\nA.").title == "Bees"
    assert only("x.md", "---\ntitle: Bees\n---\n# Other\n").title == "Bees"
    assert only("x.md", "Intro.\n\n# The *Tin* [Works](u)\n").title == "The Tin Works"


def test_markdown_is_kept_as_written_with_its_layout_marked() -> None:
    text = "# Rooms\n\nTwo rooms.\n\n| room | size |\n|---|---|\n| Hall | 12 |\n\n- one\n- two\n\nSmall ones\n----------\n"
    document = only("x.md", text)
    assert document.text == text
    headings = [b for b in document.blocks if b.kind == "heading"]
    assert [(b.label, b.level) for b in headings] == [("Rooms", 1), ("Small ones", 2)]
    assert slices(document, "row") == ["| Hall | 12 |"]
    assert [b.label for b in document.blocks if b.kind == "row"] == ["room | size"]
    assert slices(document, "list") == ["- one\n- two"]


def test_html_gives_main_text_without_script_and_navigation() -> None:
    page = """<html><head><title>Tin &amp; Works</title><script>var name = "Fake Person";</script></head><body>
    <nav><a href="/">Home</a></nav><h1>Tin<br>works</h1><p>Mara <b>Quill</b> founded<!-- x --> it.</p><script>"Fake Person"</script>
    <ul><li>Hall</li><li>Yard</li></ul>
    <table><caption>Rooms</caption><tr><th>room</th><th>size</th></tr><tr><td>Hall</td><td>12</td></tr></table></body></html>"""
    document = only("notes.html", page)
    assert document.title == "Tin & Works"
    assert document.text == "Tinworks\n\nMara Quill founded it.\n\n- Hall\n\n- Yard\n\nRooms\n\nroom | size\nHall | 12\n".replace("Tinworks", "Tin works")
    assert slices(document, "row") == ["Hall | 12"]
    assert [b for b in document.blocks if b.kind == "table"][0].label == "Rooms"
    assert "Fake" not in document.text


def test_a_page_inside_a_form_or_beside_a_sidebar_is_read_whole() -> None:
    story = "<h2>Tin</h2><p>" + F1 + "</p>"
    assert F1 in only("x.html", f"<body><form><div class='has-sidebar'>{story}</div></form><div class='sidebar'>Buy now</div></body>").text
    assert "Buy" not in only("x.html", f"<body><div>{story * 3}</div><div class='sidebar'>Buy now</div></body>").text


def test_a_hidden_table_is_data_that_a_script_would_show() -> None:
    table = "<table style='display: none'><tr><th>room</th><th>size</th></tr><tr><td>Hall</td><td>12</td></tr></table>"
    assert slices(only("x.html", f"<body><p>{F1}</p>{table}</body>"), "row") == ["Hall | 12"]
    assert "No." not in only("x.html", f"<body><p>{F1}</p><div style='display:none'>No.</div></body>").text


def test_blocks_stand_where_they_say() -> None:
    document = only("x.html", "<h2>Rooms</h2><p>Two.</p><h3>Small</h3>")
    assert document.blocks == (Block("heading", 0, 5, 2), Block("paragraph", 7, 11), Block("heading", 13, 18, 3))
