"""Numbered headings of plain text: which keywords and bare numbers count, by the sequences they form and the text between them."""

import statistics
from collections.abc import Sequence

from pagerag_pipeline.indexing.layout.headings import Heading
from pagerag_pipeline.indexing.layout.paragraphs import Paragraph

KEYWORDS = ("volume", "book", "part", "act", "chapter", "letter", "scene", "section")
LEAST_BODY = 1_000
"""Bare numbers that follow each other more closely (median, characters) count the stanzas of a poem or the items of a list."""
LEAST_TITLED_BODY = 350
"""The same for numbers with a title."""
LEAST_PAGE = 4_500
"""Bare Arabic numbers that follow each other more closely are page numbers."""


def numbered_headings(possible: Sequence[Heading], paragraphs: Sequence[Paragraph], length: int) -> list[Heading]:
    """Keyword headings that stand apart, and runs of numbers 1, 2, 3 that hold text between them."""
    keyword = [h for h in possible if h.family in KEYWORDS and _stands_apart(paragraphs, h)]
    found = [h for family in KEYWORDS for h in _not_repeated([k for k in keyword if k.family == family], keyword, length)]
    for family, bare in (("roman", None), ("arabic", False), ("arabic", True)):
        members = [h for h in possible if h.family == family and (bare is None or h.bare == bare)]
        runs = _runs([h for h in members if _stands_apart(paragraphs, h) and (not bare or paragraphs[h.index].gap >= 2)])
        kept = [run for run in runs if _is_structure(run)]
        covered = sum(run[-1].start - run[0].start for run in kept)
        found.extend(h for run in kept if covered > 0.3 * length or _opens_a_part(run[0], possible, found) for h in run)
    return sorted(found, key=lambda h: h.start)


def _opens_a_part(first: Heading, possible: Sequence[Heading], found: Sequence[Heading]) -> bool:
    """Whether a run of numbers begins right below a heading that may contain it."""
    above = [h.start for h in (*possible, *found) if h.start < first.start and h.family != first.family and h.family != "arabic"]
    return bool(above) and first.start - max(above) < 3_000


def _stands_apart(paragraphs: Sequence[Paragraph], heading: Heading) -> bool:
    paragraph = paragraphs[heading.index]
    return heading.index == 0 or paragraph.gap >= 1 or paragraphs[heading.index - 1].lines == 1


def _not_repeated(headings: Sequence[Heading], all_keywords: Sequence[Heading], length: int) -> list[Heading]:
    """Headings of one keyword without a run that only lists them: it counts from 1 as another run does, and its parts are ten times smaller.

    Numbers that begin again under a heading of another keyword (scenes of an act) are no such run.
    """
    runs: list[list[Heading]] = []
    for heading in headings:
        if not runs or (heading.number == 1 and runs[-1][-1].number != 1):
            runs.append([])
        runs[-1].append(heading)
    if len(runs) < 2:
        return _without_title_pages(headings)
    ends = [run[0].start for run in runs[1:]] + [length]
    sizes = [(min(end, run[-1].start + 20_000) - run[0].start) / len(run) for run, end in zip(runs, ends, strict=True)]
    others = [h.start for h in all_keywords if h.family != headings[0].family]
    nested = any(before[-1].start < start < after[0].start for before, after in zip(runs, runs[1:], strict=False) for start in others)
    return [h for run, size in zip(runs, sizes, strict=True) if nested or 10 * size >= max(sizes) for h in run]


def _without_title_pages(headings: Sequence[Heading]) -> list[Heading]:
    """Without a heading that comes again a little later: the first stands on a title page."""
    pairs = zip(headings, [*headings[1:], None], strict=False)
    return [h for h, after in pairs if after is None or after.number != h.number or after.start - h.start > 3_000]


def _runs(headings: Sequence[Heading]) -> list[list[Heading]]:
    """Runs that count from 1 upward, a missing number allowed; dotted numbers go with the run of their first number."""
    runs: list[list[Heading]] = []
    last = 0
    for heading in headings:
        if heading.depth > 1:
            if runs and heading.top == last:
                runs[-1].append(heading)
        elif heading.number == 1:
            runs.append([heading])
            last = 1
        elif runs and heading.number in (last + 1, last + 2):
            runs[-1].append(heading)
            last = heading.number or 0
    return [run for run in runs if len(run) > 1]


def _is_structure(run: Sequence[Heading]) -> bool:
    """Whether enough text stands between the numbers: more than in a list, and, for bare Arabic ones, more than on a page."""
    bare = all(h.bare for h in run)
    median = statistics.median(after.start - before.start for before, after in zip(run, run[1:], strict=False))
    if run[0].family == "arabic" and bare:
        return median >= LEAST_PAGE
    return median >= (LEAST_BODY if bare else LEAST_TITLED_BODY)
