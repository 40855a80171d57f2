"""Word documents by python-docx: headings, lists and tables in their order."""

import re
from collections.abc import Iterator
from typing import Any

from pagerag_pipeline.indexing.decode import clean_text
from pagerag_pipeline.indexing.formats.archive import open_office
from pagerag_pipeline.indexing.formats.compose import Composer, fold, guess_header
from pagerag_pipeline.indexing.formats.plain import find_title
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING = re.compile(r"^heading (\d)$", re.IGNORECASE)
MOST_COLUMNS = 100
"""A cell is taken to span at most this many."""
_HOLDERS = frozenset(f"{_W}{name}" for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"))


def parse_docx(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document; headings by style or outline level, tables a line a row; deleted text of tracked changes, page headers and footers are left out."""
    import docx

    document = docx.Document(open_office(data, settings, "word"))
    levels, title_styles = _styles(document)
    composer = Composer()
    title = fold(document.core_properties.title or "")
    for element in _parts(document.element.body):
        if element.tag == f"{_W}tbl":
            _add_table(composer, element)
            continue
        text, style = _text(element), _value(element, "pStyle")
        if style in title_styles:
            title = title or fold(text)
        level = 1 if style in title_styles else _outline_level(element) or levels.get(style, 0)
        kind = "heading" if level else "list" if element.find(f"{_W}pPr/{_W}numPr") is not None else "paragraph"
        composer.add(kind, text, level=level)
    notes = _add_footnotes(composer, document)
    text, repairs = clean_text(composer.text)
    if not text.strip():
        return ParsedFile((), skipped="no text", notes=repairs)
    author = fold(document.core_properties.author or "")
    metadata = (("author", clean_text(author)[0]),) if author and author != "python-docx" else ()
    return ParsedFile((ParsedDocument("", clean_text(title)[0] or find_title(text), text, tuple(composer.blocks), metadata),), notes=notes + repairs)


def _styles(document: Any) -> tuple[dict[str, int], set[str]]:
    """Heading level by style id, and the ids of the title style."""
    levels: dict[str, int] = {}
    titles: set[str] = set()
    for style in document.styles.element.findall(f"{_W}style"):
        name = style.find(f"{_W}name")
        said = name.get(f"{_W}val", "") if name is not None else ""
        match = _HEADING.match(said)
        level = int(match[1]) if match else _outline_level(style)
        if level:
            levels[style.get(f"{_W}styleId", "")] = level
        if said.lower() == "title":
            titles.add(style.get(f"{_W}styleId", ""))
    return levels, titles


def _outline_level(element: Any) -> int:
    found = element.find(f"{_W}pPr/{_W}outlineLvl")
    value = found.get(f"{_W}val", "") if found is not None else ""
    return int(value) + 1 if value.isdigit() and int(value) < 9 else 0


def _value(element: Any, name: str) -> str:
    found = element.find(f"{_W}pPr/{_W}{name}")
    return found.get(f"{_W}val", "") if found is not None else ""


def _parts(body: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, those inside content controls and insertions too."""
    stack = list(reversed(body))
    while stack:
        element = stack.pop()
        if element.tag in (f"{_W}p", f"{_W}tbl"):
            yield element
        elif element.tag in _HOLDERS:
            stack.extend(reversed(element))


def _text(element: Any) -> str:
    """The text of a paragraph or cell; paragraphs inside it on lines of their own."""
    pieces: list[str] = []
    stack = [element]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif part.tag == f"{_W}t":
            pieces.append(part.text or "")
        elif part.tag in (f"{_W}tab", f"{_W}ptab") and part.getparent().tag == f"{_W}r":
            pieces.append("\t")
        elif part.tag in (f"{_W}br", f"{_W}cr"):
            pieces.append("\n")
        elif part.tag == f"{_W}noBreakHyphen":
            pieces.append("-")
        elif part.tag not in (_FALLBACK, f"{_W}del", f"{_W}moveFrom", f"{_W}pPr"):
            if part.tag == f"{_W}p" and part is not element:
                stack.append("\n")
            stack.extend(reversed(part))
    return "".join(pieces).strip("\n")


def _add_table(composer: Composer, table: Any) -> None:
    rows = [[text for cell in row.iterchildren(f"{_W}tc") for text in _cells(cell)] for row in table.iterchildren(f"{_W}tr")]
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if rows and max(map(len, rows)) == 1:
        for row in rows:
            composer.add("paragraph", row[0])
        return
    first = table.find(f"{_W}tr")
    marked = first is not None and first.find(f"{_W}trPr/{_W}tblHeader") is not None
    head = 1 if rows and marked else guess_header(rows)
    composer.table(rows[head:], header=rows[0] if head else ())


def _cells(cell: Any) -> list[str]:
    """The text of a cell, and an empty one for each further column that it spans."""
    span = cell.find(f"{_W}tcPr/{_W}gridSpan")
    width = span.get(f"{_W}val", "1") if span is not None else "1"
    return [_text(cell)] + [""] * (min(int(width), MOST_COLUMNS) - 1 if width.isdigit() else 0)


def _add_footnotes(composer: Composer, document: Any) -> tuple[str, ...]:
    """Footnotes and endnotes as paragraphs at the end, and how many there are."""
    from docx.oxml import parse_xml

    count = 0
    for relation in sorted(document.part.rels.values(), key=lambda r: r.rId):
        if relation.is_external or not relation.reltype.endswith(("/footnotes", "/endnotes")):
            continue
        for note in parse_xml(relation.target_part.blob):
            if note.get(f"{_W}type") is None and (text := _text(note)).strip():
                composer.add("paragraph", text)
                count += 1
    return (f"{count} footnotes put at the end",) if count else ()
