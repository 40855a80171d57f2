"""The shipped word families (`lexicon.toml`): what types of an ontology are to a tagger, names of countries, forms of words."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from pagerag_pipeline.schema.ids import digest

_SHIPPED = Path(__file__).with_name("lexicon.toml")
_PIECES = re.compile(r"\d+(?:st|nd|rd|th)?|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]+")
_IRREGULAR = {
    "born": "bear", "built": "build", "made": "make", "led": "lead", "known": "know", "written": "write", "won": "win", "held": "hold",
    "given": "give", "sung": "sing", "drawn": "draw", "taught": "teach", "shot": "shoot", "begun": "begin", "sold": "sell", "bought": "buy",
    "run": "run", "set": "set", "found": "find", "spoken": "speak", "worn": "wear", "kept": "keep", "fought": "fight", "chosen": "choose",
    "taken": "take", "succeeded": "succeed", "preceded": "precede", "died": "die",
}  # fmt: skip


def name_words(name: str) -> tuple[str, ...]:
    """The words of a relation's name: "birthPlace" and "birth_place" give birth, place."""
    return tuple(piece.casefold() for piece in _PIECES.findall(name))


def type_labels(name: str) -> frozenset[str] | None:
    """Tagger labels of a type named in an ontology; None for one that may be anything."""
    words = name_words(name)
    tables = word_tables()
    for candidate in ("".join(words), words[-1] if words else ""):
        kind = _type_names().get(singular(candidate)) or _type_names().get(candidate)
        if kind is not None:
            return frozenset(tables["types"][kind])
    return None


def nationalities() -> dict[str, str]:
    """Countries by their adjective."""
    return word_tables()["nationalities"]  # type: ignore[no-any-return]


def country_name(surface: str) -> str:
    """A country's name for its short form: "United States" for "U.S."; other names as they are."""
    return str(word_tables()["short_forms"].get(surface, surface))


def kind_words() -> frozenset[str]:
    """Nouns that say what kind of place a name is of: "the city of Hale"."""
    return frozenset(_type_names())


@cache
def countries() -> frozenset[str]:
    """Case-folded names of countries that have an adjective here, with their usual short forms."""
    return frozenset(name.casefold() for name in (*nationalities().values(), *word_tables()["countries"]["more"]))


def place_words(kind: str) -> frozenset[str]:
    """Words of a kind of place, or `verbs` of being somewhere."""
    return frozenset(word_tables()["places"][kind].split())


def lexicon_fingerprint() -> str:
    """Digest of the shipped word families."""
    return digest("lexicon", _SHIPPED.read_text(encoding="utf-8"))


def singular(word: str) -> str:
    """A noun without the ending of a plural."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def verb_lemmas(word: str) -> list[str]:
    """Verbs that a participle, an -ing form or an agent noun may come from; none for other words."""
    if word in _IRREGULAR:
        return [_IRREGULAR[word]]
    for ending in ("ed", "ing", "er", "or"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) > 2:
            doubled = [stem[:-1]] if stem[-1] == stem[-2] else []
            changed = [stem[:-1] + "y"] if stem.endswith("i") else []
            return [stem, f"{stem}e", *doubled, *changed]
    return []


@lru_cache(maxsize=1)
def word_tables() -> dict[str, Any]:
    """The tables of `lexicon.toml`."""
    return tomllib.loads(_SHIPPED.read_text(encoding="utf-8"))


@cache
def _type_names() -> dict[str, str]:
    return dict(_named())


def _named() -> Iterator[tuple[str, str]]:
    for kind, names in word_tables()["type_names"].items():
        for name in names.split():
            yield name, kind
