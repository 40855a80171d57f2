"""Files that are ZIP archives inside: opened only when what they unpack to is bounded and holds no traps."""

import io
import zipfile

from lxml import etree

from pagerag_pipeline.settings import ParseSettings

MOST_MEMBERS = 20_000
XML_SHARE = 4
"""One part of marked-up text may have this fraction of the bytes that all parts may have: its tree takes many times its size."""
_MARKUP = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")


class Unreadable(ValueError):
    """A file that gives no document; the message is the reason in words for the user."""


def open_archive(data: bytes, settings: ParseSettings) -> zipfile.ZipFile:
    """The archive in `data`. Raises Unreadable when it is broken, encrypted, or would unpack to more than `settings.max_unpacked_bytes`.

    What a member says of its size binds: reading stops there.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
        raise Unreadable(f"not a sound ZIP archive: {error}") from error
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise Unreadable(f"holds {len(members)} parts, more than {MOST_MEMBERS}")
    size = sum(member.file_size for member in members)
    if size > settings.max_unpacked_bytes:
        raise Unreadable(f"would unpack to {size} bytes, more than parse.max_unpacked_bytes = {settings.max_unpacked_bytes}")
    most = settings.max_unpacked_bytes // XML_SHARE
    large = next((m for m in members if m.filename.lower().endswith(_MARKUP) and m.file_size > most), None)
    if large is not None:
        raise Unreadable(f"its part {large.filename!r} would unpack to {large.file_size} bytes, more than {most}")
    if any(member.flag_bits & 1 for member in members):
        raise Unreadable("encrypted: a password is needed")
    return archive


def open_office(data: bytes, settings: ParseSettings, main: str) -> io.BytesIO:
    """The bytes of an Office file as a stream for its library, after the checks of `open_archive`; `main` is the folder of its kind (`word`, `ppt`, `xl`).

    Raises Unreadable also for a document type declaration, which such files may not have: entities would be declared there.
    """
    with open_archive(data, settings) as archive:
        names = archive.namelist()
        if not any(name.startswith(f"{main}/") for name in names):
            raise Unreadable(f"a ZIP archive, but not one of this kind: no part in {main}/")
        for name in names:
            if name.lower().endswith(_MARKUP) and b"<!DOCTYPE" in read_member(archive, name).replace(b"\0", b""):
                raise Unreadable(f"its part {name!r} declares a document type, which such files may not")
    return io.BytesIO(data)


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of one member. Raises Unreadable when it is missing or damaged."""
    try:
        return archive.read(name)
    except KeyError as error:
        raise Unreadable(f"its part {name!r} is missing") from error
    except Exception as error:  # damaged deflate, lzma and bzip2 streams each raise errors of their own
        raise Unreadable(f"its part {name!r} is damaged: {error}") from error


def read_xml(source: str | bytes, *, recover: bool = False) -> etree._Element | None:
    """The root of an XML text; entities are not resolved, nothing is fetched. None when nothing of it can be read. Raises Unreadable unless `recover`."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(source, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if recover:
            return None
        raise Unreadable(f"not sound XML: {error}") from error
