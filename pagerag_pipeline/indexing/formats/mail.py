"""E-mail: the subject as title, who wrote to whom and when, and the body; attachments are named and left out."""

from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from pagerag_pipeline.indexing.decode import NotText, clean_text, decode_text
from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.indexing.formats.marks import find_blocks
from pagerag_pipeline.indexing.formats.web import read_page
from pagerag_pipeline.schema import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_SHOWN = ("From", "To", "Cc", "Date", "Subject")
MOST_NOTES = 20


def parse_mail(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of a message: its address lines, then its plain text, or its HTML where it has no plain text."""
    message = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(data)
    if not any(message[name] for name in ("From", "To", "Subject", "Date", "Message-ID", "Received")):
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


def _add_body(composer: Composer, message: EmailMessage) -> None:
    """The first readable body: plain before HTML."""
    for kind in ("plain", "html"):
        part = message.get_body(preferencelist=(kind,))
        source = _content(part) if isinstance(part, EmailMessage) else ""
        if not source.strip():
            continue
        if kind == "plain":
            composer.extend(source, find_blocks(source))
            return
        page = read_page(source)
        if page is not None:
            composer.extend(page.composer.text, page.composer.blocks)
            return


def _content(part: EmailMessage) -> str:
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


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message[name] or "")
    except (ValueError, IndexError, AttributeError, TypeError, LookupError):  # the standard parser stumbles over some broken headers
        value = ""
    return clean_text(fold(value))[0]


def _attachments(message: EmailMessage) -> Iterator[str]:
    for part in message.walk():
        name = part.get_filename()
        if name or part.get_content_disposition() == "attachment":
            yield fold(clean_text(name or part.get_content_type())[0])
