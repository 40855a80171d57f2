"""Markdown: the source is the text, as written; a CommonMark parser says where headings, lists and tables stand."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pagerag_pipeline.indexing.decode import decode_text
from pagerag_pipeline.indexing.formats.compose import fold
from pagerag_pipeline.schema.documents import Block, ParsedDocument, ParsedFile
from pagerag_pipeline.settings import ParseSettings

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]{0,40}):[ \t]+(\S.*)$", re.MULTILINE)
_CONTAINERS = {"paragraph_open": "paragraph", "bullet_list_open": "list", "ordered_list_open": "list", "blockquote_open": "paragraph"}
_LEAVES = {"fence": "paragraph", "code_block": "paragraph", "html_block": "paragraph"}


def parse_markdown(data: bytes, settings: ParseSettings) -> ParsedFile:
    """One document of Markdown; its title is the front matter's, else its first heading of level 1."""
    decoded = decode_text(data)
    front = _FRONT.match(decoded.text)
    metadata = tuple((name.lower(), value.strip().strip("\"'")) for name, value in _FIELD.findall(front.group(1))) if front else ()
    blocks = markdown_blocks(decoded.text, front.end() if front else 0)
    title = dict(metadata).get("title", "") or next((b.label for b in blocks if b.kind == "heading" and b.level == 1), "")
    return ParsedFile((ParsedDocument("", title, decoded.text, tuple(blocks), metadata),), notes=decoded.notes)


def markdown_blocks(text: str, start: int) -> list[Block]:
    """Blocks of a Markdown text from a position on; a heading's label is its words without markup."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text[start:])
    starts = [start, *(start + match.end() for match in re.finditer("\n", text[start:])), len(text) + 1]
    blocks: list[Block] = []
    header = ""
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        begin, end = _range(text, starts, token.map)
        if token.type == "heading_open":
            blocks.append(Block("heading", begin, end, int(token.tag[1]), _words(tokens[index + 1])))
        elif token.type == "table_open":
            blocks.append(Block("table", begin, end))
        elif token.type == "tr_open":
            header = _row(text, tokens[index - 1], blocks, (begin, end), header)
        elif token.level == 0 and (kind := _CONTAINERS.get(token.type) or _LEAVES.get(token.type)):
            blocks.append(Block(kind, begin, end))
    return sorted(blocks, key=lambda block: (block.start, -block.end))


def _row(text: str, before: Token, blocks: list[Block], where: tuple[int, int], header: str) -> str:
    """Adds a table row, or takes it as the header of the rows that follow."""
    line = text[where[0] : where[1]].strip().strip("|").strip()
    if before.type == "thead_open":
        return line
    blocks.append(Block("row", where[0], where[1], 0, header))
    return header


def _range(text: str, starts: list[int], lines: list[int]) -> tuple[int, int]:
    begin = starts[min(lines[0], len(starts) - 1)]
    end = min(starts[min(lines[1], len(starts) - 1)], len(text))
    while end > begin and text[end - 1].isspace():
        end -= 1
    return begin, max(begin, end)


def _words(inline: Token) -> str:
    children = inline.children or []
    return fold("".join(child.content if child.type in ("text", "code_inline") else " " if "break" in child.type else "" for child in children))
