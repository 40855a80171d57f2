"""Tokenizers that say where every token of a text stands. None of them cuts a text off, and none needs torch."""

import re
from pathlib import Path

import numpy as np
import tokenizers

UNKNOWN_CHARACTERS = 4
"""An unknown token that covers more characters than this counts as one token for each so many."""
LONGEST_TOKEN = 32
"""A known token that covers more characters than this (by marks that the model drops) is counted in the same way."""
BLOCK = 4096
"""Characters a piece when a long text is tokenized in parallel; measured: 0.26 s a megabyte on two threads, 0.75 s whole."""

_BREAK = re.compile(r"[ \n]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_SPACELESS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_WORD_PIECE = re.compile(rf"[{_SPACELESS}]|[^\W{_SPACELESS}]{{1,12}}|[^\w\s]")


class WordPieceTokenizer:
    """A BERT tokenizer with character offsets.

    Cutting a text at a space or line feed never changes its tokens: this model's pre-tokenizer splits there first. Its tokenizer makes one
    [UNK] of a word of more than 100 characters, and of a word in a script that it does not know, so one token could stand for a whole
    file: here such a span is reported as pseudo tokens of four characters, which a chunker can cut between. So a text has at most
    as many tokens for the model as are counted here; only a piece of at most 100 characters cut out of such a word may have more,
    and has to be counted anew. One character can hold several tokens (a Hangul syllable does); starts never decrease.
    """

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self._model = tokenizers.Tokenizer.from_file(str(path))
        self._model.no_truncation()
        self._model.no_padding()
        self._unknown = self._model.token_to_id("[UNK]")

    def ids(self, texts: list[str]) -> list[list[int]]:
        """Token ids of each text as the model reads them, with [CLS] and [SEP] around."""
        return [one.ids for one in self._model.encode_batch_fast([without_surrogates(text) for text in texts])]

    def spans(self, texts: list[str]) -> list[np.ndarray]:
        """Character ranges of the tokens that `ids` gives, [CLS] and [SEP] apart: an unknown word is one."""
        encoded = self._model.encode_batch([without_surrogates(text) for text in texts], add_special_tokens=False)
        return [np.array(one.offsets, dtype=np.int32).reshape(-1, 2) for one in encoded]

    def offsets(self, text: str) -> np.ndarray:
        """Character ranges of all tokens, int32 of shape (n, 2), in order, without special tokens, nothing truncated."""
        text = without_surrogates(text)
        cuts = _cuts(text)
        pieces = [text[start:end] for start, end in zip(cuts, cuts[1:], strict=False)]
        # A text of one piece is not worth waking other threads for.
        encoded = self._model.encode_batch(pieces, add_special_tokens=False) if len(pieces) > 1 else [self._model.encode(text, add_special_tokens=False)]
        ranges = [np.array(one.offsets, dtype=np.int32).reshape(-1, 2) + cut for one, cut in zip(encoded, cuts, strict=False)]
        unknown = [np.array(one.ids, dtype=np.int32) == self._unknown for one in encoded]
        return _expanded(np.concatenate(ranges), np.concatenate(unknown))


class WordTokenizer:
    """Pieces of words (at most 12 characters), single characters of scripts without spaces, and single marks: the hash model's tokens.

    Cutting a text between two tokens leaves the tokens of both halves as they were.
    """

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint

    def offsets(self, text: str) -> np.ndarray:
        """Character ranges of all tokens, int32 of shape (n, 2), in order."""
        return np.array([match.span() for match in _WORD_PIECE.finditer(text)], dtype=np.int32).reshape(-1, 2)


def without_surrogates(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD, so that it can be encoded; offsets do not move."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def _cuts(text: str) -> list[int]:
    """Where pieces begin, from 0 to the text's length: at the first break after each BLOCK characters."""
    cuts = [0]
    while match := _BREAK.search(text, cuts[-1] + BLOCK):
        cuts.append(match.start())
    cuts.append(len(text))
    return cuts


def _expanded(ranges: np.ndarray, unknown: np.ndarray) -> np.ndarray:
    lengths = ranges[:, 1] - ranges[:, 0]
    wide = (unknown & (lengths > UNKNOWN_CHARACTERS)) | (lengths > LONGEST_TOKEN)
    if not wide.any():
        return ranges
    counts = np.where(wide, -(-lengths // UNKNOWN_CHARACTERS), 1)
    first = np.repeat(np.cumsum(counts) - counts, counts)
    within = np.arange(counts.sum(), dtype=np.int32) - first.astype(np.int32)
    starts = np.repeat(ranges[:, 0], counts) + within * UNKNOWN_CHARACTERS
    ends = np.where(np.repeat(wide, counts), starts + UNKNOWN_CHARACTERS, np.repeat(ranges[:, 1], counts))
    return np.stack([starts, np.minimum(ends, np.repeat(ranges[:, 1], counts))], axis=1).astype(np.int32)
