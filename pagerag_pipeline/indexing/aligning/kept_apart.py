"""Which people may not become one across documents: by what people said of two names, and by what one document says of two full names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from pagerag_pipeline.indexing.aligning.casts import Group, Verdict, ordered
from pagerag_pipeline.indexing.aligning.person_names import PersonName
from pagerag_pipeline.indexing.aligning.voices import Pair
from pagerag_pipeline.indexing.overrides import FILE, Overrides

Unit = tuple[str, str]
"""A key in a document."""
Label = tuple[int, str]
"""A name of an entry of `keep_apart`, after the number of its entry."""

_UNSURE = frozenset({"ambiguous_name", "incomplete_linkage", FILE})
"""Reasons that leave open who is meant, or that people gave of other names."""


def marked(key: str, document: str) -> str:
    """A key with the mark of its document, as governance.toml names it."""
    return f"{key} ({document.casefold()})"


@dataclass(frozen=True, slots=True)
class KeptApart:
    """Labels that names answer to; two with different labels of one entry are two people."""

    labels: Mapping[str, Sequence[Label]] = field(default_factory=dict)
    vetoes: Mapping[Pair, Verdict] = field(default_factory=dict)
    """Of two full names, why a document that has both tells them apart."""

    def of(self, unit: Unit) -> set[Label]:
        """The labels of a key in a document."""
        document, key = unit
        return {*self.labels.get(key, ()), *self.labels.get(marked(key, document), ())}

    def by_people(self, left: Iterable[Unit], right: Iterable[Unit]) -> Verdict | None:
        """That people keep one of some names apart from one of others."""
        ours, theirs = ({label for unit in side for label in self.of(unit)} for side in (left, right)) if self.labels else ((), ())
        pairs = (ordered(one, other) for (entry, one), (same, other) in product(ours, theirs) if entry == same and one != other)
        found = min(pairs, default=None)
        return None if found is None else Verdict(FILE, f"{found[0]} and {found[1]}")

    def within(self, document: str, names: Iterable[str]) -> dict[Pair, Verdict]:
        """Pairs of names of one document that people keep apart."""
        told = [(key, found) for key in sorted(names) if (found := self.of((document, key)))]
        return {
            (one, other): Verdict(FILE)
            for (one, ours), (other, theirs) in product(told, told)
            if one < other and any(a[0] == b[0] and a[1] != b[1] for a, b in product(ours, theirs))
        }


def kept_by_people(overrides: Overrides) -> KeptApart:
    """What `governance.toml` keeps apart; all names that it merges answer for each other."""
    merged = {name: group for group in overrides.merge for name in group}
    labels: dict[str, list[Label]] = {}
    for number, group in enumerate(overrides.keep_apart):
        for name in group:
            for key in merged.get(name, (name,)):
                labels.setdefault(key, []).append((number, name))
    return KeptApart(labels)


def vetoes_of(names: Mapping[str, PersonName], groups: Iterable[Group], blocked: Mapping[Pair, Verdict]) -> dict[Pair, Verdict]:
    """Pairs of full names that one document tells apart for good; a name of one word is whose it is there alone."""
    home = {key: group for group in groups for key in group}
    return {
        (left, right): Verdict(verdict.reason, verdict.detail or f"{left} and {right}")
        for (left, right), verdict in sorted(blocked.items())
        if verdict.reason not in _UNSURE and home[left] != home[right] and all(len(names[one].words) > 1 for one in (left, right))
    }
