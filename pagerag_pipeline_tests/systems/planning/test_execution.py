"""A plan runs level by level: hops at once, each text once, and neither a failed nor an unknown hop holds up another."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from pagerag_pipeline.settings_asking import PankSettings
from pagerag_pipeline.systems.planning.execution import Finding, HopAnswer, resolved, run_plan
from pagerag_pipeline.systems.planning.hops import FINAL, Hop, HopPlan

KNOWN = HopAnswer("Raoul Walsh", True, 0.8)


@dataclass
class Asker:
    """Answers by hop id, keeps what was asked, and raises or waits where it is told to."""

    answers: dict[str, HopAnswer] = field(default_factory=dict)
    faults: dict[str, Exception] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)
    asked: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)

    def __call__(self, hop: Hop, text: str, known: Sequence[Finding]) -> Finding:
        self.asked.append((hop.hop_id, text, tuple(one.answer.text for one in known)))
        time.sleep(self.waits.get(hop.hop_id, 0.0))
        if hop.hop_id in self.faults:
            raise self.faults[hop.hop_id]
        return Finding(hop, text, answer=self.answers.get(hop.hop_id, KNOWN))


def plan(*hops: Hop, needs: tuple[str, ...]) -> HopPlan:
    return HopPlan("The question?", hops, Hop(FINAL, "What of <1-1>?", needs))


CHAIN = plan(Hop("1-1", "Who directed it?", stands_for="the director"), Hop("1-2", "Who married <1-1>?", ("1-1",)), needs=("1-2", "1-1"))


def test_a_chain_is_asked_in_order_with_answers_in_their_places() -> None:
    ask = Asker()
    found = run_plan(CHAIN, ask, PankSettings())
    assert ask.asked == [("1-1", "Who directed it?", ()), ("1-2", "Who married Raoul Walsh?", ("Raoul Walsh",))]
    assert found["1-2"].used == ("1-1",) and resolved(CHAIN.final, CHAIN, found)[0] == "What of Raoul Walsh?"


def test_a_failed_hop_blocks_nothing_and_is_told() -> None:
    ask = Asker(faults={"1-1": RuntimeError("no such film")})
    found = run_plan(CHAIN, ask, PankSettings())
    assert (found["1-1"].status, found["1-1"].error) == ("failed", "RuntimeError: no such film")
    assert (found["1-2"].status, found["1-2"].asked, found["1-2"].used, found["1-2"].lacking) == ("done", "Who married the director?", (), ("1-1",))
    text, known, lacking = resolved(CHAIN.final, CHAIN, found)
    assert (text, [one.hop.hop_id for one in known], lacking) == ("What of the director?", ["1-2"], ("1-1",))


def test_an_unknown_answer_blocks_nothing_and_is_no_dependency() -> None:
    ask = Asker(answers={"1-1": HopAnswer("somebody", False, 0.2)})
    found = run_plan(CHAIN, ask, PankSettings())
    assert ask.asked[1] == ("1-2", "Who married the director?", ())
    assert found["1-2"].lacking == ("1-1",) and found["1-1"].step()["answer"] is None and found["1-1"].step()["guess"] == "somebody"


def test_a_hop_that_takes_too_long_has_failed_and_the_rest_goes_on() -> None:
    ask = Asker(waits={"1-1": 3.0})
    begun = time.monotonic()
    found = run_plan(CHAIN, ask, PankSettings(hop_seconds=0.1))
    assert time.monotonic() - begun < 2.5
    assert found["1-1"].status == "failed" and "hop_seconds" in found["1-1"].error and found["1-2"].status == "done"


def test_hops_of_one_level_run_at_once() -> None:
    met = threading.Barrier(2, timeout=5)

    def ask(hop: Hop, text: str, known: Sequence[Finding]) -> Finding:
        met.wait()
        return Finding(hop, text, answer=KNOWN)

    found = run_plan(plan(Hop("1-1", "Who is A?"), Hop("2-1", "Who is B?"), needs=("1-1", "2-1")), ask, PankSettings(workers=2))
    assert [one.status for one in found.values()] == ["done", "done"]


def test_equal_texts_are_asked_once_and_share_the_result() -> None:
    ask = Asker()
    found = run_plan(plan(Hop("1-1", "Who is A?"), Hop("2-1", "who is A?"), Hop("3-1", "Who is A?", scope="abstract"), needs=("1-1", "2-1", "3-1")), ask, PankSettings())
    assert sorted(one for one, _, _ in ask.asked) == ["1-1", "3-1"]
    assert found["2-1"].same_as == "1-1" and found["2-1"].answer == found["1-1"].answer and found["2-1"].hop.hop_id == "2-1"


def test_what_the_final_query_does_not_rest_on_is_asked_only_on_demand() -> None:
    spare = plan(Hop("1-1", "Who is A?"), Hop("2-1", "Who is B?"), needs=("1-1",))
    for demanded, status in ((False, "unused"), (True, "done")):
        ask = Asker()
        found = run_plan(spare, ask, PankSettings(execute_unused=demanded))
        assert found["2-1"].status == status and len(ask.asked) == 1 + demanded


def test_two_runs_share_no_state() -> None:
    first, second = Asker(answers={"1-1": HopAnswer("Ann", True, 0.9)}), Asker(answers={"1-1": HopAnswer("Bea", True, 0.9)})
    run_plan(CHAIN, first, PankSettings())
    run_plan(CHAIN, second, PankSettings())
    assert [one[1] for one in second.asked] == ["Who directed it?", "Who married Bea?"]


def test_ctrl_c_in_a_hop_ends_the_question() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_plan(CHAIN, Asker(faults={"1-1": RuntimeError("Query interrupted")}), PankSettings())


def test_a_failing_hop_frees_its_worker() -> None:
    settings = PankSettings(workers=1)
    for _ in range(5):
        found = run_plan(CHAIN, Asker(faults={"1-1": RuntimeError("x")}), settings)
        assert found["1-2"].status == "done"
