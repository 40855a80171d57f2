"""XML and feeds: RSS and Atom a heading an item, other XML its text by elements; entities are never resolved, nothing is fetched."""

import html
import re
from collections.abc import Iterator

from lxml import etree

from pagerag_pipeline.indexing.decode import clean_text, decode_text
from pagerag_pipeline.indexing.formats.archive import read_xml
from pagerag_pipeline.indexing.formats.compose import Composer, fold
from pagerag_pipeline.indexing.formats.web import parse_html, read_page
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z][A-Za-z0-9]{1,30};")
_TITLES = frozenset(("title", "head", "heading", "subject"))
_BODIES = ("encoded", "content", "description", "summary")
_DATES = ("pubDate", "published", "issued", "updated", "date", "modified")
_ITEMS = ("item", "entry")


def parse_xml(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of a feed or of any other XML; what breaks the rules of XML is repaired where possible, and noted."""
    decoded = decode_text(data)
    source = _ENTITY.sub(lambda match: html.unescape(match[0]), _DECLARATION.sub("", decoded.text))
    if not source.strip():
        return ParsedFile((), skipped="empty")
    if re.match(r"\s*(?:<!doctype html|<html\b)", source, re.IGNORECASE):
        return parse_html(data, settings)
    root = read_xml(source, recover=True)
    if root is None:
        return ParsedFile((), skipped="not readable as XML: no element can be read", notes=decoded.notes)
    notes = decoded.notes if _is_sound(source) else (*decoded.notes, "broken XML: read as far as possible")
    composer = Composer()
    items = [element for element in root.iter() if _name(element) in _ITEMS] if _name(root) in ("rss", "feed", "RDF") else []
    title = _add_feed(composer, root, items) if items else _add_tree(composer, root)
    text, repairs = clean_text(composer.text)
    if not text.strip():
        return ParsedFile((), skipped="no text", notes=notes)
    language = root.get("{http://www.w3.org/XML/1998/namespace}lang")
    metadata = (("language", language),) if language and not items else ()
    return ParsedFile((ParsedDocument("", clean_text(title)[0], text, tuple(composer.blocks), metadata),), notes=notes + repairs)


def _is_sound(source: str) -> bool:
    try:
        read_xml(source)
    except ValueError:
        return False
    return True


def _add_feed(composer: Composer, root: etree._Element, items: list[etree._Element]) -> str:
    """The feed's description, then its items; its title."""
    channel = next((element for element in root.iter() if _name(element) in ("channel", "feed")), root)
    for name in ("description", "subtitle", "tagline"):
        composer.add("paragraph", _plain(_child(channel, name)))
    for item in items:
        composer.add("heading", _plain(_child(item, "title")), level=1)
        for name in _DATES:
            if said := _plain(_child(item, name)):
                composer.add("paragraph", said)
                break
        body = next((child for name in _BODIES if (child := _child(item, name)) is not None and "".join(child.itertext()).strip()), None)
        if body is not None:
            _add_html(composer, body)
    return _plain(_child(channel, "title"))


def _add_html(composer: Composer, body: etree._Element) -> None:
    """A body that is HTML, written out or escaped, as its text."""
    source = etree.tostring(body, encoding="unicode", with_tail=False) if len(body) else body.text or ""
    page = read_page(f"<div>{source}</div>")
    if page is not None:
        composer.extend(page.composer.text, page.composer.blocks)


def _add_tree(composer: Composer, root: etree._Element) -> str:
    """Text element by element: a title opens a section as deep as its parent, an element with text of its own is a paragraph; the first title."""
    first = ""
    stack: list[tuple[etree._Element, int]] = [(root, 1)]
    while stack:
        element, level = stack.pop()
        if not isinstance(element.tag, str):
            continue
        if _name(element).lower() in _TITLES and element is not root:
            text = _plain(element)
            first = first or text
            composer.add("heading" if len(text) < 200 else "paragraph", text, level=min(6, level - 1))
        elif (element.text or "").strip() or any((child.tail or "").strip() for child in element) or not len(element):
            composer.add("paragraph", _plain(element))
        else:
            stack.extend((child, level + 1) for child in reversed(element))
    return first


def _child(element: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in element if _name(child) == name), None)


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _plain(element: etree._Element | None) -> str:
    """All text in an element on one line, escaped tags taken out."""
    if element is None:
        return ""
    text = "".join(_texts(element))
    return fold(re.sub(r"<[^<>]{1,500}>", " ", html.unescape(text)) if "<" in text or "&" in text else text)


def _texts(element: etree._Element) -> Iterator[str]:
    """The text of all elements, without that of unresolved entities."""
    for part in element.iter():
        if isinstance(part.tag, str):
            yield part.text or ""
        if part is not element:
            yield part.tail or ""
