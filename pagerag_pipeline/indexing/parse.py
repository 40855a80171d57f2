"""Files to documents: the table of formats, and what holds for all of them. Each format's reader stands in `formats/`."""

import io
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import PurePosixPath

from pagerag_pipeline.indexing.decode import NotText, says_something
from pagerag_pipeline.indexing.formats.archive import Unreadable
from pagerag_pipeline.indexing.formats.csv_file import parse_csv
from pagerag_pipeline.indexing.formats.epub import parse_epub
from pagerag_pipeline.indexing.formats.json_file import parse_json
from pagerag_pipeline.indexing.formats.mail import parse_mail
from pagerag_pipeline.indexing.formats.markdown import parse_markdown
from pagerag_pipeline.indexing.formats.markup import parse_xml
from pagerag_pipeline.indexing.formats.parquet_file import parse_parquet
from pagerag_pipeline.indexing.formats.pdf import parse_pdf
from pagerag_pipeline.indexing.formats.plain import parse_asciidoc, parse_plain
from pagerag_pipeline.indexing.formats.rich_text import parse_rtf
from pagerag_pipeline.indexing.formats.rows import parse_json_lines
from pagerag_pipeline.indexing.formats.sheets import parse_xlsx
from pagerag_pipeline.indexing.formats.slides import parse_pptx
from pagerag_pipeline.indexing.formats.web import parse_html
from pagerag_pipeline.indexing.formats.word import parse_docx
from pagerag_pipeline.schema.documents import ParsedFile
from pagerag_pipeline.settings import ParseSettings

DOCUMENT_LIBRARIES = ("docx", "openpyxl", "pptx", "pypdfium2", "striprtf")
"""What the extra `documents` brings."""

VERSION = "/".join(("parse/8", *(name for name in DOCUMENT_LIBRARIES if find_spec(name) is None)))
"""Names the libraries that are missing: files skipped for want of one are read again once it is there."""

Reader = Callable[[bytes, ParseSettings], ParsedFile]

READERS: dict[str, Reader] = {
    **dict.fromkeys(("", ".txt", ".text", ".asc", ".log", ".rst", ".srt", ".vtt"), parse_plain),
    **dict.fromkeys((".adoc", ".asciidoc"), parse_asciidoc),
    **dict.fromkeys((".md", ".markdown"), parse_markdown),
    **dict.fromkeys((".html", ".htm", ".xhtml"), parse_html),
    **dict.fromkeys((".xml", ".rss", ".atom"), parse_xml),
    **dict.fromkeys((".jsonl", ".ndjson"), parse_json_lines),
    ".json": parse_json,
    **dict.fromkeys((".csv", ".tsv"), parse_csv),
    ".parquet": parse_parquet,
    ".pdf": parse_pdf,
    ".epub": parse_epub,
    ".docx": parse_docx,
    ".pptx": parse_pptx,
    **dict.fromkeys((".xlsx", ".xlsm"), parse_xlsx),
    ".rtf": parse_rtf,
    ".eml": parse_mail,
}
"""Lower-case suffix to reader: the door for further formats."""

SIGNATURES = (
    (b"%PDF-", ".pdf", "a PDF"),
    (b"{\\rtf", ".rtf", "an RTF file"),
    (b"PK\x03\x04", ".zip", "a ZIP archive"),
    (b"PAR1", ".parquet", "a Parquet file"),
    (b"\x1f\x8b", ".gz", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", ".doc", "an old Office file"),
    (b"\x89PNG", ".png", "a PNG image"),
    (b"\xff\xd8\xff", ".jpg", "a JPEG image"),
    (b"GIF8", ".gif", "a GIF image"),
    (b"\x7fELF", ".so", "a program"),
)
"""First bytes by which a file that bears the name of another format betrays what it is."""
_ZIPPED = (("word/", ".docx", "a Word document"), ("ppt/", ".pptx", "a PowerPoint file"), ("xl/", ".xlsx", "an Excel workbook"), ("META-INF/container.xml", ".epub", "an EPUB"))
_LOCKED = "EncryptedPackage".encode("utf-16-le")


def parse_file(path: str, data: bytes, settings: ParseSettings) -> ParsedFile:
    """The documents of one file, or the reason why it was skipped; never raises for what stands in a file.

    `path` gives the suffix alone: neither title nor id comes from it. A file whose bytes are those of another known format is read as that, and noted.
    """
    suffix = PurePosixPath(path).suffix.lower()
    if suffix not in READERS:
        return ParsedFile((), skipped=f"no reader for {suffix} files")
    if not data.strip():
        return ParsedFile((), skipped="empty")
    found, kind = _signature(data)
    if READERS.get(found) is READERS[suffix] or not kind:
        return _read(suffix, data, settings)
    disguise = f"named {suffix or 'without suffix'} but is {kind}"
    if found not in READERS:
        return ParsedFile((), skipped=disguise)
    parsed = _read(found, data, settings)
    if parsed.skipped:
        return ParsedFile((), skipped=f"{disguise}; {parsed.skipped}", notes=parsed.notes)
    return ParsedFile(parsed.documents, notes=(f"{disguise}: read as that", *parsed.notes))


def _read(suffix: str, data: bytes, settings: ParseSettings) -> ParsedFile:
    try:
        parsed = READERS[suffix](data, settings)
    except (NotText, Unreadable) as error:
        return ParsedFile((), skipped=str(error))
    except ModuleNotFoundError as error:
        return ParsedFile((), skipped=f"{suffix} files need {error.name}: install pagerag_pipeline[documents]")
    except Exception as error:  # libraries raise errors of every kind for a broken file, and one file must not stop the others
        return ParsedFile((), skipped=f"not readable as {suffix or 'text'}: {type(error).__name__}: {str(error)[:200]}")
    return _without_empty(parsed)


def _signature(data: bytes) -> tuple[str, str]:
    """The suffix that belongs to a file's first bytes, and what such a file is called; empty for text."""
    for mark, suffix, name in SIGNATURES:
        if data.startswith(mark):
            if suffix == ".zip":
                return _zipped(data)
            return (suffix, "an encrypted Office file") if suffix == ".doc" and _LOCKED in data else (suffix, name)
    return "", ""


def _zipped(data: bytes) -> tuple[str, str]:
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        return ".zip", "a broken ZIP archive"
    return next(((suffix, kind) for start, suffix, kind in _ZIPPED if any(name.startswith(start) for name in names)), (".zip", "a ZIP archive"))


def _without_empty(parsed: ParsedFile) -> ParsedFile:
    if parsed.skipped:
        return parsed
    kept = tuple(document for document in parsed.documents if says_something(document.text))
    return ParsedFile(kept, "" if kept else _nothing_in(parsed), parsed.notes)


def _nothing_in(parsed: ParsedFile) -> str:
    return "no words" if any(document.text.strip() for document in parsed.documents) else "empty"
