"""PDFs: pages with their numbers, columns one after the other, tables with their header, and what is no text skipped by name."""

import pytest

from pagerag_pipeline.indexing.chunk import chunk_document
from pagerag_pipeline.indexing.profile import profile_document
from pagerag_pipeline.models.embedder import load_tokenizer
from pagerag_pipeline.settings import ChunkSettings, EmbedSettings, ProfileSettings
from pagerag_pipeline_tests.indexing.formats.made import Shown, column, labels, only, parse, pdf, slices

WORDS = "Mara Quill kept the old works on Harbour Lane running through the winter".split()


def prose(start: int, count: int) -> list[str]:
    """Lines of prose, no two alike."""
    return [f"{WORDS[(start + n) % 13]} {WORDS[(start + 2 * n) % 13]} went down line {start + n} of it" for n in range(count)]


def book(pages: int) -> bytes:
    def page(number: int) -> list[Shown]:
        lines = column(72, 700, prose(100 * number, 20))
        return [(72, 760, 9, "Tinworks Annual Review"), *lines, (300, 30, 9, str(number + 4))]

    return pdf([page(number) for number in range(1, pages + 1)], title="A Year at Tinworks")


def test_pages_are_numbered_and_running_lines_are_left_out_and_counted() -> None:
    parsed = parse("a.pdf", book(5))
    (document,) = parsed.documents
    assert document.title == "A Year at Tinworks"
    assert labels(document, "page") == ["1", "2", "3", "4", "5"]
    assert "Annual Review" not in document.text
    assert parsed.notes == ("5 running headers and footers left out", "5 page numbers left out")
    for block, number in zip([b for b in document.blocks if b.kind == "page"], range(1, 6), strict=True):
        assert document.text[block.start :].startswith(prose(100 * number, 1)[0])


def test_every_chunk_has_the_page_it_begins_on_and_the_chunks_are_the_text() -> None:
    document = only("a.pdf", book(12))
    profile = profile_document(document, ProfileSettings())
    chunks = chunk_document(document, profile, load_tokenizer(EmbedSettings(model="hash")), ChunkSettings())
    assert "".join(c.text for c in chunks if c.kind == "chunk") == document.text
    passages = [c for c in chunks if c.kind == "passage"]
    for passage in passages:
        assert passage.page is not None
        assert any(line in passage.text for line in prose(100 * passage.page, 20))
    assert {c.page for c in passages} == set(range(1, 13))


def test_columns_are_read_one_after_the_other_even_when_the_file_runs_across_them() -> None:
    left, right = column(60, 700, prose(0, 20)), column(330, 700, prose(500, 20))
    across = [line for pair in zip(left, right, strict=True) for line in pair]
    document = only("two.pdf", pdf([[(60, 740, 10, "Above both columns there stands a line that is as wide as the whole page is, or nearly so."), *across]]))
    assert document.text.index("line 19 of") < document.text.index("line 500 of")
    assert document.text.startswith("Above both")


def test_a_line_whose_cells_stand_apart_is_a_row_with_the_header_of_its_table() -> None:
    rows = [("Item", "2022", "2023"), ("Tin", "1,204", "1,300"), ("Lead", "88", "91"), ("Total", "1,292", "1,391")]
    lines = [(x, 700 - 14 * n, 10.0, cell) for n, row in enumerate(rows) for x, cell in zip((72, 250, 350), row, strict=True)]
    document = only("t.pdf", pdf([lines]))
    assert slices(document, "row") == ["Tin  1,204  1,300", "Lead  88  91", "Total  1,292  1,391"]
    assert set(labels(document, "row")) == {"Item 2022 2023"}
    assert document.text.startswith("Item  2022  2023\nTin  1,204  1,300\n")


def test_what_is_set_largest_is_the_title_when_the_metadata_names_a_file() -> None:
    lines = [(72, 730, 24.0, "The Tinworks Affair"), *column(72, 690, prose(0, 10))]
    assert only("x.pdf", pdf([lines], title="Microsoft Word - affair.docx")).title == "The Tinworks Affair"


def test_larger_type_opens_sections() -> None:
    pages = [[(72, 730, 16.0, f"Part {name}"), *column(72, 690, prose(100 * n, 20))] for n, name in enumerate(("one", "two", "three", "four"))]
    assert labels(only("x.pdf", pdf(pages)), "heading") == ["Part one", "Part two", "Part three", "Part four"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf([[], []]), "no text: 2 pages of pictures or none"),
        (pdf([column(72, 700, ["Secret."])], extra="/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O (" + "o" * 32 + ") /U (" + "u" * 32 + ") >> /ID [(a) (a)] "), "encrypted"),
        (b"The text of a letter, renamed.\n", "named .pdf but is not a PDF"),
        (b"%PDF-1.7\nbroken", "not readable as PDF"),
        (book(3)[:400], "not readable as PDF"),
    ],
)
def test_what_holds_no_text_is_skipped_with_its_reason(data: bytes, reason: str) -> None:
    parsed = parse("x.pdf", data)
    assert parsed.documents == ()
    assert parsed.skipped.startswith(reason)


def test_the_same_bytes_give_the_same_document() -> None:
    assert only("a.pdf", book(4)).key == only("b.pdf", book(4)).key


def test_a_text_larger_than_the_limit_is_cut_at_a_page_and_noted() -> None:
    parsed = parse("a.pdf", book(6), max_unpacked_bytes=6_000)
    assert 0 < len(labels(parsed.documents[0], "page")) < 6
    assert "all after it left out" in parsed.notes[0]
