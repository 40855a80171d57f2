"""What people decided about entities, from `governance.toml`: it goes before every rule."""

import tomllib
from dataclasses import dataclass
from typing import Any

from pagerag_pipeline.lexical import name_key

EXAMPLE = 'suppress = ["Harbour Lane"]'


class OverridesError(ValueError):
    """A governance file that cannot be used; the message says which entry, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """Decisions by name, as keys (`lexical.name_key`). [A] obeys `suppress` and `keep_apart`; the rest are doors."""

    suppress: tuple[str, ...] = ()
    """Entities that may not be in the graph."""
    merge: tuple[tuple[str, ...], ...] = ()
    """Groups of names of one entity."""
    keep_apart: tuple[tuple[str, ...], ...] = ()
    """Groups of names of which no two are one entity."""
    retype: tuple[tuple[str, str], ...] = ()
    rename: tuple[tuple[str, str], ...] = ()
    distrust: tuple[str, ...] = ()
    """Documents whose statements are held, not accepted."""


def parse_overrides(toml_text: str) -> Overrides:
    """Overrides from TOML; an empty text gives none. Raises OverridesError for what it does not know."""
    try:
        table = tomllib.loads(toml_text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise OverridesError(f"governance.toml is not readable TOML: {error}.") from error
    known = ("suppress", "merge", "keep_apart", "retype", "rename", "distrust")
    if unknown := sorted(set(table) - set(known)):
        raise OverridesError(f"governance.toml: unknown entries {', '.join(unknown)}; known are {', '.join(known)}. Example: {EXAMPLE}")
    return Overrides(
        suppress=_names(table, "suppress"),
        merge=_groups(table, "merge"),
        keep_apart=_groups(table, "keep_apart"),
        retype=tuple((name_key(name), kind) for name, kind in _pairs(table, "retype")),
        rename=tuple((name_key(name), new) for name, new in _pairs(table, "rename")),
        distrust=tuple(sorted(set(_texts(table, "distrust")))),
    )


def _names(table: dict[str, Any], entry: str) -> tuple[str, ...]:
    return tuple(sorted({name_key(name) for name in _texts(table, entry)}))


def _texts(table: dict[str, Any], entry: str) -> list[str]:
    value = table.get(entry, [])
    if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
        raise OverridesError(f"governance.toml: {entry} must be a list of names. Example: {EXAMPLE}")
    return value


def _groups(table: dict[str, Any], entry: str) -> tuple[tuple[str, ...], ...]:
    value = table.get(entry, [])
    if not isinstance(value, list) or not all(isinstance(one, list) for one in value):
        raise OverridesError(f'governance.toml: {entry} must be a list of lists of names, like [["Ann Hale", "Mrs Hale"]].')
    return tuple(sorted(_names({entry: group}, entry) for group in value))


def _pairs(table: dict[str, Any], entry: str) -> list[tuple[str, str]]:
    value = table.get(entry, {})
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise OverridesError(f"governance.toml: [{entry}] must be a section of name = value.")
    return sorted(value.items())
