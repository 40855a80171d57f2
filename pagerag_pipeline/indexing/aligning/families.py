"""Surnames that a text says of a family, its house or the name itself: "the House of Hale", "the Hale family", "her maiden name was Hale"."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from pagerag_pipeline.lexical import name_key

_NAME = r"(?P<{}>[A-Z\u00c0-\u00de][\w-]+)"
_ALONE = r"\b(?![ \t]+[A-Z\u00c0-\u00de])"
"""After a single name: no further one, whose given name it would be."""
_SURNAME = r"(?:(?:family|last|maiden)[ -]names?|surnames?|patronymics?|noms? de (?:famille|jeune fille)|(?:Familien|Nach|M\u00e4dchen)namen?)"
_LINEAGE = r"(?:family|families|race|clan|dynasty|lineage|household)"
_BEING = r"(?:being|is|was|were|of|as|had been|has been|est|\u00e9tait|ist|war|lautete?)"
_WHOSE = r"(?:my|your|thy|his|her|its|our|their|the|an?|mon|son|sein|ihr)"
_OF_FAMILY = re.compile(
    rf"\b(?:[Hh]ouse|{_LINEAGE}) of (?:the )?{_NAME.format('after')}{_ALONE}"
    rf"|\b(?:famille|Familie) (?:d[eu] |von )?{_NAME.format('called')}{_ALONE}"
    rf"|\b{_SURNAME}(?:\s*,)?(?:\s+{_BEING})?\s+{_NAME.format('named')}{_ALONE}"
    rf"|\b(?:the|this|that|whole|entire|old)\s+{_NAME.format('before')}\s+{_LINEAGE}\b"
    rf"|\b{_NAME.format('given')}\s*,?\s+(?:as|for|is|was|being|became|comme|als)\s+(?:{_WHOSE}\s+(?:[\w'\u2019]+\s+){{0,3}})?{_SURNAME}\b"
)
"""Five ways of saying a surname of no person; the last allows for some words between, as in "as my late father's family name"."""


def family_names(text: str, mentions: Iterable[tuple[int, int, str]]) -> frozenset[str]:
    """Keys of one word that a document says more often of a family, or as a name, than, standing alone, of somebody.

    Mentions are (start, end, key). Linear in text and mentions.
    """
    places = dict(_places(text))
    said = Counter(places.values())
    alone = Counter(key for start, _, key in mentions if key in said and start not in places)
    return frozenset(key for key, count in said.items() if count > alone[key])


def _places(text: str) -> Iterator[tuple[int, str]]:
    """Where a name stands that is a family's, and its key."""
    for match in _OF_FAMILY.finditer(text):
        which = match.lastgroup or ""
        yield match.start(which), name_key(match.group(which))
