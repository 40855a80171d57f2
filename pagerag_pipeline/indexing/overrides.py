"""What people decided about entities and documents, from `governance.toml`: it goes before every rule."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pagerag_pipeline.indexing.decode import says_something
from pagerag_pipeline.lexical import name_key
from pagerag_pipeline.schema.knowledge import LITERAL_TYPES
from pagerag_pipeline.settings_file import read_toml

FILE = "governance.toml"
EXAMPLE = 'suppress = ["Harbour Lane"]'
ENTRIES = ("suppress", "merge", "keep_apart", "retype", "rename", "distrust")
_TYPE = re.compile(r"[A-Z][A-Z_]*")

Pair = tuple[str, str]


class OverridesError(ValueError):
    """A governance file that cannot be used; the message says which entry, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """Decisions on entities, each named by a key (`lexical.name_key`) or by an entity id, and on documents."""

    suppress: tuple[str, ...] = ()
    """Entities that may not be in the graph."""
    merge: tuple[tuple[str, ...], ...] = ()
    """Groups of names of one entity; no name stands in two of them."""
    keep_apart: tuple[tuple[str, ...], ...] = ()
    """Groups of names of which no two are one entity."""
    retype: tuple[Pair, ...] = ()
    """(name, type)"""
    rename: tuple[Pair, ...] = ()
    """(name, name to show)"""
    distrust: tuple[str, ...] = ()
    """Documents whose statements are held, not accepted."""

    def names(self) -> list[str]:
        """Every key or id that an entry about entities speaks of, sorted."""
        grouped = {name for group in (*self.merge, *self.keep_apart) for name in group}
        return sorted({*self.suppress, *grouped, *(name for name, _ in (*self.retype, *self.rename))})


def parse_overrides(toml_text: str) -> Overrides:
    """Overrides from TOML; an empty text gives none. Raises OverridesError for what it does not know and for entries that contradict each other."""
    try:
        table = read_toml(toml_text)
    except ValueError as error:
        raise OverridesError(f"{FILE} is not readable TOML: {error}.") from error
    if unknown := sorted(set(table) - set(ENTRIES)):
        raise OverridesError(f"{FILE}: unknown entries {repr(', '.join(unknown))[1:-1]}; known are {', '.join(ENTRIES)}. Example: {EXAMPLE}")
    retype = _pairs(table, "retype")
    for name, kind in retype:
        if not _TYPE.fullmatch(kind) or kind in LITERAL_TYPES:
            raise OverridesError(f"{FILE}: {kind!r} cannot be the type of {name!r}; a type is a word in capitals that names no value, like PERSON.")
    return _coherent(
        Overrides(
            suppress=_names(table, "suppress"),
            merge=_groups(table, "merge"),
            keep_apart=_groups(table, "keep_apart"),
            retype=tuple((name_key(name), kind) for name, kind in retype),
            rename=tuple((name_key(name), " ".join(_name(new, "rename").split())) for name, new in _pairs(table, "rename")),
            distrust=tuple(sorted(set(_texts(table, "distrust")))),
        )
    )


def with_keys(overrides: Overrides, keys: Mapping[str, str]) -> Overrides:
    """The same decisions with ids replaced by the keys they stand for. Raises OverridesError when entries turn out to contradict each other."""

    def one(name: str) -> str:
        return keys.get(name, name)

    def group(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted({one(name) for name in names}))

    return _coherent(
        Overrides(
            suppress=group(overrides.suppress),
            merge=tuple(map(group, overrides.merge)),
            keep_apart=tuple(map(group, overrides.keep_apart)),
            retype=tuple((one(name), kind) for name, kind in overrides.retype),
            rename=tuple((one(name), new) for name, new in overrides.rename),
            distrust=overrides.distrust,
        )
    )


def _coherent(overrides: Overrides) -> Overrides:
    """The overrides with merge groups that share a name joined; raises OverridesError for the first contradiction."""
    merged = _united(overrides.merge)
    group_of = {name: group[0] for group in merged for name in group}
    for apart in overrides.keep_apart:
        if len(apart) < 2:
            raise OverridesError(f"{FILE}: keep_apart speaks of {apart[0]!r} twice, by its name and by its id.")
        for left, right in combinations(apart, 2):
            if left in group_of and group_of[left] == group_of.get(right):
                raise OverridesError(f"{FILE}: {left!r} and {right!r} stand both under merge and under keep_apart.")
    for entry, pairs in (("retype", overrides.retype), ("rename", overrides.rename)):
        values: dict[str, str] = {}
        for name, value in pairs:
            if values.setdefault(group_of.get(name, name), value) != value:
                raise OverridesError(f"{FILE}: {entry} gives {name!r} two values, {values[group_of.get(name, name)]!r} and {value!r}.")
    bearers: dict[str, str] = {}
    for name, new in overrides.rename:
        owner = group_of.get(name, name)
        if bearers.setdefault(name_key(new), owner) != owner:
            raise OverridesError(f"{FILE}: rename calls both {bearers[name_key(new)]!r} and {name!r} {new!r}; merge them if they are one.")
    return Overrides(
        overrides.suppress, merged, tuple(sorted(set(overrides.keep_apart))), tuple(sorted(set(overrides.retype))),
        tuple(sorted(set(overrides.rename))), overrides.distrust,
    )  # fmt: skip


def _united(groups: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    whole: list[set[str]] = []
    for group in groups:
        touching = [one for one in whole if one & set(group)]
        whole = [one for one in whole if one not in touching] + [set(group).union(*touching)]
    return tuple(sorted(tuple(sorted(one)) for one in whole))


def _names(table: dict[str, Any], entry: str) -> tuple[str, ...]:
    return tuple(sorted({name_key(_name(name, entry)) for name in _texts(table, entry)}))


def _name(text: str, entry: str) -> str:
    """A name that something can bear; raises OverridesError for marks alone."""
    if not says_something(name_key(text)) or "\0" in text:
        raise OverridesError(f"{FILE}: {entry} has {text!r}, which names nothing: a name holds a letter or a number.")
    return text


def _texts(table: dict[str, Any], entry: str) -> list[str]:
    value = table.get(entry, [])
    if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
        raise OverridesError(f"{FILE}: {entry} must be a list of names. Example: {EXAMPLE}")
    return value


def _groups(table: dict[str, Any], entry: str) -> tuple[tuple[str, ...], ...]:
    value = table.get(entry, [])
    if not isinstance(value, list) or not all(isinstance(one, list) for one in value):
        raise OverridesError(f'{FILE}: {entry} must be a list of lists of names, like [["Ann Hale", "Mrs Hale"]].')
    groups = tuple(sorted(_names({entry: group}, entry) for group in value))
    for group, given in zip(sorted(value, key=lambda one: _names({entry: one}, entry)), groups, strict=True):
        if len(given) < 2:
            raise OverridesError(f"{FILE}: {entry} needs two different names in {group!r}; case and white space tell no names apart.")
    return groups


def _pairs(table: dict[str, Any], entry: str) -> list[tuple[str, str]]:
    value = table.get(entry, {})
    if not isinstance(value, dict) or not all(isinstance(one, str) and one.strip() for one in value.values()):
        raise OverridesError(f"{FILE}: [{entry}] must be a section of name = value.")
    return sorted((_name(name, entry), given) for name, given in value.items())
