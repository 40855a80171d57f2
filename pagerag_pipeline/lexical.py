"""How words are compared: the keys of names and the terms of texts, the same for writing and for asking."""

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

VERSION = "lexical/2"

_MARKS = "\u0900-\u0963\u0970-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
"""Vowel signs of Indic and Thai script: parts of words that Python's `\\w` leaves out."""
_WORD = re.compile(rf"(?:[^\W_]|[{_MARKS}])+(?:['\u2019][^\W_]+)*")
_SPACELESS = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f\U00020000-\U0003134f]+")
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|dell|nell|sull|dall|all)['\u2019](?=[^\W\d_]{2})")
"""An article, pronoun or conjunction that lost its vowel before the word it stands with (French, Italian): `l'homme` is found by `homme`."""
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"))
_FOLDS = re.compile(r"[^\x00-\x7f\u2013\u2014\u2018-\u201d\u2026]")
"""What folding may change: all but ASCII and typographic dashes, quotes and dots, which it leaves as they are or which end a word before and after."""
_POSSESSIVE = re.compile(r"['\u2019]s?$")

LONGEST_NAME = 6
"""Words of the longest name looked for in a question or title."""

MONTHS = "january february march april may june july august september october november december".split()
"""English names of the months, in order."""

STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it its "
    "me my no nor not of on or our s she should so some than that the their them then there these they this those to too under up "
    "us was we were what when where which while who whom whose why will with would you your about after all also am any because "
    "before being between both during each few more most only other own same such t through very just".split()
)
"""English function words: they carry no evidence, so coverage leaves them out (BM25 needs no list: it weighs them down)."""

QUESTION_WORDS = frozenset(
    "wer wen wem wessen wann wo woher wohin wie warum weshalb wieso welche welcher welches welchen welchem wieviel wieviele "
    "qui quand ou quoi que quel quelle quels quelles comment pourquoi combien quien quienes cuando donde adonde cual cuales como cuanto cuantos cuanta cuantas "
    "chi quando dove cosa come perche quale quali quanto quanti quem onde qual quais quantos quantas "
    "\u0645\u0646 \u0645\u062a\u0649 \u0627\u064a\u0646 \u0645\u0627\u0630\u0627 \u0645\u0627 \u0644\u0645\u0627\u0630\u0627 \u0643\u064a\u0641 \u0643\u0645 "
    "\u0627\u064a \u0647\u0644 \u05de\u05d9 \u05de\u05ea\u05d9 \u05d0\u05d9\u05e4\u05d4 \u05d4\u05d9\u05db\u05df "
    "\u05de\u05d4 \u05dc\u05de\u05d4 \u05de\u05d3\u05d5\u05e2 "
    "\u05d0\u05d9\u05da \u05db\u05de\u05d4 \u05d0\u05d9\u05d6\u05d4 \u05d0\u05d9\u05d6\u05d5 \u05d4\u05d0\u05dd".split()
)
"""Words that ask, in German, French, Spanish, Italian, Portuguese, Arabic and Hebrew, as `words` gives them."""

SPACELESS_ASKING = re.compile(
    "(?:\u8ab0|\u8c01|\u3060\u308c|\u3069\u306a\u305f|\u3044\u3064(?!\u3082)|\u3069\u3053|(?<!\u5e7e)\u4f55\u65f6"
    "|(?<!\u5e7e)\u4f55(?:\u5e74|\u4eba|\u6642|\u6708|\u65e5)?|\u306a\u306b|\u306a\u305c"
    "|\u3069\u306e|\u3069\u308c|\u3069\u3061\u3089|\u3044\u304f\u3064|\u3044\u304f\u3089|\u3069\u3046|\u70ba\u4ec0\u9ebc|\u4e3a\u4ec0\u4e48"
    "|\u4ec0\u4e48|\u4ec0\u9ebc|\u54ea(?:\u91cc|\u88e1|\u513f|\u5e74)?"
    "|\u600e\u4e48|\u600e\u9ebc|\u600e\u6837|\u591a\u5c11)[\u304c\u306f\u3092\u306b\u3067]?"
    "|\u3057?(?:\u307e\u3057\u305f|\u307e\u3059|\u3067\u3059|\u3067\u3057\u305f)?(?:\u304b|\u5417|\u55ce|\u5462)(?=\\s*[?\uff1f\u3002]?\\s*$)"
)
"""Words and endings that ask in Japanese and Chinese, with the particle behind them."""

EMPTY_NOUNS = frozenset(
    "thing things one ones something anything nothing everything lot lots way ways kind sort bit moment time times fact case "
    "side part parts number couple deal rest end matter reason sense course point example instance manner self own people".split()
)
"""English nouns that name nothing by themselves."""


def name_key(name: str) -> str:
    """Normalized key of a name: NFKC, case-folded, white space folded, invisible marks and a possessive ending removed."""
    text = unicodedata.normalize("NFKC", name).translate(_INVISIBLE).casefold()
    return _POSSESSIVE.sub("", " ".join(text.split()))


def name_candidates(text: str) -> list[str]:
    """Keys of all word runs of a question or title that might be names, longest first."""
    folded = name_key(text)
    tokens = [(m.start(), m.end()) for m in re.finditer(r"[^\s,;:!?\"()\u201c\u201d]+", folded)]
    runs: dict[str, int] = {}
    for i in range(len(tokens)):
        for j in range(i, min(len(tokens), i + LONGEST_NAME)):
            key = name_key(folded[tokens[i][0] : tokens[j][1]].strip(".'\u2019"))
            if key and not all(word in STOP_WORDS for word in words(key)):
                runs.setdefault(key, j - i + 1)
    return sorted(runs, key=lambda key: (-runs[key], key))


def words(text: str) -> list[str]:
    """Words of a text in order, case-folded, without diacritics and elided articles; a run of a script without spaces gives its character bigrams."""
    if _FOLDS.search(text) is None:
        # The same result as below, several times faster: nearly all English text comes this way.
        return [_plain(word) if "'" in word or "\u2019" in word else word for word in _WORD.findall(text.lower())]
    folded = unicodedata.normalize("NFKD", text.translate(_INVISIBLE)).casefold()
    folded = "".join(c for c in folded if not unicodedata.combining(c))
    result: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFC", folded)):
        result.extend(_spaceless_bigrams(_plain(match.group())))
    return result


def terms(text: str) -> list[str]:
    """Search terms of a text in order: its words, stemmed."""
    return [stem(word) for word in words(text)]


def content_terms(text: str) -> list[str]:
    """Search terms of a text without function words, in order."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Stem of one case-folded word, Snowball's English one in every language.

    A short question does not tell its language and a corpus may hold several, so no stemmer is chosen by it. Cutting French and German endings
    off every word finds more of their inflections, but merges English words on which refusals rest (`founder` and `found`, `paint` and `pain`).
    """
    return str(_stemmer().stemWord(word))


def _plain(word: str) -> str:
    """A word without the apostrophe and what it joins before or after it."""
    return _POSSESSIVE.sub("", _ELISION.sub("", word))


_OWN = threading.local()


def _stemmer() -> Stemmer.Stemmer:
    """One a thread: a stemmer keeps the word it works on, and two threads would cut each other's. Stems are remembered above, not by it."""
    own = getattr(_OWN, "stemmer", None)
    if own is None:
        own = _OWN.stemmer = Stemmer.Stemmer("english", 0)
    return own


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
