"""Word, PowerPoint and Excel files, made by the libraries that read them."""

import datetime as dt
import io
import sys

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml

from pagerag_pipeline_tests.indexing.formats.made import labels, only, parse, slices, zipped

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def word() -> "docx.document.Document":
    document = docx.Document()
    document.core_properties.title = "The Tinworks Report"
    document.add_heading("Founding", 1)
    document.add_paragraph("Mara Quill founded Tinworks in 1901.")
    document.add_heading("Output", 2)
    table = document.add_table(2, 2)
    for cell, text in zip([c for row in table.rows for c in row.cells], ("Year", "Tons", "1902", "88"), strict=True):
        cell.text = text
    document.add_paragraph("Odo Fenn bought it.")
    return document


def saved(document: object) -> bytes:
    stream = io.BytesIO()
    document.save(stream)  # type: ignore[attr-defined]
    return stream.getvalue()


def test_word_headings_paragraphs_and_tables_stand_in_order() -> None:
    document = only("a.docx", saved(word()))
    assert document.title == "The Tinworks Report"
    assert document.text == "Founding\n\nMara Quill founded Tinworks in 1901.\n\nOutput\n\nYear | Tons\n1902 | 88\n\nOdo Fenn bought it.\n"
    assert [(b.level, document.text[b.start : b.end]) for b in document.blocks if b.kind == "heading"] == [(1, "Founding"), (2, "Output")]
    assert (slices(document, "row"), labels(document, "row")) == (["1902 | 88"], ["Year | Tons"])


def test_inserted_text_of_tracked_changes_stands_and_deleted_text_does_not() -> None:
    document = docx.Document()
    document.element.body.insert(
        0, parse_xml(f"<w:p {W}><w:ins><w:r><w:t>Odo stayed.</w:t></w:r></w:ins><w:del><w:r><w:delText>Odo left.</w:delText></w:r></w:del></w:p>")
    )
    assert only("a.docx", saved(document)).text == "Odo stayed.\n"


def deck() -> bytes:
    slides = pptx.Presentation()
    for title, body in (("Founding", "Mara Quill\nTinworks"), ("Sale", "Odo Fenn")):
        slide = slides.slides.add_slide(slides.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    slides.slides[1].notes_slide.notes_text_frame.text = "Say that it was 1912."
    return saved(slides)


def test_slides_are_pages_with_their_title_text_and_notes() -> None:
    document = only("a.pptx", deck())
    assert document.title == "Founding"
    assert document.text == "Founding\n\n- Mara Quill\n- Tinworks\n\nSale\n\nOdo Fenn\n\nSay that it was 1912.\n"
    assert [(b.label, document.text[b.start :][:4]) for b in document.blocks if b.kind == "page"] == [("1", "Foun"), ("2", "Sale")]


def workbook() -> "openpyxl.Workbook":
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Output"
    for row in (["Tons by year"], [], ["", "Tin", "", "Lead"], ["Year", "old", "new", "old"], ["1902", 88, 0.5, 1], [dt.datetime(1903, 5, 1), 90.0, 2, 3]):
        sheet.append(row)
    hidden = book.create_sheet("Secret")
    hidden.append(["not", "shown"])
    hidden.sheet_state = "hidden"
    return book


def test_sheets_are_sections_whose_rows_carry_the_joined_header() -> None:
    parsed = parse("a.xlsx", saved(workbook()))
    (document,) = parsed.documents
    assert slices(document, "heading") == ["Output"]
    assert slices(document, "row") == ["1902 | 88 | 0.5 | 1", "1903-05-01 | 90 | 2 | 3"]
    assert set(labels(document, "row")) == {"Year | Tin old | Tin new | Lead old"}
    assert parsed.notes == ("hidden sheet 'Secret' left out",)


def test_a_cell_in_the_last_corner_takes_no_time() -> None:
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "first", "last"
    parsed = parse("far.xlsx", saved(book))
    assert parsed.documents[0].text.startswith("Sheet\n\nfirst")


def test_a_missing_library_skips_the_file_and_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    assert parse("b.docx", zipped({"word/document.xml": "<a/>"})).skipped == ".docx files need docx: install pagerag_pipeline[documents]"


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.docx", zipped({"word/document.xml": "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"}), "its part 'word/document.xml' declares"),
        ("a.docx", zipped({"word/document.xml": "<broken"}), "not readable as .docx"),
        ("a.xlsx", zipped({"readme.txt": "nothing"}), "named .xlsx but is a ZIP archive"),
        ("a.pptx", saved(word())[:3000], "named .pptx but is a broken ZIP archive"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(64) + "EncryptedPackage".encode("utf-16-le"), "named .docx but is an encrypted Office file"),
        ("a.docx", saved(docx.Document()), "no text"),
    ],
)
def test_what_is_broken_locked_or_a_trap_is_skipped_with_its_reason(path: str, data: bytes, reason: str) -> None:
    parsed = parse(path, data)
    assert parsed.documents == ()
    assert parsed.skipped.startswith(reason)


@pytest.mark.parametrize("name", ["word/document.xml", "xl/worksheets/sheet1.xml", "ppt/media/image.bin"])
def test_a_zip_bomb_is_not_unpacked(name: str) -> None:
    parsed = parse(f"a.{'docx' if 'word' in name else 'xlsx' if 'xl' in name else 'pptx'}", zipped({name: bytes(3_000_000)}), max_unpacked_bytes=1_000_000)
    assert "unpack to 3000000 bytes" in parsed.skipped


def test_a_file_under_the_wrong_name_is_read_as_what_it_is() -> None:
    parsed = parse("notes.html", deck())
    assert parsed.notes[0] == "named .html but is a PowerPoint file: read as that"
    assert "Mara Quill" in parsed.documents[0].text
