"""PDF by PDFium: pages in reading order with their numbers, paragraphs, headings and tables by where the lines stand."""

import re
from threading import Lock
from typing import Any

from pagerag_pipeline.indexing.decode import clean_text
from pagerag_pipeline.indexing.formats.archive import Unreadable
from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.indexing.formats.pdf_flow import Flow, heading_key, join_divided
from pagerag_pipeline.indexing.formats.pdf_page import Line, page_lines
from pagerag_pipeline.indexing.formats.pdf_running import running_lines
from pagerag_pipeline.indexing.formats.plain import find_title
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

MOST_PAGES = 20_000
UNKNOWN_SHARE = 0.3
"""A file of which more characters than this are without meaning has fonts that do not say what their signs are."""
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8ff\x00-\x01\x03-\x08\x0e-\x1f]")
_NO_TITLE = re.compile(r"^(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|document\d*|.*\.(?:docx?|pdf|indd|tex|dvi|pptx?|xlsx?|qxd|ps|rtf))$", re.IGNORECASE)
_PDFIUM = Lock()
"""PDFium may be in one thread at a time only."""


def parse_pdf(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of all pages; blocks of kind `page` carry the page's number in the file, from 1.

    Skipped with the reason when it is encrypted or holds no text (pictures of pages). Running headers and footers and page numbers are left out and counted.
    """
    at = data.find(b"%PDF-", 0, 1024)
    if at < 0:
        return ParsedFile((), skipped="named .pdf but is not a PDF")
    with _PDFIUM:
        pages, about, outline, notes = _read(data[at:], settings)
    characters = "".join(line.text for lines in pages for line in lines)
    if not characters.strip():
        return ParsedFile((), skipped=f"no text: {len(pages)} page{'s' * (len(pages) != 1)} of pictures or none", notes=tuple(notes))
    if len(_UNKNOWN.findall(characters)) > UNKNOWN_SHARE * len(characters):
        return ParsedFile((), skipped="no text: its fonts do not say which characters they show", notes=tuple(notes))
    return _composed(pages, about, outline, notes)


def _read(data: bytes, settings: ParseSettings) -> tuple[list[list[Line]], dict[str, str], dict[int, dict[str, int]], list[str]]:
    """Lines page by page, metadata, the bookmarks of each page with their levels, and notes."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise Unreadable("encrypted: a password is needed") from error
        raise Unreadable(f"not readable as PDF: {error}") from error
    try:
        return _pages(document, pdfium, settings)
    finally:
        document.close()


def _pages(document: Any, pdfium: Any, settings: ParseSettings) -> tuple[list[list[Line]], dict[str, str], dict[int, dict[str, int]], list[str]]:
    pages: list[list[Line]] = []
    notes: list[str] = []
    left = settings.max_unpacked_bytes
    for number in range(len(document)):
        if number == MOST_PAGES or left <= 0:
            notes.append(f"page {number + 1} and all after it left out: too long")
            break
        try:
            page = document[number]
            text_page = page.get_textpage()
            lines = page_lines(text_page, pdfium.raw, page.get_width())
            text_page.close()
            page.close()
        except pdfium.PdfiumError as error:
            notes.append(f"page {number + 1} not readable: {error}")
            lines = []
        left -= sum(len(line.text) for line in lines) * 4
        pages.append(lines)
    return pages, document.get_metadata_dict(), _bookmarks(document, pdfium), notes


def _bookmarks(document: Any, pdfium: Any) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    try:
        for mark in document.get_toc(max_depth=6):
            target = mark.get_dest()
            index = target.get_index() if target is not None else None
            if index is not None:
                found.setdefault(index, {}).setdefault(heading_key(mark.get_title()), mark.level + 1)
    except (pdfium.PdfiumError, ValueError, RecursionError):
        return found
    return found


def _composed(pages: list[list[Line]], about: dict[str, str], outline: dict[int, dict[str, int]], notes: list[str]) -> ParsedFile:
    dropped, headers, numbers = running_lines(pages)
    kept = [[line for at, line in enumerate(lines) if at not in out] for lines, out in zip(pages, dropped, strict=True)]
    flow = Flow(kept, outline)
    composer = Composer()
    flow.write(composer)
    text, divided = join_divided(composer)
    cleaned, repairs = clean_text(text)
    if cleaned != text:
        raise Unreadable("its characters cannot be read")
    if headers:
        notes.append(f"{headers} running headers and footers left out")
    if numbers:
        notes.append(f"{numbers} page numbers left out")
    if divided:
        notes.append(f"{divided} words divided at a line's end joined")
    silent = sum(not lines for lines in pages)
    if silent:
        notes.append(f"{silent} of {len(pages)} pages without text")
    return ParsedFile((ParsedDocument("", _title(about, flow, text), text, tuple(composer.blocks), _metadata(about)),), notes=(*notes, *repairs))


def _title(about: dict[str, str], flow: Flow, text: str) -> str:
    """The title of the metadata unless it names a file or a program, else what is set largest on the first page, else what a plain text shows."""
    for stated in (fold(about.get("Title", "")), fold(about.get("Subject", ""))):
        if not _NO_TITLE.match(stated) and any(c.isalpha() for c in stated):
            return clean_text(stated)[0]
    return flow.largest or find_title(text)


def _metadata(about: dict[str, str]) -> tuple[tuple[str, str], ...]:
    named = ((name, clean_text(fold(about.get(key, "")))[0]) for key, name in (("Author", "author"), ("Subject", "subject"), ("Keywords", "keywords")))
    return tuple((name, value) for name, value in named if value)
