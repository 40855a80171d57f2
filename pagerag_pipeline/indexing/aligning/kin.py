"""What a text says right beside a name of its bearer's place in a family: "his wife, Ann Hale", "Tom Hale, Sr."."""

import re
from collections.abc import Iterable

_ROLES = {
    "wife": "wife", "widow": "wife", "bride": "wife", "mother": "wife", "stepmother": "wife", "husband": "husband", "father": "husband",
    "stepfather": "husband", "widower": "husband", "daughter": "daughter", "stepdaughter": "daughter", "son": "son", "stepson": "son",
    "aunt": "aunt", "uncle": "uncle", "niece": "niece", "nephew": "nephew", "grandmother": "grandmother",
    "grandfather": "grandfather", "granddaughter": "granddaughter", "grandson": "grandson",
}  # fmt: skip
"""Words of kinship by the place that they give; a wife becomes a mother and a widow, a husband a father. A sister or a brother is another's wife or son, so they give none."""
_REACH = 20
"""Characters before a name that hold a word of kinship and a comma; ours."""
_KIN = re.compile(rf"\b({'|'.join(sorted(_ROLES, key=len, reverse=True))}),?\s+$")
_GENERATION = re.compile(r"\s*,?\s*\b(sr|jr|senior|junior)\b", re.I)
SAME_AGE = {"senior": "sr", "junior": "jr"}
"""Words after a name that tell its bearer's generation, as one."""

Places = Iterable[tuple[int, int, str]]


def family_roles(text: str, mentions: Places) -> dict[str, frozenset[str]]:
    """The places in a family that names are introduced with, by key. Mentions are (start, end, key)."""
    return _gathered(
        (key, _ROLES[found.group(1)]) for start, _, key in mentions if (found := _KIN.search(text, max(0, start - _REACH), start))
    )


def generations(text: str, mentions: Places) -> dict[str, frozenset[str]]:
    """The generations that names are told with after a comma that is no part of them: sr, jr."""
    return _gathered(
        (key, SAME_AGE.get(said, said))
        for _, end, key in mentions
        if (found := _GENERATION.match(text, end)) and (said := found.group(1).casefold())
    )


def other_place(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two are introduced in a family, each in a place of its own."""
    return bool(ours and theirs) and not ours & theirs


def _gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for key, value in pairs:
        found.setdefault(key, set()).add(value)
    return {key: frozenset(values) for key, values in found.items()}
