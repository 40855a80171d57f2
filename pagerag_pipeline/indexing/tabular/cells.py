"""Cells of a table's row as it stands in a text: between bars, tabs, wide gaps or tags."""

import re
from collections.abc import Sequence

from pagerag_pipeline.schema.documents import RowForm

_BAR = re.compile(r"(?<!\\)\|")
_GAP = re.compile(r" {2,}|\t+")
_TAGGED_CELL = re.compile(r"<t[dh]\b[^<>]*>(.*?)(?=</?t[dhr]\b|</?table\b|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-z][a-z0-9]{0,9}(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_RULE = re.compile(r"[\s|:+=\u2500-\u257f-]+")
_MARKUP = re.compile(r"\*{1,3}|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)")
_EMPTY = frozenset({"", "-", "--", "\u2013", "\u2014", "\u2212", "n/a", "n.a.", "na", "..", "...", "\u2026", "?", "\u00a0"})


def form_of(line: str) -> RowForm:
    """How the cells of a header line are set apart.

    `framed` lines begin and end with a bar; `bars` lines do not, so that an outer bar stands beside an empty cell.
    """
    if _TAGGED_CELL.search(line):
        return "tags"
    stripped = line.strip()
    if _BAR.search(stripped):
        return "framed" if len(stripped) > 1 and stripped[0] == "|" and stripped[-1] == "|" else "bars"
    return "tabs" if "\t" in stripped else "gaps"


def split_cells(line: str, form: RowForm) -> list[str]:
    """The cells of a line, as they are written, on one line each and without white space around them."""
    match form:
        case "tags":
            parts = [_TAG.sub(" ", cell) for cell in _TAGGED_CELL.findall(line)]
        case "tabs":
            parts = line.strip("\n\r").split("\t")
        case "gaps":
            parts = _GAP.split(line.strip())
        case "framed":
            parts = _BAR.split(_unframed(line.strip()))
        case _:
            parts = _BAR.split(line.strip())
    return [" ".join(part.split()) for part in parts]


def _unframed(line: str) -> str:
    inner = line[1:] if line.startswith("|") else line
    return inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner


def plain_cell(cell: str) -> str:
    """What a cell says, without emphasis and links; empty for one that only marks a gap."""
    plain = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", cell)).split())
    return "" if plain.casefold() in _EMPTY else plain


def is_rule(line: str) -> bool:
    """Whether a line only draws one."""
    return _RULE.fullmatch(line) is not None


def aligned(cells: Sequence[str], width: int, form: RowForm) -> list[str] | None:
    """The cells under a header of `width` columns, None when it cannot be known which stands under which.

    Empty cells at the end may be more or, where a format says that rows are filled up, fewer than the header has.
    """
    found = list(cells)
    while len(found) > width and not found[-1]:
        found.pop()
    if form == "framed" and len(found) < width:
        found.extend([""] * (width - len(found)))
    return found if len(found) == width else None
