"""Layout inside a text that is kept as written: lists, tables and speaker turns of plain text, and HTML-like tags left in it."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from pagerag_pipeline.indexing.formats.compose import fold
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph, find_paragraphs
from pagerag_pipeline.schema.documents import Block

LEAST_TAGS = 4
"""A text with at least this many paragraph or row tags is read by its tags."""
LEAST_TURNS = 4
"""Speaker turns count when there are this many, and two speakers that come again."""

_TAG = re.compile(r"<(/?)(h[1-6]|p|table|caption|tr|li)\b[^<>]{0,200}>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_HEADER_CELL = re.compile(r"<th\b", re.IGNORECASE)
_SPEAKER = re.compile(r"[ \t>*_]*(?P<name>(?:[A-Z][\w.'’&-]*|\(?[A-Z]{1,3}\)?)(?: (?:[A-Z][\w.'’&-]*|\([^()\n]{1,40}\)|of|de|van|von)){0,5})[*_]{0,2} ?(?:\[[^\]\n]{0,30}\])?:(?=[\s*_]|$)")
_ITEM = re.compile(r"[ \t]*(?:[-*•·–]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+\S")
_CELL = re.compile(r"\t+| {2,}|[ ]*\|[ ]*")


def find_blocks(text: str) -> tuple[Block, ...]:
    """The blocks that a text kept as written shows, in order."""
    tagged = _tagged(text)
    if tagged:
        return tuple(tagged)
    paragraphs = find_paragraphs(text)
    found = [*_turns(text, paragraphs), *_lists(text, paragraphs), *_tables(text, paragraphs)]
    return tuple(sorted(found, key=lambda block: (block.start, -block.end)))


def without_tags(text: str) -> str:
    """A text on one line without HTML-like tags."""
    return fold(_ANY_TAG.sub(" ", text))


def _tagged(text: str) -> list[Block]:
    """Blocks by tags; a heading's label is its words, a row's the row of header cells above it in its table."""
    tags = list(_TAG.finditer(text))
    if sum(tag[2].lower() in ("p", "tr") for tag in tags) < LEAST_TAGS:
        return []
    found: list[Block] = []
    table, header = -1, ""
    for tag, after in zip(tags, [*tags[1:], None], strict=True):
        name = tag[2].lower()
        if name == "table":
            if tag[1] and table >= 0:
                found.append(Block("table", table, tag.end()))
            table, header = (-1 if tag[1] else tag.start()), ""
        elif not tag[1] and after is not None:
            closing = after.end() if after[1] and after[2].lower() == name else after.start()
            block = _tagged_block(text, name, (tag.start(), closing), header)
            if block.kind == "row" and _HEADER_CELL.search(text, *_span(block)) and not header:
                header = block.label
            elif without_tags(text[block.start : block.end]):
                found.append(block)
    return sorted(found, key=lambda block: (block.start, -block.end))


def _tagged_block(text: str, name: str, span: tuple[int, int], header: str) -> Block:
    start, end = span
    while end > start and text[end - 1].isspace():
        end -= 1
    if name[0] == "h":
        return Block("heading", start, end, int(name[1]), without_tags(text[start:end]))
    if name == "tr":
        return Block("row", start, end, 0, header or (without_tags(text[start:end]) if _HEADER_CELL.search(text, start, end) else ""))
    return Block({"p": "paragraph", "li": "list", "caption": "caption"}[name], start, end)


def _span(block: Block) -> tuple[int, int]:
    return block.start, block.end


def _turns(text: str, paragraphs: list[Paragraph]) -> Iterator[Block]:
    """Speaker turns: each from its name to the next one's; the label is the name."""
    turns = [(p, match["name"]) for p in paragraphs if (match := _SPEAKER.match(text, p.start, min(p.end, p.start + 90)))]
    often = [name for name, times in Counter(name for _, name in turns).items() if times > 1]
    if len(turns) < LEAST_TURNS or len(often) < 2:
        return
    kept = [(p, name) for p, name in turns if name in often or name.isupper()]
    starts = [p.start for p in paragraphs]
    for (paragraph, name), after in zip(kept, [*(p.start for p, _ in kept[1:]), len(text)], strict=True):
        last = paragraphs[bisect_right(starts, after - 1) - 1]
        yield Block("speaker", paragraph.start, last.end, 0, name)


def _lists(text: str, paragraphs: list[Paragraph]) -> Iterator[Block]:
    for paragraph in paragraphs:
        if paragraph.lines > 1 and _ITEM.match(text, paragraph.start):
            lines = text[paragraph.start : paragraph.end].split("\n")
            if sum(bool(_ITEM.match(line)) for line in lines) >= max(2, len(lines) // 3):
                yield Block("list", paragraph.start, paragraph.end)


def _tables(text: str, paragraphs: list[Paragraph]) -> Iterator[Block]:
    """Lines with the same number of columns, set apart by tabs, bars or wide gaps; the first is the header when it has no figures."""
    for paragraph in paragraphs:
        if paragraph.lines < 3:
            continue
        lines = text[paragraph.start : paragraph.end].split("\n")
        columns = [len(_CELL.split(line.strip(" |\t"))) for line in lines]
        if columns[0] < 2 or sum(n == columns[0] for n in columns) < 0.8 * len(lines):
            continue
        headed = not any(c.isdigit() for c in lines[0]) and any(c.isdigit() for c in "".join(lines[1:]))
        if not headed and "|" not in lines[0] and "\t" not in lines[0]:
            continue
        yield Block("table", paragraph.start, paragraph.end)
        at = paragraph.start
        for number, line in enumerate(lines):
            if line.strip(" |-+\t:") and not (headed and number == 0):
                yield Block("row", at, at + len(line), 0, fold(lines[0]) if headed else "")
            at += len(line) + 1
