"""What speaks against two names being one person's: their words, and how the text sets them side by side."""

from collections.abc import Mapping
from itertools import product

from pagerag_pipeline.indexing.aligning import limits
from pagerag_pipeline.indexing.aligning.casts import Cast, Group, Verdict, is_given, ordered, surname_titled
from pagerag_pipeline.indexing.aligning.kin import other_place
from pagerag_pipeline.indexing.aligning.person_names import (
    AGES,
    BEFORE_GIVEN,
    MARRIED,
    RANKS,
    UNMARRIED,
    PersonName,
    given_gender,
    same_given,
)

SLIPS = frozenset({"stand_apart", "told_apart"})
"""Reasons that slips of a text may give too."""
_CALLED_MR = frozenset({"rev"})
"""Ranks whose holders are called Mr. as well."""


def against(cast: Cast, left: Group, right: Group) -> Verdict | None:
    """What speaks against any name of one group being a name of the other."""
    for one, other in product(left, right):
        found = (
            cast.apart.get(ordered(one, other))
            or contradiction(cast.names[one], cast.names[other], cast.genders)
            or apart(cast, one, other)
        )
        if found is not None:
            return Verdict(found.reason, found.detail or f"{one} and {other}")
    return None


def contradiction(left: PersonName, right: PersonName, genders: Mapping[str, str]) -> Verdict | None:
    """What the words of two names, and the genders of their bearers, say against their being one person's."""
    ours, theirs = genders[left.key], genders[right.key]
    one_surname = left.words[-1] == right.words[-1]
    titles = {*left.titles, *right.titles}
    checks = {
        "gender": ours and theirs and ours != theirs,
        "other_origin": left.tail and right.tail and left.tail != right.tail,
        "generation": left.ages & AGES and right.ages & AGES and left.ages != right.ages,
        "married": one_surname and titles & UNMARRIED and titles & MARRIED,
        "other_title": _other_title(left, right, one_surname),
        "other_given_name": _other_given(left, right),
        "other_surname": len(left.words) > 1 and len(right.words) > 1 and not one_surname and "f" not in (ours, theirs),
        "husbands_name": one_surname and _by_husband(left) != _by_husband(right) and titles & MARRIED,
    }
    return next((Verdict(reason) for reason, found in checks.items() if found), None)


def _other_title(left: PersonName, right: PersonName, one_surname: bool) -> bool:
    """Whether both bear titles that one man does not bear together; a saint is nobody without that title."""
    ours, theirs = set(left.titles) & RANKS, set(right.titles) & RANKS
    if ("saint" in ours) != ("saint" in theirs) or (ours and theirs and not ours & theirs):
        return True
    return one_surname and (
        ("mr" in left.titles and bool(theirs - _CALLED_MR)) or ("mr" in right.titles and bool(ours - _CALLED_MR))
    )


def _other_given(left: PersonName, right: PersonName) -> bool:
    """Whether both names have a given name, and not one person's; a title of rank goes with no short form."""
    if not (left.full or is_given(left)) or not (right.full or is_given(right)) or left.words[0] == right.words[0]:
        return False
    surname = next((name.words[-1] for name in (left, right) if len(name.words) > 1), "")
    if any(not name.full and name.words[0] == surname for name in (left, right)):
        return False
    ranked = any(name.titles and name.titles[-1] in BEFORE_GIVEN and name.titles[-1] in RANKS | MARRIED for name in (left, right))
    return ranked or not same_given(left.words[0], right.words[0])


def _by_husband(name: PersonName) -> bool:
    """Whether a wife is called by her husband's full name: Mrs. John Hale."""
    return bool(set(name.titles) & MARRIED) and len(name.words) > 1 and given_gender(name.words[0]) == "m"


def apart(cast: Cast, left: str, right: str) -> Verdict | None:
    """What the text says against two names being one person's: they stand side by side, one speaks to the other, the narrator uses both alike, or one is a family's."""
    first, second = cast.names[left], cast.names[right]
    if (first.titles, first.words) == (second.titles, second.words):
        return None
    family = next((key for key in (left, right) if key in cast.voices.families), "")
    if family and first.words[-1] == second.words[-1]:
        return Verdict("family_name", f"{family} is said of a family")
    roles = [cast.voices.roles.get(key, frozenset()) for key in (left, right)]
    if first.words[0] != second.words[0] and other_place(*roles):
        return Verdict(
            "family_roles", f"{left} is the {' and '.join(sorted(roles[0]))}, {right} the {' and '.join(sorted(roles[1]))}"
        )
    rare = min(cast.counts[left], cast.counts[right])
    score = beside(cast, left, right) - answers(cast, left, right)
    if score >= max(limits.APART_SCORE, limits.APART_SHARE * rare):
        return Verdict(
            "stand_apart",
            f"{left} and {right} stand side by side, or one speaks to or of the other: {score:g} more than they answer for each other",
        )
    told = sorted((cast.voices.narrated[left], cast.voices.narrated[right]))
    parted = surname_titled(first) != surname_titled(second) and not first.full and not second.full and first.words != second.words
    if parted and told[0] >= limits.NARRATED and told[0] >= limits.NARRATED_SHARE * told[1]:
        return Verdict(
            "told_apart", f"the narrator says {left} {cast.voices.narrated[left]} times and {right} {cast.voices.narrated[right]}"
        )
    return None


def beside(cast: Cast, left: str, right: str) -> float:
    """How strongly the text sets two names side by side; names that share a word are not without a coordination or an address: people speak of themselves."""
    pair = ordered(left, right)
    voices = cast.voices
    addressed = voices.addresses[(left, right)] + voices.addresses[(right, left)]
    told = voices.tells[(left, right)] + voices.tells[(right, left)] + voices.together[pair]
    if not voices.coordinated[pair] and not addressed and set(cast.names[left].words) & set(cast.names[right].words):
        return 0.0
    return 2.0 * voices.coordinated[pair] + addressed + told / 4


def answers(cast: Cast, left: str, right: str) -> int:
    """How often one of two names is said to somebody and the other is that of who answers."""
    return cast.voices.answers[(left, right)] + cast.voices.answers[(right, left)]


def net(cast: Cast, key: str, group: Group) -> float:
    """What the text tells for a name being that of a person, less what it tells against."""
    return sum(answers(cast, key, other) - beside(cast, key, other) for other in group)
