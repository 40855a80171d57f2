"""Causes stay causes when people are merged."""

from pagerag_pipeline.indexing.aligning.causes import without_reversals

KEYS = {("a", "tom"): "tom hale", ("a", "tom hale"): "tom hale", ("a", "ann"): "ann"}


def test_a_merge_that_makes_a_cause_its_own_effect_is_undone() -> None:
    keys, split = without_reversals(KEYS, [("a", "tom", "tom hale")], [], {})
    assert keys[("a", "tom")] != keys[("a", "tom hale")] and keys[("a", "ann")] == "ann"
    assert split == [[("a", "tom"), ("a", "tom hale")]]


def test_a_merge_that_turns_a_cause_is_undone() -> None:
    keys, _ = without_reversals(KEYS, [("a", "tom", "ann"), ("a", "ann", "tom hale")], [], {})
    assert keys[("a", "tom")] != keys[("a", "tom hale")]


def test_what_the_text_states_both_ways_is_left_alone() -> None:
    assert without_reversals(KEYS, [("a", "tom", "ann"), ("a", "ann", "tom")], [], {}) == (KEYS, [])


def test_names_that_people_merged_stay_together() -> None:
    assert without_reversals(KEYS, [("a", "tom", "tom hale")], [("tom", "tom hale")], {}) == (KEYS, [])


def test_causes_of_other_documents_do_not_count() -> None:
    assert without_reversals(KEYS, [("b", "tom", "tom hale")], [], {}) == (KEYS, [])
