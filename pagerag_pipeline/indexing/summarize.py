"""Extractive summaries: the sentences that say most of some texts, word for word, within a token budget."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.rank import centrality, choose, term_matrix
from pagerag_pipeline.schema import Quote, Span, Summary, Tokenizer
from pagerag_pipeline.settings import SummarizeSettings

VERSION = "summarize/1"

_FULL_TERMS = 6
"""Sentences with fewer content terms than this say little by themselves: their worth shrinks in proportion."""
_LEAD = 0.05
"""What the first sentence of a part gains, falling to nothing at its end."""
_NEW_PART = 0.2
"""What a sentence gains while nothing of its part is quoted."""


@dataclass(frozen=True, slots=True)
class SummaryPart:
    """A text to be summarized, or a piece of one: `text` begins at `start` in the content with id `content_id`."""

    content_id: str
    text: str
    sentences: tuple[Span, ...]
    """Relative to `text`, in order; none means that the whole text is one sentence."""
    start: int = 0


def quoted_parts(summaries: Sequence[Summary]) -> list[SummaryPart]:
    """The quotes of some summaries as parts for the summary above them, so that its quotes point at the same contents."""
    quotes = [quote for summary in summaries for quote in summary.quotes]
    return [SummaryPart(quote.content_id, quote.text, (Span(0, len(quote.text)),), quote.start) for quote in quotes]


def summarize_texts(parts: Sequence[SummaryPart], tokenizer: Tokenizer, settings: SummarizeSettings) -> Summary:
    """Quotes in reading order of at most `summary_tokens` tokens in all, joined by spaces; empty only if the parts are white space.

    Sentences are ranked by LexRank over content terms, with a small gain for the head of a part and for a part that has no quote yet, and a loss
    for repeating what is chosen. A sentence that alone exceeds the budget is clipped after a word, and only if nothing else fits.
    """
    quotes, parents = _sentences(parts)
    if not quotes:
        return Summary("", ())
    terms = [lexical.content_terms(quote.text) for quote in quotes]
    matrix = term_matrix(terms)
    values = centrality(matrix) * np.minimum(1, np.array([len(one) for one in terms]) / _FULL_TERMS) + _lead(parents)
    budget = Budget(tokenizer, settings.summary_tokens)
    quoted = np.zeros(len(parts))

    def fits(index: int) -> bool:
        taken = budget.takes(quotes[index].text)
        if taken:
            quoted[parents[index]] = 1
        return taken

    def gain() -> np.ndarray:
        unquoted: np.ndarray = 1 - quoted[parents]
        return _NEW_PART * unquoted

    chosen = choose(values, matrix, fits=fits, gain=gain, most=len(quotes))
    kept = [quotes[index] for index in sorted(chosen)] or [clipped(quotes[int(np.argmax(values))], tokenizer, settings.summary_tokens)]
    return Summary(" ".join(quote.text for quote in kept), tuple(kept))


class Budget:
    """Tokens that are left for quotes."""

    def __init__(self, tokenizer: Tokenizer, tokens: int) -> None:
        self._tokenizer = tokenizer
        self.left = tokens

    def takes(self, text: str) -> bool:
        """Whether the text fits into what is left, and if so, it is taken off."""
        tokens = len(self._tokenizer.offsets(text))
        if tokens > self.left:
            return False
        self.left -= tokens
        return True


def clipped(quote: Quote, tokenizer: Tokenizer, tokens: int) -> Quote:
    """The beginning of a quote, of at most that many tokens and at least one character, cut between words where its script has spaces."""
    text = quote.text
    while len(offsets := tokenizer.offsets(text)) > tokens and len(text) > 1:
        text = _beginning(text, min(int(offsets[max(tokens, 1) - 1, 1]), len(text) - 1))
    return Quote(quote.content_id, quote.start, quote.start + len(text), text)


def _beginning(text: str, end: int) -> str:
    """The text before `end`, or before the word that `end` would cut if that costs less than half."""
    space = max(text.rfind(" ", 0, end), text.rfind("\n", 0, end))
    inside = not text[end].isspace() and not text[end - 1].isspace()
    return text[: space if inside and space > end // 2 else end].rstrip()


def _sentences(parts: Sequence[SummaryPart]) -> tuple[list[Quote], np.ndarray]:
    """All sentences as quotes without the white space around them, in reading order, and the index of each one's part."""
    quotes: list[Quote] = []
    parents: list[int] = []
    for index, part in enumerate(parts):
        for span in part.sentences or (Span(0, len(part.text)),):
            text = part.text[span.start : span.end]
            stripped = text.strip()
            if stripped:
                start = part.start + span.start + len(text) - len(text.lstrip())
                quotes.append(Quote(part.content_id, start, start + len(stripped), stripped))
                parents.append(index)
    return quotes, np.array(parents, dtype=np.int64)


def _lead(parents: np.ndarray) -> np.ndarray:
    sizes = np.bincount(parents)
    first = np.cumsum(sizes) - sizes
    behind: np.ndarray = (np.arange(len(parents)) - first[parents]) / sizes[parents]
    return _LEAD * (1 - behind)
