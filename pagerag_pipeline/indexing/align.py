"""Gate G5: which names are one entity. Equal keys are; declared names are unless something speaks against it; nothing else is, so far."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import NamedTuple

import polars as pl

from pagerag_pipeline.indexing.causal import turned
from pagerag_pipeline.indexing.overrides import FILE, Overrides, Pair

SINGLE_VALUED = frozenset({"born_date", "died_date", "founded_date"})
"""Fields that have one value for one entity."""
_YEAR = re.compile(r"\b(1\d{3}|20\d\d|\d{3})\b")
_ORDER_WORDS = frozenset("elder younger senior junior sr jr i ii iii iv v vi vii viii ix x first second third fourth fifth".split())
_MALE = frozenset(
    {"mr", "sir", "lord", "king", "prince", "brother", "father", "uncle", "duke", "count", "baron", "monsieur", "herr"}
)
_FEMALE = frozenset(
    "mrs ms miss lady dame queen princess sister mother aunt duchess countess baroness madame mademoiselle frau".split()
)

GROUPS = {"document": pl.String, "key": pl.String, "group_key": pl.String}
"""Columns of which entity a key names: in one document, or, where that is empty, in all those that have no row of their own."""

DECISIONS = {
    "group_key": pl.String, "other_key": pl.String, "gate": pl.String, "act": pl.String, "reason": pl.String, "detail": pl.String,
    "document": pl.String, "chunk_id": pl.String, "start_at": pl.Int32, "end_at": pl.Int32, "quote": pl.String,
}  # fmt: skip
"""Columns of what alignment decided: the key of the entity it is about, the key of the one it was kept apart from, and where that is said."""


class Said(NamedTuple):
    """Where a name is declared; empty where nothing in the text says so."""

    document: str = ""
    chunk_id: str = ""
    start_at: int | None = None
    end_at: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Alignment:
    """What alignment decided: `groups` has the columns GROUPS, `decisions` DECISIONS."""

    groups: pl.DataFrame
    decisions: pl.DataFrame


@dataclass(slots=True)
class _Evidence:
    """Declared pairs with where they stand, aliases by bearer and document, and what speaks against pairs (a reason and its details)."""

    declared: dict[Pair, list[Said]] = field(default_factory=dict)
    siblings: set[Pair] = field(default_factory=set)
    forced: set[Pair] = field(default_factory=set)
    apart: set[Pair] = field(default_factory=set)
    vetoes: dict[Pair, tuple[str, str]] = field(default_factory=dict)


def align_names(
    declared: pl.DataFrame, nodes: pl.DataFrame, *, facts: pl.DataFrame, causal: pl.DataFrame, overrides: Overrides
) -> Alignment:
    """Groups of keys that are one entity, by complete linkage: every pair inside a group must pass, so nothing merges by a chain.

    A pair passes when one name is declared as the other's (or both as one bearer's, in one document) and no veto holds: an override,
    numerals or generation words that differ, titles of different gender, different years of birth, death or founding, a causal link
    between the two, an alias that two bearers claim. Names that people merged are one whatever speaks against it; where that makes a cause
    its own effect, the merge stands and the cause goes. Frames as in `stores.knowledge.AlignmentInputs`.
    """
    known = set(nodes["key"]) | set(declared["head"]) | set(declared["tail"])
    evidence = _gather(declared, overrides, known)
    _collect_vetoes(evidence, facts, causal)
    groups, split = _without_reversals(_linked(evidence), causal, evidence.forced)
    rows = [*_decided(evidence, groups), *_causal_rows(groups, split, causal)]
    return Alignment(_group_frame(groups), pl.DataFrame(rows, schema=DECISIONS, orient="row"))


def year_of(value: str) -> str:
    """The year that a date tells, "" where it tells none."""
    year = _YEAR.search(value)
    return year.group(1) if year else ""


def _gather(declared: pl.DataFrame, overrides: Overrides, known: set[str]) -> _Evidence:
    evidence = _Evidence()
    aliases: dict[tuple[str, str], set[str]] = {}
    for head, tail, *said in declared.select("head", "tail", *Said._fields).sort(by=pl.all()).iter_rows():
        if head != tail:
            evidence.declared.setdefault(_pair(head, tail), []).append(Said(*said))
            aliases.setdefault((head, said[0]), set()).add(tail)
    for names in aliases.values():
        evidence.siblings.update(_pair(a, b) for a, b in combinations(sorted(names), 2))
    for pairs, groups in ((evidence.forced, overrides.merge), (evidence.apart, overrides.keep_apart)):
        pairs.update(_pair(a, b) for group in groups for a, b in combinations(sorted(known & set(group)), 2))
    for alias, bearers in sorted(_bearers(declared).items()):
        ordered = sorted(bearers)
        for bearer in ordered:
            rival = next((one for one in ordered if one != bearer and _pair(one, bearer) not in evidence.declared), None)
            if rival is not None:
                first, second = _pair(bearer, rival)
                evidence.vetoes[_pair(alias, bearer)] = ("ambiguous_alias", f"{alias} is a name of {first} and of {second}")
    return evidence


def _bearers(declared: pl.DataFrame) -> dict[str, set[str]]:
    bearers: dict[str, set[str]] = {}
    for head, tail in declared.select("head", "tail").unique().iter_rows():
        bearers.setdefault(tail, set()).add(head)
    return bearers


def _collect_vetoes(evidence: _Evidence, facts: pl.DataFrame, causal: pl.DataFrame) -> None:
    values: dict[tuple[str, str], set[str]] = {}
    for key, name, value in facts.select("key", "field", "value").iter_rows():
        if name in SINGLE_VALUED and (year := year_of(value)):
            values.setdefault((key, name), set()).add(year)
    caused = {_pair(head, tail) for head, tail in causal.select("head", "tail").iter_rows()}
    for pair in sorted({*evidence.declared, *evidence.siblings} - set(evidence.vetoes)):
        if conflict := _conflict(pair, values, caused):
            evidence.vetoes[pair] = conflict
    for pair in evidence.forced:
        evidence.vetoes.pop(pair, None)
    evidence.vetoes.update(dict.fromkeys(evidence.apart, (FILE, "")))


def _conflict(pair: Pair, values: dict[tuple[str, str], set[str]], caused: set[Pair]) -> tuple[str, str] | None:
    """Why two names cannot be one entity, with its details; None when nothing speaks against it."""
    if pair in caused:
        return "causal_link", ""
    left, right = (set(re.findall(r"\w+", key)) for key in pair)
    if {w for w in left if w.isdigit()} != {w for w in right if w.isdigit()} and any(w.isdigit() for w in left) == any(
        w.isdigit() for w in right
    ):
        return "numerals", ""
    if (left & _ORDER_WORDS) != (right & _ORDER_WORDS) and left & _ORDER_WORDS and right & _ORDER_WORDS:
        return "generation", ""
    if (left & _MALE and right & _FEMALE) or (left & _FEMALE and right & _MALE):
        return "gender", ""
    for name in sorted(SINGLE_VALUED):
        ours, theirs = values.get((pair[0], name), set()), values.get((pair[1], name), set())
        if ours and theirs and not ours & theirs:
            return f"different_{name}", f"{', '.join(sorted(ours))} and {', '.join(sorted(theirs))}"
    return None


def _linked(evidence: _Evidence) -> list[list[str]]:
    """Complete linkage over the passing pairs: overrides first, then the most often declared, then by key."""
    passing = (set(evidence.declared) | evidence.siblings | evidence.forced) - set(evidence.vetoes)
    order = sorted(
        (pair for pair in passing if pair in evidence.declared or pair in evidence.forced),
        key=lambda pair: (pair not in evidence.forced, -len(evidence.declared.get(pair, ())), pair),
    )
    group_of: dict[str, list[str]] = {key: [key] for pair in order for key in pair}
    for left, right in order:
        ours, theirs = group_of[left], group_of[right]
        if ours is not theirs and all(_pair(a, b) in passing for a, b in product(ours, theirs)):
            merged = sorted([*ours, *theirs])
            group_of.update(dict.fromkeys(merged, merged))
    return sorted({tuple(group): list(group) for group in group_of.values() if len(group) > 1}.values())


def _without_reversals(groups: list[list[str]], causal: pl.DataFrame, forced: set[Pair]) -> tuple[list[list[str]], list[list[str]]]:
    """The groups that keep every cause a cause, and those that were split for it (G3); of a split group, what people merged stays together."""
    split: list[list[str]] = []
    while guilty := [group for group in groups if group[0] in _guilty(groups, causal) and _cores(group, forced) != [group]]:
        split.extend(guilty)
        groups = sorted(
            [group for group in groups if group not in guilty] + [core for group in guilty for core in _cores(group, forced)]
        )
    return groups, split


def _cores(group: list[str], forced: set[Pair]) -> list[list[str]]:
    """The parts of a group that people merged: they merge whole groups of names, so a part is a name with all it is paired with."""
    parts = {tuple(key for key in group if key == one or _pair(key, one) in forced) for one in group}
    return sorted(list(part) for part in parts if len(part) > 1)


def _guilty(groups: list[list[str]], causal: pl.DataFrame) -> set[str]:
    """First keys of groups that make a cause its own effect, or put causes of separate entities into a circle of two."""
    group_of = {key: group[0] for group in groups for key in group}
    pairs = causal.select("head", "tail").iter_rows()
    ends = (((group_of.get(head, head), group_of.get(tail, tail)), (head, tail)) for head, tail in pairs)
    return turned(ends) & set(group_of.values())


def _group_frame(groups: Sequence[Sequence[str]]) -> pl.DataFrame:
    return pl.DataFrame([("", key, group[0]) for group in groups for key in group], schema=GROUPS, orient="row")


def _decided(evidence: _Evidence, groups: list[list[str]]) -> list[tuple[str | int | None, ...]]:
    """A row for each pair that the text or people spoke of: merged or kept apart, why, and where it is said."""
    group_of = {key: group[0] for group in groups for key in group}
    rows: list[tuple[str | int | None, ...]] = []
    for pair in sorted({*evidence.declared, *evidence.forced, *evidence.apart}):
        said = min(evidence.declared.get(pair, [Said()]))
        first, second = (group_of.get(key, key) for key in pair)
        names = f"{pair[0]} / {pair[1]}"
        if first == second:
            by_people = pair in evidence.forced
            rows.append((first, "", "override" if by_people else "G5", "merge", FILE if by_people else "declared", names, *said))
        else:
            reason, told = evidence.vetoes.get(pair, ("incomplete_linkage", ""))
            detail = f"alignment_blocked: {names}" + (f": {told}" if told else "")
            rows.append((first, second, "override" if reason == FILE else "G5", "keep_apart", reason, detail, *said))
    return rows


def _causal_rows(groups: list[list[str]], split: list[list[str]], causal: pl.DataFrame) -> list[tuple[str | int | None, ...]]:
    """A row for each group that was split to keep a cause, and for each that people hold together although it turns one."""
    kept = _guilty(groups, causal)
    rows: list[tuple[str | int | None, ...]] = [
        (group[0], "", "G3", "split", "causal_direction", " / ".join(group), *Said()) for group in split
    ]
    return rows + [
        (group[0], "", "G3", "merge", "forced_over_cause", " / ".join(group), *Said()) for group in groups if group[0] in kept
    ]


def _pair(left: str, right: str) -> Pair:
    return (left, right) if left <= right else (right, left)
