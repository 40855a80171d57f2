"""Plain text: kept as written; only a title is looked for, in the text itself."""

import re

from pagerag_pipeline.indexing.decode import decode_text
from pagerag_pipeline.schema import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_DECLARED = re.compile(r"^(?:title|titel|titre)\s*:\s*(\S.{0,200})$", re.IGNORECASE | re.MULTILINE)
_CREDIT = re.compile(
    r"^\W*(?:e-?text|transcrib|produced by|prepared by|note\b|the project gutenberg|this e?book|copyright|edited by|by\b|translated)", re.IGNORECASE
)
_NUMBERED = re.compile(r"^\W*(?:chap(?:ter)?|part|book|letter|act|scene|stave|section|kapitel|chapitre)\b\.?\s+\S|^\W*[ivxlc\d]+\W*$|^第.{1,6}[回章节節卷]", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?。！？:;,]$")
HEAD = 4_000
"""A title is looked for in this many characters."""


def parse_plain(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of plain text."""
    decoded = decode_text(data)
    notes = (() if decoded.encoding == "utf-8" else (f"read as {decoded.encoding}",)) + decoded.notes
    return ParsedFile((ParsedDocument("", find_title(decoded.text), decoded.text),), notes=notes)


def find_title(text: str) -> str:
    """The title that a plain text states: a `Title:` line, else a short first paragraph that is no sentence; empty when there is none."""
    head = text[:HEAD]
    declared = _DECLARED.search(head)
    if declared:
        return declared.group(1).strip()
    for paragraph in re.split(r"\n[ \t]*\n", head):
        line = " ".join(paragraph.split())
        if not line or _CREDIT.match(line) or not any(c.isalpha() for c in line):
            continue
        if len(line) > 120 or paragraph.strip().count("\n") > 3 or _NUMBERED.match(line) or (_SENTENCE_END.search(line) and not line.isupper()):
            return ""
        return line.strip("_*# .[]").strip()
    return ""
