"""E-mail: the subject as title, who wrote to whom and when, and the body; attachments are named and left out."""

from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from pagerag_pipeline.indexing.decode import NotText, clean_text, decode_text
from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.indexing.formats.marks import find_blocks
from pagerag_pipeline.indexing.formats.web import read_page
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
MOST_NOTES = 20
MOST_HEADER = 5_000
"""Characters of a header line that are read: a list of all a company's addresses says little more."""


def parse_mail(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of a message: its address lines, then its plain text, or its HTML where it has no plain text."""
    message = BytesParser(policy=compat32).parsebytes(data)
    if not any(name in message for name in ("From", "To", "Subject", "Date", "Message-ID", "Received")):
        return ParsedFile((), skipped="not readable as e-mail: it has no header lines")
    headers = {name: _header(message, name) for name in _SHOWN}
    composer = Composer()
    composer.add("paragraph", "\n".join(f"{name}: {value}" for name, value in headers.items() if value))
    _add_body(composer, message)
    notes = [f"attachment {name!r} left out" for name in _attachments(message)]
    if len(notes) > MOST_NOTES:
        notes[MOST_NOTES:] = [f"and {len(notes) - MOST_NOTES} attachments more left out"]
    text, repairs = clean_text(composer.text)
    metadata = tuple((name.lower(), value) for name, value in headers.items() if value and name != "Subject")
    return ParsedFile((ParsedDocument("", headers["Subject"], text, tuple(composer.blocks), metadata),), notes=(*notes, *repairs))


def _add_body(composer: Composer, message: Message) -> None:
    """The first readable body: plain before HTML."""
    for kind in ("plain", "html"):
        source = next((text for part in message.walk() if _is_body(part, kind) and (text := _content(part)).strip()), "")
        if not source:
            continue
        if kind == "plain":
            composer.extend(source, find_blocks(source))
            return
        page = read_page(source)
        if page is not None:
            composer.extend(page.composer.text, page.composer.blocks)
            return


def _is_body(part: Message, kind: str) -> bool:
    return part.get_content_type() == f"text/{kind}" and part.get_content_disposition() != "attachment" and not part.get_filename()


def _content(part: Message) -> str:
    """The text of a part in the charset it states; where that is unknown or wrong, in the one its bytes show."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        return clean_text(payload.decode(part.get_content_charset() or "utf-8"))[0]
    except (LookupError, UnicodeDecodeError):
        pass
    try:
        return decode_text(payload).text
    except NotText:
        return ""


def _header(message: Message, name: str) -> str:
    """A header line in clear; bytes that are not ASCII are read in the encoding they show, what is very long is cut."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return _clear(raw if len(raw) <= MOST_HEADER else raw[:MOST_HEADER] + " ...")


def _clear(raw: str) -> str:
    """Encoded words as what they stand for, on one line."""
    try:
        if not raw.isascii():
            raw = decode_text(raw.encode("utf-8", "surrogateescape")).text
        raw = str(make_header(decode_header(raw)))
    except (HeaderParseError, LookupError, UnicodeError, NotText):
        pass
    return clean_text(fold(raw))[0]


def _attachments(message: Message) -> Iterator[str]:
    for part in message.walk():
        name = part.get_filename()
        if name or part.get_content_disposition() == "attachment":
            yield _clear(name or part.get_content_type())
