"""People across documents: one cluster of (document, key) for each person, by names of at least two words that stand in shared context."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from pagerag_pipeline.indexing.aligning import limits
from pagerag_pipeline.indexing.aligning.against import contradiction
from pagerag_pipeline.indexing.aligning.casts import Cast, Group, Verdict
from pagerag_pipeline.indexing.aligning.person_names import PersonName

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
    """Units by cluster, each named by its smallest unit."""

    people: Mapping[str, People]
    years: Years
    members: dict[Unit, list[Unit]] = field(default_factory=dict)
    home: dict[Unit, Unit] = field(default_factory=dict)

    def join(self, units: Sequence[Unit]) -> None:
        """Make the clusters of some units one; units that are new come in."""
        roots = sorted({self.home.get(unit, unit) for unit in units})
        merged = sorted({one for root in roots for one in self.members.pop(root, [root])})
        self.members[merged[0]] = merged
        self.home.update(dict.fromkeys(merged, merged[0]))

    def of(self, unit: Unit) -> list[Unit]:
        """The cluster of a unit."""
        return self.members[self.home[unit]]

    def against(self, left: Unit, right: Unit) -> Verdict | None:
        """What the names and years of any two units of two clusters say against their being one person's."""
        for (ours, our_gender), (theirs, their_gender) in product(self._named(left), self._named(right)):
            if ours.key != theirs.key:
                found = contradiction(ours, theirs, {ours.key: our_gender, theirs.key: their_gender})
                if found is not None:
                    return Verdict(found.reason, f"{ours.key} and {theirs.key}")
        dated = [[self.years[unit] for unit in self.of(one) if unit in self.years] for one in (left, right)]
        return next((found for one, other in product(*dated) if (found := other_years(one, other)) is not None), None)

    def _named(self, unit: Unit) -> list[tuple[PersonName, str]]:
        """The different names of a cluster with their genders."""
        units = [one for one in self.of(unit) if one[0] in self.people]
        found = {(one[1], self.people[one[0]].genders[one[1]]): self.people[one[0]].names[one[1]] for one in units}
        return [(found[one], one[1]) for one in sorted(found)]


def people_of(cast: Cast) -> People:
    """What stays of an aligned cast."""
    return People(cast.names, cast.genders, sorted(set(cast.groups.values())), cast.supported, cast.blocked)


def other_years(ours: Mapping[str, frozenset[str]], theirs: Mapping[str, frozenset[str]]) -> Verdict | None:
    """That two are said to have been born, to have died or to have been founded in different years."""
    for name in sorted(set(ours) & set(theirs)):
        if not ours[name] & theirs[name]:
            return Verdict(f"different_{name}", f"{', '.join(sorted(ours[name]))} and {', '.join(sorted(theirs[name]))}")
    return None


def clusters_of(people: Mapping[str, People], years: Years) -> Clusters:
    """A cluster for each person of each document."""
    clusters = Clusters(people, years)
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
            last: Verdict | None = None
            for first, terms in seen:
                found = (
                    None
                    if len(terms & context) >= limits.SHARED_CONTEXT
                    else Verdict("no_shared_context", f"{first[0]} and {document}")
                )
                last = found or (clusters.against(first, unit) if clusters.home[first] != clusters.home[unit] else None)
                if last is None:
                    clusters.join([first, unit])
                    terms |= context
                    break
            if last is not None:
                yield Kept(seen[0][0], unit, last)
            if last is not None or not seen:
                seen.append((unit, context))


def group_keys(clusters: Clusters, taken: Collection[str], given: Mapping[Unit, str]) -> dict[Unit, str]:
    """A key of its own for each cluster, by unit: the smallest full name in it, else the smallest; marked with its document where another has it.

    `taken` are keys that name what is no person, `given` keys that clusters of these units must have.
    """
    keys: dict[Unit, str] = {}
    used = {*taken, *given.values()}
    for first, units in sorted(clusters.members.items()):
        wanted = min((given[unit] for unit in units if unit in given), default="")
        if not wanted:
            full = [unit for unit in units if unit[0] in clusters.people and len(clusters.people[unit[0]].names[unit[1]].words) > 1]
            document, name = min(full or units, key=lambda unit: (unit[1], unit[0]))
            wanted = name if name not in used else f"{name} ({document})"
            used.add(wanted)
        keys.update(dict.fromkeys(units, wanted))
    return keys
