"""A plan is mended by one rule a fault, told each time, and a sound one comes back as it is."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagerag_pipeline.systems.planning.hops import FINAL, Hop, HopPlan, places
from pagerag_pipeline.systems.planning.validation import MOST_HOPS, ancestors, levels, validated


def plan(*hops: Hop, final: str = "What?", needs: tuple[str, ...] = ()) -> HopPlan:
    return HopPlan("The question?", hops, Hop(FINAL, final, needs))


def hop(name: str, *needs: str, text: str = "") -> Hop:
    return Hop(name, text or f"Who is behind {name}?", needs)


def needs(mended: HopPlan) -> dict[str, tuple[str, ...]]:
    return {one.hop_id: one.dependencies for one in mended.steps}


def test_a_dependency_across_sequences_is_legal() -> None:
    sound = plan(hop("1-1"), hop("2-1", "1-1"), hop("0-1", "1-1", "2-1"), needs=("0-1",))
    assert validated(sound) == sound


def test_an_unknown_dependency_and_one_on_itself_are_dropped_and_told() -> None:
    mended = validated(plan(hop("1-1", "1-1", "7-7"), needs=("1-1", "final", "9-9")))
    assert needs(mended) == {"1-1": (), FINAL: ("1-1",)}
    told = ["1-1 depended on itself", "1-1 depended on 7-7, which is no hop", "final depended on itself", "final depended on 9-9, which is no hop"]
    assert list(mended.why) == told


def test_a_cycle_is_broken_at_the_hop_that_was_declared_last() -> None:
    mended = validated(plan(hop("1-1", "1-3"), hop("1-2", "1-1"), hop("1-3", "1-2"), needs=("1-3",)))
    assert needs(mended) == {"1-1": ("1-3",), "1-2": ("1-1",), "1-3": (), FINAL: ("1-3",)}
    assert "a cycle was broken: 1-3 no longer depends on 1-2" in mended.why


def test_a_broken_cycle_takes_its_place_for_an_answer_along() -> None:
    mended = validated(plan(hop("1-1", "1-2"), hop("1-2", text="Who is [1.1]'s heir?"), needs=("1-2",)))
    assert [one.sub_query for one in mended.hops] == ["Who is behind 1-1?", "Who is 's heir?"] and places(mended.hops[1].sub_query) == ()


def test_a_hop_without_text_is_dropped_and_what_was_around_it_joined() -> None:
    mended = validated(plan(hop("1-1"), Hop("1-2", " <1-1>? ", ("1-1",)), hop("1-3", "1-2"), needs=("1-3", "1-2")))
    assert needs(mended) == {"1-1": (), "1-3": ("1-1",), FINAL: ("1-3", "1-1")}
    assert "hop 1-2 asks nothing and was dropped" in mended.why


def test_of_two_hops_with_one_id_the_later_gets_the_next_free_one() -> None:
    mended = validated(plan(hop("1-1"), hop("1-1", text="Who else?"), hop("1-2", "1-1"), needs=("1-2",)))
    assert [one.hop_id for one in mended.hops] == ["1-1", "1-3", "1-2"] and needs(mended)["1-2"] == ("1-1",)


def test_of_too_many_hops_those_stay_that_the_final_query_rests_on() -> None:
    spare = [hop(f"2-{n}") for n in range(1, 7)]
    chain = [hop("1-1"), *(hop(f"1-{n}", f"1-{n - 1}") for n in range(2, 7))]
    mended = validated(plan(*spare, *chain, needs=("1-6",)))
    assert len(mended.hops) == MOST_HOPS and {one.hop_id for one in chain} <= {one.hop_id for one in mended.hops}
    assert any("12 hops are more than 8: 2-3, 2-4, 2-5, 2-6 dropped" in note for note in mended.why)


def test_a_chain_that_is_too_long_loses_its_end_and_stays_joined() -> None:
    chain = [hop("1-1"), *(hop(f"1-{n}", f"1-{n - 1}") for n in range(2, 12))]
    assert needs(validated(plan(*chain, needs=("1-11",))))[FINAL] == ("1-8",)


def test_a_final_query_without_a_dependency_rests_on_what_nothing_else_needs() -> None:
    mended = validated(plan(hop("1-1"), hop("1-2", "1-1"), hop("2-1")))
    assert mended.final.dependencies == ("1-2", "2-1") and any("named no dependency" in note for note in mended.why)


def test_a_plan_without_hops_asks_the_question_and_nothing_else() -> None:
    for empty in (plan(), plan(Hop("1-1", "", ("1-2",)), Hop("1-2", "<1-1>", ("1-1",)))):
        assert [one.sub_query for one in validated(empty).steps] == ["The question?"]


def test_a_place_for_an_answer_is_a_dependency() -> None:
    mended = validated(plan(hop("1-1"), hop("1-2", text="Who married <1.1>?"), final="Where was <answer of 1-2> born?"))
    assert needs(mended) == {"1-1": (), "1-2": ("1-1",), FINAL: ("1-2",)}


def test_levels_hold_what_can_run_at_once_in_the_order_of_declaration() -> None:
    found = levels([hop("1-1"), hop("0-1", "1-2", "2-1"), hop("1-2", "1-1"), hop("2-1")])
    assert [[one.hop_id for one in level] for level in found] == [["1-1", "2-1"], ["1-2"], ["0-1"]]
    with pytest.raises(ValueError, match="wait for each other"):
        levels([hop("1-1", "1-2"), hop("1-2", "1-1")])


IDS = st.sampled_from([f"{sequence}-{place}" for sequence in range(4) for place in range(1, 5)])
TEXTS = st.sampled_from(["Who is it?", "", "<1-1>", "Where is <1-2> from?", "What did [2.1] and <answer of 3-1> do?", "When was <0-9> built?"])
HOPS = st.builds(Hop, IDS, TEXTS, st.lists(st.one_of(IDS, st.just("x")), max_size=4).map(tuple))
PLANS = st.builds(HopPlan, st.just("The question?"), st.lists(HOPS, max_size=12).map(tuple), st.builds(Hop, st.just(FINAL), TEXTS, st.lists(IDS, max_size=3).map(tuple)))


@settings(max_examples=300, deadline=None)
@given(PLANS)
def test_whatever_comes_in_a_sound_plan_comes_out(given_plan: HopPlan) -> None:
    mended = validated(given_plan)
    ids = [one.hop_id for one in mended.hops]
    assert len(ids) == len(set(ids)) <= MOST_HOPS
    assert all(set(one.dependencies) <= set(ids) - {one.hop_id} for one in mended.steps)
    assert all(len(set(one.dependencies)) == len(one.dependencies) for one in mended.steps)
    assert sorted(one.hop_id for level in levels(mended.hops) for one in level) == sorted(ids)
    assert all(one.sub_query.strip() for one in mended.steps)
    assert ancestors(mended.final, mended.hops) or not ids
    assert mended == replace(validated(mended), why=mended.why), "what is mended needs no mending"
