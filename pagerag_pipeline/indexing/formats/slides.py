"""PowerPoint files by python-pptx: slide by slide, with the slide's number as its page."""

from collections.abc import Iterator
from typing import Any

from pagerag_pipeline.indexing.decode import clean_text
from pagerag_pipeline.indexing.formats.archive import open_office
from pagerag_pipeline.indexing.formats.compose import Composer, fold, guess_header
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

MOST_DEPTH = 20
"""Groups inside groups deeper than this are passed over."""


def parse_pptx(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document: a heading a slide, its text, its tables a line a row, then the speaker's notes; hidden slides are left out and counted."""
    import pptx

    deck = pptx.Presentation(open_office(data, settings, "ppt"))
    composer = Composer()
    hidden, first = 0, ""
    for number, slide in enumerate(deck.slides, start=1):
        if slide.element.get("show") in ("0", "false"):
            hidden += 1
            continue
        composer.page(number)
        title = slide.shapes.title
        if title is not None and title.has_text_frame:
            composer.add("heading", fold(title.text_frame.text.replace("\v", " ")), level=1)
            first = first or fold(title.text_frame.text.replace("\v", " "))
        for shape in _shapes(slide.shapes, 0):
            if title is None or shape.shape_id != title.shape_id:
                _add_shape(composer, shape)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            composer.add("paragraph", slide.notes_slide.notes_text_frame.text.replace("\v", "\n"))
    text, repairs = clean_text(composer.text)
    notes = (f"{hidden} hidden slides left out",) if hidden else ()
    if not text.strip():
        return ParsedFile((), skipped="no text", notes=notes + repairs)
    stated = fold(deck.core_properties.title or "")
    title_text = clean_text(first if stated in ("", "PowerPoint Presentation") else stated)[0]
    return ParsedFile((ParsedDocument("", title_text, text, tuple(composer.blocks)),), notes=notes + repairs)


def _shapes(shapes: Any, depth: int) -> Iterator[Any]:
    """All shapes, those of groups in their place."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            if depth < MOST_DEPTH:
                yield from _shapes(shape.shapes, depth + 1)
        else:
            yield shape


def _add_shape(composer: Composer, shape: Any) -> None:
    if getattr(shape, "has_table", False) and shape.has_table:
        rows = [[cell.text for cell in row.cells if not cell.is_spanned] for row in shape.table.rows]
        rows = [row for row in rows if any(cell.strip() for cell in row)]
        head = 1 if rows and shape.table.first_row and len(rows) > 1 else guess_header(rows)
        composer.table(rows[head:], header=rows[0] if head else ())
    elif getattr(shape, "has_text_frame", False) and shape.has_text_frame:
        lines = [paragraph.text.replace("\v", " ").strip() for paragraph in shape.text_frame.paragraphs]
        lines = [line for line in lines if line]
        if len(lines) > 1:
            composer.add("list", "\n".join(f"- {line}" for line in lines))
        elif lines:
            composer.add("paragraph", lines[0])
