"""Whom a name of one word means: the person whose full name or title holds the word, if no other can be meant."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from pagerag_pipeline.indexing.aligning import limits
from pagerag_pipeline.indexing.aligning.against import SLIPS, against, answers, net
from pagerag_pipeline.indexing.aligning.casts import Cast, Group, Verdict, surname_titled
from pagerag_pipeline.indexing.aligning.person_names import (
    MARRIED,
    PLAIN,
    RANKS,
    UNMARRIED,
    PersonName,
    known_given,
    name_classes,
    near_form,
    same_given,
)
from pagerag_pipeline.indexing.aligning.voices import Pair

Support = tuple[Pair, Verdict]


def attachments(cast: Cast, titled: bool) -> Iterator[Support]:
    """Supports of names of one word for the only person they can mean of those with a full name, or, if `titled`, a title; those first that most of the text speaks for."""
    ranked = []
    for key, name in sorted(cast.names.items()):
        if not name.full:
            nets = [net(cast, key, cast.groups[other.key]) for other, _ in _bearers(cast, name, titled)]
            ranked += [(-max(nets), surname_titled(name), -cast.counts[key], key)] if nets else []
    for *_, key in sorted(ranked):
        yield from _attached(cast, cast.names[key], titled)


def _attached(cast: Cast, name: PersonName, titled: bool) -> Iterator[Support]:
    """The support of a name for the only person it can mean; more than one is an ambiguity."""
    roles: dict[Group, str] = {}
    weights: Counter[Group] = Counter()
    direct: dict[str, str] = {}
    for other, role in _bearers(cast, name, titled):
        direct.setdefault(other.key, role)
        if other.key in cast.groups[name.key]:
            return
        roles.setdefault(cast.groups[other.key], role)
        weights[cast.groups[other.key]] += cast.counts[other.key]
    ruled_out = {group: found for group in roles if (found := against(cast, cast.groups[name.key], group)) is not None}
    for group, verdict in ruled_out.items():
        cast.block(name.key, group[0], verdict)
    meant = _meant(cast, name, {group: weights[group] for group in roles if group not in ruled_out}, roles)
    if len(meant) != 1:
        for group in meant:
            cast.block(
                name.key, group[0], Verdict("ambiguous_name", f"{name.key} may be {' or '.join(one[0] for one in meant[:4])}")
            )
    elif _doubted(cast, name, meant[0], ruled_out):
        cast.block(name.key, meant[0][0], Verdict("ambiguous_name", f"{name.key} may be the name of another"))
    else:
        third = min(key for key in meant[0] if key in direct)
        for key in meant[0]:
            yield (name.key, key), Verdict(direct[key]) if key in direct else Verdict("third_name", f"both are names of {third}")


def _doubted(cast: Cast, name: PersonName, group: Group, ruled_out: Mapping[Group, Verdict]) -> bool:
    """Whether the only one left is so by slips of the text alone, or is one of several sisters, and nothing in the text speaks for her."""
    if net(cast, name.key, group) > 0:
        return False
    slipped = any(verdict.reason in SLIPS and cast.weight(one) > cast.weight(group) for one, verdict in ruled_out.items())
    return slipped or (bool(set(name.titles) & UNMARRIED) and name.words[0] in cast.sisters)


def _bearers(cast: Cast, name: PersonName, titled: bool) -> list[tuple[PersonName, str]]:
    """Names that hold a word, by the part it has in them: given name, a form of one, surname; a title of surnames asks for a surname first."""
    word = name.words[0]
    first = [one for one in cast.by_first.get(word, ()) if _wider(one, name, titled)]
    last = [one for one in cast.by_last.get(word, ()) if _wider(one, name, titled) and (len(one.words) > 1 or surname_titled(one))]
    given = [
        (one, "given_name")
        for one in first
        if (one.full or (one.titles[-1] in PLAIN and known_given(word))) and _credible(cast, name, one, limits.CREDIBLE)
    ]
    family = [(one, "surname") for one in last if _weds(cast, name, one)]
    if surname_titled(name) and family and not (given and known_given(word) and not any(one.full for one, _ in family)):
        return family
    found = given or [(one, "given_form") for one in _forms(cast, name) if _credible(cast, name, one, limits.CREDIBLE_FORM)]
    if surname_titled(name):
        return found
    return [*found, *(family if not name.titles or (not found and not known_given(word)) else ())]


def _wider(one: PersonName, name: PersonName, titled: bool) -> bool:
    return one.key != name.key and not one.numbered and (one.full or (titled and bool(one.titles)))


def _forms(cast: Cast, name: PersonName) -> Iterable[PersonName]:
    """Full names whose given name is another form of a word."""
    lines = sorted(name_classes().get(name.words[0], ()))
    found = {one.key: one for line in lines for one in cast.by_form.get(line, ()) if not one.numbered and is_form(cast, name, one)}
    return [found[key] for key in sorted(found)]


def is_form(cast: Cast, name: PersonName, other: PersonName) -> bool:
    """Whether the given names of two names are forms of one, and show it or answer for each other."""
    ours, theirs = name.words[0], other.words[0]
    return (
        ours != theirs
        and len(theirs) > 1
        and same_given(ours, theirs)
        and (near_form(ours, theirs) or answers(cast, name.key, other.key) > 0)
    )


def _credible(cast: Cast, name: PersonName, full: PersonName, rarer: float) -> bool:
    """Whether a full name is said often enough to be that of a given name, or its surname stands elsewhere too: Tom is not Tom Thumb.

    Where both stand but once there is too little to go by.
    """
    if full.full and max(cast.counts[full.key], cast.counts[name.key]) == 1:
        return False
    if not full.full or cast.counts[full.key] * rarer >= cast.counts[name.key]:
        return True
    return rarer == limits.CREDIBLE and any(other.words[0] != full.words[0] for other in cast.by_last[full.words[-1]])


def _weds(cast: Cast, name: PersonName, other: PersonName) -> bool:
    """Whether a wife's title goes with a full name: novels give it with the husband's name, so only if she is called so too, or answers by it."""
    if not other.full or not set(name.titles) & MARRIED or set(name.titles) & set(other.titles):
        return True
    return net(cast, name.key, cast.groups[other.key]) > 0


def _meant(cast: Cast, name: PersonName, weights: Mapping[Group, int], roles: Mapping[Group, str]) -> list[Group]:
    """Whom a name may mean among the people it fits: one of its rank, a surname alone the only man, any name one who is named far more often."""
    told = cast.genders[name.key]
    groups = sorted(weights)
    if not name.titles and told != "f" and any(roles[group] == "surname" for group in groups):
        groups = [group for group in groups if roles[group] != "surname" or cast.gender(group) != "f"]
    groups = [group for group in groups if any(set(cast.names[key].titles) & set(name.titles) & RANKS for key in group)] or groups
    first = max(groups, key=lambda group: (weights[group], group), default=())
    if len(groups) > 1 and weights[first] >= limits.DOMINANCE * (sum(weights[group] for group in groups) - weights[first]):
        return [first]
    return groups
