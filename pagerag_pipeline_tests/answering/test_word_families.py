"""What can stand for a question's word: forms, derivations, and words of its family, in this order of weight."""

import pytest

from pagerag_pipeline.answering.word_families import DERIVED, EXACT, FAMILY, derivations, relatives
from pagerag_pipeline.lexical import stem


@pytest.mark.parametrize(
    ("term", "other", "share"),
    [("bell", "bell", EXACT), ("owner", "own", DERIVED), ("keep", "kept", DERIVED), ("own", "bought", FAMILY), ("birthplace", "born", FAMILY)],
)
def test_relatives_cover_their_share(term: str, other: str, share: float) -> None:
    assert relatives(stem(term))[stem(other)] == share


@pytest.mark.parametrize(("term", "other"), [("sell", "bought"), ("roof", "bell"), ("contract", "contrast")])
def test_other_words_do_not_stand_in(term: str, other: str) -> None:
    assert stem(other) not in relatives(stem(term))


def test_a_derivation_is_no_other_word_of_the_family() -> None:
    own = derivations(stem("own"))
    assert {stem(word) for word in ("own", "owner")} <= own and stem("bought") not in own


@pytest.mark.parametrize(("term", "other"), [("b", "by"), ("r", "red"), ("u", "us")])
def test_a_letter_has_no_derivations(term: str, other: str) -> None:
    assert other not in relatives(term)
