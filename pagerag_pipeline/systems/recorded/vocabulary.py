"""What may be asked of the rows of one index: the types of their entities, their fields and their values, as observed and nothing else."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pagerag_pipeline.lexical import STOP_WORDS, content_terms, stem, words
from pagerag_pipeline.stores.record_index import Entry, RecordIndex

_YEARS = range(1000, 2101)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the rows of one type."""

    name: str
    stems: frozenset[str]
    units: frozenset[str]
    periods: frozenset[str]
    numeric: bool
    dated: bool
    """Whether its numbers are years."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One type of rows: its entities, fields and values."""

    type: str
    stems: frozenset[str]
    """Of the last word of its name: `home port` is a port."""
    entries: tuple[Entry, ...]
    fields: tuple[Field, ...]
    values: dict[str, tuple[str, ...]]
    """Fields by the key of each value in words."""
    entities: tuple[str, ...]
    """Keys of its entities, longest first."""
    context: frozenset[str]
    """Terms of what its tables stand under."""

    def field(self, name: str) -> Field:
        """One of its fields."""
        return next(one for one in self.fields if one.name == name)


def kinds(index: RecordIndex) -> tuple[Kind, ...]:
    """The types that rows of tables state, by name. Prose is left to search: a sentence says what it says, a table what there is."""
    rows: dict[str, list[Entry]] = {}
    for entry in index.entries:
        if entry.in_row and entry.entity_type and not entry.field.startswith("inverse_of:"):
            rows.setdefault(entry.entity_type, []).append(entry)
    return tuple(_kind(kind, rows[kind], index) for kind in sorted(rows))


def _kind(kind: str, entries: list[Entry], index: RecordIndex) -> Kind:
    by_field: dict[str, list[Entry]] = {}
    values: dict[str, dict[str, None]] = {}
    for entry in entries:
        name = index.field_of(entry)
        by_field.setdefault(name, []).append(entry)
        if entry.number is None or entry.value_is_entity:
            values.setdefault(entry.value_key, {})[name] = None
    name_words = words(kind.replace("_", " "))
    return Kind(
        kind, frozenset({stem(name_words[-1])} if name_words else ()), tuple(entries),
        tuple(_field(name, by_field[name]) for name in sorted(by_field)),
        {key: tuple(names) for key, names in sorted(values.items(), key=lambda one: (-len(one[0]), one[0]))},
        tuple(sorted({entry.entity_key for entry in entries}, key=lambda key: (-len(key), key))),
        frozenset(term for context in sorted({entry.context for entry in entries}) for term in content_terms(context)),
    )  # fmt: skip


def _field(name: str, entries: Iterable[Entry]) -> Field:
    some = list(entries)
    numbers = [entry.number for entry in some if entry.number is not None]
    units = frozenset(entry.unit.lower() for entry in some if entry.unit)
    stems = frozenset(stem(word) for word in words(name.replace("_", " ")) if word not in STOP_WORDS) or frozenset({name})
    whole = bool(numbers) and all(number.is_integer() and int(number) in _YEARS for number in numbers)
    periods = frozenset(entry.period for entry in some if entry.period)
    return Field(name, stems, units, periods, 2 * len(numbers) > len(some), whole and not units)


def place_of(key: str, text: str) -> tuple[int, int] | None:
    """Where a key of words stands in a lowered text, as whole words; None when it does not."""
    match = re.search(rf"(?<!\w){re.escape(key)}(?:['\u2019]s?)?(?!\w)", text)
    return match.span() if match else None
