"""What is spread from, and what a question is without its names."""

import pytest

from pagerag_pipeline.stores.found import Linked
from pagerag_pipeline.systems.routing import without_names
from pagerag_pipeline_tests.systems.test_page import gather

FENN = Linked("e1", "Odo Fenn", "PERSON", 2, "odo fenn")
MILL = Linked("e2", "mill", "NOUN", 2, "mill")


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("In which county was Odo Fenn's mill built?", "In which county was 's mill built?"),
        ("In which county was odo fenn's mill built?", ""),
        ("Who was Odo Fenn?", ""),
        ("Who built the mill?", ""),
        ("Did Fennel grow at the mill of ODO FENN?", "Did Fennel grow at the mill of ?"),
    ],
)
def test_names_with_a_capital_go_and_the_rest_stays_if_it_says_something(question: str, rest: str) -> None:
    assert without_names(question, [FENN, MILL]) == rest


@pytest.mark.parametrize(
    ("question", "spreads"),
    [
        ("Who kept bees at Low Farm?", True),
        ("who kept bees at the farm?", False),
        ("What were they? Where was it?", False),
        ("who is the man whose mill odo fenn bought?", True),
        ("What are the main themes of Low Farm?", False),
    ],
)
def test_activation_spreads_from_names_alone(question: str, spreads: bool) -> None:
    plan = gather(question).plan
    assert ("spread" in plan.operators) is spreads
    assert any(("no spread" if not spreads else "spread: it names") in why for why in plan.why) or plan.profile["scope"] == "global"
