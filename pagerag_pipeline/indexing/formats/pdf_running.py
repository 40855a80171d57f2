"""What repeats from page to page of a PDF: running headers and footers, and page numbers."""

import re
from collections import Counter
from collections.abc import Sequence

from pagerag_pipeline.indexing.formats.compose import fold
from pagerag_pipeline.indexing.formats.pdf_page import Line

EDGE_LINES = 3
"""Running lines are looked for among so many lines at the top and at the bottom of a page."""
LEAST_PAGES = 3
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"^\W*(?:page|p\.|seite|pagina|página|第)?\s*(\d{1,4}|[ivxlc]{1,7})\s*(?:(?:of|/|von|de|sur)\s*\d{1,4})?\s*(?:页|頁|ページ)?\W*$", re.IGNORECASE)


def running_lines(pages: Sequence[Sequence[Line]]) -> tuple[list[set[int]], int, int]:
    """The indexes of the lines to leave out, page by page; how many running headers and footers, and how many page numbers they are.

    A header or footer comes again, but for its digits, at the edge of at least three pages and of a fifth of the pages at hand; a page number stands
    alone at the edge, or beside a running title, and its distance to the count of pages is that of others.
    """
    edges = [_edges(lines) for lines in pages]
    seen = Counter(key for page, edge in enumerate(edges) for key in {_key(pages[page][at]) for at in edge})
    least = max(LEAST_PAGES, len(pages) // 5)
    distances = Counter(
        distance for page, edge in enumerate(edges) for distance in {d for at in edge for d in _distances(pages[page][at], page)}
    )
    dropped: list[set[int]] = []
    headers = numbers = 0
    for page, edge in enumerate(edges):
        alone = [at for at in edge if len(pages[page][at].cells) == 1]
        numbered = {at for at in alone if any(distances[d] >= min(2, len(pages)) for d in _distances(pages[page][at], page))}
        beside = {at for at in edge if len(pages[page][at].cells) == 2 and any(distances[d] >= LEAST_PAGES for d in _distances(pages[page][at], page))}
        repeated = beside | {at for at in edge if seen[_key(pages[page][at])] >= least and _key(pages[page][at]) != "#"}
        repeated -= numbered
        dropped.append(numbered | repeated)
        headers, numbers = headers + len(repeated), numbers + len(numbered)
    return dropped, headers, numbers


def _edges(lines: Sequence[Line]) -> list[int]:
    """The upright lines nearest to the top and to the bottom, wherever they stand in the file."""
    upright = [at for at, line in enumerate(lines) if not line.turned]
    by_height = sorted(upright, key=lambda at: (-lines[at].top, at))
    return sorted({*by_height[:EDGE_LINES], *by_height[-EDGE_LINES:]})


def _key(line: Line) -> str:
    return _DIGITS.sub("#", fold(line.text).casefold())


def _distances(line: Line, page: int) -> list[tuple[bool, int]]:
    """How far a page number is from the place of its page in the file, for a number in the first or last cell of a line; arabic apart from roman."""
    found = []
    for cell in {line.cells[0], line.cells[-1]}:
        match = _NUMBER.match(cell)
        if match:
            word = match[1].lower()
            found.append((word.isdigit(), (int(word) if word.isdigit() else _roman(word)) - page))
    return found


def _roman(word: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[letter] for letter in word]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
