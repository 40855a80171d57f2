"""Alignment by declared names: complete linkage, vetoes, overrides."""

import random
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.align import Alignment, align_names
from pagerag_pipeline.indexing.overrides import Overrides, OverridesError, parse_overrides, with_keys

Declared = Sequence[tuple[str, str] | tuple[str, str, str]]


def aligned(
    declared: Declared,
    *,
    facts: Sequence[tuple[str, str, str]] = (),
    causal: Sequence[tuple[str, str]] = (),
    overrides: Overrides = Overrides(),
    known: Sequence[str] = (),
) -> Alignment:
    rows = [(d[0], d[1], d[2] if len(d) > 2 else "a.txt", "c1", 0, 5, "so it is") for d in declared]
    text = pl.String
    said = {"document": text, "chunk_id": text, "start_at": pl.Int32, "end_at": pl.Int32, "quote": text}
    nodes = [(key, key, "PERSON") for key in known]
    return align_names(
        pl.DataFrame(rows, schema={"head": text, "tail": text, **said}, orient="row"),
        pl.DataFrame(nodes, schema={"key": text, "name": text, "type": text}, orient="row"),
        facts=pl.DataFrame(list(facts), schema={"key": text, "field": text, "value": text}, orient="row"),
        causal=pl.DataFrame(list(causal), schema={"head": text, "tail": text}, orient="row"),
        overrides=overrides,
    )


def groups(alignment: Alignment) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for document, key, group in alignment.groups.iter_rows():
        assert document == ""
        found.setdefault(group, []).append(key)
    assert all(min(keys) == group for group, keys in found.items())
    return sorted(sorted(keys) for keys in found.values())


def blocked(alignment: Alignment) -> list[str]:
    return alignment.decisions.filter(pl.col("act") == "keep_apart")["reason"].to_list()


def test_a_declared_name_merges() -> None:
    alignment = aligned([("mark twain", "samuel clemens")])
    assert groups(alignment) == [["mark twain", "samuel clemens"]]
    assert alignment.decisions.select("gate", "act", "reason").rows() == [("G5", "merge", "declared")]


def test_two_names_of_one_bearer_in_one_document_all_merge() -> None:
    assert groups(aligned([("ann", "nan"), ("ann", "annie")])) == [["ann", "annie", "nan"]]


def test_a_chain_does_not_merge() -> None:
    alignment = aligned([("a", "b"), ("b", "c")])
    assert groups(alignment) == [["a", "b"]]
    assert blocked(alignment) == ["incomplete_linkage"]


def test_an_alias_that_two_bearers_claim_belongs_to_none() -> None:
    alignment = aligned([("billy bonney", "the kid", "a.txt"), ("wes hardin", "the kid", "b.txt")])
    assert groups(alignment) == []
    assert blocked(alignment) == ["ambiguous_alias", "ambiguous_alias"]


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        (("henry the elder", "henry the younger"), "generation"),
        (("louis 14", "louis 15"), "numerals"),
        (("mr. hale", "mrs. hale"), "gender"),
    ],
)
def test_names_that_contradict_each_other_stay_apart(pair: tuple[str, str], reason: str) -> None:
    alignment = aligned([pair])
    assert groups(alignment) == []
    assert blocked(alignment) == [reason]


def test_namesakes_born_in_different_years_stay_apart() -> None:
    facts = [("ann hale", "born_date", "3 May 1880"), ("anna hale", "born_date", "1912")]
    assert blocked(aligned([("ann hale", "anna hale")], facts=facts)) == ["different_born_date"]
    agreeing = [("ann hale", "born_date", "3 May 1880"), ("anna hale", "born_date", "1880")]
    assert groups(aligned([("ann hale", "anna hale")], facts=agreeing)) == [["ann hale", "anna hale"]]


def test_a_veto_on_one_pair_holds_through_its_group() -> None:
    facts = [("annie", "born_date", "1880"), ("nan", "born_date", "1912")]
    alignment = aligned([("ann", "nan"), ("ann", "annie")], facts=facts)
    assert groups(alignment) == [["ann", "annie"]]


def test_a_cause_and_its_effect_are_two() -> None:
    assert blocked(aligned([("flood", "great flood")], causal=[("flood", "great flood")])) == ["causal_link"]


def test_a_merge_that_would_reverse_a_cause_is_undone() -> None:
    alignment = aligned([("flood", "high water"), ("fire", "great fire")], causal=[("flood", "fire"), ("great fire", "high water")])
    assert groups(alignment) == []
    assert alignment.decisions.filter(pl.col("act") == "split")["reason"].to_list() == ["causal_direction"] * 2


def test_causes_stated_both_ways_in_the_text_are_left_alone() -> None:
    alignment = aligned([("flood", "high water")], causal=[("flood", "fire"), ("fire", "flood")])
    assert groups(alignment) == [["flood", "high water"]]


def test_people_overrule_the_rules() -> None:
    overrides = parse_overrides('merge = [["Mr. Hale", "Mrs. Hale"]]\nkeep_apart = [["Nan", "Ann"]]')
    alignment = aligned([("ann", "nan")], overrides=overrides, known=["mr. hale", "mrs. hale"])
    assert groups(alignment) == [["mr. hale", "mrs. hale"]]
    assert blocked(alignment) == ["governance.toml"]


def test_names_unknown_to_the_corpus_form_no_group() -> None:
    assert groups(aligned([], overrides=parse_overrides('merge = [["X", "Y"]]'))) == []


def test_the_order_of_rows_does_not_matter() -> None:
    declared = [("a", "b"), ("b", "c"), ("d", "e"), ("d", "f"), ("f", "g"), ("h", "b"), ("a", "i"), ("i", "j")]
    wanted = aligned(declared)
    for seed in range(10):
        shuffled = random.Random(seed).sample(declared, len(declared))
        alignment = aligned(shuffled)
        assert groups(alignment) == groups(wanted)
        assert alignment.decisions.equals(wanted.decisions)


@pytest.mark.parametrize("text", ["suppress = 'Hale'", "surpress = []", "suppress = [1]", "merge = ['a']", "[retype]\na = 1", "= 1"])
def test_a_malformed_governance_file_is_named_with_its_fault(text: str) -> None:
    with pytest.raises(OverridesError, match="governance.toml"):
        parse_overrides(text)


def test_names_of_overrides_are_keys() -> None:
    overrides = parse_overrides('\ufeffsuppress = ["Harbour  Lane", "harbour lane"]')
    assert overrides.suppress == ("harbour lane",)
    assert parse_overrides("") == Overrides()


NAMES = st.sampled_from("abcdefgh")
PAIRS = st.lists(st.tuples(NAMES, NAMES).filter(lambda pair: pair[0] != pair[1]), max_size=9)


@given(declared=PAIRS, causal=PAIRS, merged=st.lists(st.lists(NAMES, min_size=2, max_size=3, unique=True), max_size=2))
def test_no_merge_turns_a_cause(declared: list[tuple[str, str]], causal: list[tuple[str, str]], merged: list[list[str]]) -> None:
    """Whatever is declared and stated: only names that people merged may make a cause its own effect, or two causes opposites that no text states."""
    overrides = with_keys(Overrides(merge=tuple(tuple(sorted(group)) for group in merged)), {})
    alignment = aligned(declared, causal=causal, overrides=overrides, known="abcdefgh")
    group_of = dict(alignment.groups.select("key", "group_key").iter_rows())
    forced = {name: group[0] for group in overrides.merge for name in group}
    for group in overrides.merge:
        assert len({group_of[name] for name in group}) == 1, "people are obeyed"
    ends = {(group_of.get(head, head), group_of.get(tail, tail)) for head, tail in causal}
    people = {(forced.get(head, head), forced.get(tail, tail)) for head, tail in causal}
    if all(head != tail for head, tail in people):
        assert all(head != tail for head, tail in ends)
    if not any((tail, head) in people for head, tail in people):
        assert not any((tail, head) in ends for head, tail in ends)
