"""How much of a question a text covers: each term by the best of what stands for it, in the order in which the question asks."""

import pytest

from pagerag_pipeline.answering.asked import read_question
from pagerag_pipeline.answering.coverage import Wanted, weigh
from pagerag_pipeline.answering.leaning import LEANED_SHARE
from pagerag_pipeline.answering.sentences import evidence_sentences
from pagerag_pipeline_tests.answering.evidence import RULES, shown, statistics

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


def test_what_a_sentence_leans_on_counts_but_for_the_deed() -> None:
    texts = ("Telm was founded by Bishop Aldric. It burned in 1200.",)
    asked = read_question("When was Telm founded?")
    wanted = weigh(asked, statistics(*texts))
    first, second = evidence_sentences(shown(*texts), RULES)
    assert wanted.covered_by(first) == {"telm": 1.0, "found": 1.0}
    assert wanted.covered_by(second) == {"telm": LEANED_SHARE}
