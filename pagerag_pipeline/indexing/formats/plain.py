"""Plain text and AsciiDoc: kept as written; a title is looked for in the text itself."""

import re
from collections.abc import Sequence

from pagerag_pipeline.indexing.decode import decode_text
from pagerag_pipeline.indexing.formats.marks import find_blocks
from pagerag_pipeline.schema.documents import Block, ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

HEAD = 6_000
"""A title is looked for in this many characters."""
_DECLARED = re.compile(r"^(?:title|titel|titre)[ \t]*:[ \t]*(\S.{0,200})$", re.IGNORECASE | re.MULTILINE)
_GUTENBERG = re.compile(r"^the project gutenberg e-?(?:text|book) of (.+?)(?:,? by .*)?$", re.IGNORECASE)
_BY = re.compile(r"^_*(?:by|par|von)\b", re.IGNORECASE)
_CREDIT = re.compile(
    r"^\W*(?:e-?text|transcri|produced by|prepared by|note\b|the project gutenberg|this e?book|copyright|edited by|translated|images of|illustration)", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"^\W*(?:chap(?:ter)?|part|book|letter|act|scene|stave|section|kapitel|chapitre)\b\.?\s+\S|^\W*[ivxlc\d]+\W*$|^第.{1,6}[回章节節卷]", re.IGNORECASE
)
_OPEN_END = re.compile(r"(?:^|\s)(?:the|a|an|of|and|or|to|le|la|les|der|die|das)$", re.IGNORECASE)
_ASCIIDOC = re.compile(r"^(={1,6})[ \t]+(\S.*?)[ \t]*$", re.MULTILINE)


def parse_plain(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of plain text."""
    decoded = decode_text(data)
    document = ParsedDocument("", find_title(decoded.text), decoded.text, find_blocks(decoded.text))
    return ParsedFile((document,), notes=_encoding_note(decoded.encoding) + decoded.notes)


def parse_asciidoc(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of AsciiDoc; its lines that begin with `=` are headings."""
    decoded = decode_text(data)
    found = list(_ASCIIDOC.finditer(decoded.text))
    blocks = tuple(Block("heading", match.start(), match.end(), len(match[1]), match[2]) for match in found)
    title = next((match[2] for match in found if len(match[1]) == 1), "")
    return ParsedFile((ParsedDocument("", title, decoded.text, blocks),), notes=_encoding_note(decoded.encoding) + decoded.notes)


def find_title(text: str) -> str:
    """The title that a plain text states; empty when there is none.

    In this order: a `Title:` line, the name in a Gutenberg header, the short paragraphs above one that begins with `by`, a short first paragraph that
    is no sentence, and behind credits and notes the first paragraph in capitals.
    """
    head = text[:HEAD]
    declared = _DECLARED.search(head)
    if declared:
        return declared.group(1).strip()
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n[ \t]*\n", head)]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    if not paragraphs:
        return ""
    named = _GUTENBERG.match(paragraphs[0])
    if named:
        return named.group(1)
    return _above_author(paragraphs) or _first(paragraphs)


def _above_author(paragraphs: Sequence[str]) -> str:
    """The first of the titles that stand together above the author's name."""
    at = next((i for i, paragraph in enumerate(paragraphs) if i and _BY.match(paragraph) and len(paragraph) < 100), 0)
    first = at
    while first > 0 and _is_title(paragraphs[first - 1], strict=False):
        first -= 1
    return _joined(paragraphs, first) if first < at else ""


def _first(paragraphs: Sequence[str]) -> str:
    """The first paragraph if it is a title; behind credits, the first one in capitals."""
    for at, paragraph in enumerate(paragraphs):
        credited = at > 0
        if _CREDIT.match(paragraph) or paragraph.startswith("[") or not any(c.isalpha() for c in paragraph) or (credited and not paragraph.isupper()):
            continue
        return _joined(paragraphs, at) if _is_title(paragraph, strict=True) else ""
    return ""


def _is_title(paragraph: str, *, strict: bool) -> bool:
    letters = sum(c.isalpha() for c in paragraph)
    if len(paragraph) > 120 or 2 * letters < len(paragraph) or _CREDIT.match(paragraph) or _NUMBERED.match(paragraph) or "-->" in paragraph or paragraph[0] in "[\"“":
        return False
    if paragraph.isupper():
        return True
    return paragraph[-1] not in ".!?。！？:;,]" or (not strict and len(paragraph) < 60 and paragraph[-1] in ".;")


def _joined(paragraphs: Sequence[str], at: int) -> str:
    """A title, with the next line when it breaks off at an article or preposition."""
    title = paragraphs[at]
    if _OPEN_END.search(title) and at + 1 < len(paragraphs) and len(paragraphs[at + 1]) < 80:
        title = f"{title} {paragraphs[at + 1]}"
    return title.strip("_*# .;[]").strip()


def _encoding_note(encoding: str) -> tuple[str, ...]:
    return () if encoding == "utf-8" else (f"read as {encoding}",)
