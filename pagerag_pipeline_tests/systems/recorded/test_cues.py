"""Verbs by which a row states a value, in every form that they have."""

import pytest

from pagerag_pipeline.lexical import stem
from pagerag_pipeline.systems.recorded import cues


@pytest.mark.parametrize("word", "have has had carries carried held keeps kept made stood run ran takes took belongs listed".split())
def test_a_row_may_state_what_a_thing_has_holds_or_is_listed_with(word: str) -> None:
    assert stem(word) in cues.STATING


@pytest.mark.parametrize("word", "painted praised sold lost wrecked burned".split())
def test_a_row_states_no_deed(word: str) -> None:
    assert stem(word) not in cues.STATING


@pytest.mark.parametrize(("text", "one"), [("What did the net cost?", True), ("What lights does Una keep?", False), ("Which net costs most?", False)])
def test_what_a_thing_does_is_no_list(text: str, one: bool) -> None:
    assert bool(cues.ONE.search(text)) is one
