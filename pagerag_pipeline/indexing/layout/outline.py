"""The outline of a plain text: which of its possible headings count, their own titles, and how they nest."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pagerag_pipeline.indexing.layout.contents import Contents, find_contents
from pagerag_pipeline.indexing.layout.dates import dated_headings
from pagerag_pipeline.indexing.layout.headings import RANKS, Heading, normal_key, plain_words, read_heading
from pagerag_pipeline.indexing.layout.numbering import KEYWORDS, numbered_headings
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph, find_paragraphs

MOST_MEAN = 60_000
"""Capitals are read as headings when the numbered ones leave stretches longer than this on average."""
_NO_TITLE = re.compile(r"[=<>{}|\\]|\w_\w|[A-Z]{3}\d|^EQUATION|^\w+, \w+, |\.(?:txt|html?)\b")
NAMED = ("contents", "front", "whole", "back")
_QUOTES = tuple("\"'“”‘’«»]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading that counts, and its level from 1."""

    heading: Heading
    level: int


def find_outline(text: str, title: str) -> list[Entry]:
    """The headings of a plain text in order, with their levels."""
    paragraphs = find_paragraphs(text)
    dated = dated_headings(text, paragraphs)
    days = {h.index for h in dated}
    possible = [h for h in _possible(text, paragraphs) if h.index not in days]
    tables = find_contents(text, paragraphs, possible)
    possible = [h for h in possible if not any(table.first <= h.index < table.last for table in tables)]
    numbered = numbered_headings(possible, paragraphs, len(text))
    numbered, absorbed = _with_titles(numbered, paragraphs)
    rest = [h for h in possible if h.index not in absorbed]
    taken = {h.index for h in numbered} | absorbed
    named = [h for h in rest if h.family in NAMED and h.index not in taken and _named_counts(h, paragraphs, numbered)]
    taken.update(h.index for h in named)
    listed = _listed(paragraphs, tables, taken, title)
    taken.update(h.index for h in listed)
    dated = [] if numbered or listed else dated
    capitals = [] if dated else _capitals([h for h in rest if h.family == "caps" and h.index not in taken], paragraphs, numbered + listed, text)
    lines = [] if numbered or listed or dated or capitals else _lines(paragraphs, taken)
    found = sorted(numbered + named + listed + dated + capitals + lines, key=lambda h: h.start)
    found = _drop_orphans(_with_body_title(found, paragraphs, title), len(text))
    return _levels(found)


def _possible(text: str, paragraphs: Sequence[Paragraph]) -> list[Heading]:
    found = []
    for index, paragraph in enumerate(paragraphs):
        heading = read_heading(paragraph, index)
        if heading is None and paragraph.lines > 1:
            heading = _first_line(text, paragraph, index)
        if heading is not None:
            found.append(heading)
    return found


def _first_line(text: str, paragraph: Paragraph, index: int) -> Heading | None:
    """A keyword heading on the first line of a paragraph whose text follows without a blank line."""
    end = text.find("\n", paragraph.start)
    line = text[paragraph.start : end]
    if len(line) > 80:
        return None
    heading = read_heading(Paragraph(paragraph.start, end, paragraph.gap, 1, " ".join(line.split()), paragraph.indent), index)
    return heading if heading and heading.family in KEYWORDS and (heading.bare or heading.title.isupper()) else None


def _with_titles(headings: Sequence[Heading], paragraphs: Sequence[Paragraph]) -> tuple[list[Heading], set[int]]:
    """Headings of a bare number with the title that stands below them, and the paragraphs those titles are."""
    below = {h.index: _below(paragraphs, h) for h in headings if h.bare}
    regular = set()
    for family in {h.family for h in headings}:
        members = [h for h in headings if h.bare and h.family == family]
        if len(members) >= 3 and sum(below[h.index] is not None for h in members) >= 0.8 * len(members):
            regular.add(family)
    found, absorbed = [], set()
    for heading in headings:
        at = below.get(heading.index)
        if at is None or not (heading.family in regular or _looks_like_title(paragraphs, at)):
            found.append(heading)
            continue
        words = plain_words(paragraphs[at].text)
        joint = " " if heading.title[-1] in ".:—" else ": "
        found.append(replace(heading, title=heading.title + joint + words, end=paragraphs[at].end))
        absorbed.add(at)
    return found, absorbed


def _below(paragraphs: Sequence[Paragraph], heading: Heading) -> int | None:
    """The short paragraph right below a heading, ornaments passed over; None when body text follows."""
    for at in range(heading.index + 1, min(heading.index + 3, len(paragraphs) - 1)):
        words = plain_words(paragraphs[at].text)
        if not any(c.isalpha() for c in words):
            continue
        speech = words[0] in "\"'“‘«—-|" and not words.isupper()
        short = paragraphs[at].lines <= 4 and paragraphs[at].length <= 300 and paragraphs[at].gap <= 4 and not speech
        other = read_heading(paragraphs[at], at)
        return at if short and (other is None or other.number is None) else None
    return None


def _looks_like_title(paragraphs: Sequence[Paragraph], at: int) -> bool:
    paragraph, words = paragraphs[at], plain_words(paragraphs[at].text)
    if words.isupper() or paragraph.indent >= 12:
        return True
    parts = [w for w in re.findall(r"[^\W\d_]+", words) if len(w) > 3]
    return len(words) <= 100 and bool(parts) and words[-1] not in ".!?;,:”\"" and sum(w[0].isupper() for w in parts) >= 0.6 * len(parts)


def _named_counts(heading: Heading, paragraphs: Sequence[Paragraph], numbered: Sequence[Heading]) -> bool:
    """Front matter before the first chapter, back matter after the first, both set apart; a bare `note` only outside the chapters."""
    paragraph = paragraphs[heading.index]
    inside = bool(numbered) and numbered[0].start < heading.start < numbered[-1].start
    words = heading.title.strip(" .:").casefold()
    if words in ("note", "notes", "characters", "conclusion", "advertisement", "introduction") and inside:
        return False
    return heading.index == 0 or paragraph.gap >= 2 or (paragraph.gap >= 1 and (heading.family == "back" or heading.title.isupper()))


def _listed(paragraphs: Sequence[Paragraph], tables: Sequence[Contents], taken: set[int], title: str) -> list[Heading]:
    """Paragraphs that a table of contents announces by their words, below that table."""
    titles = frozenset().union(*(table.titles for table in tables)) - {normal_key(title)}
    found = []
    for index in range(min(table.last for table in tables) if titles else len(paragraphs), len(paragraphs)):
        paragraph = paragraphs[index]
        if index in taken or paragraph.gap < 1 or paragraph.lines > 3 or len(paragraph.text) > 150:
            continue
        words = plain_words(paragraph.text)
        shaped = words[:1] not in _QUOTES and words[-1:] not in _QUOTES and (words.isupper() or words[-1:] not in ".!?;,")
        if shaped and normal_key(words) in titles and not any(t.first <= index < t.last for t in tables):
            found.append(Heading(index, paragraph.start, paragraph.end, "listed", None, words))
    return found


def _capitals(capitals: Sequence[Heading], paragraphs: Sequence[Paragraph], others: Sequence[Heading], text: str) -> list[Heading]:
    """Lines of capitals with the widest gap above that at least three share, when numbered headings do not already divide the text."""
    if len(others) >= 3 and len(text) / len(others) < MOST_MEAN and others[0].start < 0.4 * len(text):
        return []
    for gap in (4, 3, 2):
        wide = [h for h in capitals if _gap(text, paragraphs, h.index) >= gap]
        kept = _followed_by_body(wide, paragraphs)
        if len({h.title for h in kept}) >= 3:
            return [_whole_title(h, capitals) for h in kept]
    return []


def _gap(text: str, paragraphs: Sequence[Paragraph], index: int) -> int:
    """Blank lines above a paragraph; a ruled line counts for four."""
    above = text[max(0, paragraphs[index - 1].end - 8) : paragraphs[index - 1].end] if index else ""
    return paragraphs[index].gap + (4 if len(above) == 8 and not above.strip("_-–—=") else 0)


def _whole_title(heading: Heading, capitals: Sequence[Heading]) -> Heading:
    """A heading of capitals with the lines of capitals right below it."""
    below = {h.index: h for h in capitals}
    at = heading.index + 1
    while at in below and len(heading.title) < 100:
        heading = replace(heading, title=f"{heading.title} {below[at].title}", end=below[at].end)
        at += 1
    return heading


def _followed_by_body(headings: Sequence[Heading], paragraphs: Sequence[Paragraph]) -> list[Heading]:
    """Headings with body text soon below; of lines of capitals that stand together, the first."""
    found: list[Heading] = []
    last = -1
    for heading in headings:
        together, last = heading.index == last + 1, heading.index
        if together:
            continue
        after = paragraphs[heading.index + 1 : heading.index + 5]
        if any(p.lines >= 3 and p.length >= 200 or p.length > 400 for p in after):
            found.append(heading)
    return found


def _lines(paragraphs: Sequence[Paragraph], taken: Iterable[int]) -> list[Heading]:
    """Short lines above long ones, in a text whose lines are paragraphs."""
    skip = set(taken)
    long = sum(p.length for p in paragraphs if p.lines == 1 and p.length > 200)
    if not paragraphs or long < 0.6 * sum(p.length for p in paragraphs):
        return []
    found = []
    for index, (paragraph, after) in enumerate(zip(paragraphs, paragraphs[1:], strict=False)):
        words = plain_words(paragraph.text)
        before_is_text = index == 0 or paragraphs[index - 1].length > 100
        if index not in skip and before_is_text and paragraph.lines == 1 and len(words) <= 80 and after.length >= 200 and _is_line_title(words):
            found.append(Heading(index, paragraph.start, paragraph.end, "line", None, words))
    return found if len(found) > 1 else []


def _is_line_title(words: str) -> bool:
    parts = [w for w in re.findall(r"[^\W\d_]+", words) if len(w) > 3]
    if not re.search(r"[^\W\d_]{3}", words) or not (words[0].isupper() or words[0].isdigit()) or words[-1] in ".!?;,:”\"…" or ": " in words[:40] or _NO_TITLE.search(words):
        return False
    return len(words.split()) <= 4 or sum(w[0].isupper() for w in parts) >= 0.5 * len(parts)


def _with_body_title(found: list[Heading], paragraphs: Sequence[Paragraph], title: str) -> list[Heading]:
    """Adds the book's title where it comes again right above the text, when no other heading says that the text begins there."""
    key = normal_key(title)
    if len(key) < 3 or any(h.family not in NAMED for h in found):
        return found
    for index, paragraph in enumerate(paragraphs[1:], start=1):
        if paragraph.start > 15_000:
            break
        if paragraph.gap >= 2 and paragraph.lines <= 2 and normal_key(plain_words(paragraph.text)) == key:
            own = Heading(index, paragraph.start, paragraph.end, "body", None, plain_words(paragraph.text))
            return sorted([*found, own], key=lambda h: h.start)
    return found


def _drop_orphans(found: list[Heading], length: int) -> list[Heading]:
    """Without front matter that would swallow most of a text because nothing tells where it ends."""
    kept = []
    for heading, end in zip(found, [*(h.start for h in found[1:]), length], strict=False):
        if heading.family in ("contents", "front") and end - heading.start > max(40_000, length // 3):
            continue
        kept.append(heading)
    return kept


def _levels(found: Sequence[Heading]) -> list[Entry]:
    """Levels from nesting: a family whose numbers begin again under another, or that lies within one part of another, stands below it."""
    ranks = {h.family: float(RANKS.get(h.family, 45)) for h in found if h.family not in NAMED}
    for family in sorted(ranks, key=lambda name: ranks[name]):
        above = [ranks[other] for other in ranks if other != family and _below_family(found, family, other)]
        if above and max(above) >= ranks[family]:
            ranks[family] = max(above) + 1
    entries: list[Entry] = []
    stack: list[float] = []
    for at, heading in enumerate(found):
        rank = _named_rank(found, at, ranks) if heading.family in NAMED else ranks[heading.family] + heading.depth / 100
        while stack and stack[-1] >= rank:
            stack.pop()
        stack.append(rank)
        entries.append(Entry(heading, len(stack)))
    return entries


def _named_rank(found: Sequence[Heading], at: int, ranks: dict[str, float]) -> float:
    """Named parts stand beside the outermost family; notes between its headings, and a prologue or epilogue among chapters, one below."""
    outer, inner = min(ranks.values(), default=40.0) + 0.01, max(ranks.values(), default=40.0) + 0.01
    outermost = [i for i, h in enumerate(found) if h.family not in NAMED and ranks[h.family] + 0.01 == outer]
    between = bool(outermost) and outermost[0] < at < outermost[-1]
    if found[at].family == "back" and between:
        return inner + 1
    return inner if found[at].family == "whole" and between else outer


def _below_family(found: Sequence[Heading], family: str, other: str) -> bool:
    own = [h for h in found if h.family == family and h.number is not None]
    others = [h.start for h in found if h.family == other]
    if not own or len(others) < 2:
        return False
    starts = [h for h in own if h.number == 1]
    if len(starts) > 1:
        return all(any(before.start < start < after.start for start in others) for before, after in zip(starts, starts[1:], strict=False))
    inside = not any(own[0].start < start < own[-1].start for start in others)
    return inside and len(others) >= 3 and others[0] < own[0].start and (own[-1].start - own[0].start) < 0.3 * (others[-1] - others[0])
