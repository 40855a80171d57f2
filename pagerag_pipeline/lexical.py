"""How words are compared: the keys of names and the terms of texts, the same for writing and for asking."""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

VERSION = "lexical/1"

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f]+")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"))
_POSSESSIVE = re.compile(r"['\u2019]s?$")

STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it its "
    "me my no nor not of on or our s she should so some than that the their them then there these they this those to too under up "
    "us was we were what when where which while who whom whose why will with would you your about after all also am any because "
    "before being between both during each few more most only other own same such t through very just".split()
)
"""English function words: they carry no evidence, so coverage leaves them out (BM25 needs no list: it weighs them down)."""


def name_key(name: str) -> str:
    """Normalized key of a name: NFKC, case-folded, white space folded, invisible marks and a possessive ending removed."""
    text = unicodedata.normalize("NFKC", name).translate(_INVISIBLE).casefold()
    return _POSSESSIVE.sub("", " ".join(text.split()))


def words(text: str) -> list[str]:
    """Words of a text in order, case-folded and without diacritics; a run of a script without spaces gives its character bigrams."""
    if text.isascii():
        # The same result as below, several times faster: nearly all English text comes this way.
        return [_POSSESSIVE.sub("", word) if "'" in word else word for word in _WORD.findall(text.lower())]
    folded = unicodedata.normalize("NFKD", text.translate(_INVISIBLE)).casefold()
    folded = "".join(c for c in folded if not unicodedata.combining(c))
    result: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFC", folded)):
        result.extend(_spaceless_bigrams(_POSSESSIVE.sub("", match.group())))
    return result


def terms(text: str) -> list[str]:
    """Search terms of a text in order: its words, stemmed (Snowball, English)."""
    return [stem(word) for word in words(text)]


def content_terms(text: str) -> list[str]:
    """Search terms of a text without function words, in order."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Stem of one case-folded word."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


def _spaceless_bigrams(word: str) -> list[str]:
    pieces: list[str] = []
    position = 0
    for run in _SPACELESS.finditer(word):
        if run.start() > position:
            pieces.append(word[position : run.start()])
        characters = run.group()
        pieces.extend([characters] if len(characters) == 1 else [characters[i : i + 2] for i in range(len(characters) - 1)])
        position = run.end()
    if position < len(word):
        pieces.append(word[position:])
    return pieces
