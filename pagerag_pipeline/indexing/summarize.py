"""Extractive summaries: the sentences that say most of some texts, word for word, within a token budget."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagerag_pipeline import lexical
from pagerag_pipeline.indexing.rank import TermMatrix, centrality, choose, term_matrix
from pagerag_pipeline.schema.documents import Span
from pagerag_pipeline.schema.knowledge import Quote, Summary
from pagerag_pipeline.schema.protocols import Tokenizer
from pagerag_pipeline.settings import SummarizeSettings

VERSION = "summarize/2"

_FULL_TERMS = 6
"""Sentences with fewer content terms than this say little by themselves: their worth shrinks in proportion."""
_LEAD = 0.05
"""What the first sentence of a part gains, falling to nothing at its end."""
_NEW_PART = 0.2
"""What a sentence gains while nothing of its part is quoted."""
_SPEECH = 0.4
"""What a sentence of someone's speech loses: it rarely says by itself what happens or what holds. Chosen, as the next, by benchmarks/summaries.py."""
_NAME = 0.3
"""What a sentence gains by the name that is named most, by others in proportion to their mentions, and again while they are in no chosen sentence."""
_MOST_NAMES = 1.5
"""A list of names gains no more than this many of the most named one."""

_QUOTED_TERM = re.compile(r"[\"“„«「『](?=\w)[^\"“”„«»「」『』.,!?…—]{1,30}(?<=\w)[\"”“»」』]")
_MARKS = re.compile(r"[\"“”„«»「」『』]|(?:^|\s)['‘]|^[—–]\s")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
"""Shorter ones are titles (`Mr`), pronouns (`I`) and initials more often than names."""


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

    Sentences are ranked by LexRank over content terms, with a gain for names that are often named, the more while they are not yet quoted, for the
    head of a part and for a part that has no quote yet, and a loss for speech and for repeating what is chosen. A sentence that alone exceeds the budget is clipped after a word, and only if nothing else fits.
    """
    quotes, parents = sentences(parts)
    if not quotes:
        return Summary("", ())
    terms = [lexical.content_terms(quote.text) for quote in quotes]
    matrix = term_matrix(terms)
    names = _Names([quote.text for quote in quotes])
    told = centrality(matrix) + _NAME * names.worth() - _SPEECH * np.array([_is_speech(quote.text) for quote in quotes])
    values = told * np.minimum(1, np.array([len(one) for one in terms]) / _FULL_TERMS) + _lead(parents)
    budget = Budget(tokenizer, settings.summary_tokens)
    quoted = np.zeros(len(parts))

    def fits(index: int) -> bool:
        taken = budget.takes(quotes[index].text)
        if taken:
            quoted[parents[index]] = 1
            names.take(index)
        return taken

    def gain() -> np.ndarray:
        gained: np.ndarray = _NEW_PART * (1 - quoted[parents]) + _NAME * names.worth()
        return gained

    chosen = choose(values, matrix, fits=fits, gain=gain, most=len(quotes))
    kept = [quotes[index] for index in sorted(chosen)] or [clipped(quotes[int(np.argmax(values))], tokenizer, settings.summary_tokens)]
    return Summary(" ".join(quote.text for quote in kept), tuple(kept))


class _Names:
    """The capitalized words of some sentences that are names by where they stand, weighed by their mentions; none in a script without capitals."""

    def __init__(self, texts: Sequence[str]) -> None:
        words = [[match for match in _LONG_WORD.finditer(text) if _is_capitalized(match.group())] for text in texts]
        inside = Counter(match.group() for text, some in zip(texts, words, strict=True) for match in some if _goes_on(text, match.start()))
        place = {name: column for column, name in enumerate(sorted(name for name, count in inside.items() if count > 1))}
        held = [(row, column) for row, some in enumerate(words) for column in sorted({place[m.group()] for m in some if m.group() in place})]
        rows, columns = np.array(held, dtype=np.int64).reshape(-1, 2).T
        self._matrix = TermMatrix(len(texts), len(place), rows, columns, np.ones(len(held)))
        self._weights = np.array([inside[name] for name in place]) / max(inside.values(), default=1)

    def worth(self) -> np.ndarray:
        """Per sentence the sum of the weights of its names, the most named one of all weighing 1; at most _MOST_NAMES."""
        worth: np.ndarray = np.minimum(self._matrix.times(self._weights), _MOST_NAMES)
        return worth

    def take(self, row: int) -> None:
        """Names of a chosen sentence weigh nothing any more."""
        self._weights[self._matrix.columns[self._matrix.rows == row]] = 0


def _is_capitalized(word: str) -> bool:
    return word[0].isupper() and not word.isupper()


def _goes_on(text: str, start: int) -> bool:
    """Whether a word at `start` stands within a sentence, so that its capital is its own."""
    return start > 1 and text[start - 1].isspace() and (text[start - 2].islower() or text[start - 2] in ",;")


def _is_speech(text: str) -> bool:
    """Whether a sentence has marks of quotation, around more than a term, or begins with a dash."""
    return _MARKS.search(_QUOTED_TERM.sub("", text)) is not None


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


def sentences(parts: Sequence[SummaryPart]) -> tuple[list[Quote], np.ndarray]:
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
