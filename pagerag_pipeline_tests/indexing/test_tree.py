"""The tree's shape follows from the leaves' contents, stays within its bounds, and moves little when a leaf does."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.tree import ENDING, TreeLevel, build_tree, document_tree, fixed_tree, group_children, leaf_marks
from pagerag_pipeline.settings import SummarizeSettings

SETTINGS = SummarizeSettings()
LEAVES = st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789"), max_size=120)


def tiles(ranges: list[tuple[int, int]] | tuple[tuple[int, int], ...], count: int) -> bool:
    ends = [end for _, end in ranges]
    return [start for start, _ in ranges] == [0, *ends[:-1]] and ends[-1] == count


def summaries(levels: list[TreeLevel], leaves: list[str]) -> list[set[tuple[str, ...]]]:
    """What each summary of each level reads, in the end: the contents of its leaves."""
    return [{tuple(leaves[start:end]) for start, end in level.leaves} for level in levels]


@given(LEAVES)
def test_groups_tile_each_level_within_their_bounds_up_to_one_root(leaves: list[str]) -> None:
    below = len(leaves)
    levels = build_tree(leaves, SETTINGS)
    for number, level in enumerate(levels, start=1):
        assert level.level == number
        assert tiles(level.groups, below)
        assert tiles(level.leaves, len(leaves))
        sizes = [end - start for start, end in level.groups]
        assert max(sizes) <= SETTINGS.group_max
        assert len(sizes) == 1 or min(sizes) >= SETTINGS.group_min
        below = len(level.groups)
    assert below == min(len(leaves), 1)


@given(LEAVES.filter(bool))
def test_leaf_ranges_follow_from_the_groups(leaves: list[str]) -> None:
    below = tuple((index, index + 1) for index in range(len(leaves)))
    for level in build_tree(leaves, SETTINGS):
        assert level.leaves == tuple((below[start][0], below[end - 1][1]) for start, end in level.groups)
        below = level.leaves


def test_a_document_of_one_leaf_or_none_has_no_summary() -> None:
    assert build_tree([], SETTINGS) == []
    assert build_tree(["a"], SETTINGS) == []
    assert [level.groups for level in build_tree(["a", "b"], SETTINGS)] == [((0, 2),)]


def test_equal_leaves_are_divided_evenly() -> None:
    sizes = Counter(end - start for start, end in group_children(["same"] * 200, 1, SETTINGS))
    assert set(sizes) <= set(range(SETTINGS.group_min, SETTINGS.group_max + 1))
    assert sum(sizes.values()) <= 60


def test_groups_hold_about_five() -> None:
    rng = random.Random(7)
    sizes = [end - start for start, end in group_children([str(rng.random()) for _ in range(20_000)], 1, SETTINGS)]
    assert 4.4 < sum(sizes) / len(sizes) < 5.6


def test_a_level_of_another_number_has_other_groups() -> None:
    leaves = [str(number) for number in range(200)]
    assert group_children(leaves, 1, SETTINGS) != group_children(leaves, 2, SETTINGS)


@given(bounds=st.tuples(st.integers(2, 9), st.integers(0, 9), st.integers(0, 9)), leaves=LEAVES)
def test_any_allowed_bounds_end_and_keep_the_greatest_size(bounds: tuple[int, int, int], leaves: list[str]) -> None:
    least, more, most = bounds
    settings = SummarizeSettings(group_min=least, group_size=least + more, group_max=least + more + most)
    levels = build_tree(leaves, settings)
    assert all(end - start <= settings.group_max for level in levels for start, end in level.groups)


@pytest.mark.parametrize("operation", ["edit", "insert", "delete"])
def test_one_changed_leaf_makes_at_most_two_new_summaries_a_level_for_nearly_all_edits(operation: str) -> None:
    rng = random.Random(11)
    most_per_level: Counter[int] = Counter()
    for _ in range(300):
        leaves = [str(rng.random()) for _ in range(200)]
        changed, place = list(leaves), rng.randrange(200)
        changed[place : place + (operation != "insert")] = [] if operation == "delete" else [str(rng.random())]
        before, after = (summaries(build_tree(one, SETTINGS), one) for one in (leaves, changed))
        known = [*before, *[set()] * len(after)]
        most_per_level[max(len(level - known[number]) for number, level in enumerate(after))] += 1
    assert sum(count for new, count in most_per_level.items() if new <= 2) >= 0.95 * 300
    assert max(most_per_level) <= 5


def test_an_edit_inside_a_leaf_makes_one_summary_a_level_anew() -> None:
    rng = random.Random(5)
    for _ in range(100):
        leaves = [(str(rng.random()), f"It was {rng.random()}.") for _ in range(200)]
        place = rng.randrange(200)
        changed = [*leaves[:place], ("edited", leaves[place][1]), *leaves[place + 1 :]]
        before, after = (build_tree(leaf_marks(one), SETTINGS) for one in (leaves, changed))
        assert before == after
        now = summaries(after, [content for content, _ in changed])
        known = summaries(before, [content for content, _ in leaves])
        assert [len(new - old) for new, old in zip(now, known, strict=True)] == [1] * len(now)


def test_leaves_that_end_alike_or_in_nothing_are_known_by_their_contents() -> None:
    assert leaf_marks([("a", "The end."), ("b", " The end. "), ("c", "Not yet."), ("d", "  "), ("e", "")]) == ["a", "b", "Not yet.", "d", "e"]
    alike = [(str(number), "Page footer.") for number in range(200)]
    assert build_tree(leaf_marks(alike), SETTINGS) == build_tree([content for content, _ in alike], SETTINGS) and ENDING > len("Page footer.")


@pytest.mark.parametrize(
    ("leaves", "per_level"),
    [
        (1, [1]),
        (4, [1]),
        (5, [1]),
        (6, [2]),
        (30, [6]),
        (31, [7, 2]),
        (100, [20, 4]),
        (151, [31, 7, 2]),
        (182, [37, 8, 2]),
        (400, [80, 16, 4]),
        (1000, [200, 40, 8, 2]),
    ],
)
def test_fixed_groups_give_the_node_counts_of_e2graphrag(leaves: int, per_level: list[int]) -> None:
    levels = fixed_tree(leaves, 5)
    assert [len(level.groups) for level in levels] == per_level
    assert all(tiles(level.leaves, leaves) for level in levels)


@pytest.mark.parametrize(("leaves", "per_level"), [(1, [1]), (6, [2, 1]), (31, [7, 2, 1]), (400, [80, 16, 4, 1])])
def test_a_root_can_be_forced(leaves: int, per_level: list[int]) -> None:
    assert [len(level.groups) for level in fixed_tree(leaves, 5, force_root=True)] == per_level


def test_the_settings_say_where_groups_close() -> None:
    leaves = [str(number) for number in range(31)]
    assert document_tree(leaves, SETTINGS) == build_tree(leaves, SETTINGS)
    fixed = replace(SETTINGS, grouping="fixed")
    assert document_tree(leaves, fixed) == fixed_tree(31, 5)
    assert len(document_tree(leaves, replace(fixed, force_root=True))[-1].groups) == 1


def test_a_fixed_tree_over_nothing_is_empty_and_its_groups_hold_two_at_least() -> None:
    assert fixed_tree(0, 5) == []
    with pytest.raises(ValueError, match="at least two"):
        fixed_tree(10, 1)
