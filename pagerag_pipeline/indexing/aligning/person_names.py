"""Names of people, read by their words: titles, given names, surnames, gender, and whether two of them can be one person's."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from pagerag_pipeline.indexing.aligning.kin import SAME_AGE
from pagerag_pipeline.indexing.extraction.first_names import FEMALE, MALE
from pagerag_pipeline.lexical import STOP_WORDS

MALE_TITLES = frozenset(
    "mr sir lord king prince duke count baron master monsieur m herr signor signore don father brother uncle emperor abbe pere frere oncle esq "
    "admiral colonel captain major general lieutenant sergeant col capt gen lt sgt rev reverend vicomte comte marquis".split()
)
"""Titles that men bear; those of rank and church are counted here, as all but the newest texts use them."""
FEMALE_TITLES = frozenset(
    "mrs ms miss lady dame queen princess duchess countess baroness madame mme mademoiselle mlle frau fraulein signora signorina mother sister aunt "
    "empress mistress tante mere soeur comtesse vicomtesse marquise contessa".split()
)
_NEUTRAL_TITLES = frozenset("dr doctor prof professor hon saint st cousin judge president inspector".split())
TITLES = MALE_TITLES | FEMALE_TITLES | _NEUTRAL_TITLES
UNMARRIED = frozenset({"miss"})
MARRIED = frozenset({"mrs", "lady"})
PLAIN = frozenset({"mr", "miss", "master", "mistress"})
"""Titles that people of no rank bear before a surname or, if they are young or known, a given name."""
RANKS = frozenset(
    "saint sir lord king prince duke count baron admiral colonel captain major general lieutenant sergeant dr prof rev judge president inspector "
    "emperor".split()
)
"""Titles that a man who has one is called by."""
BEFORE_GIVEN = frozenset(
    "sir dame aunt uncle cousin brother sister father mother oncle tante don king queen prince princess saint st".split()
)
"""Titles after which a single word is a given name, if it can be one."""
EPITHETS = frozenset(
    "poor dear dearest old young little sweet good naughty darling honest worthy baby big pretty late pauvre cher chere petit petite vieux alter kleine".split()
)
"""Words before a name that tell how the speaker sees its bearer, not who it is."""
AGES = frozenset("old young little elder younger senior junior sr jr jeune petit petite vieux".split())
"""Words that may tell two bearers of one name apart."""
_SUFFIXES = frozenset("jr sr junior senior esq esquire".split())
_SAME_TITLE = {
    "m": "mr", "monsieur": "mr", "herr": "mr", "signor": "mr", "mme": "mrs", "madame": "mrs", "frau": "mrs", "mlle": "miss", "mademoiselle": "miss",
    "fraulein": "miss", "signorina": "miss", "signora": "mrs", "doctor": "dr", "professor": "prof", "reverend": "rev", "col": "colonel",
    "capt": "captain", "gen": "general", "lt": "lieutenant", "sgt": "sergeant", "st": "saint",
}  # fmt: skip
"""Titles that say the same, as one."""
_NUMERAL = re.compile(r"[ivxl]{2,}$")
_MOST_WORDS = 5
_BROKEN = re.compile(r"[,;:\"\u201c\u201d]|(?:--|\u2014)\w")
_BEFORE_SUFFIX = re.compile(r",(?=\s*(?:sr|jr|senior|junior|esq)\b)", re.I)
_OWNED = re.compile(r"['\u2019]s$")
_NOBILIARY = frozenset("de du des la le von van der den di da d".split())
_LINKS = _NOBILIARY | {"of", "the"}


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name of a person, folded: `words` are its given names and surname without titles, epithets and what follows "of"."""

    key: str
    titles: tuple[str, ...]
    words: tuple[str, ...]
    ages: frozenset[str]
    tail: str
    """What follows "of": where its bearer comes from."""

    @property
    def full(self) -> bool:
        """Whether it has a given name and a surname, or what stands for one: "William of Orange"."""
        return len(self.words) > 1 or bool(self.tail)

    @property
    def numbered(self) -> bool:
        """Whether a numeral tells it from others of its name: whoever is called by the name alone may be any of them."""
        return len(self.words) == 1 and _NUMERAL.fullmatch(self.tail) is not None

    @property
    def gender(self) -> str:
        """m, f, or "" where neither a title nor a given name tells."""
        told = {title_gender(title) for title in self.titles} - {""}
        if told:
            return next(iter(told)) if len(told) == 1 else ""
        return given_gender(self.words[0]) if self.words else ""


@lru_cache(maxsize=200_000)
def read_name(key: str, surface: str) -> PersonName | None:
    """A name as that of a person, by its key and as it is written.

    None for what names several or nobody: coordinations, titles alone, what belongs to somebody, words without a capital.
    """
    written = [word.strip(".,;:!?'\u2019\"()_-") for word in surface.split()]
    if (
        _BROKEN.search(_BEFORE_SUFFIX.sub("", surface))
        or any(word and not word[0].isupper() and word.casefold() not in _LINKS for word in written)
        or any(_OWNED.search(word) for word in written[:-1])
    ):
        return None
    words = [word.strip(".,;:!?'\u2019\"()_-") for word in _folded(key).split()]
    words = [word for word in words if word]
    if not words or any(word in ("and", "&", "et", "und", "misses", "messrs") for word in words) or any(c.isdigit() for c in key):
        return None
    titles: list[str] = []
    ages: set[str] = set()
    while words and (words[0] in TITLES or words[0] in EPITHETS):
        word = words.pop(0)
        (titles.append if word in TITLES else ages.add)(_SAME_TITLE.get(word, word))
    tail = ""
    at = next((place for place, word in enumerate(words) if place and word in ("of", "the")), 0)
    if at:
        words, tail = words[:at], " ".join(words[at + 1 :])
    if len(words) > 1 and _NUMERAL.match(words[-1]):
        tail = words.pop()
    while len(words) > 1 and words[-1] in _SUFFIXES:
        ages.add(SAME_AGE.get(words[-1], words[-1]))
        words.pop()
    while len(words) > 1 and words[0] in EPITHETS:
        ages.add(words.pop(0))
    if (
        not words
        or all(len(word) < 2 for word in words)
        or len(words) > _MOST_WORDS
        or any(word in STOP_WORDS and word not in _LINKS for word in words)
    ):
        return None
    return PersonName(key, tuple(titles), tuple(_joined(words)), frozenset(ages & AGES), tail)


def title_gender(title: str) -> str:
    """m, f, or "" for a title of either."""
    return "m" if title in MALE_TITLES else "f" if title in FEMALE_TITLES else ""


def given_gender(word: str) -> str:
    """m, f, or "" for a given name that is of neither or not known; a short form is of the gender of the names it is short for."""
    male, female = word in MALE, word in FEMALE
    if not male and not female:
        forms = name_forms(word)
        male, female = any(form in MALE for form in forms), any(form in FEMALE for form in forms)
    return "m" if male and not female else "f" if female and not male else ""


def same_given(left: str, right: str) -> bool:
    """Whether two given names can be one person's: equal, an initial of the other, or forms of one name."""
    if left == right or (1 in (len(left), len(right)) and left[0] == right[0]):
        return True
    return bool(name_classes().get(left, frozenset()) & name_classes().get(right, frozenset()))


def near_form(left: str, right: str) -> bool:
    """Whether two forms of a given name show it: by their first letters, or as one begins with a part of the other (Lizzy, Elizabeth)."""
    return left[0] == right[0] or left[:3] in right or right[:3] in left


def known_given(word: str) -> bool:
    """Whether a word is a given name of the lists."""
    return word in MALE or word in FEMALE or word in name_classes()


def name_forms(word: str) -> frozenset[str]:
    """All forms that share a line of the list with a given name."""
    return frozenset(form for line in name_classes().get(word, ()) for form in _lines()[line])


@cache
def name_classes() -> dict[str, frozenset[int]]:
    """Of each form of a given name, the numbers of the lines that hold it."""
    found: dict[str, set[int]] = {}
    for number, forms in enumerate(_lines()):
        for form in forms:
            found.setdefault(form, set()).add(number)
    return {form: frozenset(lines) for form, lines in found.items()}


@cache
def _lines() -> tuple[tuple[str, ...], ...]:
    text = files("pagerag_pipeline.indexing.aligning").joinpath("nicknames.txt").read_text(encoding="utf-8")
    return tuple(tuple(line.split()) for line in text.splitlines() if line and not line.startswith("#"))


def _joined(words: list[str]) -> list[str]:
    """Words with particles of nobility joined to the surname that they open."""
    joined: list[str] = []
    held = ""
    for word in words:
        if word in _NOBILIARY and (joined or held):
            held = f"{held} {word}".strip()
        else:
            joined.append(f"{held} {word}".strip())
            held = ""
    return [*joined, held] if held else joined


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
