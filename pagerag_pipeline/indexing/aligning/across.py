"""People across documents: one cluster of (document, key) for each person, by names of at least two words that stand in shared context."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from pagerag_pipeline.indexing.aligning import limits
from pagerag_pipeline.indexing.aligning.against import contradiction
from pagerag_pipeline.indexing.aligning.casts import Cast, Group, Verdict, ordered
from pagerag_pipeline.indexing.aligning.kept_apart import KeptApart, vetoes_of
from pagerag_pipeline.indexing.aligning.person_names import PersonName

NO_CONTEXT = "no_shared_context"

Unit = tuple[str, str]
"""A document and a key in it; an empty document stands for the key wherever it names no person."""

Years = Mapping[Unit, Mapping[str, frozenset[str]]]
"""Of a key in a document, the years that it is said to have been born, to have died, to have been founded, by field."""


class Kept(NamedTuple):
    """Two people who were not made one: a unit of each, and why."""

    left: Unit
    right: Unit
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class People:
    """What stays of a document's cast once its names are aligned."""

    names: Mapping[str, PersonName]
    genders: Mapping[str, str]
    groups: Sequence[Group]
    supported: Mapping[tuple[str, str], Verdict]
    blocked: Mapping[tuple[str, str], Verdict]


@dataclass(slots=True)
class Clusters:
    """Units by cluster; a smaller cluster joins a larger one, so joining all costs little more than looking at each unit a few times."""

    people: Mapping[str, People]
    years: Years
    apart: KeptApart = field(default_factory=KeptApart)
    met: dict[Unit, list[str]] = field(default_factory=dict)
    """Of a unit that was joined to one of another document, the terms that both stand with."""
    home: dict[Unit, Unit] = field(default_factory=dict)
    """Of each unit, the unit that its cluster goes by while clusters are made."""
    members: dict[Unit, list[Unit]] = field(default_factory=dict)
    _names: dict[Unit, dict[tuple[str, str], PersonName]] = field(default_factory=dict)
    """The different names of each cluster, by key and gender."""
    _dated: dict[Unit, list[Mapping[str, frozenset[str]]]] = field(default_factory=dict)

    def join(self, units: Sequence[Unit]) -> None:
        """Make the clusters of some units one; units that are new come in."""
        for unit in units:
            if unit not in self.home:
                self._add(unit)
        roots = sorted({self.home[unit] for unit in units}, key=lambda root: (-len(self.members[root]), root))
        for root in roots[1:]:
            moved = self.members.pop(root)
            self.home.update(dict.fromkeys(moved, roots[0]))
            self.members[roots[0]].extend(moved)
            self._names[roots[0]].update(self._names.pop(root))
            self._dated[roots[0]].extend(self._dated.pop(root))

    def of(self, unit: Unit) -> list[Unit]:
        """The cluster of a unit, sorted."""
        return sorted(self.members[self.home[unit]])

    def against(self, left: Unit, right: Unit) -> Verdict | None:
        """What people, the names, their documents and the years of any two units of two clusters say against their being one person's."""
        ours, theirs = self.home[left], self.home[right]
        if (kept := self.apart.by_people(self.members[ours], self.members[theirs])) is not None:
            return kept
        for (one, gender), (other, other_gender) in product(sorted(self._names[ours]), sorted(self._names[theirs])):
            if one != other:
                names = self._names[ours][one, gender], self._names[theirs][other, other_gender]
                found = contradiction(*names, {one: gender, other: other_gender})
                if found is not None:
                    return Verdict(found.reason, f"{one} and {other}")
                if (vetoed := self.apart.vetoes.get(ordered(one, other))) is not None:
                    return vetoed
        dated = product(self._dated[ours], self._dated[theirs])
        return next((found for one_years, other_ones in dated if (found := other_years(one_years, other_ones)) is not None), None)

    def _add(self, unit: Unit) -> None:
        document, key = unit
        self.home[unit], self.members[unit] = unit, [unit]
        cast = self.people.get(document)
        self._names[unit] = {(key, cast.genders[key]): cast.names[key]} if cast is not None and key in cast.names else {}
        self._dated[unit] = [self.years[unit]] if unit in self.years else []


def people_of(cast: Cast) -> People:
    """What stays of an aligned cast."""
    return People(cast.names, cast.genders, sorted(set(cast.groups.values())), cast.supported, cast.blocked)


def other_years(ours: Mapping[str, frozenset[str]], theirs: Mapping[str, frozenset[str]]) -> Verdict | None:
    """That two are said to have been born, to have died or to have been founded in different years."""
    for name in sorted(set(ours) & set(theirs)):
        if not ours[name] & theirs[name]:
            return Verdict(f"different_{name}", f"{', '.join(sorted(ours[name]))} and {', '.join(sorted(theirs[name]))}")
    return None


def clusters_of(people: Mapping[str, People], years: Years, kept: KeptApart | None = None) -> Clusters:
    """A cluster for each person of each document; `kept` is what people keep apart."""
    vetoes: dict[tuple[str, str], Verdict] = {}
    for _, cast in sorted(people.items()):
        for pair, verdict in vetoes_of(cast.names, cast.groups, cast.blocked).items():
            vetoes.setdefault(pair, verdict)
    clusters = Clusters(people, years, KeptApart(kept.labels if kept is not None else {}, vetoes))
    for document, cast in sorted(people.items()):
        for group in cast.groups:
            clusters.join([(document, key) for key in group])
    return clusters


def shared_names(people: Mapping[str, People]) -> dict[str, list[str]]:
    """Names of at least two words that name a person in more than one document, and those documents in order."""
    found: dict[str, list[str]] = {}
    for document, cast in sorted(people.items()):
        for key, name in cast.names.items():
            if len(name.words) > 1:
                found.setdefault(key, []).append(document)
    return {key: documents for key, documents in sorted(found.items()) if len(documents) > 1}


def join_documents(clusters: Clusters, contexts: Mapping[Unit, Collection[str]]) -> Iterator[Kept]:
    """Join people of several documents who have a name of two words in common and stand with the same terms; tell those kept apart."""
    for key, documents in shared_names(clusters.people).items():
        seen: list[tuple[Unit, set[str]]] = []
        for document in documents:
            unit = (document, key)
            context = set(contexts.get(unit, ()))
            refused: list[Kept] = []
            for first, terms in seen:
                found = _refusal(clusters, first, unit, shared=terms & context)
                if found is None:
                    clusters.met[unit] = sorted(terms & context)
                    clusters.join([first, unit])
                    terms |= context
                    break
                refused.append(Kept(first, unit, found))
            else:
                seen.append((unit, context))
                yield from sorted(refused, key=lambda one: one.verdict.reason == NO_CONTEXT)[:1]


def _refusal(clusters: Clusters, first: Unit, unit: Unit, *, shared: Collection[str]) -> Verdict | None:
    """Why people of two documents are not made one, None where they are."""
    if len(shared) < limits.SHARED_CONTEXT:
        return Verdict(NO_CONTEXT)
    return clusters.against(first, unit) if clusters.home[first] != clusters.home[unit] else None


def group_keys(clusters: Clusters, taken: Collection[str], given: Mapping[Unit, str]) -> dict[Unit, str]:
    """A key of its own for each cluster, by unit: the smallest full name in it, else the smallest; marked with its document where another has it.

    `taken` are keys that name what is no person, `given` keys that clusters of these units must have.
    """
    keys: dict[Unit, str] = {}
    used = {*taken, *given.values()}
    for units in sorted(sorted(members) for members in clusters.members.values()):
        wanted = min((given[unit] for unit in units if unit in given), default="")
        if not wanted:
            full = [unit for unit in units if unit[0] in clusters.people and len(clusters.people[unit[0]].names[unit[1]].words) > 1]
            document, name = min(full or units, key=lambda unit: (unit[1], unit[0]))
            wanted = name if name not in used else f"{name} ({document})"
            used.add(wanted)
        keys.update(dict.fromkeys(units, wanted))
    return keys
