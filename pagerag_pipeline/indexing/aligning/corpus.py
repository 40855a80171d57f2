"""From names by document to people of the corpus: what each document's cast is made of, and what is decided once all casts are aligned."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from pagerag_pipeline.indexing.aligning.across import (
    Clusters,
    Kept,
    People,
    Unit,
    Years,
    clusters_of,
    group_keys,
    join_documents,
    people_of,
    shared_names,
)
from pagerag_pipeline.indexing.aligning.casts import Group, Standing, Verdict, cast_of, ordered, people_among
from pagerag_pipeline.indexing.aligning.kept_apart import kept_by_people
from pagerag_pipeline.indexing.aligning.people import DECLARED, align_people
from pagerag_pipeline.indexing.aligning.person_names import PersonName
from pagerag_pipeline.indexing.aligning.voices import Mention, Pair, Voices, read_voices
from pagerag_pipeline.indexing.overrides import FILE, Overrides

Row = tuple[str | int | None, ...]
"""A decision, in the columns of `indexing.align.DECISIONS`."""

TERMS = 5
"""Shared terms that a decision names; ours."""
_NOWHERE: Row = ("", None, None, "")


@dataclass(frozen=True, slots=True)
class Crowd:
    """The names of one document, and those among them that name a person."""

    stands: Mapping[str, Standing]
    names: Mapping[str, PersonName]


@dataclass(frozen=True, slots=True)
class Given:
    """What is settled before the people of a document are looked at: keys that are one, where that is declared, and pairs that people keep apart."""

    groups: Mapping[str, Group]
    """Of each key that the whole corpus merged, its group."""
    declared: Mapping[Group, Collection[str]]
    """The documents that declare something of a group."""
    overrides: Overrides

    def of(self, document: str, names: Mapping[str, PersonName]) -> list[Group]:
        """The groups as far as they stand in a document: all names where it declares them, else those of two words, and all that people merged."""
        found: dict[Group, list[str]] = {}
        for key in sorted(names):
            group = self.groups.get(key, ())
            here = document in self.declared.get(group, ()) or any(set(group) >= set(forced) for forced in self.overrides.merge)
            if group and (here or len(names[key].words) > 1):
                found.setdefault(group, []).append(key)
        return [tuple(keys) for keys in found.values() if len(keys) > 1]

    def apart(self, document: str, names: Mapping[str, PersonName]) -> dict[Pair, Verdict]:
        """Pairs of names of a document that people keep apart."""
        return kept_by_people(self.overrides).within(document, names) if self.overrides.keep_apart else {}


def crowds(names: pl.DataFrame) -> dict[str, Crowd]:
    """The names of every document; a name of two words that is a person's in one is one in all. Columns as in `stores.people_rows`."""
    labels: dict[tuple[str, str], dict[str, int]] = {}
    surfaces: dict[tuple[str, str], tuple[int, str]] = {}
    overall: dict[str, Counter[str]] = {}
    for document, key, surface, label, count in names.iter_rows():
        labels.setdefault((document, key), {})[label] = count
        overall.setdefault(key, Counter())[label] += count
        surfaces[(document, key)] = max(surfaces.get((document, key), (0, "")), (count, surface))
    stands: dict[str, dict[str, Standing]] = {}
    for (document, key), found in labels.items():
        stands.setdefault(document, {})[key] = Standing(surfaces[(document, key)][1], found, overall[key])
    people = {document: people_among(found) for document, found in sorted(stands.items())}
    full = {key: name for found in people.values() for key, name in found.items() if len(name.words) > 1}
    return {
        document: Crowd(found, {**people[document], **{key: full[key] for key in sorted(full.keys() & found.keys())}})
        for document, found in sorted(stands.items())
    }


def cast_people(crowd: Crowd, reading: tuple[str, Sequence[tuple[int, int, str]]] | None, given: Given, *, document: str) -> People:
    """The people of a document; `reading` is its text with its mentions, None where fewer than two names need no text."""
    voices = Voices() if reading is None else read_voices(reading[0], _apart_from_each_other(reading[1], crowd.names))
    cast = cast_of(crowd.names, crowd.stands, voices)
    cast.apart = given.apart(document, crowd.names)
    align_people(cast, given.of(document, crowd.names))
    return people_of(cast)


def _apart_from_each_other(mentions: Sequence[tuple[int, int, str]], names: Mapping[str, PersonName]) -> list[Mention]:
    """Mentions of people in order, the longer of two that overlap."""
    found: list[Mention] = []
    for start, end, key in sorted(mentions, key=lambda one: (one[0], -one[1], one[2])):
        if key in names and (not found or start >= found[-1].end):
            found.append(Mention(start, end, key))
    return found


def join_corpus(
    people: Mapping[str, People], years: Years, contexts: Mapping[Unit, Collection[str]], *, given: Given
) -> tuple[Clusters, list[Kept]]:
    """People of all documents as clusters: those with a full name in shared context, and those that people or declarations join with what is no person."""
    clusters = clusters_of(people, years, kept_by_people(given.overrides))
    kept: list[Kept] = []
    for document, cast in sorted(people.items()):
        for key in sorted(cast.names):
            group = given.groups.get(key, ())
            forced = next((one for one in given.overrides.merge if key in one), ())
            if forced or (document in given.declared.get(group, ()) and any(other not in cast.names for other in group)):
                unit, target = (document, key), ("", (group or forced)[0])
                refused = _kept_by_people(clusters, target, unit) if not forced else None
                if refused is not None:
                    kept.append(refused)
                else:
                    clusters.join([unit, target])
    return clusters, [*kept, *join_documents(clusters, contexts)]


def _kept_by_people(clusters: Clusters, target: Unit, unit: Unit) -> Kept | None:
    """Whether people keep a name from somebody who bears what is no person's name elsewhere."""
    bearers = [one for one in clusters.of(target) if one[0]] if target in clusters.home else []
    verdict = clusters.apart.by_people(bearers, clusters.of(unit))
    return Kept(bearers[0], unit, verdict) if verdict is not None else None


def context_units(people: Mapping[str, People]) -> list[Unit]:
    """Names in documents whose context decides whether they name one person."""
    return [(document, key) for key, documents in shared_names(people).items() for document in documents]


def keys_of(clusters: Clusters, crowd: Mapping[str, Crowd], given: Given) -> dict[Unit, str]:
    """The key of the entity of every unit."""
    elsewhere = {key for document, one in crowd.items() for key in one.stands if key not in one.names}
    fixed = {unit: given.groups.get(unit[1], (unit[1],))[0] for unit in clusters.home if not unit[0]}
    return group_keys(
        clusters, elsewhere | {group[0] for group in given.groups.values()} - {key for _, key in clusters.home}, fixed
    )


def decided(clusters: Clusters, keys: Mapping[Unit, str], kept: Sequence[Kept]) -> Iterator[Row]:
    """A row for each pair of names that was merged or kept apart, and for each person that is told from a namesake of another document."""
    for document, cast in sorted(clusters.people.items()):
        for (left, right), verdict in sorted(cast.supported.items()):
            if verdict.reason != DECLARED and keys[(document, left)] == keys[(document, right)]:
                yield (
                    keys[(document, left)],
                    "",
                    "G5",
                    "merge",
                    verdict.reason,
                    _told(left, f"{right} in {document}", verdict),
                    document,
                    *_NOWHERE,
                )
        for (left, right), verdict in sorted(cast.blocked.items()):
            ours, theirs = keys[(document, left)], keys[(document, right)]
            if ours != theirs and verdict.reason != FILE:
                yield (
                    ours,
                    theirs,
                    "G5",
                    "keep_apart",
                    verdict.reason,
                    f"alignment_blocked: {_told(left, right, verdict)}",
                    document,
                    *_NOWHERE,
                )
    for one in kept:
        ours, theirs = keys[one.left], keys[one.right]
        if ours != theirs:
            where = f"{one.left[0]} and {one.right[0]}" + (f", {one.verdict.detail}" if one.verdict.detail else "")
            told = f"alignment_blocked: {_told(one.left[1], one.right[1], Verdict('', where))}"
            gate = "override" if one.verdict.reason == FILE else "G5"
            yield (theirs, ours, gate, "keep_apart", one.verdict.reason, told, one.right[0], *_NOWHERE)
    yield from _namesakes(clusters, keys)


def _namesakes(clusters: Clusters, keys: Mapping[Unit, str]) -> Iterator[Row]:
    """Names of one word in several documents are of as many people; those with a full name in shared context are one."""
    places: dict[str, list[Unit]] = {}
    for document, cast in sorted(clusters.people.items()):
        for key in cast.names:
            places.setdefault(key, []).append((document, key))
    for key, units in sorted(places.items()):
        first = keys[units[0]]
        full = len(clusters.people[units[0][0]].names[key].words) > 1
        joined = [unit[0] for unit in units[1:] if keys[unit] == first]
        if joined and full:
            shared = sorted({term for unit in units for term in clusters.met.get(unit, ())})
            yield (
                first,
                "",
                "G5",
                "merge",
                "shared_context",
                f"{key} in {units[0][0]} and {', '.join(joined[:3])}{' and others' * (len(joined) > 3)}"
                + (f": {', '.join(shared[:TERMS])}{' and more' * (len(shared) > TERMS)}" if shared else ""),
                "",
                *_NOWHERE,
            )
        for unit in () if full else units[1:]:
            if keys[unit] != first:
                yield (
                    keys[unit],
                    first,
                    "G5",
                    "keep_apart",
                    "one_word",
                    f"alignment_blocked: {key} / {key}: {units[0][0]} and {unit[0]}",
                    unit[0],
                    *_NOWHERE,
                )


def turned(split: Sequence[Sequence[Unit]], keys: Mapping[Unit, str]) -> Iterator[Row]:
    """A row for each person that was taken apart to keep a cause."""
    for units in split:
        names = " / ".join(sorted({key for _, key in units}))
        yield (keys[units[0]], "", "G3", "split", "causal_direction", names, units[0][0], *_NOWHERE)


def moved(decisions: pl.DataFrame, people: Mapping[str, People], keys: Mapping[Unit, str], given: Given) -> pl.DataFrame:
    """Decisions on keys as decisions on the entities that these name where they are taken; a declaration that a cast refused keeps them apart."""

    def entity(key: str, document: str) -> str:
        members = given.groups.get(key, (key,)) if key else ()
        return next((keys[(document, one)] for one in (key, *members) if (document, one) in keys), keys.get(("", key), key))

    rows: list[Row] = []
    for group, other, gate, act, reason, detail, document, *said in decisions.iter_rows():
        left, _, right = detail.partition(" / ")
        ends = [keys[(document, one)] for one in (left, right) if (document, one) in keys]
        refused = people[document].blocked.get(ordered(left, right)) if document in people else None
        if reason == DECLARED and refused is not None and len(set(ends)) == 2:
            told = f"alignment_blocked: {_told(left, right, refused)}"
            rows.append((*ends, gate, "keep_apart", refused.reason, told, document, *said))
        else:
            rows.append((entity(group, document), entity(other, document), gate, act, reason, detail, document, *said))
    return pl.DataFrame(rows, schema=decisions.schema, orient="row")


def _told(left: str, right: str, verdict: Verdict) -> str:
    return f"{left} / {right}" + (f": {verdict.detail}" if verdict.detail else "")
