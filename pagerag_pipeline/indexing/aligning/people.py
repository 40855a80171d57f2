"""Which names of people in one document are one person's: by their words where those leave one bearer, by who answers to them where words do not say.

Every pair inside a group passes: nothing speaks against it, and it is supported, or both of its names are by one name of the group.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product

from pagerag_pipeline.indexing.aligning import limits
from pagerag_pipeline.indexing.aligning.against import against, contradiction
from pagerag_pipeline.indexing.aligning.bearers import Support, attachments, is_form
from pagerag_pipeline.indexing.aligning.casts import Cast, Group, Verdict, is_given, ordered, surname_titled
from pagerag_pipeline.indexing.aligning.person_names import PLAIN, PersonName, known_given, name_classes, same_given
from pagerag_pipeline.indexing.aligning.voices import Pair

DECLARED = "declared"
GENERATIONS = frozenset({"sr", "jr"})
"""Words after a name of which two bearers of it have one each."""
_STRONGER = frozenset({"gender", "other_title", "generation", "married"})
"""Reasons that go before what is read as a declaration."""


def align_people(cast: Cast, declared: Iterable[Group] = ()) -> None:
    """Merge the names of a cast that are one person's; those that are declared so are one from the start, unless their bearers cannot be."""
    for group in declared:
        for pair in combinations(group, 2):
            if (found := _undeclared(cast, pair)) is not None:
                cast.block(*pair, found)
            else:
                cast.supported[pair] = Verdict(DECLARED)
        if all(pair in cast.supported for pair in combinations(group, 2)):
            cast.groups.update(dict.fromkeys(group, group))
    for stage in (_spellings, _full_names, _titled_given, _answering_names, _full, _titled, _given_forms, _answering_names):
        for pair, verdict in stage(cast):
            _merge(cast, pair, verdict)


def _undeclared(cast: Cast, pair: Pair) -> Verdict | None:
    """What speaks against a declaration: gender and rank; a person has as many surnames as are declared."""
    found = cast.apart.get(pair) or contradiction(cast.names[pair[0]], cast.names[pair[1]], cast.genders)
    return found if found is not None and found.reason in _STRONGER else None


def _full(cast: Cast) -> Iterator[Support]:
    return attachments(cast, titled=False)


def _titled(cast: Cast) -> Iterator[Support]:
    return attachments(cast, titled=True)


def _spellings(cast: Cast) -> Iterator[Support]:
    """One name written in two ways: "Mr Hale" and "Mr. Hale", "poor Ann" and "Ann"."""
    together: dict[tuple[tuple[str, ...], tuple[str, ...], frozenset[str], str], list[str]] = {}
    for key, name in cast.names.items():
        together.setdefault((name.titles, name.words, name.ages, name.tail), []).append(key)
    for keys in together.values():
        yield from ((pair, Verdict("same_name")) for pair in combinations(keys, 2))


def _full_names(cast: Cast) -> Iterator[Support]:
    """Full names of one surname whose given names are equal, or forms of one name, or initials, if they fit no third that they contradict."""
    families: dict[str, list[PersonName]] = {}
    for name in cast.names.values():
        if name.full:
            families.setdefault(name.words[-1], []).append(name)
    for family in families.values():
        fits = {name.key: [other for other in family if other is not name and _same_full(name, other)] for name in family}
        for left, right in combinations(family, 2):
            if right in fits[left.key]:
                equal = left.words[0] == right.words[0]
                others = [(one, right) for one in fits[left.key]] + [(one, left) for one in fits[right.key]]
                rival = next((one.key for one, other in others if one is not other and not _same_full(one, other)), "")
                elder = _of_two_generations(cast, (left, right), family)
                if elder:
                    cast.block(left.key, right.key, Verdict("ambiguous_name", elder))
                elif not rival or equal:
                    yield (left.key, right.key), Verdict("full_name" if equal else "given_form")
                else:
                    cast.block(left.key, right.key, Verdict("ambiguous_name", f"{rival} is another of that name"))


def _of_two_generations(cast: Cast, pair: tuple[PersonName, PersonName], family: list[PersonName]) -> str:
    """Why a plain name is not that of a senior or a junior: there is another of that name; "" where nothing says so."""
    plain, marked = sorted(pair, key=lambda name: bool(name.ages & GENERATIONS))
    if plain.ages & GENERATIONS or not marked.ages & GENERATIONS:
        return ""
    namesakes = [one for one in family if one is plain or _same_full(marked, one)]
    told = {age for one in namesakes for age in (one.ages & GENERATIONS) | cast.voices.generations.get(one.key, frozenset())}
    other = sorted(told - marked.ages)
    return f"there is a {other[0]}. as well" if other else ""


def _same_full(left: PersonName, right: PersonName) -> bool:
    if left.words[-1] != right.words[-1] or not same_given(left.words[0], right.words[0]):
        return False
    return all(same_given(a, b) for a, b in zip(left.words[1:-1], right.words[1:-1], strict=False))


def _titled_given(cast: Cast) -> Iterator[Support]:
    """A plain title before a given name, and that name alone: Miss Ann and Ann."""
    alone = {name.words[0]: name for name in cast.names.values() if not name.titles and not name.full}
    family = {name.words[-1] for name in cast.names.values() if len(name.words) > 1}
    for key, name in sorted(cast.names.items()):
        if (
            name.titles
            and name.titles[-1] in PLAIN
            and not name.full
            and known_given(name.words[0])
            and name.words[0] not in family
            and name.words[0] in alone
        ):
            yield (alone[name.words[0]].key, key), Verdict("given_name")


def _given_forms(cast: Cast) -> Iterator[Support]:
    """Two given names alone that are forms of one, if there is no third."""
    singles = [name for _, name in sorted(cast.names.items()) if not name.titles and not name.full and len(name.words[0]) > 1]
    by_line: dict[int, list[PersonName]] = {}
    for name in singles:
        for line in name_classes().get(name.words[0], ()):
            by_line.setdefault(line, []).append(name)
    for name in singles:
        near = {one.key: one for line in name_classes().get(name.words[0], ()) for one in by_line[line]}
        forms = [near[key] for key in sorted(near) if near[key].words != name.words and is_form(cast, name, near[key])]
        if len({cast.groups[other.key] for other in forms}) == 1:
            yield from (((name.key, other.key), Verdict("given_form")) for other in forms)


def _answering_names(cast: Cast) -> Iterator[Support]:
    """Names without a word in common, one said to somebody, the other that of who answers: as a rule, and no other answers as often."""
    answers: dict[Group, Counter[Group]] = {}
    for (called, speaker), count in sorted(cast.voices.answers.items()):
        if called in cast.names and speaker in cast.names:
            answers.setdefault(cast.groups[called], Counter())[cast.groups[speaker]] += count
    ranked = []
    for ours, found in sorted(answers.items()):
        for theirs, count in sorted(found.items()):
            if theirs != ours and _complementary(cast, ours, theirs):
                ranked.append((-count, ours, theirs, found))
    for negative, ours, theirs, found in sorted(ranked, key=lambda row: row[:3]):
        others = max((n for group, n in found.items() if group not in (ours, theirs)), default=0)
        if -negative >= limits.ANSWERS and -negative >= limits.ANSWERS_MARGIN * others:
            for pair in product(ours, theirs):
                yield (
                    pair,
                    Verdict(
                        "answers",
                        f"who is called {ours[0]} answers as {theirs[0]} {-negative} times, as any other {others} at most",
                    ),
                )


def _complementary(cast: Cast, left: Group, right: Group) -> bool:
    """Whether the given names and the surnames of two groups agree as far as both have some, and only one of them lacks either."""
    ours, theirs = [cast.names[key] for key in left], [cast.names[key] for key in right]
    given = [{name.words[0] for name in side if name.full or is_given(name)} for side in (ours, theirs)]
    family = [{name.words[-1] for name in side if name.full or surname_titled(name)} for side in (ours, theirs)]
    if not all(same_given(a, b) for a, b in product(*given)) or (all(family) and not family[0] & family[1]):
        return False
    return all(a or b for a, b in zip(given, family, strict=True)) and bool(family[0]) != bool(family[1])


def _merge(cast: Cast, pair: Pair, verdict: Verdict) -> None:
    """Join the groups of two names if every pair passes: nothing speaks against it, and it is supported or both are by one name of the group."""
    left, right = cast.groups[pair[0]], cast.groups[pair[1]]
    cast.supported.setdefault(ordered(*pair), verdict)
    if left == right:
        return
    if (found := against(cast, left, right)) is not None:
        cast.block(*pair, found)
        return
    merged = tuple(sorted((*left, *right)))
    if all(_passes(cast, one, other, merged) for one, other in product(left, right)):
        cast.groups.update(dict.fromkeys(merged, merged))
    else:
        cast.block(*pair, Verdict("incomplete_linkage"))


def _passes(cast: Cast, left: str, right: str, group: Group) -> bool:
    if ordered(left, right) in cast.supported:
        return True
    return any(ordered(left, one) in cast.supported and ordered(right, one) in cast.supported for one in group)
