"""Structure of a document (sigma): the sections that tile its text, from headings its format declares or its text shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagerag_pipeline.indexing.layout.headings import read_heading
from pagerag_pipeline.indexing.layout.outline import Entry, find_outline
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph
from pagerag_pipeline.schema.documents import ParsedDocument, Section

_START = re.compile(r"^[ \t]*\*{3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG[^\n]*(?:\n[^\n*]+)?\*{3}[ \t]*$", re.MULTILINE)
_END = re.compile(r"^[ \t]*(?:\*{3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg)[^\n]*$", re.MULTILINE)
_KINDS = {"contents": "front", "front": "front", "back": "back", "letter": "letter", "act": "act", "scene": "scene", "body": "body"}
LONG_CHAPTER = 3_000
"""Numbered or capitalized headings open chapters when they stand further apart than this (mean, characters), else sections."""


@dataclass(frozen=True, slots=True)
class _Mark:
    start: int
    level: int
    title: str
    kind: str


def find_sections(document: ParsedDocument) -> tuple[Section, ...]:
    """The sections of a document: in order, without gap or overlap, from 0 to the end of the text; none for an empty text.

    What stands before the first heading is `front` when it is short, else `body`. Headings inside a Gutenberg header or licence do not count.
    """
    text = document.text
    if not text:
        return ()
    begin, end = _gutenberg(text)
    marks = _declared(document) or _shown(document)
    marks = [mark for mark in marks if begin <= mark.start < end]
    if begin:
        marks.insert(0, _Mark(0, 1, "Project Gutenberg header", "front"))
    if end < len(text):
        marks.append(_Mark(end, 1, "Project Gutenberg license", "back"))
    if begin and (len(marks) < 2 or marks[1].start > begin):
        marks.insert(1, _Mark(begin, 1, "", _leading_kind(marks[1:], begin, text)))
    if not marks or text[: marks[0].start].strip():
        marks.insert(0, _Mark(0, 1, "", _leading_kind(marks, 0, text)))
    return _tiled(marks, len(text))


def _leading_kind(marks: Sequence[_Mark], begin: int, text: str) -> str:
    first = next((mark.start for mark in marks if mark.kind != "back"), None)
    return "front" if first is not None and first - begin < max(3_000, len(text) // 10) else "body"


def _gutenberg(text: str) -> tuple[int, int]:
    """Where the work itself begins and ends in a Project Gutenberg file; the whole text for any other."""
    start = _START.search(text, 0, 40_000)
    begin = start.end() if start else 0
    if begin:
        while begin < len(text) and text[begin].isspace():
            begin += 1
        begin = text.rfind("\n", 0, begin) + 1
    end = _END.search(text, begin)
    return begin, end.start() if end else len(text)


def _declared(document: ParsedDocument) -> list[_Mark]:
    """Marks from the headings that a format declares; front matter only before the first heading that is none (a title apart)."""
    marks: list[_Mark] = []
    for block in sorted((b for b in document.blocks if b.kind == "heading"), key=lambda b: b.start):
        title = block.label or " ".join(document.text[block.start : block.end].split())
        found = read_heading(Paragraph(block.start, block.end, 2, 1, title, 0), 0)
        family = found.family if found else ""
        kind = _KINDS.get(family) or ("chapter" if family in ("chapter", "whole") else "section")
        if kind == "front" and family != "contents" and any(mark.kind != "front" for mark in marks[1:]):
            kind = "section"
        marks.append(_Mark(_line_start(document.text, block.start), max(1, block.level), title, kind))
    return marks


def _shown(document: ParsedDocument) -> list[_Mark]:
    """Marks from headings that a plain text shows."""
    entries = find_outline(document.text, document.title)
    return [_Mark(entry.heading.start, entry.level, entry.heading.title, _kind(entry, entries, len(document.text))) for entry in entries]


def _kind(entry: Entry, entries: Sequence[Entry], length: int) -> str:
    family = entry.heading.family
    if family == "front" and entry.heading.title.casefold() == "introduction" and any(e.heading.family == "line" for e in entries):
        return "section"
    if family in ("contents", "front"):
        main = [e.heading.start for e in entries if e.heading.family not in ("contents", "front", "back")]
        return "back" if main and entry.heading.start > max(main) else "front"
    if family in _KINDS:
        return _KINDS[family]
    if family in ("chapter", "section", "line", "dated", "whole"):
        return "chapter" if any(e.heading.family != "whole" for e in entries) and family in ("chapter", "whole") else "section"
    lower = any(e.level > entry.level and e.heading.family in ("chapter", "letter", "act", "scene", "listed", "caps", "roman") for e in entries)
    upper = any(e.level < entry.level and e.heading.family in ("chapter", "letter", "listed", "caps", "roman") for e in entries)
    if family in ("volume", "book", "part"):
        return "section" if lower or upper else "chapter"
    same = [e.heading.start for e in entries if e.heading.family == family]
    apart = (length - same[0]) / len(same)
    titled = family == "arabic" and not entry.heading.bare
    return "chapter" if apart > LONG_CHAPTER * (3 if titled else 1) and not upper else "section"


def _line_start(text: str, position: int) -> int:
    """The start of a position's line when only white space stands between them, else the position."""
    start = text.rfind("\n", max(0, position - 80), position) + 1
    return start if not text[start:position].strip() else position


def _tiled(marks: Sequence[_Mark], length: int) -> tuple[Section, ...]:
    sections: list[Section] = []
    stack: list[tuple[int, str]] = []
    for ordinal, mark in enumerate(marks):
        while stack and stack[-1][0] >= mark.level:
            stack.pop()
        stack.append((mark.level, mark.title))
        start = mark.start if ordinal else 0
        end = marks[ordinal + 1].start if ordinal + 1 < len(marks) else length
        sections.append(Section(ordinal, mark.title, mark.kind, mark.level, start, end, tuple(title for _, title in stack if title)))
    return tuple(sections)
