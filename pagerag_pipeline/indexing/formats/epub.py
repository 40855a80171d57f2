"""EPUB: the chapters of a book in spine order, with their titles."""

import posixpath
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from pagerag_pipeline.indexing.decode import clean_text, decode_text
from pagerag_pipeline.indexing.formats.archive import Unreadable, open_archive, read_member, read_xml
from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.indexing.formats.web import read_page
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_METADATA = (("creator", "author"), ("language", "language"), ("date", "date"), ("publisher", "publisher"))


def parse_epub(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of all chapters that the spine names; a chapter without a heading of its own gets the table of contents' words for it.

    The book's table of contents itself is left out. Skipped with the reason when the chapters are encrypted.
    """
    with open_archive(data, settings) as archive:
        return _read(archive)


def _read(archive: zipfile.ZipFile) -> ParsedFile:
    package_path = _package_path(archive)
    package = _tree(archive, package_path)
    folder = posixpath.dirname(package_path)
    items = {item.get("id", ""): item for item in _named(package, "item")}
    titles = _contents(archive, items, folder)
    locked = _locked(archive)
    composer, notes = Composer(), []
    for reference in _named(package, "itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or "nav" in (item.get("properties") or "").split() or "html" not in (item.get("media-type") or ""):
            continue
        path = _joined(folder, item.get("href", ""))
        if path in locked:
            raise Unreadable("encrypted: its chapters are locked by a reader's license")
        try:
            _add_chapter(composer, decode_text(read_member(archive, path)).text, titles.get(path, ""))
        except Unreadable as error:
            notes.append(f"chapter {path!r} left out: {error}")
    text, repairs = clean_text(composer.text)
    if not text.strip():
        return ParsedFile((), skipped="no text", notes=tuple(notes))
    title = next((fold(found.text or "") for found in _named(package, "title")), "")
    metadata = tuple((name, fold(found.text)) for tag, name in _METADATA for found in list(_named(package, tag))[:1] if found.text and found.text.strip())
    return ParsedFile((ParsedDocument("", title, text, tuple(composer.blocks), metadata),), notes=(*notes, *repairs))


def _add_chapter(composer: Composer, source: str, title: str) -> None:
    page = read_page(source)
    if page is None:
        return
    if title and page.composer.text.strip() and not any(block.kind == "heading" for block in page.composer.blocks):
        composer.add("heading", title, level=1)
    composer.extend(page.composer.text, page.composer.blocks)


def _package_path(archive: zipfile.ZipFile) -> str:
    container = _tree(archive, "META-INF/container.xml")
    path = next((root.get("full-path", "") for root in _named(container, "rootfile")), "")
    if not path:
        raise Unreadable("names no package file")
    return posixpath.normpath(path)


def _contents(archive: zipfile.ZipFile, items: dict[str, etree._Element], folder: str) -> dict[str, str]:
    """Title by file, from the navigation page or the NCX; the first one that points to the beginning of a file counts."""
    titles: dict[str, str] = {}
    for item in items.values():
        path = _joined(folder, item.get("href", ""))
        is_nav = "nav" in (item.get("properties") or "").split()
        if (is_nav or item.get("media-type") == "application/x-dtbncx+xml") and path in archive.NameToInfo:
            root = read_xml(read_member(archive, path), recover=True)
            links = _nav_links(root) if is_nav else _ncx_links(root)
            for target, title in links:
                titles.setdefault(_joined(posixpath.dirname(path), target), title)
    return titles


def _nav_links(root: etree._Element | None) -> Iterator[tuple[str, str]]:
    for link in _named(root, "a"):
        yield link.get("href", ""), fold("".join(link.itertext()))


def _ncx_links(root: etree._Element | None) -> Iterator[tuple[str, str]]:
    for point in _named(root, "navPoint"):
        target = next((c.get("src", "") for c in point if etree.QName(c).localname == "content"), "")
        yield target, next((fold("".join(c.itertext())) for c in point if etree.QName(c).localname == "navLabel"), "")


def _locked(archive: zipfile.ZipFile) -> frozenset[str]:
    """The files that `encryption.xml` lists (fonts are often, chapters only under a license)."""
    if "META-INF/encryption.xml" not in archive.NameToInfo:
        return frozenset()
    listed = read_xml(read_member(archive, "META-INF/encryption.xml"), recover=True)
    return frozenset(unquote(found.get("URI", "")) for found in _named(listed, "CipherReference"))


def _tree(archive: zipfile.ZipFile, path: str) -> etree._Element:
    root = read_xml(read_member(archive, path), recover=True)
    if root is None:
        raise Unreadable(f"its part {path!r} is not XML")
    return root


def _named(root: etree._Element | None, name: str) -> Iterator[etree._Element]:
    """Elements by local name, whatever their namespace, in document order."""
    return iter(()) if root is None else root.iter(f"{{*}}{name}", name)


def _joined(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))
