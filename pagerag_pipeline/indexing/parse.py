"""Files to documents: the table of formats, and what holds for all of them. Each format's reader stands in `formats/`."""

from collections.abc import Callable
from pathlib import PurePosixPath

from pagerag_pipeline.indexing.decode import NotText, says_something
from pagerag_pipeline.indexing.formats.markdown import parse_markdown
from pagerag_pipeline.indexing.formats.plain import parse_asciidoc, parse_plain
from pagerag_pipeline.indexing.formats.rows import parse_csv, parse_json_lines, parse_parquet
from pagerag_pipeline.indexing.formats.web import parse_html
from pagerag_pipeline.schema import ParsedFile
from pagerag_pipeline.settings import ParseSettings

VERSION = "parse/4"

Reader = Callable[[bytes, ParseSettings], ParsedFile]

READERS: dict[str, Reader] = {
    **dict.fromkeys(("", ".txt", ".text", ".asc", ".log", ".rst", ".srt", ".vtt"), parse_plain),
    **dict.fromkeys((".adoc", ".asciidoc"), parse_asciidoc),
    **dict.fromkeys((".md", ".markdown"), parse_markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), parse_html),
    **dict.fromkeys((".jsonl", ".ndjson"), parse_json_lines),
    **dict.fromkeys((".csv", ".tsv"), parse_csv),
    ".parquet": parse_parquet,
}
"""Lower-case suffix to reader: the door for further formats."""

SIGNATURES = (
    (b"%PDF-", ".pdf", "a PDF"),
    (b"PK\x03\x04", ".zip", "a ZIP archive"),
    (b"PAR1", ".parquet", "a Parquet file"),
    (b"\x1f\x8b", ".gz", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", ".doc", "an old Office file"),
    (b"\x89PNG", ".png", "a PNG image"),
    (b"\xff\xd8\xff", ".jpg", "a JPEG image"),
    (b"GIF8", ".gif", "a GIF image"),
    (b"\x7fELF", ".so", "a program"),
)
"""First bytes by which a file that bears the name of a text format betrays what it is."""


def parse_file(path: str, data: bytes, settings: ParseSettings) -> ParsedFile:
    """The documents of one file, or the reason why it was skipped; never raises for what stands in a file.

    `path` gives the suffix alone: neither title nor id comes from it.
    """
    suffix = PurePosixPath(path).suffix.lower()
    reader = READERS.get(suffix)
    if reader is None:
        return ParsedFile((), skipped=f"no reader for {suffix} files")
    if not data:
        return ParsedFile((), skipped="empty")
    disguise = _disguise(data, reader)
    if disguise:
        return ParsedFile((), skipped=f"named {suffix or 'without suffix'} but is {disguise}")
    try:
        parsed = reader(data, settings)
    except NotText as error:
        return ParsedFile((), skipped=str(error))
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return ParsedFile((), skipped=f"not readable as {suffix or 'text'}: {type(error).__name__}: {str(error)[:200]}")
    return _without_empty(parsed)


def _disguise(data: bytes, reader: Reader) -> str:
    for mark, suffix, name in SIGNATURES:
        if data.startswith(mark) and READERS.get(suffix) is not reader:
            return name
    return ""


def _without_empty(parsed: ParsedFile) -> ParsedFile:
    if parsed.skipped:
        return parsed
    kept = tuple(document for document in parsed.documents if says_something(document.text))
    return ParsedFile(kept, "" if kept else _nothing_in(parsed), parsed.notes)


def _nothing_in(parsed: ParsedFile) -> str:
    return "no words" if any(document.text.strip() for document in parsed.documents) else "empty"
