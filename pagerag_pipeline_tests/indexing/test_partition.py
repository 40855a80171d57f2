"""Segments cover their blocks, or are set right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagerag_pipeline.indexing.partition import Segment, partition_fault, repaired_partition

SEGMENTS = st.lists(st.builds(Segment, st.integers(-3, 12), st.integers(-3, 12), st.sampled_from(("A", "B"))), max_size=8)


@pytest.mark.parametrize(
    ("segments", "told"),
    [
        ([Segment(0, 1), Segment(2, 4)], ""),
        ([Segment(0, 1), Segment(3, 4)], "blocks 2 stand in no segment"),
        ([Segment(0, 2), Segment(2, 4)], "blocks 2 stand in more than one segment"),
        ([Segment(3, 4), Segment(0, 2)], "not in the order"),
        ([Segment(0, 5)], "0 to 5 is not a range of the block ids 0 to 4"),
        ([Segment(2, 1), Segment(0, 4)], "2 to 1 is not a range"),
        ([], "blocks 0, 1, 2, 3, 4 stand in no segment"),
    ],
)
def test_a_fault_is_told_in_words(segments: list[Segment], told: str) -> None:
    fault = partition_fault(segments, 5)
    assert (fault == "") == (told == "") and told in fault


@given(SEGMENTS, st.integers(1, 10))
def test_a_repaired_partition_has_no_fault_and_a_sound_one_is_left_alone(segments: list[Segment], blocks: int) -> None:
    repaired = repaired_partition(segments, blocks)
    assert partition_fault(repaired, blocks) == ""
    assert repaired_partition(repaired, blocks) == repaired
    if not partition_fault(segments, blocks):
        assert repaired == segments


def test_gaps_go_to_the_segment_before_and_shared_blocks_to_the_first() -> None:
    assert repaired_partition([Segment(4, 5, "C"), Segment(1, 2, "A"), Segment(2, 3, "B")], 8) == [
        Segment(0, 2, "A"), Segment(3, 3, "B"), Segment(4, 7, "C"),
    ]  # fmt: skip
    assert repaired_partition([Segment(9, 9, "X")], 3) == [Segment(0, 2)]
