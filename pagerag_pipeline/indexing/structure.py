"""Structure of a document (sigma): the sections that tile its text, from headings its format declares or its text shows."""

import re

from pagerag_pipeline.indexing.numerals import number_of
from pagerag_pipeline.indexing.paragraphs import find_paragraphs
from pagerag_pipeline.schema import ParsedDocument, Section

_KEYWORD = re.compile(r"^(chapter|chap\.|part|book|act|scene|letter|stave|chapitre|kapitel)\s+(the\s+)?([\w-]+)\b", re.IGNORECASE)
_KINDS = {"act": "act", "scene": "scene", "letter": "letter"}


def find_sections(document: ParsedDocument) -> tuple[Section, ...]:
    """The sections of a document: in order, without gap or overlap, from 0 to the end of the text; none for an empty text."""
    headings = [(b.start, b.level, b.label or " ".join(document.text[b.start : b.end].split()), "section") for b in document.blocks if b.kind == "heading"]
    if not headings:
        headings = _from_text(document.text)
    if not document.text:
        return ()
    if not headings or document.text[: headings[0][0]].strip():
        headings.insert(0, (0, 1, "", "front" if headings else "body"))
    else:
        headings[0] = (0, *headings[0][1:])
    sections: list[Section] = []
    stack: list[tuple[int, str]] = []
    for ordinal, (start, level, title, kind) in enumerate(headings):
        while stack and stack[-1][0] >= level:
            stack.pop()
        stack.append((level, title))
        end = headings[ordinal + 1][0] if ordinal + 1 < len(headings) else len(document.text)
        sections.append(Section(ordinal, title, kind, level, start, end, tuple(name for _, name in stack if name)))
    return tuple(sections)


def _from_text(text: str) -> list[tuple[int, int, str, str]]:
    found = []
    for paragraph in find_paragraphs(text):
        match = _KEYWORD.match(paragraph.text)
        if match and paragraph.lines <= 2 and len(paragraph.text) < 100 and number_of(match.group(3)):
            found.append((paragraph.start, 1, paragraph.text, _KINDS.get(match.group(1).lower(), "chapter")))
    return found
