"""RTF by striprtf: its plain text, with the title that its information group states."""

import re

from pagerag_pipeline.indexing.decode import clean_text
from pagerag_pipeline.indexing.formats.compose import fold
from pagerag_pipeline.indexing.formats.marks import find_blocks
from pagerag_pipeline.indexing.formats.plain import find_title
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_TITLE = re.compile(rb"\{\\title\s([^{}]{1,500})\}")


def parse_rtf(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of an RTF file; pictures and styles are passed over."""
    from striprtf.striprtf import rtf_to_text

    if not data.lstrip().startswith(b"{\\rtf"):
        return ParsedFile((), skipped="named .rtf but is not an RTF file")
    text, notes = clean_text(rtf_to_text(_lines(data), errors="replace"))
    if not text.strip():
        return ParsedFile((), skipped="no text", notes=notes)
    stated = _TITLE.search(data)
    title = fold(rtf_to_text("{\\rtf1\\ansi " + stated[1].decode("latin-1") + "}", errors="replace")) if stated else ""
    return ParsedFile((ParsedDocument("", clean_text(title)[0] or find_title(text), text, find_blocks(text)),), notes=notes)


def _lines(data: bytes) -> str:
    """RTF is ASCII; bytes above it are written as the escapes they stand for."""
    return re.sub(rb"[\x80-\xff]", lambda match: b"\\'%02x" % match[0][0], data).decode("ascii")
