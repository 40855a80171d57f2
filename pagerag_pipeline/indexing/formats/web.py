"""HTML: the main text of a page, without scripts and navigation, with its headings, lists, captions and tables."""

import re
from collections.abc import Iterator

from lxml import html as lxml_html
from lxml.html import HtmlElement

from pagerag_pipeline.indexing.decode import clean_text, decode_text
from pagerag_pipeline.indexing.formats.compose import Composer, fold, guess_header
from pagerag_pipeline.schema.documents import ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_SILENT = frozenset(
    "script style noscript template svg math iframe object embed canvas audio video map button select input textarea head".split()
)
_MAIN_SHARE = 0.3
"""What holds more of a page's text than this is no navigation, whatever it is called (a form around a whole page, a class `has-sidebar`)."""
_BLOCK = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figure footer header hgroup hr html main ol p pre section summary ul "
    "table thead tbody tfoot tr td th caption figcaption li h1 h2 h3 h4 h5 h6".split()
)
_NAVIGATION = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|navbox|menu|sidebar|breadcrumbs?|cookies?|share|sharing|social|advert\w*|ads?|promo|newsletter|subscribe|popup|modal|"
    r"skip|pagination|related|site-footer|page-footer|mw-editsection|noprint|catlinks|comments?)(?:$|[\s_-])",
    re.IGNORECASE,
)
_ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog", "alert", "complementary"))
_PLAIN = frozenset("html body main article p span a h1 h2 h3 td tr table tbody b i em strong".split())
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))


def parse_html(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document from a page; its title is `<title>`, else its first `<h1>`. Parts left out are counted in a note."""
    decoded = decode_text(data)
    source = _DECLARATION.sub("", decoded.text)
    if not source.strip():
        return ParsedFile((), skipped="empty")
    parser = lxml_html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = lxml_html.document_fromstring(source, parser=parser)
    except (lxml_html.etree.ParserError, ValueError) as error:
        return ParsedFile((), skipped=f"not readable as HTML: {error}")
    main = _main(root)
    page = Page(main)
    page.read(main)
    text, notes = clean_text(page.composer.text)
    title = fold(root.findtext(".//title") or "") or next((text[b.start : b.end] for b in page.composer.blocks if b.kind == "heading"), "")
    if parser.error_log.filter_from_fatals():
        notes += ("nested too deeply: what stands below the deepest level is left out",)
    if page.left_out:
        notes += (f"{page.left_out} parts of navigation or script left out",)
    metadata = tuple(_metadata(root))
    return ParsedFile((ParsedDocument("", title, text, tuple(page.composer.blocks), metadata),), notes=decoded.notes + notes)


def read_page(source: str) -> "Page | None":
    """The parts of a page that is already text: a chapter of a book, the body of a message; None when there is nothing to read."""
    source = _DECLARATION.sub("", source)
    if not source.strip():
        return None
    try:
        root = lxml_html.document_fromstring(source, parser=lxml_html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True))
    except (lxml_html.etree.ParserError, ValueError):
        return None
    body = root.find(".//body")
    page = Page(body if body is not None else root)
    page.read(body if body is not None else root)
    return page


class Page:
    """Walks a tree without recursion and hands its parts to a composer."""

    def __init__(self, root: HtmlElement) -> None:
        self._lengths = _text_lengths(root)
        self._most = _MAIN_SHARE * self._lengths[root]
        self.composer = Composer()
        self.left_out = 0
        self._words: list[str] = []
        self._kind = "paragraph"

    def read(self, root: HtmlElement) -> None:
        """Read a whole tree."""
        stack: list[tuple[HtmlElement, bool]] = [(root, True)]
        while stack:
            element, entering = stack.pop()
            if not entering:
                self._leave(element)
                continue
            if self._enter(element):
                stack.append((element, False))
                stack.extend((child, True) for child in reversed(element))
            else:
                self._add(element.tail)
        self._flush()

    def _enter(self, element: HtmlElement) -> bool:
        """Whether the children of an element are to be read too."""
        tag = element.tag
        if not isinstance(tag, str) or tag in _SILENT:
            self.left_out += isinstance(tag, str) and self._lengths[element] > 0
            return False
        if 0 < self._lengths[element] < self._most and _is_aside(element):
            self.left_out += 1
            return False
        if tag in _BLOCK:
            self._flush()
        if tag in _HEADINGS:
            self.composer.add("heading", inner_text(element), level=int(tag[1]))
            return False
        if tag == "pre":
            self.composer.add("paragraph", element.text_content().strip("\n"))
            return False
        if tag == "table" and not _is_layout(element):
            self._table(element)
            return False
        if tag in ("caption", "figcaption"):
            self.composer.add("caption", inner_text(element))
            return False
        if tag == "li":
            self._kind = "list"
            self._words.append("- ")
        if tag == "br":
            self._words.append("\n")
        self._add(element.text)
        return True

    def _leave(self, element: HtmlElement) -> None:
        if element.tag in _BLOCK:
            self._flush()
        self._add(element.tail)

    def _add(self, text: str | None) -> None:
        if text:
            self._words.append(re.sub(r"[ \t\n\f\v]+", " ", text))

    def _flush(self) -> None:
        text = re.sub(r" *\n *", "\n", re.sub(r"  +", " ", "".join(self._words))).strip()
        if text.strip("- "):
            self.composer.add(self._kind, text)
        self._words.clear()
        self._kind = "paragraph"

    def _table(self, table: HtmlElement) -> None:
        caption = table.find("caption")
        rows = [[inner_text(cell) for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
        rows = [row for row in rows if any(row)]
        if rows and max(map(len, rows)) == 1:
            for row in rows:
                self.composer.add("paragraph", row[0])
            return
        head = 1 if _has_header(table) else guess_header(rows)
        self.composer.table(rows[head:], header=rows[0] if head and rows else (), caption=inner_text(caption) if caption is not None else "")


def inner_text(element: HtmlElement) -> str:
    """All text in an element on one line; blocks and line breaks inside it stand apart, scripts are left out."""
    pieces = []
    for event, part in lxml_html.etree.iterwalk(element, events=("start", "end")):
        opens = event == "start"
        apart = part.tag in _BLOCK or part.tag == "br"
        silent = not isinstance(part.tag, str) or part.tag in ("script", "style")
        pieces.append(" " if apart else "")
        pieces.append(((part.text or "") if not silent else "") if opens else ((part.tail or "") if part is not element else ""))
    return fold("".join(pieces))


def _text_lengths(root: HtmlElement) -> dict[HtmlElement, int]:
    """Visible characters in every element and below it, in one pass from the leaves up."""
    lengths: dict[HtmlElement, int] = {}
    for element in reversed(list(root.iter())):
        silent = not isinstance(element.tag, str) or element.tag in ("script", "style")
        own = 0 if silent else len((element.text or "").strip())
        lengths[element] = own + sum(lengths[child] + len((child.tail or "").strip()) for child in element)
    return lengths


def _is_aside(element: HtmlElement) -> bool:
    """Whether an element calls itself navigation, advertising or hidden. Hidden tables are data that a script would show."""
    tag = element.tag
    if tag in ("nav", "menu", "dialog", "form") or element.get("role") in _ROLES or element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    if tag in _PLAIN:
        return False
    if "display:none" in (element.get("style") or "").replace(" ", "").lower():
        return True
    return bool(_NAVIGATION.search(f"{element.get('class') or ''} {element.get('id') or ''}"))


def _main(root: HtmlElement) -> HtmlElement:
    """The `<main>` element, or the only `<article>`, when it holds most of the text; else the whole body."""
    body = root.find(".//body")
    whole = body if body is not None else root
    for candidates in (root.xpath("//main | //*[@role='main']"), root.xpath("//article")):
        if len(candidates) == 1 and 2 * len(candidates[0].text_content()) > len("".join(_visible(whole))):
            return candidates[0]
    return whole


def _visible(element: HtmlElement) -> Iterator[str]:
    for part in element.iter("p", "li", "td", "h1", "h2", "h3"):
        yield part.text_content()


def _is_layout(table: HtmlElement) -> bool:
    """A table that only places other blocks: it holds tables, headings or several paragraphs in a cell."""
    if table.get("role") == "presentation" or table.find(".//table") is not None:
        return True
    return any(len(cell.findall(".//p")) > 3 or cell.find(".//h2") is not None for cell in table.iter("td"))


def _has_header(table: HtmlElement) -> bool:
    first = next(table.iter("tr"), None)
    return first is not None and len(first) > 1 and all(cell.tag == "th" for cell in first if isinstance(cell.tag, str))


def _metadata(root: HtmlElement) -> Iterator[tuple[str, str]]:
    language = root.get("lang")
    if language:
        yield "language", language
    for name in ("author", "description", "date", "keywords"):
        for found in root.xpath("//meta[@name=$name]/@content", name=name)[:1]:
            if found.strip():
                yield name, fold(found)
