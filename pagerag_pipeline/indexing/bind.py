"""Gate G1: the place in a text where a quote stands, word for word or nearly so."""

import re
from difflib import SequenceMatcher

from pagerag_pipeline.schema.documents import Span

SIMILAR = 0.90
"""Least similarity of a fuzzy binding; systems, section 2.3, gate G1."""
_MOST_FUZZY = 2_000
"""Longer quotes are bound word for word only: comparing windows costs quadratic time."""
_WORD = re.compile(r"\S+")


def bind_quote(text: str, quote: str, start: int) -> Span | None:
    """The span of a quote in a text, None when it stands nowhere.

    Exact at `start`, else its exact occurrence nearest to it, else the same words with other white space and case, else the most similar
    window of as many words (similarity at least 0.90).
    """
    if not quote.strip():
        return None
    if 0 <= start and text[start : start + len(quote)] == quote:
        return Span(start, start + len(quote))
    return _nearest(text, re.escape(quote), start) or _nearest(text, _loose(quote), start, re.IGNORECASE) or _fuzzy(text, quote)


def _nearest(text: str, pattern: str, start: int, flags: int = 0) -> Span | None:
    spans = [Span(*match.span()) for match in re.finditer(pattern, text, flags)]
    return min(spans, key=lambda span: (abs(span.start - start), span.start), default=None)


def _loose(quote: str) -> str:
    return r"\s+".join(re.escape(word) for word in quote.split())


def _fuzzy(text: str, quote: str) -> Span | None:
    """The window of as many words as the quote has that is most like it; the earliest of equals."""
    words = [Span(*match.span()) for match in _WORD.finditer(text)]
    count = len(quote.split())
    if len(quote) > _MOST_FUZZY or count > len(words) + 1:
        return None
    best, best_score = None, SIMILAR
    matcher = SequenceMatcher(None, b=quote.casefold(), autojunk=False)
    for first in range(max(1, len(words) - count + 1)):
        window = Span(words[first].start, words[min(first + count, len(words)) - 1].end)
        matcher.set_seq1(text[window.start : window.end].casefold())
        if matcher.real_quick_ratio() >= best_score and matcher.quick_ratio() >= best_score and (score := matcher.ratio()) >= best_score:
            if best is None or score > best_score:
                best, best_score = window, score
    return best
