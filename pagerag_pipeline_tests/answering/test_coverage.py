"""How much of a question a text covers: each term by the best of what stands for it, in the order in which the question asks."""

import pytest

from pagerag_pipeline.answering.coverage import Wanted

WANTED = Wanted(
    weights={"own": 2.0, "ship": 1.0, "buy": 1.0},
    stand_ins={"own": {"own": 1.0, "owner": 0.9, "bought": 0.7}, "ship": {"ship": 1.0}, "buy": {"buy": 1.0, "bought": 0.9}},
    unknown=frozenset(),
    absent=frozenset(),
)


@pytest.mark.parametrize(
    ("found", "covered", "share"),
    [
        ({"bought", "owner", "sea"}, {"own": 0.9, "buy": 0.9}, 0.675),
        ({"buy", "ship", "own"}, {"own": 1.0, "ship": 1.0, "buy": 1.0}, 1.0),
        ({"sea", "wind"}, {}, 0.0),
    ],
)
def test_each_term_is_covered_by_the_best_that_stands_for_it(found: set[str], covered: dict[str, float], share: float) -> None:
    shares = WANTED.covered(frozenset(found))
    assert list(shares.items()) == list(covered.items())
    assert WANTED.share(shares) == pytest.approx(share)
