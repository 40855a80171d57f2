"""A text's tokens, counted once: how many stand in any range, and where a range may be cut."""

from array import array
from bisect import bisect_left

import numpy as np

from pagerag_pipeline.schema.protocols import Tokenizer

BLOCK = 50_000
"""Characters a tokenizer call: bounds its memory on very long texts."""
LONGEST_WORD = 80
"""Longer runs without a token boundary are tokenized in pieces of this size: encoders take them for one unknown word."""


class TokenIndex:
    """Token starts of one text, in order. Counting a range is two bisections."""

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self.text = text
        self._tokenizer = tokenizer
        self.starts: array[int] = array("q")
        self.hard: list[tuple[int, int]] = []
        """Ranges of words that were tokenized in pieces."""
        for start, end in _blocks(text):
            self._read(start, end)
            if 0 < end < len(text) and not text[end].isspace() and not text[end - 1].isspace():
                self.hard.append((end - 1, end + 1))

    def count(self, start: int, end: int) -> int:
        """Tokens that start in [start, end): exact for ranges cut at white space, an estimate for others."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)

    def exact(self, start: int, end: int) -> int:
        """Tokens of the slice [start, end) tokenized by itself."""
        clean = (start == 0 or self.text[start - 1].isspace() or self.text[start].isspace()) and (
            end >= len(self.text) or self.text[end - 1].isspace() or self.text[end].isspace()
        )
        if clean and not self._touches_hard(start, end):
            return self.count(start, end)
        return len(self._tokenizer.offsets(self.text[start:end]))

    def after(self, start: int, tokens: int) -> int:
        """The character position at which the token numbered `tokens` (from 0) after `start` begins; the end of the text when there are fewer."""
        index = bisect_left(self.starts, start) + tokens
        return self.starts[index] if index < len(self.starts) else len(self.text)

    def _touches_hard(self, start: int, end: int) -> bool:
        at = bisect_left(self.hard, (start, 0))
        return (at < len(self.hard) and self.hard[at][0] < end) or (at > 0 and self.hard[at - 1][1] > start)

    def _read(self, start: int, end: int) -> None:
        offsets = self._tokenizer.offsets(self.text[start:end])
        if len(offsets) == 0:
            return
        if int((offsets[:, 1] - offsets[:, 0]).max()) <= LONGEST_WORD:
            self.starts.extend((offsets[:, 0] + start).tolist())
            return
        for begin, finish in (offsets + start).tolist():
            if finish - begin <= LONGEST_WORD:
                self.starts.append(begin)
            else:
                self._read_pieces(begin, finish)

    def _read_pieces(self, begin: int, finish: int) -> None:
        self.hard.append((begin, finish))
        for at in range(begin, finish, LONGEST_WORD):
            offsets: np.ndarray = self._tokenizer.offsets(self.text[at : min(at + LONGEST_WORD, finish)])
            pieces = (offsets[:, 0] + at).tolist() or [at]
            pieces[0] = at
            self.starts.extend(pieces)


def _blocks(text: str) -> list[tuple[int, int]]:
    """Ranges of about BLOCK characters, cut where white space follows, else anywhere."""
    found = []
    start = 0
    while start < len(text):
        end = min(start + BLOCK, len(text))
        if end < len(text):
            cut = max(text.rfind("\n", start, end), text.rfind(" ", start + BLOCK // 2, end))
            end = cut if cut > start else end
        found.append((start, end))
        start = end
    return found
