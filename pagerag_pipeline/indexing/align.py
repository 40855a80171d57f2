"""Gate G5: which names are one entity. Equal keys are; declared names are unless something speaks against it; nothing else is, so far."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import polars as pl

from pagerag_pipeline.indexing.overrides import Overrides

_SINGLE_VALUED = frozenset({"born_date", "died_date", "founded_date"})
_YEAR = re.compile(r"\b(1\d{3}|20\d\d|\d{3})\b")
_ORDER_WORDS = frozenset("elder younger senior junior sr jr i ii iii iv v vi vii viii ix x first second third fourth fifth".split())
_MALE = frozenset({"mr", "sir", "lord", "king", "prince", "brother", "father", "uncle", "duke", "count", "baron", "monsieur", "herr"})
_FEMALE = frozenset("mrs ms miss lady dame queen princess sister mother aunt duchess countess baroness madame mademoiselle frau".split())

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Alignment:
    """What alignment decided: `groups` (key, group_key) holds members of merged groups only; `decisions` as `decisions` rows need them."""

    groups: pl.DataFrame
    decisions: pl.DataFrame


@dataclass(slots=True)
class _Evidence:
    """Declared pairs with where they stand, aliases by bearer and document, and what speaks against pairs."""

    declared: dict[Pair, list[tuple[str, str]]] = field(default_factory=dict)
    siblings: set[Pair] = field(default_factory=set)
    forced: set[Pair] = field(default_factory=set)
    vetoes: dict[Pair, str] = field(default_factory=dict)


def align_names(
    declared: pl.DataFrame, nodes: pl.DataFrame, *, facts: pl.DataFrame, causal: pl.DataFrame, overrides: Overrides
) -> Alignment:
    """Groups of keys that are one entity, by complete linkage: every pair inside a group must pass, so nothing merges by a chain.

    A pair passes when one name is declared as the other's (or both as one bearer's, in one document) and no veto holds: an override,
    numerals or generation words that differ, titles of different gender, different years of birth, death or founding, a causal link
    between the two, an alias that two bearers claim. Frames as in `stores.knowledge.AlignmentInputs`.
    """
    evidence = _gather(declared, overrides)
    _collect_vetoes(evidence, facts, causal, overrides)
    groups = _linked(evidence)
    groups, split = _without_reversals(groups, causal)
    known = set(nodes["key"]) | {key for pair in evidence.declared for key in pair}
    groups = [kept for group in groups if len(kept := [key for key in group if key in known]) > 1]
    return Alignment(_group_frame(groups), _decision_frame(evidence, groups, split))


def _gather(declared: pl.DataFrame, overrides: Overrides) -> _Evidence:
    evidence = _Evidence()
    aliases: dict[tuple[str, str], set[str]] = {}
    for head, tail, document, chunk in declared.select("head", "tail", "document", "chunk_id").sort(by=pl.all()).iter_rows():
        if head != tail:
            evidence.declared.setdefault(_pair(head, tail), []).append((document, chunk))
            aliases.setdefault((head, document), set()).add(tail)
    for names in aliases.values():
        evidence.siblings.update(_pair(a, b) for a, b in combinations(sorted(names), 2))
    for group in overrides.merge:
        evidence.forced.update(_pair(a, b) for a, b in combinations(group, 2))
    for alias, bearers in sorted(_bearers(declared).items()):
        apart = [pair for pair in combinations(sorted(bearers), 2) if pair not in evidence.declared]
        for pair in apart:
            evidence.vetoes.update({_pair(alias, bearer): "ambiguous_alias" for bearer in pair})
    return evidence


def _bearers(declared: pl.DataFrame) -> dict[str, set[str]]:
    bearers: dict[str, set[str]] = {}
    for head, tail in declared.select("head", "tail").unique().iter_rows():
        bearers.setdefault(tail, set()).add(head)
    return bearers


def _collect_vetoes(evidence: _Evidence, facts: pl.DataFrame, causal: pl.DataFrame, overrides: Overrides) -> None:
    values: dict[tuple[str, str], set[str]] = {}
    for key, name, value in facts.select("key", "field", "value").iter_rows():
        if name in _SINGLE_VALUED and (year := _YEAR.search(value)):
            values.setdefault((key, name), set()).add(year.group(1))
    caused = {_pair(head, tail) for head, tail in causal.select("head", "tail").iter_rows()}
    for pair in sorted({*evidence.declared, *evidence.siblings} - set(evidence.vetoes)):
        if reason := _conflict(pair, values, caused):
            evidence.vetoes[pair] = reason
    for pair in evidence.forced:
        evidence.vetoes.pop(pair, None)
    for group in overrides.keep_apart:
        evidence.vetoes.update({_pair(a, b): "override" for a, b in combinations(group, 2)})


def _conflict(pair: Pair, values: dict[tuple[str, str], set[str]], caused: set[Pair]) -> str:
    """Why two names cannot be one entity, empty when nothing speaks against it."""
    if pair in caused:
        return "causal_link"
    left, right = (set(re.findall(r"\w+", key)) for key in pair)
    if {w for w in left if w.isdigit()} != {w for w in right if w.isdigit()} and any(w.isdigit() for w in left) == any(w.isdigit() for w in right):
        return "numerals"
    if (left & _ORDER_WORDS) != (right & _ORDER_WORDS) and left & _ORDER_WORDS and right & _ORDER_WORDS:
        return "generation"
    if (left & _MALE and right & _FEMALE) or (left & _FEMALE and right & _MALE):
        return "gender"
    for name in sorted(_SINGLE_VALUED):
        ours, theirs = values.get((pair[0], name), set()), values.get((pair[1], name), set())
        if ours and theirs and not ours & theirs:
            return f"different_{name}"
    return ""


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


def _without_reversals(groups: list[list[str]], causal: pl.DataFrame) -> tuple[list[list[str]], list[list[str]]]:
    """Groups that would turn causes of separate entities into a circle of two, or a cause into its own effect, are dissolved (G3)."""
    group_of = {key: group[0] for group in groups for key in group}
    stated: dict[Pair, set[Pair]] = {}
    for head, tail in causal.select("head", "tail").iter_rows():
        stated.setdefault((group_of.get(head, head), group_of.get(tail, tail)), set()).add((head, tail))
    guilty: set[str] = set()
    for (head, tail), pairs in stated.items():
        opposite = stated.get((tail, head), set())
        if head == tail or (opposite and not any((t, h) in opposite for h, t in pairs)):
            guilty.update((head, tail))
    return [g for g in groups if g[0] not in guilty], [g for g in groups if g[0] in guilty]


def _group_frame(groups: Sequence[Sequence[str]]) -> pl.DataFrame:
    rows = [(key, group[0]) for group in groups for key in group]
    return pl.DataFrame(rows, schema={"key": pl.String, "group_key": pl.String}, orient="row")


def _decision_frame(evidence: _Evidence, groups: list[list[str]], split: list[list[str]]) -> pl.DataFrame:
    group_of = {key: group[0] for group in groups for key in group}
    rows: list[tuple[str, ...]] = []
    for pair in sorted({*evidence.declared, *evidence.forced}):
        document, chunk = min(evidence.declared.get(pair, [("", "")]))
        gate = "override" if pair in evidence.forced else "G5"
        names = f"{pair[0]} / {pair[1]}"
        first = group_of.get(pair[0], pair[0])
        if first == group_of.get(pair[1], pair[1]):
            rows.append((first, gate, "merge", "declared" if gate == "G5" else "governance.toml", names, document, chunk))
        else:
            reason = evidence.vetoes.get(pair, "incomplete_linkage")
            rows.append((pair[0], "G5", "keep_apart", reason, f"alignment_blocked: {names}", document, chunk))
    rows.extend((group[0], "G3", "split", "causal_direction", " / ".join(group), "", "") for group in split)
    names_of = ("group_key", "gate", "act", "reason", "detail", "document", "chunk_id")
    return pl.DataFrame(rows, schema=dict.fromkeys(names_of, pl.String), orient="row")


def _pair(left: str, right: str) -> Pair:
    return (left, right) if left <= right else (right, left)


def named_in(overrides: Overrides) -> list[str]:
    """Every key an override speaks of, sorted."""
    groups: Iterable[tuple[str, ...]] = (*overrides.merge, *overrides.keep_apart)
    return sorted({*overrides.suppress, *(key for group in groups for key in group), *(key for key, _ in (*overrides.retype, *overrides.rename))})
