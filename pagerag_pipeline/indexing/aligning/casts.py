"""The people that one document names: which of its names are names of people, of which gender, and what is found of pairs of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pagerag_pipeline.indexing.aligning import limits
from pagerag_pipeline.indexing.aligning.person_names import (
    BEFORE_GIVEN,
    PersonName,
    known_given,
    name_classes,
    read_name,
    title_gender,
)
from pagerag_pipeline.indexing.aligning.voices import Pair, Voices

PERSON = "PERSON"
_PLACES = frozenset({"GPE", "LOC", "FAC", "NORP", "LANGUAGE"})

Group = tuple[str, ...]
"""Keys of names that are one person's, sorted."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why two names are one person's, or why they are not."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a name stands in one document: as it is written most often, and how often it was tagged as what, there and in the whole corpus."""

    surface: str
    labels: Mapping[str, int]
    overall: Mapping[str, int]

    @property
    def count(self) -> int:
        """In how many places."""
        return sum(self.labels.values())

    @property
    def person(self) -> bool:
        """Whether it was tagged as a person more than as anything else, here and overall: a tagger errs once on every place."""
        return all(found.get(PERSON, 0) == max(found.values()) for found in (self.labels, self.overall))

    @property
    def place(self) -> bool:
        """Whether it was tagged as a place or a people here more than as anything else."""
        return max(self.labels, key=lambda label: (self.labels[label], label)) in _PLACES


@dataclass(slots=True)
class Cast:
    """Names of people, how often each stands, its gender, where its words lead, and what was found of pairs."""

    names: dict[str, PersonName]
    counts: Mapping[str, int]
    voices: Voices
    apart: Mapping[Pair, Verdict]
    """Pairs that may not be one person's, whatever the text says."""
    sisters: frozenset[str]
    """Surnames that several unmarried women bear: "the Miss Hales"."""
    genders: dict[str, str] = field(default_factory=dict)
    by_first: dict[str, list[PersonName]] = field(default_factory=dict)
    by_last: dict[str, list[PersonName]] = field(default_factory=dict)
    by_form: dict[int, list[PersonName]] = field(default_factory=dict)
    """Full names by the lines of the list of given names that hold their first word."""
    groups: dict[str, Group] = field(default_factory=dict)
    """Of each key, the keys that are one person with it."""
    supported: dict[Pair, Verdict] = field(default_factory=dict)
    blocked: dict[Pair, Verdict] = field(default_factory=dict)

    def block(self, left: str, right: str, verdict: Verdict) -> None:
        """Note why two names are not one person's; the first reason holds."""
        self.blocked.setdefault(ordered(left, right), verdict)

    def weight(self, group: Group) -> int:
        """In how many places a person is named."""
        return sum(self.counts[key] for key in group)

    def gender(self, group: Group) -> str:
        """Man or woman (m, f), where the names that tell agree."""
        genders = {self.genders[key] for key in group} - {""}
        return next(iter(genders)) if len(genders) == 1 else ""


def cast_of(names: Mapping[str, PersonName], stands: Mapping[str, Standing], voices: Voices) -> Cast:
    """The cast of one document before anything is merged, from how its names stand and what it tells without saying so."""
    sisters = {name.words[-1] for name in names.values() if any(key in stands for key in _several(name.words[-1]))}
    counts = {key: stands[key].count for key in names}
    cast = Cast(dict(names), counts, voices, {}, frozenset(sisters))
    surnames = {name.words[-1] for name in names.values() if name.full or surname_titled(name)}
    for key, name in cast.names.items():
        cast.groups[key] = (key,)
        cast.genders[key] = _gender(name, cast, surnames)
        cast.by_first.setdefault(name.words[0], []).append(name)
        cast.by_last.setdefault(name.words[-1], []).append(name)
        for line in name_classes().get(name.words[0], ()) if name.full else ():
            cast.by_form.setdefault(line, []).append(name)
    return cast


def people_among(stands: Mapping[str, Standing]) -> dict[str, PersonName]:
    """The keys that name one person: by title, by most of their labels, or because they are words of the name of one."""
    read = {key: name for key in sorted(stands) if (name := read_name(key, stands[key].surface)) is not None}
    sure = {
        key
        for key, name in read.items()
        if name.titles or stands[key].person or (name.full and known_given(name.words[0]) and not stands[key].place)
    }
    given = {read[key].words[0] for key in sure if read[key].full}
    surnames = {read[key].words[-1] for key in sure if read[key].titles or (read[key].full and known_given(read[key].words[0]))}
    plural = {f"{word}{ending}" for word in given | surnames for ending in ("s", "es")} - given - surnames
    part = {key for key, name in read.items() if not name.full and _part_of_name(name.words[0], stands[key], given, surnames)}
    return {key: read[key] for key in sorted(sure | part) if read[key].words[-1] not in plural}


def _part_of_name(word: str, stands: Standing, given: set[str], surnames: set[str]) -> bool:
    """Whether a word alone that was not tagged as a person is one: a known given name, or a part of a person's name that is no place."""
    return known_given(word) or (word in surnames and not stands.place) or (word in given and stands.labels.get(PERSON, 0) > 0)


def ordered(left: str, right: str) -> Pair:
    """A pair, the smaller key first."""
    return (left, right) if left <= right else (right, left)


def surname_titled(name: PersonName) -> bool:
    """Whether a title and one word is a title and a surname."""
    return bool(name.titles) and not name.full and name.titles[-1] not in BEFORE_GIVEN


def is_given(name: PersonName) -> bool:
    """Whether the first word of a name is a given name, as far as the lists know."""
    return not surname_titled(name) and known_given(name.words[0])


def _several(surname: str) -> tuple[str, ...]:
    return f"miss {surname}s", f"miss {surname}es", f"misses {surname}"


def _gender(name: PersonName, cast: Cast, surnames: set[str]) -> str:
    """Man or woman (m, f), by title, by given name, else by the pronouns that follow the name."""
    told = {title_gender(title) for title in name.titles} - {""}
    if told:
        return next(iter(told)) if len(told) == 1 else ""
    if (name.full or name.words[0] not in surnames) and name.gender:
        return name.gender
    male, female = cast.voices.masculine[name.key], cast.voices.feminine[name.key]
    if max(male, female) < limits.GENDER_PRONOUNS or max(male, female) < limits.GENDER_SHARE * (male + female):
        return ""
    return "m" if male > female else "f"
